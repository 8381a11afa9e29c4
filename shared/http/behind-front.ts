import type { Handler } from '#shared/http/handler.ts';
import type { ApiEvent, ApiResult } from '#shared/http/request.ts';
import { problemResponse } from '#shared/http/response.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { timingSafeEqual } from '#shared/kernel/text.ts';
import type { ServiceConfig } from '#shared/ports/deps.ts';

/** What the front adds to each request: a secret that shows that it came through the front, and who sent it. */
export const FRONT_HEADERS = { secret: 'x-origin-secret', viewer: 'x-viewer-address' } as const;

export type FrontConfig = Pick<ServiceConfig, 'originSecrets' | 'takesDirectRequests' | 'apiUrl'>;

/**
 * A handler that only the front may call, where there is one (ADR 47). The front overwrites both headers, so whoever
 * sends the secret was not a caller. Requests are then counted by the caller's address, not by the front's.
 */
export function behindFront(
  handler: Handler,
  { originSecrets = [], takesDirectRequests, apiUrl }: FrontConfig,
): Handler {
  if (originSecrets.length === 0) return handler;
  return async (event, context) => {
    const { [FRONT_HEADERS.secret]: given = '', [FRONT_HEADERS.viewer]: viewer, ...headers } = event.headers;
    if (originSecrets.some((secret) => timingSafeEqual(given, secret)))
      return handler(fromViewer({ ...event, headers }, viewer), context);
    return takesDirectRequests ? handler({ ...event, headers }, context) : refusal(apiUrl);
  };
}

/** Neither header goes any further. */
function fromViewer(event: ApiEvent, viewer: string | undefined): ApiEvent {
  const { requestContext } = event;
  if (viewer === undefined) return event;
  return { ...event, requestContext: { ...requestContext, http: { ...requestContext.http, sourceIp: viewer } } };
}

async function refusal(apiUrl: string): Promise<ApiResult> {
  const problem = problemResponse(
    new AppError('route_not_found', `This address takes no requests. The API is at ${apiUrl}.`),
  );
  const result: ApiResult = {
    ...problem,
    headers: { ...problem.headers, 'content-type': 'application/json; charset=utf-8' },
  };
  (await import('#shared/http/finish-error.ts')).finishError(result, { apiUrl, isSafe: true });
  return result;
}
