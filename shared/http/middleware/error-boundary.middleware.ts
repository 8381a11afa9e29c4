import type { MiddlewareObj } from '@middy/core';
import { type ApiEvent, type ApiResult, rawRequestOf } from '#shared/http/request.ts';
import { problemResponse, toResult } from '#shared/http/response.ts';
import type { PageOptions } from '#shared/http/route.ts';
import { AppError, toProblem } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

/** The only place where an error becomes a response; an unforeseen one is logged with its cause. */
export const errorBoundary = (log: LogPort): MiddlewareObj<ApiEvent, ApiResult> => ({
  onError: (request) => {
    logUnforeseen(request.error, request.event, log);
    request.response = problemResponse(request.error);
  },
});

/** As above, for hosted pages: an error is rendered as a page. */
export const pageErrorBoundary = ({ renderError }: PageOptions, log: LogPort): MiddlewareObj<ApiEvent, ApiResult> => ({
  onError: (request) => {
    logUnforeseen(request.error, request.event, log);
    const { status, body } = toProblem(request.error);
    const page = renderError(status, body.retry_after, rawRequestOf(request.event));
    const retryAfter = body.retry_after !== undefined && { 'retry-after': String(body.retry_after) };
    request.response = toResult({ ...page, headers: { ...page.headers, ...retryAfter } });
  },
});

function logUnforeseen(error: unknown, { routeKey }: ApiEvent, log: LogPort): void {
  if (!(error instanceof AppError)) log.error('request_failed', { route: routeKey, error });
}

/** Logs why a callback was rejected. Unknown provider names are a stranger's text, and not logged. */
export const logRejectedCallback = ({ log, psp }: Pick<Deps, 'log' | 'psp'>): MiddlewareObj<ApiEvent, ApiResult> => ({
  onError: ({ event, error }) => {
    const provider = event.pathParameters?.provider;
    if (provider === undefined) return;
    log.info('callback_refused', {
      provider: psp.adapter(provider) ? provider : 'unknown',
      code: error instanceof AppError ? error.code : 'internal_error',
    });
  },
});
