import middy from '@middy/core';
import { actorOf } from '#shared/http/actor.ts';
import { stamp } from '#shared/http/answer-headers.ts';
import { readableBy } from '#shared/http/cross-origin.ts';
import { authenticate } from '#shared/http/middleware/authenticate.middleware.ts';
import { bodyLimit } from '#shared/http/middleware/body-limit.middleware.ts';
import { errorBoundary } from '#shared/http/middleware/error-boundary.middleware.ts';
import { idempotency } from '#shared/http/middleware/idempotency.middleware.ts';
import { parseRequest } from '#shared/http/middleware/parse-request.middleware.ts';
import { rateLimit } from '#shared/http/middleware/rate-limit.middleware.ts';
import { requireAccess } from '#shared/http/middleware/require-access.middleware.ts';
import { requireKyc } from '#shared/http/middleware/require-kyc.middleware.ts';
import { type ApiEvent, type ApiResult, begin, header, sourceIp, stateOf } from '#shared/http/request-state.ts';
import { Answer, type Route } from '#shared/http/route.ts';
import { setupOf } from '#shared/http/setup.ts';
import { shownRate } from '#shared/http/shown-rate.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { newId } from '#shared/kernel/ids.ts';
import { unkeyedOperation } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type Handler = (event: ApiEvent, context: object) => Promise<ApiResult>;

/** The chain of every endpoint: who asks, whether allowed, how often, what, and whether it is a repeat. */
export function apiHandler(route: Route, deps: Deps): Handler {
  const chain = middy((event: ApiEvent) => answer(event, deps), {
    requestStart: (request) => {
      const at = deps.clock.now();
      begin(request.event as ApiEvent, { requestId: newId('request', at), at, route });
    },
    requestEnd: async (request) => {
      const state = stateOf(request.event as ApiEvent);
      const rate = state.rate ?? (await shownRate(request.event as ApiEvent, state.at, deps));
      if (!request.response) return;
      request.response.headers = {
        ...request.response.headers,
        ...readableBy(route, header(request.event as ApiEvent, 'origin'), deps.config),
      };
      stamp(request.response, state.requestId, rate);
    },
  });
  chain
    .use(errorBoundary(deps.log))
    .use(bodyLimit())
    .use(authenticate(deps))
    .use(requireAccess())
    .use(requireKyc(deps))
    .use(rateLimit())
    .use(parseRequest())
    .use(idempotency(deps));
  return chain as unknown as Handler;
}

async function answer(event: ApiEvent, deps: Deps): Promise<ApiResult> {
  const state = stateOf(event);
  state.began = true;
  const outcome = await state.route.run(state.input as never, callerOf(event, deps), deps);
  const { result, replayed, location, link, cookies } = outcome instanceof Answer ? outcome : new Answer(outcome);
  return {
    statusCode: state.route.status,
    headers: {
      ...(replayed && { 'idempotency-replayed': 'true' }),
      ...(location !== undefined && { location }),
      ...(link !== undefined && { link }),
    },
    ...(cookies.length > 0 && { cookies: [...cookies] }),
    body: JSON.stringify(state.route.reply.parse(result)),
  };
}

function callerOf(event: ApiEvent, deps: Deps): Caller {
  const { credential, requestId, operation, ticket, at } = stateOf(event);
  if (!credential) throw new AppError('internal_error', 'The chain let a request without a credential pass.');
  return {
    orgId: credential.orgId,
    credentialId: credential.id,
    kind: credential.kind,
    scopes: credential.scopes,
    actorId: actorOf(event),
    ...(credential.person && { person: credential.person }),
    ip: sourceIp(event),
    requestId,
    operation: operation ?? unkeyedOperation(at),
    ticket,
    setup: () => setupOf(event, credential.orgId, deps),
  };
}
