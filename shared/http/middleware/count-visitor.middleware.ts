import type { MiddlewareObj } from '@middy/core';
import { type ApiEvent, type ApiResult, sourceIp } from '#shared/http/request-state.ts';
import type { PageTraits } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Pages need no credential: their address counts. */
export const countVisitor = ({ rate }: PageTraits, { keys, clock }: Pick<Deps, 'keys' | 'clock'>): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: async ({ event }) => {
    const { full } = await keys.countAddress(sourceIp(event), rate, clock.now());
    if (full) throw new AppError('rate_limited', `Too many requests. Try again in ${full.retryAfter} s.`, full);
  },
});
