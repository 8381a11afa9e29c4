import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { CONNECTING } from '#shared/adapters/net/connecting.ts';
import { monotonic, SECOND } from '#shared/kernel/clock.ts';

type HeadRequest = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Total time from the look-up of the name, in ms of real time. */
  readonly timeoutMs: number;
  readonly lookup: LookupFunction;
};

type Head = { readonly status: number; readonly headers: http.IncomingHttpHeaders };

/** How much of a body is read: some servers dislike a connection that closes while they write. */
const MAX_BYTES = 16 * 1024;
/** How long reading the body may take: a trickling server must not hold a message that it has already accepted. */
const PAGE_MS = 2 * SECOND;
/**
 * How many bytes may precede the head: the number of 1xx answers is unlimited, and the parser accepts them, and empty
 * lines, without end.
 */
const MAX_BYTES_TO_HEAD = 64 * 1024;
/** The lowest status of a final answer: below are interim answers, protocol switches, or no status at all. */
const MIN_STATUS = 200;

/**
 * Posts, and resolves with the reply's head: a 200 means that the message is accepted, however long or slow the body.
 * Follows no redirect and keeps no connection: the next call resolves the name again.
 */
export function postForHead({ url, headers, body, timeoutMs, lookup }: HeadRequest): Promise<Head> {
  const { promise, resolve, reject } = Promise.withResolvers<Head>();
  const open = url.protocol === 'https:' ? https.request : http.request;
  const outgoing = open(url, {
    method: 'POST',
    headers,
    lookup,
    agent: false,
    rejectUnauthorized: true,
    ...CONNECTING,
  });
  const deadline = monotonic() + timeoutMs;
  let head: Head | undefined;
  const end = (error: unknown) => {
    clearTimeout(timer);
    outgoing.destroy();
    if (head) resolve(head);
    else reject(error);
  };
  let timer = setTimeout(() => end(failure('ETIMEDOUT')), timeoutMs);
  outgoing.on('error', end);
  // A disconnect raises an error of its own; an unsolicited protocol switch only closes.
  outgoing.on('close', () => end(failure('NO_ANSWER')));
  outgoing.on('socket', (socket) => {
    let size = 0;
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (!head && size > MAX_BYTES_TO_HEAD) end(failure('NO_ANSWER'));
    });
  });
  outgoing.on('response', (incoming) => {
    const status = incoming.statusCode ?? 0;
    if (status < MIN_STATUS) return end(failure('NO_ANSWER'));
    head = { status, headers: incoming.headers };
    clearTimeout(timer);
    timer = setTimeout(() => end(undefined), Math.max(0, Math.min(PAGE_MS, deadline - monotonic())));
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

const failure = (code: 'ETIMEDOUT' | 'NO_ANSWER') => Object.assign(new Error('No answer.'), { code });
