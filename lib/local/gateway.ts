import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DiskGate } from '#lib/local/disk-gate.ts';
import { Floods } from '#lib/local/floods.ts';
import { type EntryPoint, httpEvent } from '#lib/local/http-event.ts';
import { type RequestListener, readBody, writeJson } from '#lib/local/http-server.ts';
import { InvocationCrashed, type Invocations, InvocationTimedOut } from '#lib/local/invocation.ts';
import { endpointLines } from '#shared/http/api-router.ts';
import { finishError } from '#shared/http/finish-error.ts';
import { notFoundHandler } from '#shared/http/raw-handler.ts';
import { type ApiEvent, type ApiResult, rawRequestOf } from '#shared/http/request.ts';
import { problemResponse, toResult } from '#shared/http/response.ts';
import { type AnyRoute, isRaw } from '#shared/http/route.ts';
import { methodsMatcher, type RouteMatch, routeMatcher } from '#shared/http/route-match.ts';
import type { EndpointLine } from '#shared/http/router.ts';
import type { AppError } from '#shared/kernel/errors.ts';
import { randomOnce } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';

type GatewayOptions = {
  readonly entrance: EntryPoint;
  /** Function groups with the routes they serve. */
  readonly routes: Readonly<Record<string, readonly AnyRoute<Deps>[]>>;
  readonly deps: Deps;
  readonly invocations: Invocations;
  readonly functionTimeoutMs?: number;
  readonly disk?: DiskGate;
};

type GatewayRoute = EndpointLine & { readonly group: string; readonly route?: AnyRoute<Deps> };

/** API Gateway times out after 30 s, so a function ends before. */
const FUNCTION_TIMEOUT_MS = 29_000;

/** Responses that each entry point gives by itself, without our middleware chain. */
const GATEWAY_RESPONSES = {
  api: {
    most: 10 * 1024 * 1024,
    dead: [503, { message: 'Service Unavailable' }],
    failed: [500, { message: 'Internal Server Error' }],
  },
  'function-url': {
    most: 6 * 1024 * 1024,
    dead: [503, { message: 'Service Unavailable' }],
    failed: [502, { Message: 'Internal Server Error' }],
  },
} as const;

/** Plays API Gateway, and a function URL: each request becomes an event and one invocation of its function. */
export function gateway({
  entrance,
  routes,
  deps,
  invocations,
  functionTimeoutMs = FUNCTION_TIMEOUT_MS,
  disk,
}: GatewayOptions): RequestListener {
  const lines = gatewayRoutes(routes, deps);
  const match = routeMatcher(lines);
  const methodsOf = methodsMatcher(lines);
  const { clock, log, config } = deps;
  const notFound = notFoundHandler({ clock, log, config }, async (path) => methodsOf(path));
  const fallback: RouteMatch<GatewayRoute> = {
    line: { method: '', path: '', key: '$default', group: '$default', handler: notFound },
    params: undefined,
  };
  const own = GATEWAY_RESPONSES[entrance];
  const floods = new Floods(deps);

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = deps.clock.now();
    const requestId = randomOnce(12).toString('base64url');
    const [path = '/'] = (message.url ?? '/').split('?');
    const { line, params } = match(message.method ?? '', path) ?? fallback;
    const refusal = floods.refusal(message, line.route, at);
    if (refusal) return write(response, refusal, { method: line.method, requestId });
    const body = await readBody(message, own.most);
    if (!body) return writeJson(response, 413, { message: 'Request Entity Too Large' });
    const event = httpEvent({
      entrance,
      message,
      body,
      routeKey: line.key,
      pathParameters: params,
      requestId,
      at,
    });
    const sent = { method: message.method ?? '', requestId };
    const diskIsFull = () => disk && write(response, problemOf(disk.error(), line, event, config.apiUrl), sent);
    if (disk && !(await disk.hasRoom())) return diskIsFull();
    try {
      const handle = () => line.handler(event, contextOf(event, line));
      const result = await invocations.invoke(line.group, functionTimeoutMs, handle);
      floods.note(message, result, at);
      if (disk?.isFull() && (result.statusCode ?? 200) >= 500) return diskIsFull();
      write(response, result, sent);
    } catch (error) {
      const dead = error instanceof InvocationCrashed || error instanceof InvocationTimedOut;
      deps.log.error(dead ? 'invocation_ended' : 'handler_failed', { route: line.key, error });
      const [status, said] = dead ? own.dead : own.failed;
      writeJson(response, status, said);
    }
  }

  return (message, response) => void answer(message, response).catch(() => response.destroy());
}

/** Browsers show what they get: at the URL of a page, an error is a page too. */
function problemOf(error: AppError, { route }: GatewayRoute, event: ApiEvent, apiUrl: string): ApiResult {
  const { status, retryAfter } = error;
  const { headers, body } = problemResponse(error);
  const page = route && isRaw(route) ? route.page?.renderError(status, retryAfter, rawRequestOf(event)) : undefined;
  const result: ApiResult = page
    ? toResult({ ...page, headers: { ...page.headers, 'retry-after': String(retryAfter) } })
    : { statusCode: status, headers: { 'content-type': 'application/json', ...headers }, body };
  finishError(result, { apiUrl, isSafe: page === undefined, isPage: page !== undefined });
  return result;
}

function gatewayRoutes(routes: GatewayOptions['routes'], deps: Deps): readonly GatewayRoute[] {
  return Object.entries(routes).flatMap(([group, own]) =>
    own.flatMap((route) => endpointLines([route], deps).map((line) => ({ ...line, group, route }))),
  );
}

const contextOf = ({ requestContext }: ApiEvent, { group }: GatewayRoute): object => ({
  functionName: group,
  awsRequestId: requestContext.requestId,
});

function write(
  response: ServerResponse,
  { statusCode = 200, headers = {}, cookies, body = '', isBase64Encoded }: ApiResult,
  { method, requestId }: { readonly method: string; readonly requestId: string },
): void {
  // Head and text leave in one piece.
  const content = isBase64Encoded ? Buffer.from(body, 'base64') : body;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  if (cookies && cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.setHeader('apigw-requestid', requestId);
  // The length of what GET would return is not known to HEAD.
  const hasLength = statusCode !== 204 && statusCode !== 304 && method !== 'HEAD';
  if (hasLength) response.setHeader('content-length', Buffer.byteLength(content));
  response.writeHead(statusCode).end(content);
}
