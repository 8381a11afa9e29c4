import type { MiddlewareObj } from '@middy/core';
import { type ApiEvent, type ApiResult, stateOf } from '#shared/http/request-state.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** Refuses a request that was over a limit when it was counted at authentication. */
export const rateLimit = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: ({ event }) => {
    const { full } = stateOf(event);
    if (full) throw new AppError('rate_limited', `Too many requests. Try again in ${full.retryAfter} s.`, full);
  },
});
