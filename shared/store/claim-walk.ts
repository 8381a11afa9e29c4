import { DAY, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import type { ClaimTicket } from '#shared/kernel/operation.ts';
import type { Item, Key, TablePort, Written } from '#shared/ports/table.port.ts';
import { certainPut } from '#shared/store/certain-put.ts';

/** How long an idempotency key stands for its first request, by the clock. */
export const KEY_LIFE = DAY;

/** What everything of a claim derives from: the same for the same key, and nobody's guess. */
export const claimSeed = (hashSecret: string, { orgId, class: kind, key }: ClaimTicket, generation: number): string =>
  keyedHash(hashSecret, orgId, kind, key, String(generation)).toString('hex');

export type Found = { readonly generation: number; readonly item: Item; readonly isNew: boolean };

/**
 * Puts the item that `make` gives for the key's newest generation, or finds the one that stands there. A key that is used
 * again after its life begins a new generation; the first one's item knows the newest number. What `make` refuses is
 * refused only where the key stands for nothing yet, and then nothing is written.
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
    if (!old && refusal) throw refusal;
    if (!old) continue;
    if (plus(String(old.created_at), KEY_LIFE) > at && !(generation === 0 && old.newest)) return { generation, item: old, isNew: false };
    if (refusal && (generation > 0 || !old.newest)) throw refusal;
    generation = generation === 0 ? await newestAfter(table, keyOf(0), old, 0) : await renew(table, keyOf(0), generation);
  }
}

/** The item is put, or met; a refused one meets what a repeated request would. */
async function putOrRefuse(table: TablePort, key: Key, make: () => Item | Promise<Item>): Promise<{ readonly written: Written; readonly refusal?: AppError }> {
  try {
    return { written: await certainPut(table, await make(), { absent: 'pk' }) };
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal;
    return { written: { ok: false, old: await table.get(key, { consistent: true }) }, refusal };
  }
}

async function newestAfter(table: TablePort, first: Key, old: Item, generation: number): Promise<number> {
  const newest = Number(old.newest ?? 0);
  return newest > generation ? newest : renew(table, first, generation);
}

/** Moves the key on from this generation; whoever else did so first decides. The version moves too: a whole-item write must not lose it. */
async function renew(table: TablePort, first: Key, generation: number): Promise<number> {
  const from = generation === 0 ? { absent: 'newest' } : { eq: ['newest', generation] as const };
  // It must outlive the store's own clean-up: without it the key would begin anew beside a generation that still stands.
  const written = await table.update(first, { set: { newest: generation + 1 }, add: { version: 1 }, remove: ['ttl'] }, from);
  return Number((written.ok ? written.item : written.old)?.newest ?? generation + 1);
}
