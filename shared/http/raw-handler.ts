import middy from '@middy/core';
import { stamp } from '#shared/http/answer-headers.ts';
import type { Handler } from '#shared/http/api-handler.ts';
import { bodyLimit } from '#shared/http/middleware/body-limit.middleware.ts';
import { callbackRefusals } from '#shared/http/middleware/callback-refusals.middleware.ts';
import { countVisitor } from '#shared/http/middleware/count-visitor.middleware.ts';
import { errorBoundary } from '#shared/http/middleware/error-boundary.middleware.ts';
import { pageTrouble } from '#shared/http/middleware/page-trouble.middleware.ts';
import { rawRequestOf, rawResult } from '#shared/http/raw-request.ts';
import type { ApiEvent, ApiResult } from '#shared/http/request-state.ts';
import type { RawRoute } from '#shared/http/route.ts';
import { shownRate } from '#shared/http/shown-rate.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { newId } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** For callbacks and pages: no credential of ours, the body as its bytes. */
export function rawHandler({ raw, page }: Pick<RawRoute, 'raw' | 'page'>, deps: Deps): Handler {
  const chain = openChain(async (event) => rawResult(await raw(rawRequestOf(event), deps)), deps);
  const own = page
    ? chain.use(pageTrouble(page, deps.log)).use(bodyLimit()).use(countVisitor(page, deps))
    : chain.use(errorBoundary(deps.log)).use(callbackRefusals(deps)).use(bodyLimit());
  return own as unknown as Handler;
}

/** `$default`: requests that no route matches, of any size. */
export function notFoundHandler(deps: Deps): Handler {
  const chain = openChain(async () => {
    throw new AppError('route_not_found', 'There is no such endpoint.');
  }, deps);
  return chain.use(errorBoundary(deps.log)) as unknown as Handler;
}

function openChain(answer: (event: ApiEvent) => Promise<ApiResult>, deps: Deps) {
  return middy(answer, {
    requestEnd: async (request) => {
      const at = deps.clock.now();
      if (request.response)
        stamp(request.response, newId('request', at), await shownRate(request.event as ApiEvent, at, deps));
    },
  });
}
