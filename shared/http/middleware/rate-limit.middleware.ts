import type { MiddlewareObj } from '@middy/core';
import { type ApiEvent, type ApiResult, stateOf } from '#shared/http/request-state.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** Refuses what the count at authentication found no room for. */
export const rateLimit = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: ({ event }) => {
    const { full } = stateOf(event);
    if (full) throw new AppError('rate_limited', `Too many requests. Try again in ${full.retryAfter} s.`, full);
  },
});
