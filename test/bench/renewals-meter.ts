import type { Call, CallListener } from '#lib/local/invocation.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { costOf, countedTable } from '#test/bench/counted-table.ts';

/** The calls of one function: those to the table and their units, including those for index entries. */
type Share = { readonly calls: number; readonly wru: number; readonly entries: number; readonly rru: number };
/** By function, with the number of its calls to anything else. */
type Bill = { readonly table: ReadonlyMap<string, Share>; readonly others: ReadonlyMap<string, number> };

export type Meter = {
  readonly through: (bare: TablePort) => TablePort;
  readonly listen: CallListener;
  /**
   * Measures the calls of these functions from now on, or of all if none is named. Measured calls take twice as long.
   */
  readonly weigh: (groups?: readonly string[]) => void;
  readonly bill: () => Bill;
};

const NOTHING: Share = { calls: 0, wru: 0, entries: 0, rru: 0 };

const plusShare = (a: Share, b: Share): Share => ({
  calls: a.calls + b.calls,
  wru: a.wru + b.wru,
  entries: a.entries + b.entries,
  rru: a.rru + b.rru,
});

/** Counts the table calls per function, and measures those of the selected functions. */
export function renewalsMeter(): Meter {
  let table = new Map<string, Share>();
  let others = new Map<string, number>();
  let weighed: ReadonlySet<string> | undefined = new Set();
  let caller: string | undefined;

  const add = (group: string, share: Partial<Share>) =>
    void table.set(group, plusShare(table.get(group) ?? NOTHING, { ...NOTHING, ...share }));

  return {
    through: (bare) => {
      let group = '';
      const counted = countedTable(bare, () => {
        const own = group;
        return (cost) => add(own, { wru: costOf(cost), entries: costOf(cost) - cost.item, rru: cost.rru });
      });
      return choosing(() => {
        group = caller ?? '';
        caller = undefined;
        return group !== '' && (weighed?.has(group) ?? true) ? counted : bare;
      });
    },
    listen: ({ point, method, group }: Call) => {
      if (point !== 'table')
        return void others.set(`${group} ${point}.${method}`, (others.get(`${group} ${point}.${method}`) ?? 0) + 1);
      // The call itself follows before anything else can happen.
      caller = group;
      add(group, { calls: 1 });
    },
    weigh: (groups) => {
      [table, others, weighed] = [new Map(), new Map(), groups && new Set(groups)];
    },
    bill: () => ({ table, others }),
  };
}

const choosing = (choose: () => TablePort): TablePort => ({
  get: (key, how) => choose().get(key, how),
  getMany: (keys) => choose().getMany(keys),
  put: (item, condition) => choose().put(item, condition),
  update: (key, change, condition) => choose().update(key, change, condition),
  delete: (key, condition) => choose().delete(key, condition),
  query: (where) => choose().query(where),
  entries: (index, where) => choose().entries(index, where),
  count: (index, where) => choose().count(index, where),
  transact: (writes, token) => choose().transact(writes, token),
});

const round = (n: number): string => String(Math.round(n * 100) / 100);

export const onlyOf = ({ table }: Bill, group: string): Bill => ({
  table: new Map([...table].filter(([name]) => name === group)),
  others: new Map(),
});

/** A row for each function, and one for all; divided by the number of renewals. */
export function billTable({ table }: Bill, renewals: number): string {
  const row = (name: string, { calls, wru, entries, rru }: Share) => [
    name,
    ...[calls, wru, entries, rru].map((n) => round(n / renewals)),
  ];
  const rows = [...table].toSorted(([a], [b]) => a.localeCompare(b)).map(([name, share]) => row(name, share));
  const all = [...table.values()].reduce(plusShare, NOTHING);
  return columns([
    ['function', 'table calls', 'WRU', 'of these for entries', 'RRU'],
    ...rows,
    ...(rows.length > 1 ? [row('in all', all)] : []),
  ]);
}

export const othersLine = ({ others }: Bill, renewals: number): string =>
  [...others]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, n]) => `${name} ${round(n / renewals)}`)
    .join(', ');

/** The first row names the columns. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, n) => Math.max(...rows.map((cells) => cells[n]?.length ?? 0)));
  return rows
    .map(
      (cells) =>
        `  ${cells.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join('  ')}`,
    )
    .join('\n');
}
