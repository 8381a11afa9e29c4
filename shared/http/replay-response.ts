import type { ApiResult } from '#shared/http/request.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { IdempotencyRequest } from '#shared/kernel/operation.ts';
import type { ClaimState } from '#shared/ports/claims.port.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { UnsealError } from '#shared/ports/vault.port.ts';

/** The stored response of the key's first request. Few requests are repeats, so this is loaded when one comes. */
export async function replay(
  claim: Extract<ClaimState, { state: 'completed' }>,
  idempotencyRequest: IdempotencyRequest,
  { vault }: Pick<Deps, 'vault'>,
): Promise<ApiResult> {
  const { status, body, location } = claim.response;
  if (claim.sealed && claim.credentialId !== idempotencyRequest.credentialId) {
    throw new AppError(
      'idempotency_key_reused',
      'Another credential used this idempotency key, and the response holds a secret. Repeat the request with that ' +
        'credential.',
    );
  }
  const opened = claim.sealed ? await openResponse(body, claim.claimId, idempotencyRequest, vault) : body;
  return {
    statusCode: status,
    headers: { 'idempotency-replayed': 'true', ...(location && { location }) },
    body: opened,
  };
}

/** A stored response that was sealed with a former key cannot be opened: the request itself succeeded. */
async function openResponse(
  sealed: string,
  id: string,
  { orgId }: IdempotencyRequest,
  vault: Deps['vault'],
): Promise<string> {
  try {
    return (await vault.open(sealed, { orgId, purpose: 'answer', id })).reveal();
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new AppError(
      'idempotency_key_reused',
      'The first request with this key succeeded, but its response holds a secret that can no longer be shown. Look ' +
        'up what it created, replace it if you have not seen the secret, and use a new key.',
      { cause: error },
    );
  }
}
