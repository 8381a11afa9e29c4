import middy from '@middy/core';
import { BROWSER_COOKIE } from '#shared/domain/accounts/known-browser.rules.ts';
import { authenticate } from '#shared/http/middleware/authenticate.middleware.ts';
import {
  errorBoundary,
  logRejectedCallback,
  pageErrorBoundary,
} from '#shared/http/middleware/error-boundary.middleware.ts';
import { idempotency } from '#shared/http/middleware/idempotency.middleware.ts';
import { limitBody, parseRequest } from '#shared/http/middleware/parse-request.middleware.ts';
import {
  countedRateOf,
  rateLimit,
  rateLimitByAddress,
  requireAccess,
  requireKyc,
} from '#shared/http/middleware/require-access.middleware.ts';
import {
  type ApiEvent,
  type ApiResult,
  actorOf,
  cookiesOf,
  rawRequestOf,
  routingDataOf,
  sourceIp,
  startState,
  stateOf,
} from '#shared/http/request.ts';
import { addCommonHeaders, addressRate, corsHeaders, toResponse, toResult } from '#shared/http/response.ts';
import { type AnyRoute, isRaw, type RawRoute, type Route } from '#shared/http/route.ts';
import { requireFreshProof } from '#shared/http/session-auth.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { newId } from '#shared/kernel/ids.ts';
import { unkeyedOperation } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type Handler = (event: ApiEvent, context: object) => Promise<ApiResult>;

/** The middleware chain of every endpoint: authentication, access, rate limit, input, idempotency. */
export function apiHandler(route: Route, deps: Deps): Handler {
  const chain = middy((event: ApiEvent) => runUseCase(event, deps), {
    requestStart: (request) => {
      const at = deps.clock.now();
      startState(request.event as ApiEvent, { requestId: newId('request', at), at, route });
    },
    requestEnd: async ({ event, response }) => {
      const state = stateOf(event as ApiEvent);
      const rate = state.rate ?? (await addressRate(event as ApiEvent, state.at, deps));
      if (!response) return;
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
  return chain as unknown as Handler;
}

async function runUseCase(event: ApiEvent, deps: Deps): Promise<ApiResult> {
  const state = stateOf(event);
  state.handlerStarted = true;
  const result = await state.route.run(state.input as never, callerOf(event, deps), deps);
  return toResponse(result, event, state, deps.config);
}

function callerOf(event: ApiEvent, deps: Deps): Caller {
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
    ip: sourceIp(event),
    browser: cookiesOf(event)[BROWSER_COOKIE],
    requestId,
    get operation() {
      state.operation ??= unkeyedOperation(at);
      return state.operation;
    },
    idempotencyRequest,
    routingData: () => routingDataOf(event, credential.orgId, deps),
  };
}

/** For callbacks and hosted pages: no credential of this API, and the raw body. */
export function rawHandler({ raw, page, rate }: Pick<RawRoute, 'raw' | 'page' | 'rate'>, deps: Deps): Handler {
  const chain = rawChain(async (event) => toResult(await raw(rawRequestOf(event), deps)), deps);
  const complete = page
    ? chain.use(pageErrorBoundary(page, deps.log)).use(limitBody()).use(rateLimitByAddress(page, deps))
    : chain.use(errorBoundary(deps.log)).use(logRejectedCallback(deps)).use(limitBody());
  if (rate) complete.use(rateLimitByAddress({ rate }, deps));
  return complete as unknown as Handler;
}

/**
 * A HEAD request: what GET answers, without body and cookies. An endpoint whose GET uses something up is not run, so
 * that neither a link checker nor a mail scanner can use it up.
 */
export function headHandler(route: AnyRoute, get: Handler, deps: Deps): Handler {
  const isRun = isRaw(route) || !route.usesUp;
  const run = isRun ? get : (rawChain(async () => ({ statusCode: 200 }), deps) as unknown as Handler);
  return async (event, context) => {
    const { body: _, isBase64Encoded: __, cookies: ___, ...response } = await run(event, context);
    return response;
  };
}

/** `$default`: requests that no route matches, of any size. */
export function notFoundHandler(deps: Deps): Handler {
  const chain = rawChain(async () => {
    throw new AppError('route_not_found', 'There is no such endpoint. The API lists all of them at GET /openapi.json.');
  }, deps);
  return chain.use(errorBoundary(deps.log)) as unknown as Handler;
}

function rawChain(run: (event: ApiEvent) => Promise<ApiResult>, deps: Deps) {
  return middy(run, {
    requestEnd: async ({ event, response }) => {
      const at = deps.clock.now();
      if (!response) return;
      const rate = countedRateOf(event as ApiEvent) ?? (await addressRate(event as ApiEvent, at, deps));
      addCommonHeaders(response, newId('request', at), rate);
    },
  });
}
