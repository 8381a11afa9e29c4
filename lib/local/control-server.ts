import type { IncomingMessage, ServerResponse } from 'node:http';
import { allowOwnPages, isFromThisMachine, writeControl } from '#lib/local/control-response.ts';
import type { ControlRoute } from '#lib/local/control-routes.ts';
import { type RequestListener, readBody, writeJson } from '#lib/local/http-server.ts';
import type { Receivers } from '#lib/local/receivers.ts';
import { routeMatcher } from '#shared/http/route-match.ts';
import { AppError, toProblem } from '#shared/kernel/errors.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

type ControlOptions = {
  readonly routes: readonly ControlRoute[];
  readonly receivers: Receivers;
  readonly log: LogPort;
  /** The API's address. */
  readonly api: string;
};

const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** The host's control server, for tests and demos on this machine only. */
export function controlServer({ routes, receivers, log, api }: ControlOptions): RequestListener {
  const index: ControlRoute = {
    method: 'GET',
    path: '/',
    does: 'Returns this list.',
    run: () => ({
      api_document: `${api}/openapi.json`,
      documentation: 'docs/local-host.md',
      calls: callsOf(routes),
    }),
  };
  const match = routeMatcher([index, ...routes]);
  const matchHook = routeMatcher([{ method: 'POST', path: '/receiver/{name}/hook' }]);

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isFromThisMachine(message))
      return writeControl(response, 403, { message: 'Only programs and pages of this machine may ask this.' });
    if (allowOwnPages(message, response, api)) return;
    const url = new URL(message.url ?? '/', 'http://localhost');
    const text = (await readBody(message, MAX_BODY_BYTES))?.toString() ?? '';
    const hook = matchHook(message.method ?? '', url.pathname);
    if (hook) return receive(hook.params?.name ?? '', text, message, response);
    // Node sends no body in response to HEAD.
    const method = message.method === 'HEAD' ? 'GET' : (message.method ?? '');
    const found = match(method, url.pathname);
    if (!found)
      throw new AppError('not_found', `There is no ${method} ${url.pathname} here. GET / lists what there is.`);
    const request = {
      params: found.params ?? {},
      query: Object.fromEntries(url.searchParams),
      body: parseJson(text),
      headers: message.headers,
    };
    writeControl(response, 200, await found.line.run(request));
  }

  async function receive(
    name: string,
    raw_body: string,
    { headersDistinct }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const headers = Object.fromEntries(
      Object.entries(headersDistinct).map(([header, values]) => [header, values?.join(', ')]),
    );
    const { status, body } = await receivers.take(name, { headers, raw_body });
    // Detects clients that follow redirects: the redirect leads here.
    const location =
      status >= 300 && status < 400 ? { location: `/receiver/${encodeURIComponent(name)}/hook` } : undefined;
    if (body === undefined) writeJson(response, status, {}, location);
    else response.writeHead(status, { 'content-type': 'text/plain', ...location }).end(body);
  }

  return (message, response) =>
    void handle(message, response).catch((error: unknown) => {
      if (!(error instanceof AppError)) log.error('control_failed', { error });
      const { status, body } = toProblem(error);
      writeControl(response, status, error instanceof AppError ? body : { ...body, message: String(error) });
    });
}

/** Each call with what it takes and does: `POST /clock {advance: 31d}`. */
const callsOf = (routes: readonly ControlRoute[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    routes.map(({ method, path, takes = '', does }) => [
      `${method} ${path}${takes.startsWith('?') ? takes : ` ${takes}`}`.trim(),
      does,
    ]),
  );

function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('malformed_json', 'The body is not valid JSON.');
  }
}
