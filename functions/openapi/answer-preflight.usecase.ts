import { endpointsAt } from '#functions/openapi/documented-endpoints.ts';
import { calledFromAnywhere, calledFromDashboard } from '#functions/openapi/preflight-headers.ts';
import { isAllowedOrigin } from '#shared/domain/reference/origin.rules.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * Answers CORS preflights. API Gateway's own answer would be the same for all endpoints, and override our headers. A
 * page that may not call the endpoint gets no CORS headers, so that the browser refuses.
 */
export async function answerPreflight(
  { params, headers }: RawRequest,
  { config }: Pick<Deps, 'config'>,
): Promise<RawReply> {
  const endpoints = await endpointsAt(`/${params.proxy ?? ''}`);
  if (endpoints.length === 0) throw new AppError('route_not_found', 'There is no such endpoint.');
  const asked = endpoints.find(({ method }) => method === headers['access-control-request-method']);
  if (asked?.isPublic)
    return allowing(calledFromAnywhere(endpoints.filter(({ isPublic }) => isPublic).map(({ method }) => method)));
  const { origin } = headers;
  if (!asked?.forDashboards || !isAllowedOrigin(origin, config.origins)) return allowing({});
  return allowing(
    calledFromDashboard(
      origin,
      endpoints.filter(({ isPublic, forDashboards }) => forDashboards && !isPublic).map(({ method }) => method),
    ),
  );
}

const allowing = (headers: Readonly<Record<string, string>>): RawReply => ({ status: 204, headers });
