import { type ApiDeps, apiHandler, type Handler } from '#shared/http/handler.ts';
import { type RawDeps, rawHandler } from '#shared/http/raw-handler.ts';
import { type AnyRoute, isRaw, type Route } from '#shared/http/route.ts';
import { dispatch, type EndpointLine, linesOf } from '#shared/http/router.ts';

export const apiRouter = <D extends ApiDeps>(routes: readonly Route<NoInfer<D>>[], deps: D): Handler =>
  dispatch(
    routes.flatMap((route) => linesOf(route, apiHandler(route, deps), deps)),
    deps,
  );

/** Endpoints of every kind, for a host that serves all of them. */
export const endpointLines = <D>(
  routes: readonly AnyRoute<D>[],
  deps: D & ApiDeps & RawDeps,
): readonly EndpointLine[] =>
  routes.flatMap((route) => linesOf(route, isRaw(route) ? rawHandler(route, deps) : apiHandler(route, deps), deps));
