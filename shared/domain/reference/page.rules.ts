/**
 * A function can answer 6 MB: a page ends with the thing by which it comes to this. The next page goes on from there.
 */
export const MOST_PAGE_BYTES = 4 * 1024 * 1024;

/** A body is text within the JSON that a function answers: quotes and escapes count twice. */
export const bytesInAnswer = (thing: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(thing)));

/** The first of these things, as many as a page takes. */
export function fittingInAnswer<T>(things: readonly T[], most = MOST_PAGE_BYTES): readonly T[] {
  let [taken, bytes] = [0, 0];
  while (taken < things.length && bytes < most) {
    bytes += bytesInAnswer(things[taken]);
    taken += 1;
  }
  return things.slice(0, taken);
}

type PageWhere = { readonly limit: number; readonly offset: number; readonly cursor?: string };

type PageOf<T> = {
  readonly items: readonly T[];
  readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number };
  /** Where the next page begins. */
  readonly next: string | undefined;
};

/**
 * A page of a list that is read whole, newest first. `positionOf` sorts as text, and stays valid when its record is
 * deleted.
 */
export function pageOf<T>(
  things: readonly T[],
  { limit, offset, cursor }: PageWhere,
  positionOf: (thing: T) => string,
): PageOf<T> {
  const all = things.toSorted((a, b) => (positionOf(a) < positionOf(b) ? 1 : -1));
  const rest = cursor === undefined ? all : all.filter((thing) => positionOf(thing) < cursor);
  const items = fittingInAnswer(rest.slice(offset, offset + limit));
  const last = items.at(-1);
  const more = offset + items.length < rest.length;
  return {
    items,
    pagination: { limit, offset, total: all.length },
    next: more && last !== undefined ? positionOf(last) : undefined,
  };
}
