import type { IncomingMessage, ServerResponse } from 'node:http';
import { type EntryPoint, httpEvent } from '#lib/local/http-event.ts';
import { type RequestListener, readBody, writeJson } from '#lib/local/http-server.ts';
import { InvocationCrashed, type Invocations, InvocationTimedOut } from '#lib/local/invocation.ts';
import type { Handler } from '#shared/http/handler.ts';
import { notFoundHandler } from '#shared/http/handler.ts';
import type { ApiEvent, ApiResult } from '#shared/http/request.ts';
import { type AnyRoute, routeKey } from '#shared/http/route.ts';
import { type RouteMatch, routeMatcher } from '#shared/http/route-match.ts';
import { handlerOf } from '#shared/http/router.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';

type GatewayOptions = {
  readonly entrance: EntryPoint;
  /** Function groups with the routes they serve. */
  readonly routes: Readonly<Record<string, readonly AnyRoute[]>>;
  readonly deps: Deps;
  readonly invocations: Invocations;
  readonly functionTimeoutMs?: number;
};

type GatewayRoute = {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly group: string;
  readonly handler: Handler;
};

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
}: GatewayOptions): RequestListener {
  const match = routeMatcher(gatewayRoutes(routes, deps));
  const fallback: RouteMatch<GatewayRoute> = {
    line: { method: '', path: '', key: '$default', group: '$default', handler: notFoundHandler(deps) },
    params: undefined,
  };
  const own = GATEWAY_RESPONSES[entrance];

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = deps.clock.now();
    const requestId = randomText(16);
    const body = await readBody(message, own.most);
    if (!body) return writeJson(response, 413, { message: 'Request Entity Too Large' });
    const [path = '/'] = (message.url ?? '/').split('?');
    const { line, params } = match(message.method ?? '', path) ?? fallback;
    const event = httpEvent({
      entrance,
      message,
      body,
      routeKey: line.key,
      pathParameters: params,
      requestId,
      at,
    });
    try {
      write(
        response,
        await invocations.invoke(line.group, functionTimeoutMs, () => line.handler(event, contextOf(event, line))),
        event,
      );
    } catch (error) {
      const dead = error instanceof InvocationCrashed || error instanceof InvocationTimedOut;
      deps.log.error(dead ? 'invocation_ended' : 'handler_failed', { route: line.key, error });
      const [status, said] = dead ? own.dead : own.failed;
      writeJson(response, status, said);
    }
  }

  return (message, response) => void answer(message, response).catch(() => response.destroy());
}

function gatewayRoutes(routes: GatewayOptions['routes'], deps: Deps): readonly GatewayRoute[] {
  return Object.entries(routes).flatMap(([group, own]) =>
    own.map((route) => ({
      method: route.method,
      path: route.path,
      key: routeKey(route),
      group,
      handler: handlerOf(route, deps),
    })),
  );
}

const contextOf = ({ requestContext }: ApiEvent, { group }: GatewayRoute): object => ({
  functionName: group,
  awsRequestId: requestContext.requestId,
});

function write(
  response: ServerResponse,
  { statusCode = 200, headers = {}, cookies, body = '', isBase64Encoded }: ApiResult,
  event: ApiEvent,
): void {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  if (cookies && cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.setHeader('apigw-requestid', event.requestContext.requestId);
  if (statusCode !== 204) response.setHeader('content-length', bytes.length);
  response.writeHead(statusCode).end(bytes);
}
