import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What becomes of a request: it reaches the API (`pass`), reaches it but its response is lost on the way (`lose`), waits
 * without ever reaching it (`hang`), or something on the way answers for the API.
 */
export type Fate =
  | 'pass'
  | 'lose'
  | 'hang'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

export type Seen = { readonly line: string; readonly headers: IncomingMessage['headers'] };

export type TestProxy = {
  readonly url: string;
  /** The requests that came, in order. */
  readonly seen: readonly Seen[];
  /** The fates of the next requests. All later ones pass. */
  readonly next: (...fates: readonly Fate[]) => void;
  readonly close: () => Promise<void>;
};

/** A network between a client and the API that fails as networks do. */
export async function startProxy(api: string): Promise<TestProxy> {
  const seen: Seen[] = [];
  let waiting: readonly Fate[] = [];
  const server = createServer(async (request, response) => {
    const [fate = 'pass', ...later] = waiting;
    waiting = later;
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    const body = await bytesOf(request);
    if (fate === 'hang') return;
    if (typeof fate === 'object') {
      response.writeHead(fate.status, fate.headers).end(fate.body);
      return;
    }
    await forward(api, request, body, response, fate);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    next: (...fates) => {
      waiting = fates;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function forward(
  api: string,
  { method, url, headers: { host: _, connection: __, ...headers } }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  fate: 'pass' | 'lose',
): Promise<void> {
  const reply = await fetch(api + url, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  if (fate === 'lose') {
    response.destroy();
    return;
  }
  const {
    'content-encoding': ___,
    'content-length': ____,
    'transfer-encoding': _____,
    ...kept
  } = Object.fromEntries(reply.headers);
  response.writeHead(reply.status, kept).end(bytes);
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}
