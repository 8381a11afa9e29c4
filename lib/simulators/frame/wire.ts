import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** `path` is what follows `/<provider>`. */
export type WireRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type WireAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /**
   * True where the request was turned away before anything was done: such an answer is kept under no idempotency key.
   */
  readonly turnedAway?: boolean;
};

export const withHeaders = (answer: WireAnswer, headers: Readonly<Record<string, string>>): WireAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

/**
 * Stored objects and answers write our own address like this; it becomes the present one on its way out, so that
 * another port does no harm.
 */
export const HERE = 'http://psp-simulators.invalid';

const BODY_LIMIT = 1_000_000;

/** The text of a request's body, or `undefined` where it is larger than any PSP takes. */
export async function readBody(message: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    size += chunk.length;
    if (size > BODY_LIMIT) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Resolves when the answer was sent, or no client waits for it any more. */
export function writeAnswer(response: ServerResponse, answer: WireAnswer, address: string): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
    name,
    value.replaceAll(HERE, address),
  ]);
  const body = Buffer.from(answer.body.replaceAll(HERE, address));
  return new Promise((resolve) => {
    response.once('close', resolve).once('finish', resolve);
    response.writeHead(answer.status, { ...Object.fromEntries(headers), 'content-length': body.length });
    response.end(body);
  });
}
