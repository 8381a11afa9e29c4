import { plus, SECOND } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { nextSecret } from '#shared/kernel/hash-versions.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import type { IdempotencyRequest } from '#shared/kernel/operation.ts';
import { IDEMPOTENCY_KEY_LIFETIME } from '#shared/kernel/operation.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import { keys } from '#shared/store/keys.ts';
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

/**
 * The item under the hash of one version of a key whose claims are under the hash of a newer one. It never gets old: a
 * process that makes hashes of the older version must not claim beside the newer one.
 */
const MOVED = 'claim_moved';

export const isMovedClaim = ({ item_type }: Item): boolean => item_type === MOVED;

const isValid = (item: Item, at: Date): boolean =>
  isMovedClaim(item) || plus(String(item.created_at), IDEMPOTENCY_KEY_LIFETIME) > at;

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

/**
 * Which secret a key is claimed with while one replaces another: the previous one, if the key has a valid claim under
 * it, else the current one. Before the first claim under the current one, an item under the previous one says so. All
 * processes, also those that know only the previous one, meet at that item. So one request cannot be claimed twice.
 */
export async function claimSecret(
  table: TablePort,
  idempotencyRequest: IdempotencyRequest,
  { current, previous }: { readonly current: string; readonly previous: string },
  at: Date,
): Promise<string> {
  const keyOf = (generation: number) => keys.claim(claimIdSeed(previous, idempotencyRequest, generation));
  for (;;) {
    const { item } = await claimIdempotencyKey(table, at, keyOf, (generation) => movedItem(keyOf(generation), at));
    if (!isMovedClaim(item)) return previous;
    if (await outlives(table, item, at)) return current;
  }
}

const movedItem = (key: Key, at: Date): Item => ({
  ...key,
  item_type: MOVED,
  created_at: at.toISOString(),
  ttl: ttlOfClaim(at),
});

/** The item must not expire before a claim that is made now. False if the store has just deleted it. */
async function outlives(table: TablePort, { pk, sk, ttl }: Item, at: Date): Promise<boolean> {
  const isLongEnough = ttl === undefined || Number(ttl) * SECOND >= plus(at, IDEMPOTENCY_KEY_LIFETIME).getTime();
  if (isLongEnough) return true;
  return (await table.update({ pk, sk }, { set: { ttl: ttlOfClaim(at) } }, { exists: 'ttl' })).ok;
}

/**
 * The secret that the claims of a key have moved to from this one. A process that does not know it must not claim the
 * key; another process answers a repeat.
 */
export function movedTo({ hashSecret, rotations }: HashConfig, from: string): string {
  const next = nextSecret(rotations?.hashSecret);
  const to = from === hashSecret ? next : hashSecret;
  if (to !== undefined && from !== next) return to;
  throw new AppError(
    'idempotency_in_progress',
    'This idempotency key is in use, and this request met a server that cannot look it up yet. Repeat it.',
    { retryAfter: 1 },
  );
}
