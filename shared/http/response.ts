import { closestToLimit, type RateState, windowsFor } from '#shared/domain/accounts/rate-limits.rules.ts';
import { isAllowedOrigin } from '#shared/domain/reference/allowed-origin.rules.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import { type ApiEvent, type ApiResult, header, type RequestState, sourceIp } from '#shared/http/request.ts';
import type { Route } from '#shared/http/route.ts';
import { writeCursor } from '#shared/http/schema/common.schema.ts';
import { toProblem } from '#shared/kernel/errors.ts';
import type { Deps, ServiceConfig } from '#shared/ports/deps.ts';
import type { RawResponse } from '#shared/ports/raw-request.port.ts';

type Query = Readonly<Record<string, unknown>>;
type Page = ListPage<unknown> & { readonly total?: number };

/** The response of a route, from what its use case returned. The route line says which headers it has. */
export function toResponse(
  result: unknown,
  event: ApiEvent,
  { route, query = {} }: RequestState,
  { apiUrl }: ServiceConfig,
): ApiResult {
  const page = route.list && (result as Page);
  const body = page ? pageBody(route.list.items, page, query) : result;
  const link = page && nextLink(`${apiUrl}${pathOf(route, event)}`, query, page.next);
  const { id, replayed } = (result ?? {}) as { readonly id?: string; readonly replayed?: boolean };
  const cookies = route.cookies?.(result as never);
  return {
    statusCode: route.status,
    headers: {
      ...(route.idempotency === 'in_record' && replayed && { 'idempotency-replayed': 'true' }),
      ...(route.location && id !== undefined && { location: route.location.replace('{id}', id) }),
      ...(link !== undefined && { link }),
    },
    ...(cookies && { cookies: [...cookies] }),
    body: JSON.stringify(route.reply.parse(body)),
  };
}

/** A list that knows its length says `total`, any other `has_more`. `cursor` as a query continues after the page. */
function pageBody(field: string | null, { items, total, next }: Page, { limit, offset }: Query): unknown {
  if (field === null) return items;
  const length = total === undefined ? { has_more: next !== undefined } : { total };
  const next_cursor = next === undefined ? null : writeCursor(next);
  return { [field]: items, pagination: { limit, offset, ...length, next_cursor } };
}

const pathOf = ({ path }: Route, { pathParameters = {} }: ApiEvent): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => pathParameters[name] ?? '');

/**
 * The `Link` header to the next page. `url`: the list's full address; `query` as parsed, whose offset the cursor
 * replaces.
 */
export function nextLink(url: string, query: Query, next: string | undefined): string | undefined {
  if (next === undefined) return undefined;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && name !== 'offset' && name !== 'cursor') parameters.set(name, String(value));
  }
  parameters.set('cursor', writeCursor(next));
  return `<${url}?${parameters}>; rel="next"`;
}

export function problemResponse(error: unknown): ApiResult & { readonly body: string } {
  const { status, body } = toProblem(error);
  return {
    statusCode: status,
    headers: body.retry_after === undefined ? {} : { 'retry-after': String(body.retry_after) },
    body: JSON.stringify(body),
  };
}

export const toResult = ({ status, headers, cookies, body = '', bytes }: RawResponse): ApiResult => ({
  statusCode: status,
  headers: { ...headers },
  ...(cookies && { cookies: [...cookies] }),
  ...(bytes ? { body: bytes.toString('base64'), isBase64Encoded: true } : { body }),
});

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Browsers do not guess types of content, and come back over https only. They ignore the second over plain http. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': `max-age=${YEAR_SECONDS}`,
} as const;

/** Headers of every response. Set in `requestEnd`, since an early response skips every `after`. */
export function addCommonHeaders(response: ApiResult, requestId: string, rate: RateState | undefined): void {
  response.headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...SECURITY_HEADERS,
    ...response.headers,
    'x-request-id': requestId,
    ...(rate && {
      'x-ratelimit-limit': String(rate.limit),
      'x-ratelimit-remaining': String(rate.remaining),
      'x-ratelimit-reset': String(rate.resetAt),
    }),
  };
}

/**
 * The read window of the address, without counting the request: for responses to unauthenticated requests. A failure
 * here must not fail the response.
 */
export async function addressRate(event: ApiEvent, at: Date, rates: Deps['rates'] | undefined): Promise<RateState> {
  try {
    return (await rates?.addressState(sourceIp(event), at)) ?? unusedRate(at);
  } catch {
    return unusedRate(at);
  }
}

/** The read window of somebody whose requests are not counted. */
export const unusedRate = (at: Date): RateState => closestToLimit(windowsFor('reads', at), {});

/** Response headers that a page's script may read. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'X-Should-Retry',
  'Idempotency-Replayed',
  'Link',
  'Location',
].join(', ');

/** For every response of a public endpoint. Any page may read it, as no browser attaches a credential by itself. */
const ANY_ORIGIN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
} as const;

/**
 * Which pages may read the response: any page on a public endpoint, otherwise the dashboards, which send the session's
 * cookie.
 */
export function corsHeaders(
  route: Route,
  event: Pick<ApiEvent, 'headers'>,
  { origins }: Pick<ServiceConfig, 'origins'>,
): Readonly<Record<string, string>> {
  if (route.access === 'public') return ANY_ORIGIN_HEADERS;
  const origin = header(event, 'origin');
  if (origin === undefined || !isAllowedOrigin(origin, origins)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED_HEADERS,
    vary: 'origin',
  };
}
