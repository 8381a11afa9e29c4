import { addSums, type Latest, type Sums, type TotalKey } from '#shared/domain/reporting/totals.rules.ts';
import { keys, lanePartition, shards, subscriptionTotals } from '#shared/store/keys.ts';
import { queryAll } from '#shared/store/read-all.ts';
import { branchOf } from '#shared/store/repos/reporting/total-marks.ts';
import type { Condition, Item, Key, Range, TablePort } from '#shared/store/table/table.port.ts';

/**
 * A total starts as one item, its first lane. A lane with the marks of many stream shards is closed: shards that it
 * knows stay with it, and the others go on in one of its branches, by the hash of the shard. So the lanes of a total are
 * as many as the shards that write to it need, and no item grows with the number of shards. A path names a lane: the
 * branches taken from the first lane, which has the empty path.
 */
export const BRANCHES = 4;
/** Together 1,365 lanes, each of a dozen shards: more than a table has. */
export const MAX_DEPTH = 5;
const PAGE_SIZE = 1_000;

export const isClosed = (item: Item | undefined): boolean => item?.closed === true;

export const branchPath = (path: string, shard: string): string => path + branchOf(shard, path.length, BRANCHES);

const branchesOf = (path: string): readonly string[] => shards(BRANCHES).map((branch) => path + branch);

export const laneKey = (of: TotalKey, path: string): Key =>
  path === '' ? firstLane(of) : keys.totalLane(of.org_id, path, laneName(of));

function firstLane(of: TotalKey): Key {
  switch (of.kind) {
    case 'calls':
      return keys.callTotals(of.org_id, of.connection_id, of.generation);
    case 'day':
      return keys.dayTotals(of.org_id, of.day, of.currency, of.connection_id);
    case 'ab_result':
      return keys.abTestTotals(of.org_id, of.test_id, of.variant);
    case 'subscriptions':
      return subscriptionTotals(of.org_id, of.day, of.currency);
    case 'usage':
      return keys.usage(of.org_id);
  }
}

export const AB_LANES = 'ab#';
const laneName = (of: TotalKey): string =>
  of.kind === 'ab_result' ? `${AB_LANES}${of.test_id}#${of.variant}` : firstLane(of).sk;

/** Where an earlier release counted it. The item moves, with its sums and marks, before the first change is added. */
export function olderKey(of: TotalKey): Key | undefined {
  switch (of.kind) {
    case 'calls':
      return keys.olderCallTotals(of.org_id, of.connection_id, of.generation);
    case 'usage':
      return keys.olderUsage(of.org_id);
    default:
      return undefined;
  }
}

/** What stays in its place. */
export const movedItem = (older: Key): Item => ({ ...older, item_type: MOVED });
export const hasMoved = (item: Item): boolean => item.item_type === MOVED;
const MOVED = 'moved_totals';

type LanesQuery = { readonly range: Range; readonly filter?: Condition };

/** These first lanes, and the further lanes of those that are closed. */
export async function withLanes(
  table: TablePort,
  orgId: string,
  { range, filter }: LanesQuery,
  first: readonly Item[],
): Promise<readonly Item[]> {
  const found = [...first];
  let paths = first.some(isClosed) ? branchesOf('') : [];
  while (paths.length > 0) {
    const lanes = await Promise.all(
      paths.map((path) =>
        queryAll(table, { pk: lanePartition(orgId, path), range, limit: PAGE_SIZE, ...(filter && { filter }) }),
      ),
    );
    found.push(...lanes.flat());
    paths = paths.flatMap((path, n) => (lanes[n]?.some(isClosed) ? branchesOf(path) : []));
  }
  return found;
}

/** All lanes of these totals. */
export const allLanes = async (table: TablePort, orgId: string, query: LanesQuery): Promise<readonly Item[]> =>
  withLanes(table, orgId, query, await queryAll(table, { pk: lanePartition(orgId, ''), limit: PAGE_SIZE, ...query }));

export const sumsIn = (item: Item): Sums =>
  Object.fromEntries(Object.entries(item).filter((pair): pair is [string, number] => typeof pair[1] === 'number'));

/** The lanes of one total together. */
export const sumLanes = (lanes: readonly Item[]): Sums => addSums(lanes.map(sumsIn));

/** The newest value of a text attribute. Missing where no lane has it. */
export function latestIn(lanes: readonly Item[], names: readonly string[]): Latest {
  const newest = names.flatMap((name) => {
    const texts = lanes.map((lane) => lane[name]).filter((text) => typeof text === 'string');
    const last = texts.sort().at(-1);
    return last === undefined ? [] : [[name, last] as const];
  });
  return Object.fromEntries(newest);
}
