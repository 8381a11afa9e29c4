import { type ApiKey, keyText } from '#shared/domain/accounts/api-key.model.ts';
import { plainHash } from '#shared/kernel/ids.ts';
import { type Operation, operationId, operationSecret } from '#shared/kernel/operation.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps, ServiceConfig } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'keys'> & { readonly config: Pick<ServiceConfig, 'stage' | 'hashSecret'> };
type KeyWish = Pick<ApiKey, 'org_id' | 'name' | 'kind' | 'scopes'>;

/**
 * Makes a key, without checking who asks. Id and text derive from the operation: a retry after a crash makes the same
 * key, and never a second one that nobody knows. Finding the first one stored is success.
 */
export async function issueApiKey(
  wish: KeyWish,
  operation: Operation,
  { keys, config }: Needs,
): Promise<{ readonly apiKey: ApiKey; readonly text: Secret }> {
  const { org_id, name, kind, scopes } = wish;
  const apiKey: ApiKey = {
    id: operationId(operation, 'key'),
    org_id,
    name,
    kind,
    scopes,
    created_at: operation.at.toISOString(),
  };
  const text = keyText(
    { stage: config.stage, kind, orgId: org_id },
    operationSecret(config.hashSecret, 'api key', operation),
  );
  await keys.create(apiKey, plainHash(text));
  return { apiKey, text: new Secret(text) };
}
