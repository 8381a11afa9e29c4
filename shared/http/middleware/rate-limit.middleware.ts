import type { MiddlewareObj } from '@middy/core';
import { type ApiEvent, type ApiResult, sourceIp, stateOf } from '#shared/http/request.ts';
import type { PageOptions } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Exceeded = { readonly retryAfter: number };

/** Authentication counted the request. It is rejected only here, after the access check. */
export const rateLimit = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: ({ event }) => assertBelowLimit(stateOf(event).exceeded),
});

/** Hosted pages need no credential, so requests are counted by IP address. */
export const rateLimitByAddress = (
  { rate }: PageOptions,
  { rates, clock }: Pick<Deps, 'rates' | 'clock'>,
): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: async ({ event }) => {
    const { exceeded } = await rates.countAddress(sourceIp(event), rate, clock.now());
    assertBelowLimit(exceeded);
  },
});

function assertBelowLimit(exceeded: Exceeded | undefined): void {
  if (!exceeded) return;
  throw new AppError('rate_limited', `Too many requests. Try again in ${exceeded.retryAfter} s.`, exceeded);
}
