import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { CONNECT_OPTIONS } from '#shared/adapters/net/exchange.ts';
import { monotonic, SECOND } from '#shared/kernel/clock.ts';

type HeadRequest = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Total time from the look-up of the name, in ms of real time. */
  readonly timeoutMs: number;
  readonly lookup: LookupFunction;
};

type ResponseHead = { readonly status: number; readonly headers: http.IncomingHttpHeaders };

/** How much of a body is read: some servers fail if the connection closes while they write. */
const MAX_BYTES = 16 * 1024;
/** How long reading the body may take: a slow body must not delay a message that is already accepted. */
const BODY_TIMEOUT_MS = 2 * SECOND;
/** The largest head that is read. Its status counts, however many cookies a server sets; Node's own limit is 16 KiB. */
const MAX_HEAD_BYTES = 256 * 1024;
/** The head, and what precedes it: the parser accepts any number of 1xx responses and empty lines. */
const MAX_BYTES_TO_HEAD = MAX_HEAD_BYTES + 16 * 1024;
/** The lowest status of a final response: lower ones are interim responses or protocol switches. */
const MIN_STATUS = 200;

/**
 * Posts, and resolves with the response's head: a 200 means that the message is accepted, however long or slow the
 * body. Follows no redirect and keeps no connection: the next call resolves the name again.
 */
export function postForHead({ url, headers, body, timeoutMs, lookup }: HeadRequest): Promise<ResponseHead> {
  const { promise, resolve, reject } = Promise.withResolvers<ResponseHead>();
  const open = url.protocol === 'https:' ? https.request : http.request;
  const outgoing = open(url, {
    method: 'POST',
    headers,
    lookup,
    agent: false,
    rejectUnauthorized: true,
    maxHeaderSize: MAX_HEAD_BYTES,
    // Small servers end lines with bare line feeds and the like. Nothing but the status is used, and no connection is
    // used again, so a response that is understood in two ways harms nobody.
    insecureHTTPParser: true,
    ...CONNECT_OPTIONS,
  });
  const deadline = monotonic() + timeoutMs;
  let head: ResponseHead | undefined;
  /** Until the head is parsed. */
  const received: Buffer[] = [];
  const end = (error: unknown) => {
    clearTimeout(timer);
    outgoing.destroy();
    head ??= unparsedHead(error, received);
    if (head) resolve(head);
    else reject(error);
  };
  let timer = setTimeout(() => end(exchangeFailure('ETIMEDOUT')), timeoutMs);
  outgoing.on('error', end);
  // A disconnect raises an error of its own; an unsolicited protocol switch only closes.
  outgoing.on('close', () => end(exchangeFailure('NO_RESPONSE')));
  outgoing.on('socket', (socket) => {
    let size = 0;
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (!head) received.push(chunk);
      if (!head && size > MAX_BYTES_TO_HEAD) end(exchangeFailure('NO_RESPONSE'));
    });
  });
  outgoing.on('response', (incoming) => {
    const status = incoming.statusCode ?? 0;
    if (status < MIN_STATUS) return end(exchangeFailure('NO_RESPONSE'));
    head = { status, headers: incoming.headers };
    clearTimeout(timer);
    timer = setTimeout(() => end(undefined), Math.max(0, Math.min(BODY_TIMEOUT_MS, deadline - monotonic())));
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size >= MAX_BYTES) end(undefined);
    });
    incoming.on('close', end);
    incoming.on('error', end);
  });
  outgoing.end(body);
  return promise;
}

/**
 * A head whose headers are invalid has a status all the same. One without an end has none. Only errors of the parser
 * have a `rawPacket`.
 */
function unparsedHead(error: unknown, received: readonly Buffer[]): ResponseHead | undefined {
  if (!(error instanceof Error && 'code' in error && 'rawPacket' in error && error.rawPacket instanceof Buffer))
    return undefined;
  if (error.code === 'HPE_HEADER_OVERFLOW') return undefined;
  const statuses = Buffer.concat([...received, error.rawPacket])
    .toString('latin1')
    .matchAll(/^HTTP\/1\.[01] ([2-5]\d\d)(?=[ \r\n])/gm);
  for (const [, status] of statuses) return { status: Number(status), headers: {} };
  return undefined;
}

const exchangeFailure = (code: 'ETIMEDOUT' | 'NO_RESPONSE') => Object.assign(new Error('No response.'), { code });
