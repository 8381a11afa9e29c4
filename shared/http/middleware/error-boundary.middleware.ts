import type { MiddlewareObj } from '@middy/core';
import { problemAnswer } from '#shared/http/problem-answer.ts';
import type { ApiEvent, ApiResult } from '#shared/http/request-state.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

/** The only place where an error becomes an answer; an unforeseen one is logged with its cause. */
export const errorBoundary = (log: LogPort): MiddlewareObj<ApiEvent, ApiResult> => ({
  onError: (request) => {
    if (!(request.error instanceof AppError))
      log.error('request_failed', { route: request.event.routeKey, error: request.error });
    request.response = problemAnswer(request.error);
  },
});
