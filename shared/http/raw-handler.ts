import middy from '@middy/core';
import type { RateState } from '#shared/domain/accounts/rate-limits.rules.ts';
import type { Handler } from '#shared/http/handler.ts';
import {
  errorBoundary,
  logRejectedCallback,
  pageErrorBoundary,
} from '#shared/http/middleware/error-boundary.middleware.ts';
import { limitBody } from '#shared/http/middleware/parse-request.middleware.ts';
import { countedRateOf, rateLimitByAddress } from '#shared/http/middleware/require-access.middleware.ts';
import { type ApiEvent, type ApiResult, begunOf, rawRequestOf, traced } from '#shared/http/request.ts';
import { addCommonHeaders, addressRate, problemResponse, toResult, unusedRate } from '#shared/http/response.ts';
import { type AnyRoute, isRaw, type RawRoute } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps, ServiceConfig } from '#shared/ports/deps.ts';

/** What every request needs, also one that no route matches. Without `rates`, nobody's use is known. */
export type CommonDeps = StatelessDeps & Partial<Pick<Deps, 'rates'>>;
export type RawDeps = StatelessDeps & Pick<Deps, 'rates' | 'psp'>;
type StatelessDeps = Pick<Deps, 'clock' | 'log'> & { readonly config: Pick<ServiceConfig, 'apiUrl'> };

/** For callbacks and hosted pages: no credential of this API, and the raw body. */
export function rawHandler<D>(
  { raw, page, rate, stateless }: Pick<RawRoute<D>, 'raw' | 'page' | 'rate' | 'stateless'>,
  deps: D & RawDeps,
): Handler {
  if (stateless) return statelessHandler({ raw }, deps);
  const run = async (event: ApiEvent) => toResult(await raw(rawRequestOf(event), deps));
  const kind = page ? 'page' : 'callback';
  const chain = rawChain(run, deps, { uncounted: page || rate ? undefined : unusedRate, kind });
  const complete = page
    ? chain.use(pageErrorBoundary(page, deps.log)).use(limitBody()).use(rateLimitByAddress(page, deps))
    : chain.use(errorBoundary(deps.log)).use(logRejectedCallback(deps)).use(limitBody());
  if (rate) complete.use(rateLimitByAddress({ rate }, deps));
  return traced(complete, deps);
}

/** For a function that has no table. It knows nobody, and counts nobody: API Gateway throttles each of its routes. */
export function statelessHandler<D>({ raw }: Pick<RawRoute<D>, 'raw'>, deps: D & StatelessDeps): Handler {
  const { clock, log, config } = deps;
  const run = async (event: ApiEvent) =>
    withoutSlash(event)?.redirect ?? toResult(await raw(rawRequestOf(event), deps));
  const complete = rawChain(run, { clock, log, config }).use(errorBoundary(log)).use(limitBody());
  return traced(complete, deps);
}

/**
 * A HEAD request: what GET answers, without body and cookies. An endpoint whose GET uses something up is not run, so
 * that neither a link checker nor a mail scanner can use it up.
 */
export function headHandler(route: AnyRoute, get: Handler, deps: CommonDeps): Handler {
  const isRun = isRaw(route) || !route.usesUp;
  const run = isRun
    ? get
    : traced(
        rawChain(async () => ({ statusCode: 200 }), deps),
        deps,
      );
  return async (event, context) => withoutBody(await run(event, context));
}

function withoutBody({ body: _, isBase64Encoded: __, cookies: ___, ...response }: ApiResult): ApiResult {
  return response;
}

/** Names without dots before them, so that no part is `..`, and no two slashes together, which begin another host. */
const ENDS_IN_SLASH = /^((?:\/\w[\w.~-]*)+)\/$/;
const VISIBLE = /^[!-~]*$/;

/**
 * People type a slash behind the address of a page: it leads to the page. Addresses below `/v1` have to be right, as a
 * program that is redirected may drop its key or its body.
 */
function withoutSlash({ rawPath, rawQueryString: query, requestContext: { http } }: ApiEvent) {
  const [, path] = ENDS_IN_SLASH.exec(rawPath) ?? [];
  const isPage = ['GET', 'HEAD'].includes(http.method) && !rawPath.startsWith('/v1/') && VISIBLE.test(query);
  if (path === undefined || !isPage) return undefined;
  const location = query === '' ? path : `${path}?${query}`;
  return { path, redirect: { statusCode: 308, headers: { location } } };
}

/** The methods of an address; empty for an address that no endpoint has. */
export type MethodsAt = (path: string) => Promise<readonly string[]>;

/** `$default`: requests that no route matches, of any size. An address that has other methods says which. */
export function notFoundHandler(deps: CommonDeps, methodsAt: MethodsAt): Handler {
  const chain = rawChain(async (event) => {
    const page = withoutSlash(event);
    if (page && (await methodsAt(page.path)).includes('GET')) return page.redirect;
    const allow = (await methodsAt(event.rawPath)).join(', ');
    if (allow === '')
      throw new AppError('route_not_found', 'There is no such endpoint. The API lists all of them at /docs.');
    const { method } = event.requestContext.http;
    const message = `This address does not take ${method}. Use ${allow.replace(/, (?=\w+$)/, ' or ')}.`;
    return { ...problemResponse(new AppError('method_not_allowed', message)), headers: { allow } };
  }, deps);
  const run = traced(chain.use(errorBoundary(deps.log)), deps);
  return async (event, context) => {
    const result = await run(event, context);
    return event.requestContext.http.method === 'HEAD' ? withoutBody(result) : result;
  };
}

type RawChainOptions = {
  /** Nobody counts these requests, so that nothing is read to show what is left, unless one is refused. */
  readonly uncounted?: ((at: Date) => RateState) | undefined;
  readonly kind?: RawKind;
};

type RawKind = 'page' | 'callback' | 'other';

function rawChain(
  run: (event: ApiEvent) => Promise<ApiResult>,
  deps: CommonDeps,
  { uncounted, kind = 'other' }: RawChainOptions = {},
) {
  return middy(run, {
    requestEnd: async ({ event, response }) => {
      if (!response) return;
      const { at, requestId } = begunOf(event as ApiEvent);
      const isFine = (response.statusCode ?? 200) < 400;
      if (!isFine) await endInError(event as ApiEvent, response, kind, deps.config);
      const counted = (isFine ? uncounted?.(at) : undefined) ?? countedRateOf(event as ApiEvent);
      addCommonHeaders(response, requestId, counted ?? (await addressRate(event as ApiEvent, at, deps.rates)));
    },
  });
}

/** A callback that comes again is recognized. A form that comes again may pay again. */
async function endInError(
  { requestContext: { http } }: ApiEvent,
  response: ApiResult,
  kind: RawKind,
  { apiUrl }: Pick<ServiceConfig, 'apiUrl'>,
): Promise<void> {
  const isSafe = kind === 'callback' || ['GET', 'HEAD'].includes(http.method);
  (await import('#shared/http/finish-error.ts')).finishError(response, { apiUrl, isSafe, isPage: kind === 'page' });
}
