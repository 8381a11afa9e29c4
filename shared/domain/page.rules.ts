export type PageWhere = { readonly limit: number; readonly offset: number; readonly cursor?: string };

export type PageOf<T> = {
  readonly items: readonly T[];
  readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number };
  /** Where the next page begins. */
  readonly next: string | undefined;
};

/**
 * A page of a list that is read whole anyway, newest first. `positionOf` sorts as text, and names a place that stays even
 * when the thing at it is gone.
 */
export function pageOf<T>(things: readonly T[], { limit, offset, cursor }: PageWhere, positionOf: (thing: T) => string): PageOf<T> {
  const all = things.toSorted((a, b) => (positionOf(a) < positionOf(b) ? 1 : -1));
  const rest = cursor === undefined ? all : all.filter((thing) => positionOf(thing) < cursor);
  const items = rest.slice(offset, offset + limit);
  const last = items.at(-1);
  const more = offset + limit < rest.length;
  return { items, pagination: { limit, offset, total: all.length }, next: more && last !== undefined ? positionOf(last) : undefined };
}
