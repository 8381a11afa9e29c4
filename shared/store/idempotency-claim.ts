import { plus, SECOND } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import type { IdempotencyRequest } from '#shared/kernel/operation.ts';
import { IDEMPOTENCY_KEY_LIFETIME } from '#shared/kernel/operation.ts';
import { putWithNonce } from '#shared/store/put-with-nonce.ts';
import type { Item, Key, TablePort, WriteResult } from '#shared/store/table/table.port.ts';

/** For the store's own clean-up; whether a key is still alive is judged by the clock. */
export const ttlOfClaim = (since: Date | string): number =>
  Math.floor(plus(since, 2 * IDEMPOTENCY_KEY_LIFETIME).getTime() / SECOND);

/** Seconds until a claim's lease ends; undefined once it has. */
export function retryAfterLease(leaseUntil: string, at: Date): number | undefined {
  const left = new Date(leaseUntil).getTime() - at.getTime();
  return left > 0 ? Math.max(1, Math.ceil(left / SECOND)) : undefined;
}

/** The seed of everything in a claim: the same for the same key, and unguessable. */
export const claimIdSeed = (
  hashSecret: string,
  { orgId, class: kind, key }: IdempotencyRequest,
  generation: number,
): string => keyedHash(hashSecret, orgId, kind, key, String(generation)).toString('hex');

type NewestClaim = { readonly generation: number; readonly item: Item; readonly isNew: boolean };

/**
 * Stores the item that `create` makes for the key's newest generation, or finds the one that is stored. A key that is
 * used again after its lifetime begins a new generation; the item of generation 0 holds the newest number. An error of
 * `create` is thrown only if the key has no live item, and then nothing is written.
 */
export async function claimNewestGeneration(
  table: TablePort,
  at: Date,
  keyOf: (generation: number) => Key,
  create: (generation: number) => Item | Promise<Item>,
): Promise<NewestClaim> {
  let generation = 0;
  for (;;) {
    const { written, error } = await putOrRead(table, keyOf(generation), () => create(generation));
    if (written.ok) return { generation, item: written.item, isNew: true };
    const stored = written.old;
    const isNewest = generation > 0 || !stored?.newest;
    if (stored && isNewest && isAlive(stored, at)) return { generation, item: stored, isNew: false };
    if (error && isNewest) throw error;
    // The stored item was deleted meanwhile: the same generation is claimed again.
    if (!stored) continue;
    generation = isNewest ? await startNextGeneration(table, keyOf(0), generation) : Number(stored.newest);
  }
}

const isAlive = ({ created_at }: Item, at: Date): boolean => plus(String(created_at), IDEMPOTENCY_KEY_LIFETIME) > at;

/** Puts the item, or reads the stored one. A repeated request needs the stored one also where `create` throws. */
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
 * Moves the key on from this generation; of concurrent moves the first one counts. The version moves too, so that no
 * write of the whole item loses it.
 */
async function startNextGeneration(table: TablePort, first: Key, generation: number): Promise<number> {
  const from = generation === 0 ? { absent: 'newest' } : { eq: ['newest', generation] as const };
  // Without this item the key would start over beside a generation that is still alive, so it never expires.
  const written = await table.update(
    first,
    { set: { newest: generation + 1 }, add: { version: 1 }, remove: ['ttl'] },
    from,
  );
  return Number((written.ok ? written.item : written.old)?.newest ?? generation + 1);
}
