import type { TablePort } from '#shared/ports/table.port.ts';
import { type Cost, costOf, countedTable } from '#test/bench/counted-table.ts';
import type { TestHost } from '#test/support/host.ts';

/** A call, and the function that made it. */
export type Line = Cost & { readonly group: string };

/** What one operation led to: the calls with their costs, and how often each function waited for the table in a row. */
export type Account = { readonly lines: readonly Line[]; readonly waits: Readonly<Record<string, number>> };

export type Ledger = {
  readonly through: (table: TablePort) => TablePort;
  /** Everything that invocations cost while `work` runs, and what it led to. */
  readonly of: (host: TestHost, work: () => Promise<unknown>) => Promise<Account>;
};

/** The calls of the host itself belong to nobody and are not counted. */
export function unitLedger(): Ledger {
  let lines: Line[] = [];
  let caller: string | undefined;
  return {
    through: (table) =>
      countedTable(table, () => {
        const group = caller;
        caller = undefined;
        return (cost) => void (group && lines.push({ ...cost, group }));
      }),
    of: async (host, work) => {
      await host.drain();
      lines = [];
      const waits: Record<string, number> = {};
      const running: Record<string, number> = {};
      const stop = host.onCall(({ point, group }, ended) => {
        if (point !== 'table') return;
        // The call itself follows before anything else can happen.
        caller = group;
        if (!running[group]) waits[group] = (waits[group] ?? 0) + 1;
        running[group] = (running[group] ?? 0) + 1;
        void ended.then(() => {
          running[group] = (running[group] ?? 1) - 1;
        });
      });
      await work();
      await host.drain();
      stop();
      return { lines, waits };
    },
  };
}

const round = (n: number): string => String(Math.round(n * 100) / 100);

/** Where each unit goes: the mean of several runs of the same. */
export function printed(title: string, accounts: readonly Account[]): string {
  const runs = accounts.length;
  const rows = [
    ...Map.groupBy(
      accounts.flatMap(({ lines }) => lines),
      (line) => `${line.group}|${line.call}|${line.on}`,
    ).values(),
  ];
  const groups = Map.groupBy(rows, ([first]) => first?.group ?? '');
  const table = [...groups].flatMap(([group, calls]) => [
    ...calls.map((lines) => row(lines, runs)),
    [
      '',
      `${group} in all`,
      '',
      round(calls.flat().length / runs),
      '',
      round(units(calls.flat()) / runs),
      '',
      round(reads(calls.flat()) / runs),
      waitsOf(group, accounts),
    ],
  ]);
  const all = rows.flat();
  const head = ['function', 'call', 'on', 'calls', 'bytes', 'WRU', 'of these for entries', 'RRU', 'waits'];
  const total = ['', 'IN ALL', '', round(all.length / runs), '', round(units(all) / runs), '', round(reads(all) / runs), ''];
  return `\n${title}\n${aligned([head, ...table, total])}`;
}

const units = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + costOf(line), 0);
const reads = (lines: readonly Line[]): number => lines.reduce((sum, { rru }) => sum + rru, 0);
const waitsOf = (group: string, accounts: readonly Account[]): string =>
  round(accounts.reduce((sum, { waits }) => sum + (waits[group] ?? 0), 0) / accounts.length);

function row(lines: readonly Line[], runs: number): readonly string[] {
  const [{ group = '', call = '', on = '' } = {}] = lines;
  const entries = Map.groupBy(
    lines.flatMap((line) => Object.entries(line.entries)),
    ([name]) => name,
  );
  const named = [...entries].map(([name, each]) => `${name} ${round(each.reduce((sum, [, n]) => sum + n, 0) / runs)}`).join(', ');
  const bytes = Math.max(...lines.map((line) => line.bytes));
  return [group, call, on, round(lines.length / runs), String(bytes), round(units(lines) / runs), named, round(reads(lines) / runs), ''];
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, n) => Math.max(...rows.map((cells) => cells[n]?.length ?? 0))) ?? [];
  return rows.map((cells) => `  ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')}`.trimEnd()).join('\n');
}
