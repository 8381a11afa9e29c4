import { createHash } from 'node:crypto';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireRequest } from '#lib/simulators/kit/wire.ts';

export const bearerToken = ({ headers }: Pick<WireRequest, 'headers'>): string | undefined =>
  /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];

/** Any key in the PSP's format is valid, unless it contains `invalid` or `revoked`. */
export const isValidKey = (key: string, format: RegExp): boolean => format.test(key) && !/invalid|revoked/i.test(key);

/** A connection has one webhook secret, or several during rotation. */
export const secretList = (value: unknown): readonly string[] =>
  [value].flat().filter((secret) => typeof secret === 'string');

/** Identifies an account by the hash of its credentials, so that credentials are stored nowhere. */
export const accountHash = (identity: string): string => createHash('sha256').update(identity).digest('hex');

/** An object of the calling account. Objects of other accounts read as missing. */
export function findOwned<T extends StoredObject>(
  work: UnitOfWork,
  id: string | null | undefined,
  is: (stored: StoredObject) => stored is T,
): T | undefined {
  const stored = work.objects.find(id, is);
  return stored?.account === work.account ? stored : undefined;
}
