import type { Integration, IntegrationSecrets } from '#shared/domain/workflows/workflow.model.ts';
import { integrationSecretRef, serializeSecrets } from '#shared/domain/workflows/workflow-integration.rules.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps } from '#shared/ports/deps.ts';

type IntegrationRef = Pick<Integration, 'org_id' | 'id'>;

export async function openSecrets(
  { sealed_secrets, ...place }: IntegrationRef & Pick<Integration, 'sealed_secrets'>,
  { vault }: Pick<Deps, 'vault'>,
) {
  if (sealed_secrets === null) return {};
  return JSON.parse((await vault.open(sealed_secrets, integrationSecretRef(place))).reveal()) as IntegrationSecrets;
}

export async function sealSecrets(
  secrets: IntegrationSecrets,
  place: IntegrationRef,
  { vault }: Pick<Deps, 'vault'>,
): Promise<string | null> {
  const text = serializeSecrets(secrets);
  return text === null ? null : vault.seal(new Secret(text), integrationSecretRef(place));
}
