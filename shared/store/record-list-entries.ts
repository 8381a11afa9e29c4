import type { Entry, IndexName, TablePort } from '#shared/ports/table.port.ts';
import { mergeNewest, type Stream } from '#shared/store/merge-newest.ts';
import type { Source } from '#shared/store/record-list-source.ts';

/** Reading this many entries costs the same as one. */
const LEAST_KEYS = 25;
/** Well below a query's limit of 1 MB, also with the longest customer ids. */
const MOST_KEYS = 500;

/** `wanted`: how many are likely to be taken. */
type Stretch = {
  readonly before: string | undefined;
  readonly floor: string;
  readonly skip: number;
  readonly wanted: number;
};

/** Candidate keys, newest first. An exact source's offset is skipped here, without reading records. */
export async function* entriesOf(
  table: TablePort,
  source: Source,
  { before, floor, wanted, ...of }: Stretch,
): AsyncGenerator<Entry> {
  const streams = source.partitions.map((pk) => streamOf(table, source.index, pk));
  let skip = source.exact ? of.skip : 0;
  let seen: string | undefined;
  for await (const entry of mergeNewest(streams, ({ at }) => at, before, chunkFor(wanted, streams.length), MOST_KEYS)) {
    if (entry.at < floor) return;
    // While an entry moves between partitions, a lagging index shows both.
    if (entry.at === seen) continue;
    seen = entry.at;
    if (skip > 0) skip -= 1;
    else yield entry;
  }
}

/** Twice a lane's fair share, so that few lanes are read twice. */
function chunkFor(wanted: number, lanes: number): number {
  const share = Math.ceil((wanted * Math.min(2, lanes)) / lanes);
  return Math.min(MOST_KEYS, Math.max(LEAST_KEYS, share));
}

const streamOf =
  (table: TablePort, index: IndexName, pk: string): Stream<Entry> =>
  (below, limit) =>
    table.entries(index, { pk, limit, newestFirst: true, ...(below !== undefined && { range: { lt: below } }) });
