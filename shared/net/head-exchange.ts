import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';

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

/**
 * Posts, and answers with the head of the reply: whoever says 200 has taken the message, however long or slow the page
 * that follows. No redirect is followed, no connection kept: the next call looks the name up again.
 */
export function postForHead({ url, headers, body, timeoutMs, lookup }: HeadRequest): Promise<Head> {
  const { promise, resolve, reject } = Promise.withResolvers<Head>();
  const open = url.protocol === 'https:' ? https.request : http.request;
  const outgoing = open(url, { method: 'POST', headers, lookup, agent: false, rejectUnauthorized: true });
  let head: Head | undefined;
  const end = (error: unknown) => {
    clearTimeout(timer);
    outgoing.destroy();
    if (head) resolve(head);
    else reject(error);
  };
  const timer = setTimeout(() => end(Object.assign(new Error('No answer in time.'), { code: 'ETIMEDOUT' })), timeoutMs);
  outgoing.on('error', end);
  outgoing.on('response', (incoming) => {
    head = { status: incoming.statusCode ?? 0, headers: incoming.headers };
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
