import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { StartError } from '#lib/local/start-errors.ts';
import { SECURITY_HEADERS } from '#shared/http/response.ts';

export type RequestListener = (message: IncomingMessage, response: ServerResponse) => void;

export type LocalServer = {
  readonly address: string;
  readonly port: number;
  /** Requests wait until this is called, so that a starting host does not look down. */
  serve(answering: RequestListener): void;
  /** Waits up to a grace period for requests in progress. */
  close(): Promise<void>;
};

/** How long requests in progress may still take when the host ends. */
const SHUTDOWN_GRACE_MS = 3_000;
const CLOSE_IDLE_EVERY_MS = 20;
/** An HTTP API's limit for headers. */
const MAX_HEADER_BYTES = 10_240;

/** A server on the loopback address. `what` names the port's purpose in error messages. */
export async function listen(port: number, what: string): Promise<LocalServer> {
  const early: Parameters<RequestListener>[] = [];
  let answer: RequestListener = (...request) => void early.push(request);
  const options = { keepAliveTimeout: 65_000, maxHeaderSize: MAX_HEADER_BYTES };
  const server = createServer(options, (message, response) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    answer(message, response);
  });
  server.on('clientError', refuseUnreadable);
  /** Connections without a request so far. Node counts them as busy, and a close would wait for them. */
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  }).catch((error: unknown) => {
    throw portError(error, port, what);
  });
  const bound = server.address();
  const own = typeof bound === 'object' && bound ? bound.port : port;
  return {
    address: `http://127.0.0.1:${own}`,
    port: own,
    serve: (answering) => {
      answer = answering;
      for (const request of early.splice(0)) answering(...request);
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of unused) socket.destroy();
      server.closeIdleConnections();
      // Others become idle when their response is sent.
      const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
      const cut = setTimeout(() => server.closeAllConnections(), SHUTDOWN_GRACE_MS);
      await closed;
      clearInterval(closing);
      clearTimeout(cut);
    },
  };
}

/** By the code of Node's error; without one of these, the request is no HTTP. */
const UNREADABLE: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Node's own response to a request that it cannot read has no headers of ours. */
function refuseUnreadable(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const status = UNREADABLE[error.code ?? ''] ?? 400;
  const lines = Object.entries({ connection: 'close', 'content-length': 0, ...SECURITY_HEADERS });
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map((line) => line.join(': '))];
  socket.end(`${head.join('\r\n')}\r\n\r\n`);
}

const OTHER_PORTS = 'choose other ports: PORT=<first of four in a row> npm start.';

/** Errors of listening, with their remedies. */
export function portError(error: unknown, port: number, what: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || error.syscall !== 'listen' || !('code' in error))
    return error;
  const place = `Port ${port} (${what})`;
  const problem = {
    EADDRINUSE: `${place} is taken. End what listens there, or ${OTHER_PORTS}`,
    EACCES: `${place} is not open to this user: ports below 1024 are for administrators. Please ${OTHER_PORTS}`,
  }[String(error.code)];
  return new StartError(problem ?? `${place} cannot be opened on 127.0.0.1 (${error.code}). Please ${OTHER_PORTS}`);
}

/**
 * The whole body, or `undefined` if it is too large; the rest is then discarded, so that the sender can read our
 * answer.
 */
export function readBody(message: IncomingMessage, most: number): Promise<Buffer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  const chunks: Buffer[] = [];
  let size = 0;
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
  });
  message.on('end', () => resolve(size > most ? undefined : Buffer.concat(chunks)));
  message.on('error', reject);
  message.on('close', () => reject(new Error('The client hung up.')));
  return promise;
}

export function writeJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
