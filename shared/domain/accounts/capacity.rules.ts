import type { OrganizationCapacity } from '#shared/domain/accounts/organization.model.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';

/**
 * Over how many partitions the lists of an organization are spread. A partition takes 1,000 writes a second, and a
 * payment writes about three entries to one list.
 */
export const LIST_SHARD_COUNTS = [4, 16, 64] as const;
export type ListShardCount = (typeof LIST_SHARD_COUNTS)[number];
const [FEWEST] = LIST_SHARD_COUNTS;

/** Copies of the routing snapshot that a payment of such an organization may read. */
const ROUTING_COPIES: Readonly<Record<ListShardCount, number>> = { 4: 1, 16: 4, 64: 16 };

/**
 * Lists are read from all partitions as soon as there are more, but new records are only spread over them after this
 * time: by then every process has noticed, so that no list misses a record.
 */
export const CAPACITY_LEAD = MINUTE;
/** A process may use a capacity that it read this long ago. */
export const MAX_CAPACITY_AGE = CAPACITY_LEAD / 2;

type Capacity = OrganizationCapacity | undefined;

/** The partitions that new records are spread over. */
export function listShardsAt(capacity: Capacity, at: Date): ListShardCount {
  const { list_shards = FEWEST, list_shards_before = FEWEST, since } = capacity ?? {};
  return since !== undefined && at.toISOString() < since ? list_shards_before : list_shards;
}

/** The partitions that a list is read from. */
export const maxListShards = (capacity: Capacity): ListShardCount => capacity?.list_shards ?? FEWEST;

/** Never fewer partitions: records stay where they are, and lists would miss them. */
export function grownCapacity(before: Capacity, list_shards: ListShardCount, at: Date): OrganizationCapacity {
  const present = maxListShards(before);
  if (list_shards < present)
    throw new AppError(
      'capacity_only_grows',
      `The lists of this organization are spread over ${present} partitions, and never over fewer. Choose ${present} or more.`,
    );
  if (list_shards === present && before) return before;
  return {
    routing_copies: ROUTING_COPIES[list_shards],
    list_shards,
    list_shards_before: listShardsAt(before, at),
    since: plus(at, CAPACITY_LEAD).toISOString(),
  };
}
