import { apiHandler, type Handler } from '#shared/http/api-handler.ts';
import { notFoundHandler, rawHandler } from '#shared/http/raw-handler.ts';
import type { ApiEvent } from '#shared/http/request-state.ts';
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
export function apiGroup(routes: readonly AnyRoute[], deps: Deps): Handler {
  const byKey = new Map(routes.map((route) => [routeKey(route), handlerOf(route, deps)]));
  const match = routeMatcher(routes);
  const notFound = notFoundHandler(deps);
  return (event, context) => {
    const found = event.routeKey === NO_ROUTE ? foundByPath(event, match) : event;
    const handler = byKey.get(found.routeKey) ?? notFound;
    return handler(found, context);
  };
}

function foundByPath(event: ApiEvent, match: ReturnType<typeof routeMatcher<AnyRoute>>): ApiEvent {
  const found = match(event.requestContext.http.method, event.rawPath);
  return found
    ? { ...event, routeKey: routeKey(found.line), ...(found.params && { pathParameters: { ...found.params } }) }
    : event;
}
