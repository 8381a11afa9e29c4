import type { MiddlewareObj } from '@middy/core';
import { type ApiEvent, type ApiResult, sourceIp } from '#shared/http/request-state.ts';
import type { PageTraits } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Pages need no credential: visitors are counted by address. */
export const countVisitor = (
  { rate }: PageTraits,
  { rates, clock }: Pick<Deps, 'rates' | 'clock'>,
): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: async ({ event }) => {
    const { full } = await rates.countAddress(sourceIp(event), rate, clock.now());
    if (full) throw new AppError('rate_limited', `Too many requests. Try again in ${full.retryAfter} s.`, full);
  },
});
