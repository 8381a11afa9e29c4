import {
  closestToLimit,
  fullWindows,
  type RateWindow,
  retryAfter,
  staleWindows,
} from '#shared/domain/accounts/rate-limits.rules.ts';
import { DAY, SECOND } from '#shared/kernel/clock.ts';
import type { LimitCheck, RateCount } from '#shared/ports/rate-counts.port.ts';
import type { Condition, ItemChange, Json, Key, TablePort, WriteResult } from '#shared/store/table/table.port.ts';
import { transactWithRetry } from '#shared/store/transact-with-retry.ts';

type CountOptions = {
  /** Further conditions. */
  readonly conditions?: readonly Condition[];
  /** With false there are no limits; the request is still counted. */
  readonly limited: boolean;
  /** Expired windows to remove. */
  readonly expired?: readonly string[];
  /** Further attributes to set. */
  readonly set?: Readonly<Record<string, Json>>;
};

/** Counts a request with one conditional update. If it fails, the old item shows which window was full. */
export function countRequest(
  table: TablePort,
  key: Key,
  windows: readonly RateWindow[],
  at: Date,
  { conditions = [], limited, set, expired = staleWindows(at) }: CountOptions,
): Promise<WriteResult> {
  const belowLimits = windows.map(
    ({ attribute, limit }): Condition => ({ any: [{ absent: attribute }, { lt: [attribute, limit] }] }),
  );
  const all = limited ? [...conditions, ...belowLimits] : conditions;
  const change: ItemChange = {
    ...(set && { set }),
    add: Object.fromEntries(windows.map(({ attribute }) => [attribute, 1])),
    remove: expired,
  };
  return table.update(key, change, all.length > 0 ? { all } : undefined);
}

/** The values of the rate-limit headers, and whether a window was full. */
export function toRateCount(windows: readonly RateWindow[], written: WriteResult, at: Date): RateCount {
  const item = (written.ok ? written.item : written.old) ?? {};
  const full = written.ok ? [] : fullWindows(windows, item);
  return {
    rate: closestToLimit(windows, item),
    exceeded: full.length > 0 ? { retryAfter: retryAfter(full, at) } : undefined,
  };
}

/** A rate window that has its own item. The store deletes the item after the window's end. */
export type Counter = { readonly key: Key; readonly window: RateWindow };

/** Counts the request in every window, or in none if one is full, even under concurrency. */
export async function countAllOrNone(
  table: TablePort,
  counters: readonly Counter[],
  at: Date,
  limited: boolean,
): Promise<LimitCheck> {
  const written = await transactWithRetry(
    table,
    counters.map(({ key, window: { attribute, limit, endsAt } }) => ({
      update: key,
      change: { set: { ttl: endsAt + DAY / SECOND }, add: { [attribute]: 1 } },
      ...(limited && { condition: { any: [{ absent: attribute }, { lt: [attribute, limit] }] } as const }),
    })),
  );
  if (written.ok) return { exceeded: undefined };
  const full = counters.filter((_, n) => written.failed.some(({ index }) => index === n));
  const windows = full.map(({ window }) => window);
  return { exceeded: { retryAfter: retryAfter(windows, at) } };
}
