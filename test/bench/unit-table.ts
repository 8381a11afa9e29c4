import { PROJECTOR } from '#lib/local/relay-loop.ts';
import { costOf } from '#test/bench/counted-table.ts';
import type { Account, Line } from '#test/bench/unit-ledger.ts';

const HEAD = ['function', 'call', 'on', 'calls', 'bytes', 'WRU', 'of these for entries', 'RRU', 'waits'];

const round = (n: number): string => String(Math.round(n * 100) / 100);
const units = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + costOf(line), 0);
const reads = (lines: readonly Line[]): number => lines.reduce((sum, { rru }) => sum + rru, 0);

/** The use of each unit: the mean of several identical runs. Overlapping calls of one function count as one wait. */
export function unitTable(title: string, accounts: readonly Account[]): string {
  const runs = accounts.length;
  const lines = accounts.flatMap((account) => account.lines);
  const rows = [...Map.groupBy(lines, ({ group }) => group)].flatMap(([group, made]) => [
    ...[...Map.groupBy(made, ({ call, on }) => `${call} ${on}`).values()].map((alike) => rowOf(alike, runs)),
    [
      ...sumOf(`${group} in all`, made, runs),
      round(accounts.reduce((sum, { waits }) => sum + (waits[group] ?? 0), 0) / runs),
    ],
  ]);
  const apart = lines.filter(({ group }) => group !== PROJECTOR);
  const totals = [
    sumOf('IN ALL', lines, runs),
    ...(apart.length < lines.length ? [sumOf('the projector apart', apart, runs)] : []),
  ];
  return `\n${title}\n${aligned([HEAD, ...rows, ...totals])}`;
}

function rowOf(alike: readonly Line[], runs: number): readonly string[] {
  const [{ group = '', call = '', on = '' } = {}] = alike;
  const entries = Map.groupBy(
    alike.flatMap((line) => Object.entries(line.entries)),
    ([index]) => index,
  );
  const named = [...entries]
    .map(([index, each]) => `${index} ${round(each.reduce((sum, [, n]) => sum + n, 0) / runs)}`)
    .join(', ');
  const bytes = Math.max(...alike.map((line) => line.bytes));
  return [
    group,
    call,
    on,
    round(alike.length / runs),
    String(bytes),
    round(units(alike) / runs),
    named,
    round(reads(alike) / runs),
  ];
}

const sumOf = (what: string, lines: readonly Line[], runs: number): readonly string[] => [
  '',
  what,
  '',
  round(lines.length / runs),
  '',
  round(units(lines) / runs),
  '',
  round(reads(lines) / runs),
];

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, n) => Math.max(...rows.map((cells) => cells[n]?.length ?? 0)));
  return rows
    .map((cells) => `  ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
