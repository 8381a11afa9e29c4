import { positionIn, positionText } from '#shared/domain/list-position.rules.ts';
import { type IdKind, idFloor } from '#shared/kernel/ids.ts';
import type { ListPage, ListWhere } from '#shared/ports/stores.port.ts';
import type { TablePort } from '#shared/ports/table.port.ts';
import { entriesOf } from '#shared/store/record-list-entries.ts';
import { type Judge, lookedAt } from '#shared/store/record-list-items.ts';
import type { Source } from '#shared/store/record-list-source.ts';

/**
 * What ends a page before it is full: so many records looked at beside the offset, and bytes, as a function can answer 6 MB.
 * Such a page has a next, which goes on from there.
 */
export type Most = { readonly looked: number; readonly bytes: number };
const MOST: Most = { looked: 2_000, bytes: 4 * 1024 * 1024 };

/** What is asked of every list. The time of a record's id is when it was created. */
export type Span = Pick<ListWhere, 'limit' | 'offset' | 'cursor' | 'created_after' | 'created_before'>;

/** A list of one kind of record, by the ids of that kind. */
export type RecordList<T> = Judge<T> & { readonly source: Source; readonly idKind: IdKind };

/** A page costs what it holds: the narrowest index serves it, and the rest is judged on the records themselves. */
export async function listRecords<T>(table: TablePort, { source, idKind, ...judge }: RecordList<T>, where: Span, most = MOST): Promise<ListPage<T>> {
  const from = startOf(where, idKind);
  const entries = entriesOf(table, source, { ...from, floor: floorOf(where, idKind), wanted: from.skip + where.limit + 1 });
  const page: T[] = [];
  let [skip, looked, bytes, passed] = [source.exact ? 0 : from.skip, 0, 0, ''];
  for await (const { at, hit } of lookedAt(table, entries, judge, skip + where.limit + 1)) {
    const isFull = page.length === where.limit || bytes >= most.bytes;
    if (hit && skip === 0 && isFull) return { items: page, next: passed };
    if (hit && skip > 0) skip -= 1;
    else if (hit) {
      page.push(hit);
      bytes += Buffer.byteLength(JSON.stringify(hit));
    }
    passed = at;
    looked += 1;
    if (looked === most.looked + where.offset) return { items: page, next: positionText({ below: at, skip }) };
  }
  return { items: page, next: undefined };
}

/** A cursor of another list may lie beyond where this one begins. */
function startOf({ cursor, offset, created_before }: Span, kind: IdKind): { readonly before: string | undefined; readonly skip: number } {
  const from = cursor === undefined ? undefined : positionIn(cursor, kind);
  const end = created_before === undefined ? undefined : idFloor(kind, new Date(created_before));
  const before = [from?.below, end].filter((text) => text !== undefined).sort()[0];
  return { before, skip: offset + (from?.skip ?? 0) };
}

const floorOf = ({ created_after }: Span, kind: IdKind): string => (created_after === undefined ? '' : idFloor(kind, new Date(created_after)));
