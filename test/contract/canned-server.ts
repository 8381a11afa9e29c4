import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A response as a PSP documents it, or a way to give none. */
export type CannedResponse =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
  | 'hang'
  | 'cut'
  | 'cut_in_body';

export type ReceivedRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
};

export type CannedServer = {
  readonly base: string;
  /** All requests since the start. */
  readonly received: ReceivedRequest[];
  /** The responses to the next calls, in their order. The last one repeats. */
  respond(...responses: readonly CannedResponse[]): void;
  close(): void;
};

/** `byPath`: responses by path, at any time. They do not use up the planned ones. */
export async function startCannedServer(byPath: Readonly<Record<string, CannedResponse>> = {}): Promise<CannedServer> {
  const received: ReceivedRequest[] = [];
  let planned: readonly CannedResponse[] = [];
  const server = http.createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://psp');
    received.push({
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: (await request.toArray()).join(''),
    });
    const fixed = byPath[pathname];
    if (fixed !== undefined) return reply(response, fixed);
    const [next = 'cut', ...rest] = planned;
    if (rest.length > 0) planned = rest;
    reply(response, next);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respond: (...next) => {
      planned = next;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function reply(response: http.ServerResponse, canned: CannedResponse): void {
  if (canned === 'hang') return;
  if (canned === 'cut') return void response.socket?.destroy();
  if (canned === 'cut_in_body')
    return void response.writeHead(200, { 'content-length': '100' }).write('{"id":', () => response.socket?.destroy());
  const { status = 200, headers, body } = canned;
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
}
