import middy from '@middy/core';
import { BROWSER_COOKIE } from '#shared/domain/accounts/known-browser.rules.ts';
import { authenticate } from '#shared/http/middleware/authenticate.middleware.ts';
import { errorBoundary } from '#shared/http/middleware/error-boundary.middleware.ts';
import { idempotency } from '#shared/http/middleware/idempotency.middleware.ts';
import { limitBody, parseRequest } from '#shared/http/middleware/parse-request.middleware.ts';
import { rateLimit, requireAccess, requireKyc } from '#shared/http/middleware/require-access.middleware.ts';
import {
  type ApiEvent,
  type ApiResult,
  actorOf,
  begunOf,
  cookiesOf,
  header,
  routingDataOf,
  sourceIp,
  startState,
  stateOf,
  traced,
} from '#shared/http/request.ts';
import { addCommonHeaders, addressRate, corsHeaders, toResponse } from '#shared/http/response.ts';
import type { Route } from '#shared/http/route.ts';
import { requireFreshProof } from '#shared/http/session-auth.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { currentWork, unkeyedOperation } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type Handler = (event: ApiEvent, context: object) => Promise<ApiResult>;

/** What the middleware needs, beside what the use cases need. */
export type ApiDeps = Pick<
  Deps,
  | 'agents'
  | 'claims'
  | 'clock'
  | 'config'
  | 'failureLog'
  | 'keys'
  | 'log'
  | 'organizations'
  | 'passkeys'
  | 'platform'
  | 'rates'
  | 'sessions'
  | 'users'
  | 'vault'
>;

/** The middleware chain of every endpoint: authentication, access, rate limit, input, idempotency. */
export function apiHandler<D>(route: Route<D>, deps: D & ApiDeps): Handler {
  const chain = middy((event: ApiEvent) => runUseCase(route, event, deps), {
    requestStart: (request) => {
      const event = request.event as ApiEvent;
      startState(event, { ...begunOf(event), route });
    },
    requestEnd: async ({ event, response }) => {
      const state = stateOf(event as ApiEvent);
      const rate = state.rate ?? (await addressRate(event as ApiEvent, state.at, deps.rates));
      if (!response) return;
      if ((response.statusCode ?? 0) >= 400) await endInError(event as ApiEvent, response, deps);
      response.headers = { ...response.headers, ...corsHeaders(route, event as ApiEvent, deps.config) };
      addCommonHeaders(response, state.requestId, rate);
    },
  });
  chain
    .use(errorBoundary(deps.log))
    .use(limitBody())
    .use(authenticate(deps))
    .use(requireAccess())
    .use(requireKyc(deps))
    .use(rateLimit());
  if (route.proof === 'fresh') chain.use(requireFreshProof(deps));
  chain.use(parseRequest()).use(idempotency(deps));
  return traced(chain, deps);
}

/** Loaded at the first failure: a payment that succeeds must not wait for it. */
async function endInError(event: ApiEvent, response: ApiResult, deps: ApiDeps): Promise<void> {
  const state = stateOf(event);
  const { route, handlerStarted, idempotencyRequest } = state;
  const isRead = route.method === 'GET' && !route.usesUp;
  const isSafe = isRead || !handlerStarted || idempotencyRequest !== undefined;
  (await import('#shared/http/finish-error.ts')).finishError(response, { apiUrl: deps.config.apiUrl, isSafe });
  await (await import('#shared/http/record-failure.ts')).recordFailure(event, state, response, deps);
}

async function runUseCase<D>(route: Route<D>, event: ApiEvent, deps: D & ApiDeps): Promise<ApiResult> {
  const state = stateOf(event);
  state.handlerStarted = true;
  const caller = callerOf(event, deps);
  // As `noteCause` does. What a read finds out, such as a poll, is nobody's act.
  const work = route.method === 'GET' ? undefined : currentWork.getStore();
  if (work?.trace !== undefined) work.trace += ` ~${caller.person?.userId ?? caller.credentialId}`;
  const result = await route.run(state.input as never, caller, deps);
  const { id = event.pathParameters?.id } = (result ?? {}) as { readonly id?: string };
  if (state.credential) state.about = { org_id: state.credential.orgId, ...(id !== undefined && { resource_id: id }) };
  return toResponse(result, event, state, deps.config);
}

function callerOf(event: ApiEvent, deps: ApiDeps): Caller {
  const state = stateOf(event);
  const { credential, requestId, idempotencyRequest, at } = state;
  if (!credential)
    throw new AppError('internal_error', 'The authentication middleware let a request without a credential pass.');
  return {
    orgId: credential.orgId,
    credentialId: credential.id,
    kind: credential.kind,
    scopes: credential.scopes,
    actorId: actorOf(event),
    ...(credential.person && { person: credential.person }),
    ...(credential.agent && { agent: true }),
    ip: sourceIp(event),
    browser: cookiesOf(event)[BROWSER_COOKIE],
    acceptLanguage: header(event, 'accept-language'),
    requestId,
    get operation() {
      state.operation ??= unkeyedOperation(at);
      return state.operation;
    },
    idempotencyRequest,
    routingData: () => routingDataOf(event, credential.orgId, deps),
  };
}
