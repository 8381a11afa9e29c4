import type { MiddlewareObj } from '@middy/core';
import { problemAnswer } from '#shared/http/problem-answer.ts';
import {
  type ApiEvent,
  type ApiResult,
  bodyOf,
  header,
  type RequestState,
  stateOf,
} from '#shared/http/request-state.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import type { ClaimTicket } from '#shared/kernel/operation.ts';
import { unkeyedOperation } from '#shared/kernel/operation.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { ClaimState, StoredAnswer } from '#shared/ports/claims.port.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'claims' | 'config' | 'vault' | 'log'>;

/** Refusals that may not recur: the key is released, as if it had not been used. */
const NOT_KEPT: ReadonlySet<number> = new Set([401, 402, 403, 429]);

/** The fate of a failed request's claim: a repeat gets the same answer, starts anew, or continues the operation. */
function fateOf(error: unknown, began: boolean | undefined): 'keep' | 'release' | 'lapse' {
  if (!began) return 'release';
  if (
    !(error instanceof AppError) ||
    error.status >= 500 ||
    error.code === 'outcome_unknown' ||
    error.code === 'write_conflict'
  )
    return 'lapse';
  return NOT_KEPT.has(error.status) ? 'release' : 'keep';
}

/** One key, one operation. A route whose record is its own claim gets the ticket and claims by itself. */
export const idempotency = (deps: Needs): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: async ({ event }) => {
    const state = stateOf(event);
    state.operation = unkeyedOperation(state.at);
    const ticket = ticketOf(event, state, deps);
    if (!ticket) return undefined;
    state.ticket = ticket;
    if (state.route.idempotency === 'fused') return undefined;
    const claim = await deps.claims.claim(ticket, state.at);
    if (claim.state === 'answered') return replay(claim, ticket, state, deps);
    refuse(claim);
    state.operation = claim.operation;
    state.claimId = claim.claimId;
    return undefined;
  },
  after: async ({ event, response }) => {
    const state = stateOf(event);
    if (state.claimId && response) await keepOrLapse(state, answerOf(response), deps);
  },
  // The request's claim is in its state: `onError` also runs for requests that never came this far.
  onError: async (request) => {
    const state = stateOf(request.event);
    const { claimId } = state;
    if (!claimId) return;
    switch (fateOf(request.error, state.began)) {
      case 'keep':
        return keepOrLapse(state, answerOf(problemAnswer(request.error)), deps);
      case 'release':
        return leave(() => deps.claims.release(claimId), deps);
      case 'lapse':
        return leave(() => deps.claims.lapse(claimId), deps);
    }
  },
});

/** Refuses a key whose first request is still running, or was another request. */
function refuse(claim: {
  readonly state: string;
  readonly retryAfter?: number;
}): asserts claim is Extract<ClaimState, { state: 'new' | 'taken_over' }> {
  if (claim.state === 'reused')
    throw new AppError('idempotency_key_reused', 'This idempotency key was used for another request. Use a new key.');
  if (claim.state === 'running') {
    throw new AppError('idempotency_in_progress', 'The first request with this idempotency key is still running.', {
      retryAfter: claim.retryAfter ?? 1,
    });
  }
}

function ticketOf(event: ApiEvent, state: RequestState, { config }: Needs): ClaimTicket | undefined {
  const { route, credential } = state;
  if (route.idempotency === 'none' || !credential) return undefined;
  const key = keyIn(event);
  if (key === undefined) {
    if (route.idempotency === 'optional') return undefined;
    throw new AppError('idempotency_key_required', 'Send an Idempotency-Key: any text that is new for each operation.');
  }
  const request = keyedHash(
    config.hashSecret,
    event.requestContext.http.method,
    event.rawPath,
    bodyOf(event).toString('base64'),
  ).toString('base64url');
  return {
    orgId: credential.orgId,
    class: credential.kind === 'public' ? 'public' : 'server',
    key,
    request,
    credentialId: credential.id,
  };
}

function keyIn(event: ApiEvent): string | undefined {
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

async function replay(
  claim: Extract<ClaimState, { state: 'answered' }>,
  ticket: ClaimTicket,
  state: RequestState,
  { vault }: Needs,
): Promise<ApiResult> {
  state.replayed = true;
  const { status, body, location } = claim.answer;
  if (claim.sealed && claim.credentialId !== ticket.credentialId) {
    throw new AppError('idempotency_key_reused', 'This idempotency key was used by another credential. Use a new key.');
  }
  const opened = claim.sealed
    ? (await vault.open(body, { orgId: ticket.orgId, purpose: 'answer', id: claim.claimId })).reveal()
    : body;
  return {
    statusCode: status,
    headers: { 'idempotency-replayed': 'true', ...(location && { location }) },
    body: opened,
  };
}

const answerOf = (response: ApiResult): StoredAnswer => {
  const location = response.headers?.location;
  return {
    status: response.statusCode ?? 200,
    body: response.body ?? '',
    ...(location !== undefined && { location: String(location) }),
  };
};

/**
 * What was done is answered as done, whether or not its answer can be kept. A repeat that finds none goes on with the
 * same operation, which is done already, and begins no other.
 */
async function keepOrLapse(state: RequestState, answer: StoredAnswer, deps: Needs): Promise<void> {
  try {
    await keep(state, answer, deps);
  } catch (error) {
    deps.log.warn('answer_not_kept', { error });
    await leave(async () => state.claimId && deps.claims.lapse(state.claimId), deps);
  }
}

/**
 * The answer is sent even if the claim can't be released: its lease runs out, and the next request with the key
 * continues.
 */
async function leave(letGo: () => Promise<unknown>, { log }: Needs): Promise<void> {
  try {
    await letGo();
  } catch (error) {
    log.warn('claim_left_open', { error });
  }
}

async function keep(state: RequestState, answer: StoredAnswer, { claims, vault }: Needs): Promise<void> {
  const { claimId, credential, route } = state;
  if (!claimId || !credential) return;
  const sealed = route.secretAnswer && answer.status < 300;
  const place = { orgId: credential.orgId, purpose: 'answer', id: claimId } as const;
  await claims.complete(
    claimId,
    sealed ? { ...answer, body: await vault.seal(new Secret(answer.body), place) } : answer,
    sealed,
  );
}
