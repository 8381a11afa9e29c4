import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DiskGate } from '#lib/local/disk-gate.ts';
import { type EntryPoint, httpEvent } from '#lib/local/http-event.ts';
import { type RequestListener, readBody, writeJson } from '#lib/local/http-server.ts';
import { InvocationCrashed, type Invocations, InvocationTimedOut } from '#lib/local/invocation.ts';
import { notFoundHandler } from '#shared/http/handler.ts';
import type { ApiEvent, ApiResult } from '#shared/http/request.ts';
import type { AnyRoute } from '#shared/http/route.ts';
import { type RouteMatch, routeMatcher } from '#shared/http/route-match.ts';
import { type EndpointLine, endpointLines } from '#shared/http/router.ts';
import { type AppError, toProblem } from '#shared/kernel/errors.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';

type GatewayOptions = {
  readonly entrance: EntryPoint;
  /** Function groups with the routes they serve. */
  readonly routes: Readonly<Record<string, readonly AnyRoute[]>>;
  readonly deps: Deps;
  readonly invocations: Invocations;
  readonly functionTimeoutMs?: number;
  readonly disk?: DiskGate;
};

type GatewayRoute = EndpointLine & { readonly group: string };

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
    if (disk && !(await disk.hasRoom())) return writeProblem(response, disk.error());
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
      const handle = () => line.handler(event, contextOf(event, line));
      const result = await invocations.invoke(line.group, functionTimeoutMs, handle);
      if (disk?.isFull() && (result.statusCode ?? 200) >= 500) return writeProblem(response, disk.error());
      write(response, result, event);
    } catch (error) {
      const dead = error instanceof InvocationCrashed || error instanceof InvocationTimedOut;
      deps.log.error(dead ? 'invocation_ended' : 'handler_failed', { route: line.key, error });
      const [status, said] = dead ? own.dead : own.failed;
      writeJson(response, status, said);
    }
  }

  return (message, response) => void answer(message, response).catch(() => response.destroy());
}

function writeProblem(response: ServerResponse, error: AppError): void {
  const { status, body } = toProblem(error);
  writeJson(response, status, body, { 'retry-after': String(body.retry_after) });
}

function gatewayRoutes(routes: GatewayOptions['routes'], deps: Deps): readonly GatewayRoute[] {
  return Object.entries(routes).flatMap(([group, own]) => endpointLines(own, deps).map((line) => ({ ...line, group })));
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
  // The length of what GET would return is not known to HEAD.
  const hasLength = statusCode !== 204 && statusCode !== 304 && event.requestContext.http.method !== 'HEAD';
  if (hasLength) response.setHeader('content-length', bytes.length);
  response.writeHead(statusCode).end(bytes);
}
