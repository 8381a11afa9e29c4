import type { ListIntegrationsInput } from '#functions/workflows/integrations/integrations.schema.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import type { Integration } from '#shared/domain/workflows/workflow.model.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { openSecrets } from '#shared/services/workflows/integration-secrets.service.ts';

/**
 * Callers with `workflows:write` see the whole signing secret, as they set up their server with it. Other responses
 * mask it, because responses are stored for idempotent retries.
 */
export async function getIntegration(
  { id }: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'workflows' | 'vault'>,
): Promise<Integration> {
  const integration = orNotFound(await deps.workflows.integration(caller.orgId, id), MISSING);
  if (integration.type !== 'http' || !caller.scopes.includes('workflows:write')) return integration;
  const { signing_secret = integration.signing_secret } = await openSecrets(integration, deps);
  return { ...integration, signing_secret };
}

export const MISSING = 'There is no such integration.';

export const integrationIn = (integrations: readonly Integration[], id: string): Integration =>
  orNotFound(
    integrations.find((each) => each.id === id),
    MISSING,
  );

export async function listIntegrations(
  query: ListIntegrationsInput,
  { orgId }: Caller,
  { workflows }: Pick<Deps, 'workflows'>,
) {
  return pageOf((await workflows.definitions(orgId)).integrations, query, ({ id }) => id);
}
