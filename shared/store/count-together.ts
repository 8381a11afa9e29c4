import { type RateWindow, retryAfter } from '#shared/domain/rate-limits.rules.ts';
import { DAY, SECOND } from '#shared/kernel/clock.ts';
import type { Room } from '#shared/ports/stores.port.ts';
import type { Key, TablePort } from '#shared/ports/table.port.ts';
import { transactAmidOthers } from '#shared/store/transact-amid-others.ts';

/** A window in an item of its own: once it is over, the store clears it away with the item. */
export type Counter = { readonly key: Key; readonly window: RateWindow };

/**
 * Counts once in each window, or in none: whoever is refused by one takes nothing from the others, not for a moment either,
 * however many come at once.
 */
export async function countTogether(table: TablePort, counters: readonly Counter[], at: Date, limited: boolean): Promise<Room> {
  const written = await transactAmidOthers(
    table,
    counters.map(({ key, window: { attribute, limit, endsAt } }) => ({
      update: key,
      change: { set: { ttl: endsAt + DAY / SECOND }, add: { [attribute]: 1 } },
      ...(limited && { cond: { any: [{ absent: attribute }, { lt: [attribute, limit] }] } as const }),
    })),
  );
  if (written.ok) return { full: undefined };
  const full = counters.filter((_, n) => written.failed.some(({ index }) => index === n));
  const windows = full.map(({ window }) => window);
  return { full: { retryAfter: retryAfter(windows, at) } };
}
