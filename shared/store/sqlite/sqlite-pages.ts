import type { DatabaseSync } from 'node:sqlite';
import { ItemCache } from '#shared/store/sqlite/sqlite-items.ts';
import { boundsOf } from '#shared/store/table/range.rules.ts';
import type { IndexEntry, IndexName, Item, PageQuery } from '#shared/store/table/table.port.ts';

type PageSource = {
  readonly select: string;
  readonly sort: string;
  readonly last: string;
  readonly order: readonly string[];
};

const ITEMS: PageSource = {
  select: 'SELECT sk, json FROM items WHERE pk = ?',
  sort: 'sk',
  last: '(sk)',
  order: ['sk'],
};
const ENTRIES: PageSource = {
  select: 'SELECT pk, sk, at FROM entries WHERE name = ? AND part = ?',
  sort: 'at',
  last: '(at, pk, sk)',
  order: ['at', 'pk', 'sk'],
};

/** Reads pages in the order of UTF-8 bytes, which is SQLite's order of TEXT. `last`: the cursor's content. */
export function sqlitePages(db: DatabaseSync, cache = new ItemCache()) {
  function rows(source: PageSource, fixed: readonly string[], where: PageQuery, last: readonly string[] = []) {
    const { from, to } = boundsOf(where.range);
    const way = where.newestFirst ? 'DESC' : 'ASC';
    const sql = [
      source.select,
      from ? `AND ${source.sort} >${from.inclusive ? '=' : ''} ?` : '',
      to ? `AND ${source.sort} <${to.inclusive ? '=' : ''} ?` : '',
      last.length > 0 ? `AND ${source.last} ${where.newestFirst ? '<' : '>'} (${last.map(() => '?').join(', ')})` : '',
      `ORDER BY ${source.order.map((column) => `${column} ${way}`).join(', ')} LIMIT ?`,
    ].join(' ');
    const bounds = [from, to].flatMap((bound) => (bound ? [bound.value] : []));
    return db.prepare(sql).all(...fixed, ...bounds, ...last, where.limit);
  }

  return {
    items: (where: PageQuery, last?: readonly string[]): Item[] =>
      rows(ITEMS, [where.pk], where, last).map(({ sk, json }) =>
        cache.parse({ pk: where.pk, sk: String(sk) }, String(json)),
      ),
    entries: (index: IndexName, where: PageQuery, last?: readonly string[]): IndexEntry[] =>
      rows(ENTRIES, [index, where.pk], where, last).map(({ pk, sk, at }) => ({
        pk: String(pk),
        sk: String(sk),
        at: String(at),
      })),
  };
}
