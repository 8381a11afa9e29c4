import type { MiddlewareObj } from '@middy/core';
import { type ApiEvent, type ApiResult, sourceIp, stateOf } from '#shared/http/request.ts';
import type { PageOptions } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Exceeded = { readonly retryAfter: number };

/** The request was counted at authentication; it is rejected here, after access is checked. */
export const rateLimit = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: ({ event }) => assertBelowLimit(stateOf(event).exceeded),
});

/** Pages need no credential: their visitors are counted by address. */
export const rateLimitByAddress = (
  { rate }: PageOptions,
  { rates, clock }: Pick<Deps, 'rates' | 'clock'>,
): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: async ({ event }) => {
    const { exceeded: full } = await rates.countAddress(sourceIp(event), rate, clock.now());
    assertBelowLimit(full);
  },
});

function assertBelowLimit(exceeded: Exceeded | undefined): void {
  if (!exceeded) return;
  throw new AppError('rate_limited', `Too many requests. Try again in ${exceeded.retryAfter} s.`, exceeded);
}
