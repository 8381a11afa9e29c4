import { type BootstrapResult, bootstrapOrganization } from '#functions/platform/bootstrap-organization.usecase.ts';
import { bootstrapProbe, type ProbeSetup } from '#functions/platform/bootstrap-probe.usecase.ts';
import type { BootstrapInput } from '#lib/bootstrap/bootstrap-options.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import { ApiKeyRepo } from '#shared/store/repos/accounts/api-key.repo.ts';
import { OrganizationRepo } from '#shared/store/repos/accounts/organization.repo.ts';
import { OwnerRepo } from '#shared/store/repos/accounts/owner.repo.ts';
import { SelfCheckRepo } from '#shared/store/repos/reporting/self-check.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

/**
 * Bootstraps in this table, and returns the command's output. The hash secret must be the stage's own, or its functions
 * would not find the records.
 */
export async function bootstrapInTable(
  table: TablePort,
  { hashSecret, rotations }: HashConfig,
  clock: Clock,
  input: BootstrapInput,
): Promise<string> {
  const { stage, newKey } = input;
  const secrets: HashConfig = { hashSecret, ...(rotations && { rotations }) };
  const deps = {
    organizations: new OrganizationRepo(table),
    keys: new ApiKeyRepo(table, true),
    owners: new OwnerRepo(table, secrets),
    selfCheck: new SelfCheckRepo(table),
    clock,
    config: { stage, ...secrets },
  };
  if ('probe' in input) return probeReport(await bootstrapProbe({ newKey }, deps));
  const { name, legalName, owner } = input;
  return formatReport(await bootstrapOrganization({ name, legal_name: legalName, owner, newKey }, deps));
}

function probeReport({ orgId, key }: ProbeSetup): string {
  return [
    'The organization of the probe exists, and its key: each run of the probe uses it.',
    '',
    `  organization  ${orgId}`,
    ...(key ? [`  your own key  ${key.reveal()}`] : []),
    '',
    key
      ? 'Your key is shown only once and stored nowhere. On the sandbox, give the organization a connection with test ' +
        'credentials (POST /v1/connections): each run then charges it too.'
      : 'To give it a connection for test payments on the sandbox, get a key of your own with --new-key.',
    '',
  ].join('\n');
}

/** The key's text is shown here and nowhere else. */
function formatReport(result: BootstrapResult): string {
  const { orgId, name, owner, key } = result;
  return [
    headline(result),
    '',
    `  organization  ${orgId}  ${name}`,
    `  owner         ${owner}`,
    ...(key ? [`  API key       ${key.reveal()}`] : []),
    '',
    key
      ? 'The key is shown only once and stored nowhere. Save it now.'
      : 'Its key was shown when it was created. If it is lost, create another one with --new-key and ' +
        'revoke the lost one.',
    '',
  ].join('\n');
}

function headline({ owner, isNew, key }: BootstrapResult): string {
  if (isNew) return 'Created:';
  const result = key ? 'another key was created:' : 'nothing was created.';
  return `${owner} already has this organization; ${result}`;
}
