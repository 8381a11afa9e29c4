import type { WireRequest } from '#lib/simulators/frame/wire.ts';

export const bearerOf = ({ headers }: Pick<WireRequest, 'headers'>): string | undefined =>
  /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];

/** Any key in the PSP's form is valid, unless its text says otherwise. */
export const isGoodKey = (key: string, form: RegExp): boolean => form.test(key) && !/invalid|revoked/i.test(key);

/** A connection has one webhook secret, or several during rotation. */
export const secretsIn = (given: unknown): readonly string[] =>
  [given].flat().filter((secret) => typeof secret === 'string');

/** The idempotency key of a POST. */
export function keyIn({ method, headers }: WireRequest, header: string): string | null {
  const key = headers[header];
  return method === 'POST' && typeof key === 'string' ? key : null;
}
