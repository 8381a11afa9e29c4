import http from 'node:http';
import https from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { CONNECT_OPTIONS } from '#shared/adapters/net/exchange.ts';
import { isPlainResponse } from '#shared/adapters/net/plain-response.rules.ts';
import type { ReceiverConnections } from '#shared/adapters/net/receiver-connections.ts';
import { monotonic, SECOND } from '#shared/kernel/clock.ts';

type HeadRequest = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Total time from the look-up of the name, in ms of real time. */
  readonly timeoutMs: number;
  readonly lookup: LookupFunction;
  /** Where the connection comes from, and stays. Without it the request has one of its own. */
  readonly connections?: ReceiverConnections;
};

type ResponseHead = { readonly status: number; readonly headers: http.IncomingHttpHeaders };
/** `bodyStart`: the first bytes of the body, if the response says that the message was not accepted. */
type Response = ResponseHead & { readonly bodyStart: Buffer };

/** How much of a body is read: some servers fail if the connection closes while they write. */
const MAX_BYTES = 16 * 1024;
/** How much of the body of a failure is returned. */
const MAX_START_BYTES = 2 * 1024;
/** How long reading the body may take: a slow body must not delay a message that is already accepted. */
const BODY_TIMEOUT_MS = 2 * SECOND;
/** The largest head that is read. Its status counts, however many cookies a server sets; Node's own limit is 16 KiB. */
const MAX_HEAD_BYTES = 256 * 1024;
/** The head, and what precedes it: the parser accepts any number of 1xx responses and empty lines. */
const MAX_BYTES_TO_HEAD = MAX_HEAD_BYTES + 16 * 1024;
/** The lowest status of a final response: lower ones are interim responses or protocol switches. */
const MIN_STATUS = 200;
const MAX_ACCEPTED_STATUS = 299;

/**
 * Posts, and resolves with the response's head: a 200 means that the message is accepted, however long or slow the
 * body. Follows no redirect. If a used connection turns out to be closed, the request is sent once more on a new one: a
 * receiver that got it all the same knows the message by its id.
 */
export async function postForHead(request: HeadRequest): Promise<Response> {
  const deadline = monotonic() + request.timeoutMs;
  try {
    return await exchangeHead(request, deadline);
  } catch (error) {
    if (!(error instanceof ClosedWhileIdle)) throw error;
    return exchangeHead({ ...request, connections: undefined }, deadline);
  }
}

class ClosedWhileIdle extends Error {}

function exchangeHead(request: HeadRequest, deadline: number): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const outgoing = open(request);
  let head: ResponseHead | undefined;
  const start: Buffer[] = [];
  let over = false;
  const finish = (error: unknown) => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    received.stop();
    head ??= unparsedHead(error, received.bytes);
    const wasClosed = outgoing.reusedSocket && received.size() === 0 && isClosed(error);
    if (head) resolve({ ...head, bodyStart: Buffer.concat(start).subarray(0, MAX_START_BYTES) });
    else reject(wasClosed ? new ClosedWhileIdle() : error);
  };
  const end = (error: unknown) => {
    finish(error);
    outgoing.destroy();
  };
  const received = collect(outgoing, () => {
    if (!head && received.size() > MAX_BYTES_TO_HEAD) end(exchangeFailure('NO_RESPONSE'));
  });
  let timer = setTimeout(() => end(exchangeFailure('ETIMEDOUT')), Math.max(0, deadline - monotonic()));
  outgoing.on('error', end);
  // A disconnect raises an error of its own; an unsolicited protocol switch only closes.
  outgoing.on('close', () => {
    if (!over) end(exchangeFailure('NO_RESPONSE'));
  });
  outgoing.on('response', (incoming) => {
    const status = incoming.statusCode ?? 0;
    if (status < MIN_STATUS) return end(exchangeFailure('NO_RESPONSE'));
    head = { status, headers: incoming.headers };
    clearTimeout(timer);
    timer = setTimeout(() => end(undefined), Math.max(0, Math.min(BODY_TIMEOUT_MS, deadline - monotonic())));
    const { socket } = incoming;
    if (status > MAX_ACCEPTED_STATUS) keepStart(incoming, start);
    readBody(incoming, (isWhole) => {
      const isReusable = isWhole && outgoing.writableFinished && isPlainResponse(received.bytes());
      if (!isReusable) return end(undefined);
      request.connections?.keep(socket);
      finish(undefined);
    });
  });
  outgoing.end(request.body);
  return promise;
}

function open({ url, headers, lookup, connections }: HeadRequest): http.ClientRequest {
  const request = url.protocol === 'https:' ? https.request : http.request;
  return request(url, {
    method: 'POST',
    headers,
    lookup,
    agent: connections?.agentFor(url.protocol) ?? false,
    rejectUnauthorized: true,
    maxHeaderSize: MAX_HEAD_BYTES,
    // Small servers end lines with bare line feeds and the like. Nothing but the status is used, and only a connection
    // with a response that cannot be understood in two ways is used again.
    insecureHTTPParser: true,
    ...CONNECT_OPTIONS,
  });
}

/** Everything that arrives for this request. `onParsed`: called after Node's parser has read what arrived. */
function collect(outgoing: http.ClientRequest, onParsed: () => void) {
  const chunks: Buffer[] = [];
  let size = 0;
  let source: Socket | undefined;
  const take = (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
  };
  outgoing.on('socket', (socket) => {
    source = socket;
    // The parser has a listener already, and may end the exchange in it.
    socket.prependListener('data', take);
    socket.on('data', onParsed);
  });
  return {
    bytes: () => Buffer.concat(chunks),
    size: () => size,
    stop: () => void source?.removeListener('data', take).removeListener('data', onParsed),
  };
}

function keepStart(incoming: http.IncomingMessage, start: Buffer[]): void {
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    if (size < MAX_START_BYTES) start.push(chunk.subarray(0, MAX_START_BYTES - size));
    size += chunk.length;
  });
}

/** `isWhole`: the body has ended within what is read of it. */
function readBody(incoming: http.IncomingMessage, done: (isWhole: boolean) => void): void {
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size >= MAX_BYTES) done(false);
  });
  incoming.on('end', () => done(size < MAX_BYTES));
  incoming.on('close', () => done(false));
  incoming.on('error', () => done(false));
}

/**
 * A head whose headers are invalid has a status all the same. One without an end has none. Only errors of the parser
 * have a `rawPacket`.
 */
function unparsedHead(error: unknown, received: () => Buffer): ResponseHead | undefined {
  if (!(error instanceof Error && 'code' in error && 'rawPacket' in error)) return undefined;
  if (error.code === 'HPE_HEADER_OVERFLOW') return undefined;
  const statuses = received()
    .toString('latin1')
    .matchAll(/^HTTP\/1\.[01] ([2-5]\d\d)(?=[ \r\n])/gm);
  for (const [, status] of statuses) return { status: Number(status), headers: {} };
  return undefined;
}

const isClosed = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ECONNRESET', 'EPIPE', 'NO_RESPONSE'].includes(String(error.code));

const exchangeFailure = (code: 'ETIMEDOUT' | 'NO_RESPONSE') => Object.assign(new Error('No response.'), { code });
