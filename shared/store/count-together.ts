import { type RateWindow, retryAfter } from '#shared/domain/accounts/rate-limits.rules.ts';
import { DAY, SECOND } from '#shared/kernel/clock.ts';
import type { Room } from '#shared/ports/rate-counts.port.ts';
import type { Key, TablePort } from '#shared/ports/table.port.ts';
import { transactAmidOthers } from '#shared/store/transact-amid-others.ts';

/** A rate window in an item of its own, which the store deletes after its end. */
export type Counter = { readonly key: Key; readonly window: RateWindow };

/**
 * Counts once in each window, or in none: a request refused by one window never takes room in another, under any
 * concurrency.
 */
export async function countTogether(
  table: TablePort,
  counters: readonly Counter[],
  at: Date,
  limited: boolean,
): Promise<Room> {
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
