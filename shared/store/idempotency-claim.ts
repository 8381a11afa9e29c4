import { plus, SECOND } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import type { IdempotencyRequest } from '#shared/kernel/operation.ts';
import { IDEMPOTENCY_KEY_LIFETIME } from '#shared/kernel/operation.ts';
import { putWithNonce } from '#shared/store/put-with-nonce.ts';
import type { Item, Key, TablePort, WriteResult } from '#shared/store/table/table.port.ts';

/**
 * When the store may delete a claim, in seconds. It deletes late, so `created_at` decides whether a claim is still
 * valid.
 */
export const ttlOfClaim = (since: Date | string): number =>
  Math.floor(plus(since, 2 * IDEMPOTENCY_KEY_LIFETIME).getTime() / SECOND);

/** Seconds until the lease of a claim ends; undefined if it has ended. */
export function retryAfterLease(leaseUntil: string, at: Date): number | undefined {
  const left = new Date(leaseUntil).getTime() - at.getTime();
  return left > 0 ? Math.max(1, Math.ceil(left / SECOND)) : undefined;
}

/** The seed of all ids of a claim. The same key has the same seed, and nobody can guess it. */
export const claimIdSeed = (
  hashSecret: string,
  { orgId, class: kind, key }: IdempotencyRequest,
  generation: number,
): string => keyedHash(hashSecret, orgId, kind, key, String(generation)).toString('hex');

type KeyClaim = { readonly generation: number; readonly item: Item; readonly isNew: boolean };

/**
 * Claims an idempotency key: stores the item that `create` makes, or returns the stored one. A key that is used again
 * after its lifetime starts its next generation, with a seed and an item of its own; the attribute `newest` of
 * generation 0 holds the number of the newest generation. An error of `create` is thrown only if the key has no valid
 * item; nothing is written then.
 */
export async function claimIdempotencyKey(
  table: TablePort,
  at: Date,
  keyOf: (generation: number) => Key,
  create: (generation: number) => Item | Promise<Item>,
): Promise<KeyClaim> {
  let generation = 0;
  for (;;) {
    const { written, error } = await putOrRead(table, keyOf(generation), () => create(generation));
    if (written.ok) return { generation, item: written.item, isNew: true };
    const stored = written.old;
    const isNewest = generation > 0 || !stored?.newest;
    if (stored && isNewest && isValid(stored, at)) return { generation, item: stored, isNew: false };
    if (error && isNewest) throw error;
    // The stored item was deleted meanwhile: claim the same generation again.
    if (!stored) continue;
    generation = isNewest ? await startNextGeneration(table, keyOf(0), generation) : Number(stored.newest);
  }
}

const isValid = ({ created_at }: Item, at: Date): boolean => plus(String(created_at), IDEMPOTENCY_KEY_LIFETIME) > at;

/** Stores the item, or reads the stored one. A repeated request gets the stored one even if `create` throws now. */
async function putOrRead(
  table: TablePort,
  key: Key,
  create: () => Item | Promise<Item>,
): Promise<{ readonly written: WriteResult; readonly error?: AppError }> {
  try {
    return { written: await putWithNonce(table, await create(), { absent: 'pk' }) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { written: { ok: false, old: await table.get(key, { consistent: true }) }, error };
  }
}

/**
 * Starts the next generation of a key, and returns its number. Of several concurrent requests the first one counts. The
 * version is increased too, so that a concurrent write of the whole item cannot overwrite `newest`.
 */
async function startNextGeneration(table: TablePort, first: Key, generation: number): Promise<number> {
  const from = generation === 0 ? { absent: 'newest' } : { eq: ['newest', generation] as const };
  // This item must not expire: without `newest`, the key would start again at generation 0 while a later one is valid.
  const written = await table.update(
    first,
    { set: { newest: generation + 1 }, add: { version: 1 }, remove: ['ttl'] },
    from,
  );
  return Number((written.ok ? written.item : written.old)?.newest ?? generation + 1);
}
