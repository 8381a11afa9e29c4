import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { monotonic, SECOND } from '#shared/kernel/clock.ts';
import { CONNECTING } from '#shared/net/connecting.ts';

export type HeadRequest = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** From the look-up of the name on, ms of real time. */
  readonly timeoutMs: number;
  readonly lookup: LookupFunction;
};

export type Head = { readonly status: number; readonly headers: http.IncomingHttpHeaders };

/** As much of a page as we let a server finish; it may dislike a connection that closes while it writes. */
const MAX_BYTES = 16 * 1024;
/** And how long it may take over that: who trickles would hold on for the whole time to a message that was taken at the first word. */
const PAGE_MS = 2 * SECOND;
/** What may come up to the head: answers of 1xx, of which nobody says how many. The parser takes them, and empty lines, without end. */
const MAX_BYTES_TO_HEAD = 64 * 1024;
/** The lowest that is an answer: what is below is a hint at one, the word for another protocol, or no status at all. */
const MIN_STATUS = 200;

/**
 * Posts, and answers with the head of the reply: whoever says 200 has taken the message, however long or slow the page
 * that follows. No redirect is followed, no connection kept: the next call looks the name up again.
 */
export function postForHead({ url, headers, body, timeoutMs, lookup }: HeadRequest): Promise<Head> {
  const { promise, resolve, reject } = Promise.withResolvers<Head>();
  const open = url.protocol === 'https:' ? https.request : http.request;
  const outgoing = open(url, { method: 'POST', headers, lookup, agent: false, rejectUnauthorized: true, ...CONNECTING });
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
  // Hanging up is an error of its own. A change of the protocol, which nobody asked for, is only seen by this.
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
