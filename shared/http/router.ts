import type { Handler } from '#shared/http/handler.ts';
import {
  type CommonDeps,
  headHandler,
  type MethodsAt,
  notFoundHandler,
  type RawDeps,
  rawHandler,
  statelessHandler,
} from '#shared/http/raw-handler.ts';
import type { ApiEvent } from '#shared/http/request.ts';
import { type AnyRoute, methodsOf, type RawRoute, routeKey } from '#shared/http/route.ts';
import { methodsMatcher, routeMatcher } from '#shared/http/route-match.ts';

/** A function URL has no routes; an API uses this key for requests that no route matches. */
const NO_ROUTE = '$default';

/** A method of an endpoint, with its handler. */
export type EndpointLine = {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly handler: Handler;
};

export function linesOf(route: AnyRoute, own: Handler, deps: CommonDeps): readonly EndpointLine[] {
  return methodsOf(route).map((method) => {
    const { path } = route;
    const handler = method === 'HEAD' ? headHandler(route, own, deps) : own;
    return { method, path, key: routeKey({ method, path }), handler };
  });
}

/**
 * Several endpoints in one function. API Gateway has matched the route already; behind a function URL the path is
 * matched here. `methodsAt`: which methods an unmatched address has, where the function knows more than its own.
 */
export function dispatch(lines: readonly EndpointLine[], deps: CommonDeps, methodsAt?: MethodsAt): Handler {
  const handlers = new Map(lines.map(({ key, handler }) => [key, handler]));
  const match = routeMatcher(lines);
  const ownMethods = methodsMatcher(lines);
  const notFound = notFoundHandler(deps, methodsAt ?? (async (path) => ownMethods(path)));
  return (event, context) => {
    const matched = event.routeKey === NO_ROUTE ? matchPath(event, match) : event;
    const handler = handlers.get(matched.routeKey) ?? notFound;
    return handler(matched, context);
  };
}

function matchPath(event: ApiEvent, match: ReturnType<typeof routeMatcher<EndpointLine>>): ApiEvent {
  const found = match(event.requestContext.http.method, event.rawPath);
  if (!found) return event;
  const { line, params } = found;
  return { ...event, routeKey: line.key, ...(params && { pathParameters: { ...params } }) };
}

/** For functions without endpoints of the API, so that its middleware is not loaded. */
export const rawRouter = <D extends RawDeps>(routes: readonly RawRoute<NoInfer<D>>[], deps: D): Handler =>
  dispatch(
    routes.flatMap((route) => linesOf(route, rawHandler(route, deps), deps)),
    deps,
  );

/** For routes that count nobody. */
export const statelessRouter = <D extends CommonDeps>(
  routes: readonly (RawRoute<NoInfer<D>> & { readonly stateless: true })[],
  deps: D,
  methodsAt?: MethodsAt,
): Handler =>
  dispatch(
    routes.flatMap((route) => linesOf(route, statelessHandler(route, deps), deps)),
    deps,
    methodsAt,
  );
