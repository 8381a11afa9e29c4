import {
  closest,
  fullWindows,
  type RateWindow,
  retryAfter,
  staleWindows,
} from '#shared/domain/accounts/rate-limits.rules.ts';
import type { Counted } from '#shared/ports/rate-counts.port.ts';
import type { Change, Cond, Json, Key, TablePort, Written } from '#shared/ports/table.port.ts';

type Counting = {
  /** Further conditions. */
  readonly conds?: readonly Cond[];
  /** False lifts the limits; the request is still counted. */
  readonly limited: boolean;
  /** Further attributes to set. */
  readonly set?: Readonly<Record<string, Json>>;
};

/** One conditional update; when it is refused, the old item shows which window was full. */
export function countRequest(
  table: TablePort,
  key: Key,
  windows: readonly RateWindow[],
  at: Date,
  { conds = [], limited, set }: Counting,
): Promise<Written> {
  const room = windows.map(
    ({ attribute, limit }): Cond => ({ any: [{ absent: attribute }, { lt: [attribute, limit] }] }),
  );
  const all = limited ? [...conds, ...room] : conds;
  const change: Change = {
    ...(set && { set }),
    add: Object.fromEntries(windows.map(({ attribute }) => [attribute, 1])),
    remove: staleWindows(at),
  };
  return table.update(key, change, all.length > 0 ? { all } : undefined);
}

/** The headers' values, and whether a window was full. */
export function counted(windows: readonly RateWindow[], written: Written, at: Date): Counted {
  const item = (written.ok ? written.item : written.old) ?? {};
  const full = written.ok ? [] : fullWindows(windows, item);
  return { rate: closest(windows, item), full: full.length > 0 ? { retryAfter: retryAfter(full, at) } : undefined };
}
