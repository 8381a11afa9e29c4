import { type ApiKey, keyText } from '#shared/domain/accounts/api-key.model.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import { type Operation, operationId } from '#shared/kernel/operation.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps, ServiceConfig } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'keys'> & { readonly config: Pick<ServiceConfig, 'stage' | 'hashSecret'> };
type IssueKeyInput = Pick<ApiKey, 'org_id' | 'name' | 'kind' | 'scopes'>;

/**
 * Issues a key. The caller has checked the permission. The id derives from the operation, and the text from `bytes`,
 * which a repeat passes again: so a retry after a crash issues the same key, not a second one that nobody knows.
 */
export async function issueApiKey(
  input: IssueKeyInput,
  operation: Operation,
  bytes: Buffer,
  { keys, config }: Needs,
): Promise<{ readonly apiKey: ApiKey; readonly text: Secret }> {
  const { org_id, name, kind, scopes } = input;
  const apiKey: ApiKey = {
    id: operationId(operation, 'key'),
    org_id,
    name,
    kind,
    scopes,
    created_at: operation.at.toISOString(),
  };
  const text = keyText({ stage: config.stage, kind, orgId: org_id }, bytes, config.hashSecret);
  await keys.create(apiKey, sha256Hex(text));
  return { apiKey, text: new Secret(text) };
}
