import { isAllowedOrigin } from '#shared/domain/reference/origin.rules.ts';
import { isPublic, type Route } from '#shared/http/route.ts';
import type { ServiceConfig } from '#shared/ports/deps.ts';

/** Response headers that a page's script may read. */
const EXPOSED =
  'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Idempotency-Replayed, Link, Location';

/** For every answer of a public endpoint. Any page may read it, as no browser attaches a credential by itself. */
const READ_FROM_ANYWHERE = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED } as const;

/**
 * Which pages may read an answer: any page on a public endpoint, otherwise the dashboards, which send the session's
 * cookie.
 */
export function readableBy(
  route: Route,
  origin: string | undefined,
  { origins }: Pick<ServiceConfig, 'origins'>,
): Readonly<Record<string, string>> {
  if (isPublic(route)) return READ_FROM_ANYWHERE;
  if (!isAllowedOrigin(origin, origins)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED,
    vary: 'origin',
  };
}
