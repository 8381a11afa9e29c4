import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PROJECTOR } from '#lib/local/relay-loop.ts';
import type { Usage } from '#test/bench/cost/usage.ts';
import { costOf } from '#test/bench/counted-table.ts';
import type { Account } from '#test/bench/unit-ledger.ts';

/** What an operation takes, without the projector, which works in batches. */
export type UnitFigure = {
  readonly title: string;
  readonly calls: number;
  readonly wru: number;
  readonly rru: number;
};

/** What the page of costs is made of. Counted by the benches; nothing here is written by hand. */
export type Figures = { readonly usage: Usage; readonly units: readonly UnitFigure[] };

const FILE = fileURLToPath(new URL('figures.json', import.meta.url));

export const readFigures = async (): Promise<Figures> => JSON.parse(await readFile(FILE, 'utf8')) as Figures;

const keep = (figures: Figures): Promise<void> => writeFile(FILE, `${JSON.stringify(figures, null, 2)}\n`);

export const keepUsage = async (usage: Usage): Promise<void> => keep({ ...(await readFigures()), usage });

/** Sections that were not run keep their figures. */
export async function keepUnits(counted: readonly UnitFigure[]): Promise<void> {
  const kept = await readFigures();
  const anew = new Map(counted.map((figure) => [figure.title, figure]));
  const old = kept.units.map((figure) => anew.get(figure.title) ?? figure);
  const known = new Set(old.map(({ title }) => title));
  await keep({ ...kept, units: [...old, ...counted.filter(({ title }) => !known.has(title))] });
}

export function figureOf(title: string, accounts: readonly Account[]): UnitFigure {
  const lines = accounts.flatMap((account) => account.lines).filter(({ group }) => group !== PROJECTOR);
  const mean = (n: number) => Math.round((n / accounts.length) * 100) / 100;
  return {
    title,
    calls: mean(lines.length),
    wru: mean(lines.reduce((sum, line) => sum + costOf(line), 0)),
    rru: mean(lines.reduce((sum, { rru }) => sum + rru, 0)),
  };
}
