import type { MiddlewareObj } from '@middy/core';
import { type ApiEvent, type ApiResult, bodyOf } from '#shared/http/request-state.ts';
import { AppError } from '#shared/kernel/errors.ts';

const MOST_BYTES = 256 * 1024;

export const bodyLimit = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: ({ event }) => {
    if (bodyOf(event).length > MOST_BYTES)
      throw new AppError('body_too_large', `A body may have up to ${MOST_BYTES} bytes.`);
  },
});
