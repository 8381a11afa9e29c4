import { apiHandler, type Handler, notFoundHandler, rawHandler } from '#shared/http/handler.ts';
import type { ApiEvent } from '#shared/http/request.ts';
import { type AnyRoute, isRaw, routeKey } from '#shared/http/route.ts';
import { routeMatcher } from '#shared/http/route-match.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** A function URL has no routes; an API uses this key for requests that no route matches. */
const NO_ROUTE = '$default';

export const handlerOf = (route: AnyRoute, deps: Deps): Handler =>
  isRaw(route) ? rawHandler(route, deps) : apiHandler(route, deps);

/**
 * Several endpoints in one function. API Gateway has matched the route already; behind a function URL the path is
 * matched here.
 */
export function router(routes: readonly AnyRoute[], deps: Deps): Handler {
  const handlers = new Map(routes.map((route) => [routeKey(route), handlerOf(route, deps)]));
  const match = routeMatcher(routes);
  const notFound = notFoundHandler(deps);
  return (event, context) => {
    const matched = event.routeKey === NO_ROUTE ? matchPath(event, match) : event;
    const handler = handlers.get(matched.routeKey) ?? notFound;
    return handler(matched, context);
  };
}

function matchPath(event: ApiEvent, match: ReturnType<typeof routeMatcher<AnyRoute>>): ApiEvent {
  const found = match(event.requestContext.http.method, event.rawPath);
  if (!found) return event;
  const { line, params } = found;
  return { ...event, routeKey: routeKey(line), ...(params && { pathParameters: { ...params } }) };
}
