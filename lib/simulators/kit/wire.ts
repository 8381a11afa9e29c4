import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** `path` is the part after `/<provider>`. */
export type WireRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type WireResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The request was rejected before anything was done: no idempotency key stores this response. */
  readonly rejected?: boolean;
};

export const withHeaders = (response: WireResponse, headers: Readonly<Record<string, string>>): WireResponse => ({
  ...response,
  headers: { ...response.headers, ...headers },
});

/** Placeholder for our own address in stored data. It is replaced on sending, so that the port may change. */
export const BASE_URL = 'http://psp-simulators.invalid';

const MAX_BODY_BYTES = 1_000_000;

/** The body as text; undefined if it is larger than any PSP accepts. */
export async function readBody(message: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Resolves when the response is sent or the client has disconnected. */
export function writeResponse(socket: ServerResponse, response: WireResponse, address: string): Promise<void> {
  if (socket.destroyed) return Promise.resolve();
  const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [
    name,
    value.replaceAll(BASE_URL, address),
  ]);
  const body = Buffer.from(response.body.replaceAll(BASE_URL, address));
  return new Promise((resolve) => {
    socket.once('close', resolve).once('finish', resolve);
    socket.writeHead(response.status, { ...Object.fromEntries(headers), 'content-length': body.length });
    socket.end(body);
  });
}

/**
 * Ends a call with an error response. What was written before stays: a declined charge is stored although its call
 * fails.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly response: WireResponse;
  constructor(response: WireResponse) {
    super(`HTTP ${response.status}`);
    this.response = response;
  }
}
