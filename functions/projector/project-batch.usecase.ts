import { type ProjectedBatch, projectChanges } from '#functions/projector/project-changes.usecase.ts';
import type { RecordChange } from '#shared/ports/changes.port.ts';
import type { FeedShard } from '#shared/ports/totals.port.ts';
import { listReviews } from '#shared/services/reporting/list-reviews.service.ts';

/** Both may see a change again: totals and the list of reviews skip what they have. */
export async function projectBatch(
  shard: FeedShard,
  changes: readonly RecordChange[],
  deps: Parameters<typeof projectChanges>[2] & Parameters<typeof listReviews>[1],
): Promise<ProjectedBatch> {
  const [unlisted, projected] = await Promise.all([listReviews(changes, deps), projectChanges(shard, changes, deps)]);
  const [retryFrom] = [unlisted, projected.retryFrom].filter((seq) => seq !== undefined).sort();
  return retryFrom === undefined ? projected : { ...projected, retryFrom };
}
