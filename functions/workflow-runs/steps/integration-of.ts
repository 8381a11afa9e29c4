import type { Integration, IntegrationSecrets } from '#shared/domain/workflows/workflow.model.ts';
import { AppError, need } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { openedSecrets } from '#shared/services/workflows/integration-secrets.service.ts';

export type OpenIntegration = { readonly integration: Integration; readonly secrets: IntegrationSecrets };

/** As it is now, not as it was when the execution began: a secret that was replaced is replaced everywhere. */
export async function integrationOf(
  orgId: string,
  id: string,
  deps: Pick<Deps, 'workflows' | 'vault'>,
): Promise<OpenIntegration> {
  const integration = need(await deps.workflows.integration(orgId, id), `There is no integration ${id}.`);
  if (!integration.enabled) throw new AppError('workflow_integration_disabled', `The integration ${id} is turned off.`);
  return { integration, secrets: await openedSecrets(integration, deps) };
}
