import type { MiddlewareObj } from '@middy/core';
import { type ApiEvent, type ApiResult, bodyOf, header, type RequestState, stateOf } from '#shared/http/request.ts';
import { problemResponse } from '#shared/http/response.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import { canonicalJson, withoutDefaults } from '#shared/kernel/json.ts';
import { type IdempotencyRequest, keyReused } from '#shared/kernel/operation.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { ClaimState, StoredResponse } from '#shared/ports/claims.port.ts';
import type { Deps } from '#shared/ports/deps.ts';

type IdempotencyDeps = Pick<Deps, 'agents' | 'claims' | 'config' | 'vault' | 'log'>;

/** One key, one operation. A route whose record holds the key gets this request, and its use case claims the key. */
export const idempotency = (deps: IdempotencyDeps): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: async ({ event }) => {
    const state = stateOf(event);
    const idempotencyRequest = idempotencyRequestOf(event, state, deps);
    if (!idempotencyRequest) return undefined;
    state.idempotencyRequest = idempotencyRequest;
    // Before anything is claimed: what a person has to approve leaves no trace at the key.
    if (state.credential?.agent)
      await (await import('#shared/http/agent-guard.ts')).guardAgent(event, state, idempotencyRequest, deps);
    if (state.route.idempotency === 'in_record') return undefined;
    const claim = await deps.claims.claim(idempotencyRequest, state.at);
    if (claim.state === 'completed') {
      const { replay } = await import('#shared/http/replay-response.ts');
      return replay(claim, idempotencyRequest, deps);
    }
    assertClaimed(claim);
    state.operation = claim.operation;
    state.claimId = claim.claimId;
    return undefined;
  },
  after: async ({ event, response }) => {
    const state = stateOf(event);
    if (state.claimId && response) await storeOrExpire(state, storedResponse(response), deps);
  },
  // The request's claim is in its state: `onError` also runs for requests that never came this far.
  onError: async ({ event, error }) => {
    const state = stateOf(event);
    const { claimId } = state;
    if (!claimId) return;
    switch (claimAction(error, state.handlerStarted)) {
      case 'store':
        return storeOrExpire(state, storedResponse(problemResponse(error)), deps);
      case 'release':
        return releaseOrLog(() => deps.claims.release(claimId), deps);
      case 'expire':
        return releaseOrLog(() => deps.claims.expire(claimId), deps);
    }
  },
});

/** Statuses of errors that may not recur: the key is released, as if it had not been used. */
const NOT_STORED: ReadonlySet<number> = new Set([401, 402, 403, 429]);

/** After a failed request, a repeat gets the stored error, starts again, or continues the operation. */
function claimAction(error: unknown, handlerStarted: boolean | undefined): 'store' | 'release' | 'expire' {
  if (!handlerStarted) return 'release';
  if (!(error instanceof AppError) || error.status >= 500) return 'expire';
  if (error.code === 'outcome_unknown' || error.code === 'write_conflict') return 'expire';
  return NOT_STORED.has(error.status) ? 'release' : 'store';
}

/** Throws if the key's first request is still running, or was a different request. */
function assertClaimed(claim: {
  readonly state: string;
  readonly retryAfter?: number;
}): asserts claim is Extract<ClaimState, { state: 'new' | 'taken_over' }> {
  if (claim.state === 'reused') throw keyReused();
  if (claim.state === 'running') {
    throw new AppError('idempotency_in_progress', 'The first request with this idempotency key is still running.', {
      retryAfter: claim.retryAfter ?? 1,
    });
  }
}

function idempotencyRequestOf(
  event: ApiEvent,
  state: RequestState,
  { config }: IdempotencyDeps,
): IdempotencyRequest | undefined {
  const { route, credential } = state;
  if (route.idempotency === 'none' || !credential) return undefined;
  const key = idempotencyKey(event);
  if (key === undefined) {
    if (route.idempotency === 'optional' && !credential.agent) return undefined;
    throw new AppError('idempotency_key_required', 'Send an Idempotency-Key: any text that is new for each operation.');
  }
  return {
    orgId: credential.orgId,
    class: credential.kind === 'public' ? 'public' : 'server',
    key,
    request: requestHash(event, state, config.hashSecret),
    get formerRequest() {
      return bytesHash(event, config.hashSecret);
    },
    get otherRequests() {
      const others = config.rotations?.hashSecret?.others ?? [];
      return others.flatMap(({ secret }) => [requestHash(event, state, secret), bytesHash(event, secret)]);
    },
    credentialId: credential.id,
  };
}

/** To change what is hashed, count this up, and move the hash of today into `bytesHash`. */
const HASH_VERSION = 'v2';

/** The same for requests that ask for the same, however they write it: a repeat need not be equal byte by byte. */
function requestHash(event: ApiEvent, { route, query, body }: RequestState, hashSecret: string): string {
  const asked = [event.pathParameters ?? {}, query ?? {}, withoutDefaults(body?.sent, body?.validated)];
  const hash = keyedHash(hashSecret, HASH_VERSION, route.method, route.path, canonicalJson(asked));
  return `${HASH_VERSION}:${hash.toString('base64url')}`;
}

/** The hash of the release before. */
function bytesHash(event: ApiEvent, hashSecret: string): string {
  const body = bodyOf(event).toString('base64');
  return keyedHash(hashSecret, event.requestContext.http.method, event.rawPath, body).toString('base64url');
}

function idempotencyKey(event: ApiEvent): string | undefined {
  const plain = header(event, 'idempotency-key');
  const prefixed = header(event, 'x-idempotency-key');
  if (plain !== undefined && prefixed !== undefined && plain !== prefixed) {
    throw new AppError('idempotency_key_invalid', 'Idempotency-Key and X-Idempotency-Key differ. Send one of them.');
  }
  const key = plain ?? prefixed;
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new AppError('idempotency_key_invalid', 'An idempotency key has 1 to 255 visible ASCII characters.');
  }
  return key;
}

const storedResponse = ({ statusCode = 200, headers, body = '' }: ApiResult): StoredResponse => {
  const location = headers?.location;
  return { status: statusCode, body, ...(location !== undefined && { location: String(location) }) };
};

/**
 * The response is sent whether or not it can be stored: the operation is done. A repeat that finds no response
 * continues the same operation, which is done already, and starts no other.
 */
async function storeOrExpire(state: RequestState, response: StoredResponse, deps: IdempotencyDeps): Promise<void> {
  try {
    await store(state, response, deps);
  } catch (error) {
    deps.log.warn('response_not_stored', { error });
    await releaseOrLog(async () => state.claimId && deps.claims.expire(state.claimId), deps);
  }
}

/**
 * The response is sent even if the claim cannot be released. The lease then expires, and the next request with the key
 * continues.
 */
async function releaseOrLog(release: () => Promise<unknown>, { log }: IdempotencyDeps): Promise<void> {
  try {
    await release();
  } catch (error) {
    log.warn('claim_left_open', { error });
  }
}

async function store(state: RequestState, response: StoredResponse, { claims, vault }: IdempotencyDeps): Promise<void> {
  const { claimId, credential, route } = state;
  if (!claimId || !credential) return;
  const sealed = route.secretResponse && response.status < 300;
  const place = { orgId: credential.orgId, purpose: 'answer', id: claimId } as const;
  await claims.complete(
    claimId,
    sealed ? { ...response, body: await vault.seal(new Secret(response.body), place) } : response,
    sealed,
  );
}
