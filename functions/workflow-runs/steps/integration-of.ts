import type { Integration, IntegrationSecrets } from '#shared/domain/workflow.model.ts';
import { AppError, need } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type OpenIntegration = { readonly integration: Integration; readonly secrets: IntegrationSecrets };

/** As it is now, not as it was when the execution began: a secret that was replaced is replaced everywhere. */
export async function integrationOf(orgId: string, id: string, { workflows, vault }: Pick<Deps, 'workflows' | 'vault'>): Promise<OpenIntegration> {
  const integration = need(await workflows.integration(orgId, id), `There is no integration ${id}.`);
  if (!integration.enabled) throw new AppError('not_found', `The integration ${id} is turned off.`);
  const { sealed_secrets } = integration;
  if (sealed_secrets === null) return { integration, secrets: {} };
  const opened = await vault.open(sealed_secrets, { orgId, purpose: 'integration', id });
  return { integration, secrets: JSON.parse(opened.reveal()) as IntegrationSecrets };
}
