import middy from '@middy/core';
import { stamp } from '#shared/http/answer-headers.ts';
import type { Handler } from '#shared/http/api-handler.ts';
import { bodyLimit } from '#shared/http/middleware/body-limit.middleware.ts';
import { callbackRefusals } from '#shared/http/middleware/callback-refusals.middleware.ts';
import { errorBoundary } from '#shared/http/middleware/error-boundary.middleware.ts';
import { type ApiEvent, type ApiResult, bodyOf, sourceIp } from '#shared/http/request-state.ts';
import type { RawRequest, RawRoute } from '#shared/http/route.ts';
import { shownRate } from '#shared/http/shown-rate.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { newId } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** For callbacks and pages: no credential of ours, nothing counted, the body as its bytes. */
export function rawHandler(route: Pick<RawRoute, 'raw'>, deps: Deps): Handler {
  const chain = openChain(async (event) => {
    const { status, headers, body } = await route.raw(requestOf(event), deps);
    return { statusCode: status, headers: { ...headers }, body: body ?? '' };
  }, deps);
  return chain.use(callbackRefusals(deps)).use(bodyLimit()) as unknown as Handler;
}

/** `$default`: what no route knows, however large it is. */
export function notFoundHandler(deps: Deps): Handler {
  const chain = openChain(async () => {
    throw new AppError('route_not_found', 'There is no such endpoint.');
  }, deps);
  return chain as unknown as Handler;
}

function openChain(answer: (event: ApiEvent) => Promise<ApiResult>, deps: Deps) {
  return middy(answer, {
    requestEnd: async (request) => {
      const at = deps.clock.now();
      if (request.response) stamp(request.response, newId('request', at), await shownRate(request.event as ApiEvent, at, deps));
    },
  }).use(errorBoundary(deps.log));
}

const requestOf = (event: ApiEvent): RawRequest => ({
  headers: event.headers,
  rawBody: bodyOf(event),
  query: event.queryStringParameters ?? {},
  params: event.pathParameters ?? {},
  ip: sourceIp(event),
});
