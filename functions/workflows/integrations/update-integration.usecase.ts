import { assertReadable } from '#functions/workflows/assert-readable.ts';
import { changeDefinitions, deleteDefinition } from '#functions/workflows/change-definitions.ts';
import { integrationIn, MISSING } from '#functions/workflows/integrations/get-integrations.usecase.ts';
import { assertAddressAllowed, assertMailable } from '#functions/workflows/integrations/integration-destination.ts';
import type { UpdateIntegrationInput } from '#functions/workflows/integrations/integrations.schema.ts';
import type { Integration } from '#shared/domain/workflows/workflow.model.ts';
import { assertIntegrationUnused, templatesUsing } from '#shared/domain/workflows/workflow-definitions.rules.ts';
import {
  type ConfigInput,
  faultsInConfig,
  faultsInMasked,
  isRedirected,
  isSameServer,
  MASKED,
  maskAddress,
  maskHeaders,
  mergeHeaders,
} from '#shared/domain/workflows/workflow-integration.rules.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { openSecrets, sealSecrets } from '#shared/services/workflows/integration-secrets.service.ts';

type Needs = Pick<Deps, 'workflows' | 'vault' | 'webhookHttp' | 'organizations' | 'members' | 'config' | 'clock'>;

/** Fields that are not sent stay, sealed values too. Whoever redirects what workflows send needs the scopes to read it. */
export function updateIntegration(
  { id, config, ...fields }: UpdateIntegrationInput & { readonly id: string },
  caller: Caller,
  deps: Needs,
) {
  return changeDefinitions<Integration>(
    caller.orgId,
    async ({ integrations, templates, rules }) => {
      const before = integrationIn(integrations, id);
      const configured = config ? await withConfig(before, config, deps) : before;
      if (isRedirected(before, configured)) await assertReadable(templatesUsing(id, templates), rules, caller, deps);
      const after: Integration = {
        ...configured,
        ...fields,
        updated_at: deps.clock.now().toISOString(),
        version: before.version + 1,
      };
      return { result: after, change: { kind: 'integration', save: after } };
    },
    deps,
  );
}

async function withConfig(integration: Integration, input: ConfigInput, deps: Needs): Promise<Integration> {
  assertChangeAllowed(faultsInConfig(integration.type, input));
  switch (integration.type) {
    case 'http':
      return withHttpConfig(integration, input, deps);
    case 'slack':
      return input.url === undefined || input.url === integration.config.url
        ? integration
        : withSlackConfig(integration, input.url, deps);
    case 'email':
      return input.to === undefined ? integration : withMailConfig(integration, input.to, deps);
  }
}

type IntegrationOf<T extends Integration['type']> = Extract<Integration, { type: T }>;

async function withHttpConfig(
  integration: IntegrationOf<'http'>,
  { url = integration.config.url, ...input }: ConfigInput,
  deps: Needs,
): Promise<Integration> {
  await assertAddressAllowed(url, deps);
  const secrets = await openSecrets(integration, deps);
  const stored = secrets.headers ?? {};
  // Headers that are not sent stay as they are.
  const requested = input.headers ?? maskHeaders(stored);
  assertChangeAllowed(faultsInMasked(requested, stored, isSameServer(url, integration.config.url)));
  const headers = mergeHeaders(requested, stored);
  const sealed_secrets = await sealSecrets({ ...secrets, headers }, integration, deps);
  return { ...integration, config: { url, headers: maskHeaders(headers) }, sealed_secrets };
}

async function withSlackConfig(integration: IntegrationOf<'slack'>, url: string, deps: Needs): Promise<Integration> {
  if (url.includes(MASKED))
    assertChangeAllowed([
      { path: 'config.url', message: 'This is the masked form of another address. Send the whole address.' },
    ]);
  await assertAddressAllowed(url, deps);
  return {
    ...integration,
    config: { url: maskAddress(url) },
    sealed_secrets: await sealSecrets({ url }, integration, deps),
  };
}

async function withMailConfig(
  integration: IntegrationOf<'email'>,
  to: readonly string[],
  deps: Needs,
): Promise<Integration> {
  await assertMailable(to, integration.org_id, deps);
  return { ...integration, config: { to } };
}

function assertChangeAllowed(faults: Parameters<typeof invalidFields>[0]): void {
  if (faults.length > 0) throw invalidFields(faults);
}

/** Refused while a template uses it. An execution of an older version that uses it fails at that step. */
export const deleteIntegration = ({ id }: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'workflows'>) =>
  deleteDefinition(
    id,
    {
      kind: 'integration',
      idKind: 'integration',
      listIn: ({ integrations }) => integrations,
      missing: MISSING,
      assertUnused: ({ templates }) => assertIntegrationUnused(id, templates),
    },
    caller,
    deps,
  );
