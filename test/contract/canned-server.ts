import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer as a PSP documents it, or the ways to give none. */
export type Canned =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
  | 'hang'
  | 'cut'
  | 'cut_in_body';

export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
};

export type CannedServer = {
  readonly base: string;
  /** All requests since the start. */
  readonly seen: SeenRequest[];
  /** What the next calls are answered, in their order; the last one repeats. */
  answer(...answers: readonly Canned[]): void;
  close(): void;
};

/** `always` has answers by path, whatever is planned: they use nothing of the plan up. */
export async function startCannedServer(always: Readonly<Record<string, Canned>> = {}): Promise<CannedServer> {
  const seen: SeenRequest[] = [];
  let answers: readonly Canned[] = [];
  const server = http.createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://psp');
    seen.push({
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: (await request.toArray()).join(''),
    });
    const fixed = always[pathname];
    if (fixed !== undefined) return reply(response, fixed);
    const [next = 'cut', ...rest] = answers;
    if (rest.length > 0) answers = rest;
    reply(response, next);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answer: (...next) => {
      answers = next;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function reply(response: http.ServerResponse, answer: Canned): void {
  if (answer === 'hang') return;
  if (answer === 'cut') return void response.socket?.destroy();
  if (answer === 'cut_in_body')
    return void response.writeHead(200, { 'content-length': '100' }).write('{"id":', () => response.socket?.destroy());
  const { status = 200, headers, body } = answer;
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
}
