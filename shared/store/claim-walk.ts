import { DAY, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import type { ClaimTicket } from '#shared/kernel/operation.ts';
import type { Item, Key, TablePort, Written } from '#shared/ports/table.port.ts';
import { certainPut } from '#shared/store/certain-put.ts';

/** How long an idempotency key belongs to its first request, by the clock. */
export const KEY_LIFE = DAY;

/** The seed of everything in a claim: the same for the same key, and unguessable. */
export const claimSeed = (hashSecret: string, { orgId, class: kind, key }: ClaimTicket, generation: number): string =>
  keyedHash(hashSecret, orgId, kind, key, String(generation)).toString('hex');

type Found = { readonly generation: number; readonly item: Item; readonly isNew: boolean };

/**
 * Puts the item that `make` gives for the key's newest generation, or finds the one that is stored. A key that is used
 * again after its life begins a new generation; the item of generation 0 holds the newest number. A refusal of `make`
 * is thrown only where the key has no live item, and then nothing is written.
 */
export async function claimNewest(
  table: TablePort,
  at: Date,
  keyOf: (generation: number) => Key,
  make: (generation: number) => Item | Promise<Item>,
): Promise<Found> {
  let generation = 0;
  for (;;) {
    const { written, refusal } = await putOrRefuse(table, keyOf(generation), () => make(generation));
    if (written.ok) return { generation, item: written.item, isNew: true };
    const old = written.old;
    const isNewest = generation > 0 || !old?.newest;
    if (old && isNewest && isAlive(old, at)) return { generation, item: old, isNew: false };
    if (refusal && isNewest) throw refusal;
    // The item that was in the way has gone meanwhile: the same generation is claimed again.
    if (!old) continue;
    generation = isNewest ? await renew(table, keyOf(0), generation) : Number(old.newest);
  }
}

const isAlive = ({ created_at }: Item, at: Date): boolean => plus(String(created_at), KEY_LIFE) > at;

/** Puts the item, or reads the one that is there. Where `make` refuses, the read is what a repeated request needs. */
async function putOrRefuse(
  table: TablePort,
  key: Key,
  make: () => Item | Promise<Item>,
): Promise<{ readonly written: Written; readonly refusal?: AppError }> {
  try {
    return { written: await certainPut(table, await make(), { absent: 'pk' }) };
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal;
    return { written: { ok: false, old: await table.get(key, { consistent: true }) }, refusal };
  }
}

/**
 * Moves the key on from this generation; of concurrent moves the first one counts. The version moves too, so that no
 * whole-item write loses it.
 */
async function renew(table: TablePort, first: Key, generation: number): Promise<number> {
  const from = generation === 0 ? { absent: 'newest' } : { eq: ['newest', generation] as const };
  // Without this item the key would begin anew beside a generation that is still alive, so it never expires.
  const written = await table.update(
    first,
    { set: { newest: generation + 1 }, add: { version: 1 }, remove: ['ttl'] },
    from,
  );
  return Number((written.ok ? written.item : written.old)?.newest ?? generation + 1);
}
