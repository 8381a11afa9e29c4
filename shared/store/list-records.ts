import {
  formatPosition,
  type ListPage,
  MAX_PAGE_BYTES,
  parsePosition,
  responseBytes,
} from '#shared/domain/reference/page.rules.ts';
import { type IdKind, minId } from '#shared/kernel/ids.ts';
import type { PaymentsQuery } from '#shared/ports/payments.port.ts';
import { shards } from '#shared/store/keys.ts';
import { mergePages, type PageReader } from '#shared/store/merge-pages.ts';
import type { IndexEntry, IndexName, Item, TablePort } from '#shared/store/table/table.port.ts';

/**
 * What ends a page before it has `limit` records: the records read beyond the offset, and the bytes of the response,
 * which a Lambda function limits. Such a page has a next one.
 */
export type PageLimits = { readonly records: number; readonly bytes: number; readonly offset?: number };
/** `shards`: over how many partitions the lists of the organization are spread. */
export type ListOptions = Partial<PageLimits> & { readonly shards?: number };
const MAX_OFFSET = 10_000;
const PAGE_LIMITS: PageLimits = { records: 2_000, bytes: MAX_PAGE_BYTES };

/** Parameters of every list. A record's id holds its creation time. */
export type ListQuery = Pick<PaymentsQuery, 'limit' | 'offset' | 'cursor' | 'created_after' | 'created_before'>;

/**
 * The index partitions that contain the entries of a list. `exact`: every entry matches, so an offset is skipped by
 * reading only keys.
 */
export type ListSource = { readonly index: IndexName; readonly partitions: readonly string[]; readonly exact: boolean };

/** The index lags behind the records, so `matches` checks the indexed fields again. */
type RecordReader<T> = { readonly read: (item: Item) => T | Promise<T>; readonly matches: (record: T) => boolean };
type RecordList<T> = RecordReader<T> & { readonly source: ListSource; readonly idKind: IdKind };

/** Reads the narrowest index, and checks the remaining filters on the records: a page costs what it returns. */
export async function listRecords<T>(
  table: TablePort,
  { source, idKind, ...reader }: RecordList<T>,
  query: ListQuery,
  options: Partial<PageLimits> = {},
): Promise<ListPage<T>> {
  const limits = { ...PAGE_LIMITS, ...options };
  const from = { ...startPosition(query, idKind), floor: lowestId(query, idKind) };
  const maxOffset = limits.offset ?? MAX_OFFSET;
  if (source.exact && from.skip > maxOffset) return skippedPage(table, source, from, maxOffset);
  const entries = readEntries(table, source, { ...from, wanted: from.skip + query.limit + 1 });
  const skip = source.exact ? 0 : from.skip;
  return collectPage(readRecords(table, entries, reader, skip + query.limit + 1), { ...query, skip }, limits);
}

type StartPosition = { readonly before: string | undefined; readonly skip: number; readonly floor: string };

/** A large offset is skipped page by page, reading only keys: this page has no items, and a cursor to the next one. */
async function skippedPage<T>(
  table: TablePort,
  source: ListSource,
  from: StartPosition,
  count: number,
): Promise<ListPage<T>> {
  const { value, done } = await readEntries(table, source, { ...from, skip: count - 1, wanted: count }).next();
  return { items: [], next: done ? undefined : formatPosition({ below: value.at, skip: from.skip - count }) };
}

/** A record that was read: `hit` if it matches. */
export type Candidate<T> = { readonly at: string; readonly hit: T | undefined };

/** One page, newest first. It has a next page if there is another hit, or if records were not read. */
export async function collectPage<T>(
  candidates: AsyncIterable<Candidate<T>>,
  query: Pick<ListQuery, 'limit' | 'offset'> & { readonly skip: number },
  limits = PAGE_LIMITS,
): Promise<ListPage<T>> {
  const maxRead = limits.records + Math.min(query.offset, limits.offset ?? MAX_OFFSET);
  const page: T[] = [];
  let skip = query.skip;
  let read = 0;
  let bytes = 0;
  let last = '';
  for await (const { at, hit } of candidates) {
    const isFull = page.length === query.limit || bytes >= limits.bytes;
    if (hit && skip === 0 && isFull) return { items: page, next: last };
    if (hit && skip > 0) skip -= 1;
    else if (hit) {
      page.push(hit);
      bytes += responseBytes(hit);
    }
    last = at;
    read += 1;
    if (read === maxRead) return { items: page, next: formatPosition({ below: at, skip }) };
  }
  return { items: page, next: undefined };
}

/** Where a page starts: at the cursor or below `created_before`, whichever is older. A client may combine both. */
export function startPosition(
  { cursor, offset, created_before }: ListQuery,
  kind: IdKind,
): { readonly before: string | undefined; readonly skip: number } {
  const from = cursor === undefined ? undefined : parsePosition(cursor, kind);
  const end = created_before === undefined ? undefined : minId(kind, new Date(created_before));
  const before = [from?.below, end].filter((text) => text !== undefined).sort()[0];
  return { before, skip: offset + (from?.skip ?? 0) };
}

export const lowestId = ({ created_after }: ListQuery, kind: IdKind): string =>
  created_after === undefined ? '' : minId(kind, new Date(created_after));

/** The partitions of a list that is spread over `count` of them. */
export const inShards = (count: number, partition: (shard: number) => string): readonly string[] =>
  shards(count).map(partition);

type ListFilters<F extends string> = { readonly [field in F]?: string | undefined };
type FilterableRecord<F extends string> = { readonly org_id: string } & { readonly [field in F]: string | null };

export const countFilters = <F extends string>(fields: readonly F[], filters: ListFilters<F>): number =>
  fields.filter((field) => filters[field] !== undefined).length;

export const matchesFilters =
  <F extends string>(fields: readonly F[], orgId: string, filters: ListFilters<F>) =>
  (record: FilterableRecord<F>): boolean =>
    record.org_id === orgId &&
    fields.every((field) => filters[field] === undefined || record[field] === filters[field]);

/** `getMany` reads up to this many items at once. */
const MAX_ITEMS = 100;

/** Reads the entries' records, in batches sized by the hits that are still missing. */
export async function* readRecords<T>(
  table: TablePort,
  entries: AsyncIterator<IndexEntry>,
  { read, matches }: RecordReader<T>,
  wanted: number,
): AsyncGenerator<Candidate<T>> {
  const count = { read: 0, hits: 0 };
  for (;;) {
    const batch = await takeUpTo(entries, batchSize(wanted - count.hits, count));
    if (batch.length === 0) return;
    const items = await table.getMany(batch.map(({ pk, sk }) => ({ pk, sk })));
    for (const [n, { at }] of batch.entries()) {
      const record = items[n] && (await read(items[n]));
      const hit = record && matches(record) ? record : undefined;
      count.read += 1;
      count.hits += hit ? 1 : 0;
      yield { at, hit };
    }
  }
}

/** Batches of equal size, so that a page reads no more records than it needs. */
function batchSize(missing: number, { read, hits }: { readonly read: number; readonly hits: number }): number {
  const likely = read === 0 ? missing : Math.ceil((missing * read) / Math.max(1, hits));
  return Math.ceil(likely / Math.ceil(likely / MAX_ITEMS));
}

async function takeUpTo<T>(items: AsyncIterator<T>, count: number): Promise<readonly T[]> {
  const taken: T[] = [];
  while (taken.length < count) {
    const { value, done } = await items.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

/** Reading this many entries costs the same as one. */
const MIN_KEYS = 25;
/** Well below a query's limit of 1 MB, also with the longest customer ids. */
const MAX_KEYS = 500;

/** `wanted`: how many entries the caller will probably read. */
type EntriesQuery = StartPosition & { readonly wanted: number };

/** Keys of candidates, newest first. An exact source's offset is skipped here, without reading records. */
export async function* readEntries(
  table: TablePort,
  source: ListSource,
  { before, floor, wanted, ...range }: EntriesQuery,
): AsyncGenerator<IndexEntry> {
  const readers = source.partitions.map((pk) => readerOf(table, source.index, pk));
  const chunk = chunkSize(wanted, readers.length);
  let skip = source.exact ? range.skip : 0;
  let previous: string | undefined;
  for await (const entry of mergePages(readers, ({ at }) => at, before, chunk, MAX_KEYS)) {
    if (entry.at < floor) return;
    // While an entry moves between partitions, a lagging index shows both.
    if (entry.at === previous) continue;
    previous = entry.at;
    if (skip > 0) skip -= 1;
    else yield entry;
  }
}

/** Twice a partition's fair share, so that few partitions are read twice. */
function chunkSize(wanted: number, partitions: number): number {
  const share = Math.ceil((wanted * Math.min(2, partitions)) / partitions);
  return Math.min(MAX_KEYS, Math.max(MIN_KEYS, share));
}

const readerOf =
  (table: TablePort, index: IndexName, pk: string): PageReader<IndexEntry> =>
  (below, limit) =>
    table.entries(index, { pk, limit, newestFirst: true, ...(below !== undefined && { range: { lt: below } }) });
