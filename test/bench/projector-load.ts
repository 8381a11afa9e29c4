import type { LogPort } from '#shared/ports/log.port.ts';
import { changesIn } from '#shared/store/changes.ts';
import type { FeedRecord, TablePort } from '#shared/store/table/table.port.ts';
import { type Cost, countedTable } from '#test/bench/counted-table.ts';
import { projectorOver } from '#test/bench/projector-run.ts';
import type { LogLine } from '#test/support/host.ts';

/** A change of a payment's item, without its place in the stream. */
export type Change = Omit<FeedRecord, 'seq'>;

export type ProjectorRun = { readonly shards: number; readonly batch: number; readonly rounds: number };

/** A shard of DynamoDB's stream is followed by another after about four hours, and marks are kept for 26. */
export const GENERATIONS = 6;

const SILENT: LogPort = { info() {}, warn() {}, error() {} };

/** Numbers of changes: each later one sorts after all the earlier ones, in every shard and every run. */
let seq = 0;

const shardName = (generation: number, shard: number): string => `shardId-${generation}-${shard}`;

/** As Lambda names them, each with the shard that it follows. */
function shardOf(generation: number, shard: number) {
  const names = Array.from({ length: generation + 1 }, (_, n) => shardName(n, shard));
  const parents = new Map(names.slice(1).map((name, n) => [name, names[n] ?? '']));
  return { id: shardName(generation, shard), parents: async () => parents };
}

/** A day of traffic has left its marks in the totals: of all shards, and of those that they followed. */
export async function ageTotals(table: TablePort, changes: readonly Change[], shards: number): Promise<void> {
  for (let generation = 0; generation < GENERATIONS; generation++)
    await project(table, changes, { shards, batch: changes.length, rounds: 1 }, generation);
}

/**
 * Gives the changes to the projector as a stream with so many shards does, in batches of one size, again and again.
 * Totals do not look at which payment a change is of, so the same changes serve every shard.
 */
export async function projectorCosts(
  table: TablePort,
  changes: readonly Change[],
  run: ProjectorRun,
): Promise<{ readonly costs: readonly Cost[]; readonly changes: number; readonly logged: readonly LogLine[] }> {
  const costs: Cost[] = [];
  const logged: LogLine[] = [];
  const lines =
    (level: LogLine['level']) =>
    (event: string, fields: LogLine['fields'] = {}) =>
      void logged.push({ level, event, fields });
  const log = { info: lines('info'), warn: lines('warn'), error: lines('error') };
  const counted = countedTable(table, () => (cost) => void costs.push(cost));
  await project(counted, changes, run, GENERATIONS - 1, log);
  return { costs, changes: run.shards * run.batch * run.rounds, logged };
}

async function project(
  table: TablePort,
  changes: readonly Change[],
  { shards, batch, rounds }: ProjectorRun,
  generation: number,
  log: LogPort = SILENT,
): Promise<void> {
  const projector = projectorOver(table, log);
  let at = 0;
  // Each batch of a window is told what the one before has found out, as Lambda does.
  const nothingHeld = new Set<number>();
  for (let round = 0; round < rounds; round++)
    for (let shard = 0; shard < shards; shard++) {
      const records = Array.from({ length: batch }, () => ({
        ...(changes[at++ % changes.length] as Change),
        seq: String(++seq).padStart(40, '0'),
      }));
      const told = { ...shardOf(generation, shard), nothingHeld: nothingHeld.has(shard) };
      const result = await projector(told, changesIn(records));
      if (result.retryFrom !== undefined) throw new Error(`The projector stopped at ${result.retryFrom}.`);
      if (result.nothingHeld) nothingHeld.add(shard);
      else nothingHeld.delete(shard);
    }
}
