import { type BootstrapResult, bootstrapOrganization } from '#functions/platform/bootstrap-organization.usecase.ts';
import type { BootstrapInput } from '#lib/bootstrap/bootstrap-options.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import { ApiKeyRepo } from '#shared/store/repos/accounts/api-key.repo.ts';
import { OrganizationRepo } from '#shared/store/repos/accounts/organization.repo.ts';
import { OwnerRepo } from '#shared/store/repos/accounts/owner.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

/** Bootstraps in this table. The hash secret must be the stage's own, or its functions would not find the records. */
export function bootstrapInTable(
  table: TablePort,
  hashSecret: string,
  clock: Clock,
  input: BootstrapInput,
): Promise<BootstrapResult> {
  const { stage, name, legalName, owner, newKey } = input;
  const deps = {
    organizations: new OrganizationRepo(table),
    keys: new ApiKeyRepo(table, true),
    owners: new OwnerRepo(table, { hashSecret }),
    clock,
    config: { stage, hashSecret },
  };
  return bootstrapOrganization({ name, legal_name: legalName, owner, newKey }, deps);
}

/** The command's output. The key's text is shown here and nowhere else. */
export function formatReport(result: BootstrapResult): string {
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
