import { type IdKind, isId } from '#shared/kernel/ids.ts';

/** A page of a list. `next` is the position after it; missing on the last page. */
export type ListPage<T> = { readonly items: readonly T[]; readonly next: string | undefined };

/**
 * A Lambda response may have 6 MB: a page ends with the item that reaches this size, and the next page starts after it.
 */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** A body is text within the JSON of a Lambda response: quotes and escapes count twice. */
export const responseBytes = (item: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(item)));

/** The first of these items, as many as fit in a page. */
export function limitPageSize<T>(items: readonly T[], maxBytes = MAX_PAGE_BYTES): readonly T[] {
  let [count, bytes] = [0, 0];
  while (count < items.length && bytes < maxBytes) {
    bytes += responseBytes(items[count]);
    count += 1;
  }
  return items.slice(0, count);
}

type PageQuery = { readonly limit: number; readonly offset: number; readonly cursor?: string };

/**
 * A page of a list that is read whole, newest first. `positionOf` sorts as text, and stays valid when its record is
 * deleted.
 */
export function pageOf<T>(
  list: readonly T[],
  { limit, offset, cursor }: PageQuery,
  positionOf: (item: T) => string,
): ListPage<T> & { readonly total: number } {
  const all = list.toSorted((a, b) => (positionOf(a) < positionOf(b) ? 1 : -1));
  const rest = cursor === undefined ? all : all.filter((item) => positionOf(item) < cursor);
  const items = limitPageSize(rest.slice(offset, offset + limit));
  const last = items.at(-1);
  const hasMore = offset + items.length < rest.length;
  return { items, total: all.length, next: hasMore && last !== undefined ? positionOf(last) : undefined };
}

/** Where a page begins: below a record, and after as many hits as remain of the offset. */
type ListPosition = { readonly below: string; readonly skip: number };

/** The text of a position, as a cursor holds it. */
export const formatPosition = ({ below, skip }: ListPosition): string => (skip > 0 ? `${below}+${skip}` : below);

export function parsePosition(text: string, kind: IdKind = 'payment'): ListPosition | undefined {
  const [, below = '', skip = '0'] = /^([^+]*)(?:\+([1-9]\d{0,8}))?$/.exec(text) ?? [];
  return isId(kind, below) ? { below, skip: Number(skip) } : undefined;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TIME_LENGTH = 24;

/** The position of a record in a list by creation time, where ids alone do not sort by it. */
export const creationPosition = ({ created_at, id }: { readonly created_at: string; readonly id: string }): string =>
  `${created_at}#${id}`;

export function isCreationPosition(position: string, kind: IdKind): boolean {
  const [created_at, id] = [position.slice(0, TIME_LENGTH), position.slice(TIME_LENGTH + 1)];
  return TIME.test(created_at) && isId(kind, id) && position === creationPosition({ created_at, id });
}
