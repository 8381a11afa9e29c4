import { type ProjectedBatch, projectChanges } from '#functions/projector/project-changes.usecase.ts';
import type { RecordChange } from '#shared/ports/changes.port.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import type { FeedShard } from '#shared/ports/totals.port.ts';
import { TotalsRepo } from '#shared/store/repos/reporting/totals.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

/** The projector over this table, as one long-lived process. */
export function projectorOver(
  table: TablePort,
  log: LogPort,
): (shard: FeedShard, changes: readonly RecordChange[]) => Promise<ProjectedBatch> {
  const deps = {
    totals: new TotalsRepo(table),
    clock: { now: () => new Date() },
    log,
    config: { stage: 'live' },
  } as const;
  return (shard, changes) => projectChanges(shard, changes, deps);
}
