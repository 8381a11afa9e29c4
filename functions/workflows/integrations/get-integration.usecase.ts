import { MISSING } from '#functions/workflows/integrations/stored-integration.ts';
import type { Integration } from '#shared/domain/workflows/workflow.model.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { openedSecrets } from '#shared/services/workflows/integration-secrets.service.ts';

/**
 * Who may change it sees the signing secret whole: receivers are set up with it. No other answer has it, as those are
 * kept for repeats.
 */
export async function getIntegration(
  { id }: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'workflows' | 'vault'>,
): Promise<Integration> {
  const integration = need(await deps.workflows.integration(caller.orgId, id), MISSING);
  if (integration.type !== 'http' || !caller.scopes.includes('workflows:write')) return integration;
  const { signing_secret = integration.signing_secret } = await openedSecrets(integration, deps);
  return { ...integration, signing_secret };
}
