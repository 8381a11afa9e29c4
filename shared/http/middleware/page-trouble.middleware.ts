import type { MiddlewareObj } from '@middy/core';
import { rawRequestOf, rawResult } from '#shared/http/raw-request.ts';
import type { ApiEvent, ApiResult } from '#shared/http/request-state.ts';
import type { PageTraits } from '#shared/http/route.ts';
import { AppError, toProblem } from '#shared/kernel/errors.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

/** Errors become pages here; an unforeseen one is logged with its cause. */
export const pageTrouble = ({ trouble }: PageTraits, log: LogPort): MiddlewareObj<ApiEvent, ApiResult> => ({
  onError: (request) => {
    if (!(request.error instanceof AppError))
      log.error('request_failed', { route: request.event.routeKey, error: request.error });
    const { status, body } = toProblem(request.error);
    const page = trouble(status, body.retry_after, rawRequestOf(request.event));
    request.response = rawResult({
      ...page,
      headers: { ...page.headers, ...(body.retry_after !== undefined && { 'retry-after': String(body.retry_after) }) },
    });
  },
});
