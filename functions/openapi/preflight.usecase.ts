import { type Endpoint, endpointsAt, methodsAt } from '#functions/openapi/documented-endpoints.ts';
import { isAllowedOrigin } from '#shared/domain/reference/allowed-origin.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { ServiceConfig } from '#shared/ports/deps.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

/**
 * Responds to CORS preflights. API Gateway's own response would be the same for all endpoints, and override these
 * headers. A page that may not call the endpoint gets no CORS headers, so that the browser refuses.
 */
export async function respondToPreflight(
  { params, headers }: RawRequest,
  { config }: { readonly config: Pick<ServiceConfig, 'origins'> },
): Promise<RawResponse> {
  const path = `/${params.proxy ?? ''}`;
  const allow = (await methodsAt(path)).join(', ');
  if (allow === '')
    throw new AppError('route_not_found', 'There is no such endpoint. The API lists all of them at /docs.');
  return { status: 204, headers: { allow, ...corsHeaders(await endpointsAt(path), headers, config) } };
}

function corsHeaders(
  endpoints: readonly Endpoint[],
  headers: RawRequest['headers'],
  { origins }: Pick<ServiceConfig, 'origins'>,
): Readonly<Record<string, string>> {
  const requested = endpoints.find(({ method }) => method === headers['access-control-request-method']);
  if (requested?.isPublic) return publicHeaders(endpoints.filter(({ isPublic }) => isPublic));
  const { origin } = headers;
  if (!requested?.forDashboards || !isAllowedOrigin(origin, origins)) return {};
  return dashboardHeaders(
    origin,
    endpoints.filter(({ isPublic, forDashboards }) => forDashboards && !isPublic),
  );
}

type Methods = readonly { readonly method: string }[];
const methodsOf = (endpoints: Methods): string => endpoints.map(({ method }) => method).join(', ');

/** Two hours, in seconds: the maximum in Chromium. */
const MAX_AGE = '7200';

const ALLOWED_HEADERS = [
  'Content-Type',
  'Content-Encoding',
  'X-Org-Id',
  'Idempotency-Key',
  'X-Idempotency-Key',
  'X-Request-Id',
  'Traceparent',
].join(', ');

/** Any page may call a public endpoint, by these methods. A `*` for the headers would not cover `Authorization`. */
const publicHeaders = (endpoints: Methods) => ({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': methodsOf(endpoints),
  'access-control-allow-headers': `Authorization, X-Service-Key, ${ALLOWED_HEADERS}`,
  'access-control-max-age': MAX_AGE,
});

/** A dashboard's page may call what a session opens; the browser sends the cookie along. */
const dashboardHeaders = (origin: string, endpoints: Methods) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-allow-methods': methodsOf(endpoints),
  'access-control-allow-headers': ALLOWED_HEADERS,
  'access-control-max-age': MAX_AGE,
  vary: 'origin',
});
