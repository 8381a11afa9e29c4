import { positionIn, positionText } from '#shared/domain/reference/list-position.rules.ts';
import { bytesInAnswer, MOST_PAGE_BYTES } from '#shared/domain/reference/page.rules.ts';
import { type IdKind, idFloor } from '#shared/kernel/ids.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { ListWhere } from '#shared/ports/payments.port.ts';
import type { TablePort } from '#shared/ports/table.port.ts';
import { entriesOf } from '#shared/store/record-list-entries.ts';
import { type Judge, type Looked, lookedAt } from '#shared/store/record-list-items.ts';
import type { Source } from '#shared/store/record-list-source.ts';

/**
 * What ends a page before it is full: the number of records read beyond the offset, and bytes, as a function's answer
 * is limited. Such a page has a next.
 */
export type Most = { readonly looked: number; readonly bytes: number; readonly skipped?: number };
const MOST_SKIPPED = 10_000;
const MOST: Most = { looked: 2_000, bytes: MOST_PAGE_BYTES };

/** Parameters of every list. A record's id holds its creation time. */
export type Span = Pick<ListWhere, 'limit' | 'offset' | 'cursor' | 'created_after' | 'created_before'>;

/** A list of one kind of record, by the ids of that kind. */
type RecordList<T> = Judge<T> & { readonly source: Source; readonly idKind: IdKind };

/** A page costs what it holds: the narrowest index serves it, and remaining filters are checked on the records. */
export async function listRecords<T>(
  table: TablePort,
  { source, idKind, ...judge }: RecordList<T>,
  where: Span,
  most = MOST,
): Promise<ListPage<T>> {
  const from = { ...startOf(where, idKind), floor: floorOf(where, idKind) };
  if (source.exact && from.skip > (most.skipped ?? MOST_SKIPPED))
    return skippedPage(table, source, from, most.skipped ?? MOST_SKIPPED);
  const entries = entriesOf(table, source, { ...from, wanted: from.skip + where.limit + 1 });
  const skip = source.exact ? 0 : from.skip;
  return pageOfHits(lookedAt(table, entries, judge, skip + where.limit + 1), { ...where, skip }, most);
}

type From = { readonly before: string | undefined; readonly skip: number; readonly floor: string };

/** An offset far into the list is skipped a page at a time, on keys alone. */
async function skippedPage<T>(table: TablePort, source: Source, from: From, count: number): Promise<ListPage<T>> {
  const { value, done } = await entriesOf(table, source, { ...from, skip: count - 1, wanted: count }).next();
  return { items: [], next: done ? undefined : positionText({ below: value.at, skip: from.skip - count }) };
}

/** One page, newest first. It has a next if there is another hit, or records that were not read. */
export async function pageOfHits<T>(
  all: AsyncIterable<Looked<T>>,
  where: Pick<Span, 'limit' | 'offset'> & { readonly skip: number },
  most = MOST,
): Promise<ListPage<T>> {
  const page: T[] = [];
  let [skip, looked, bytes, passed] = [where.skip, 0, 0, ''];
  for await (const { at, hit } of all) {
    const isFull = page.length === where.limit || bytes >= most.bytes;
    if (hit && skip === 0 && isFull) return { items: page, next: passed };
    if (hit && skip > 0) skip -= 1;
    else if (hit) {
      page.push(hit);
      bytes += bytesInAnswer(hit);
    }
    passed = at;
    looked += 1;
    if (looked === most.looked + Math.min(where.offset, most.skipped ?? MOST_SKIPPED))
      return { items: page, next: positionText({ below: at, skip }) };
  }
  return { items: page, next: undefined };
}

/** A cursor of another list may start beyond this one. */
export function startOf(
  { cursor, offset, created_before }: Span,
  kind: IdKind,
): { readonly before: string | undefined; readonly skip: number } {
  const from = cursor === undefined ? undefined : positionIn(cursor, kind);
  const end = created_before === undefined ? undefined : idFloor(kind, new Date(created_before));
  const before = [from?.below, end].filter((text) => text !== undefined).sort()[0];
  return { before, skip: offset + (from?.skip ?? 0) };
}

export const floorOf = ({ created_after }: Span, kind: IdKind): string =>
  created_after === undefined ? '' : idFloor(kind, new Date(created_after));
