import type { Integration, IntegrationSecrets } from '#shared/domain/workflows/workflow.model.ts';
import { integrationPlace, secretsText } from '#shared/domain/workflows/workflow-integration.rules.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Place = Pick<Integration, 'org_id' | 'id'>;

export async function openedSecrets(
  { sealed_secrets, ...place }: Place & Pick<Integration, 'sealed_secrets'>,
  { vault }: Pick<Deps, 'vault'>,
) {
  if (sealed_secrets === null) return {};
  return JSON.parse((await vault.open(sealed_secrets, integrationPlace(place))).reveal()) as IntegrationSecrets;
}

export async function sealedSecrets(
  secrets: IntegrationSecrets,
  place: Place,
  { vault }: Pick<Deps, 'vault'>,
): Promise<string | null> {
  const text = secretsText(secrets);
  return text === null ? null : vault.seal(new Secret(text), integrationPlace(place));
}
