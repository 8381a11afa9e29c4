import { closest, fullWindows, type RateWindow, retryAfter, staleWindows } from '#shared/domain/rate-limits.rules.ts';
import type { Counted } from '#shared/ports/stores.port.ts';
import type { Change, Cond, Json, Key, TablePort, Written } from '#shared/ports/table.port.ts';

export type Counting = {
  /** What must hold beside there being room. */
  readonly conds?: readonly Cond[];
  /** False lifts the limits; the request is counted all the same. */
  readonly limited: boolean;
  /** What else the request leaves behind. */
  readonly set?: Readonly<Record<string, Json>>;
};

/** One conditional update, also when it refuses: then the old item says what was full. */
export function countRequest(table: TablePort, key: Key, windows: readonly RateWindow[], at: Date, { conds = [], limited, set }: Counting): Promise<Written> {
  const room = windows.map(({ attribute, limit }): Cond => ({ any: [{ absent: attribute }, { lt: [attribute, limit] }] }));
  const all = limited ? [...conds, ...room] : conds;
  const change: Change = { ...(set && { set }), add: Object.fromEntries(windows.map(({ attribute }) => [attribute, 1])), remove: staleWindows(at) };
  return table.update(key, change, all.length > 0 ? { all } : undefined);
}

/** What the answer's headers show, and whether there was no room. */
export function counted(windows: readonly RateWindow[], written: Written, at: Date): Counted {
  const item = (written.ok ? written.item : written.old) ?? {};
  const full = written.ok ? [] : fullWindows(windows, item);
  return { rate: closest(windows, item), full: full.length > 0 ? { retryAfter: retryAfter(full, at) } : undefined };
}
