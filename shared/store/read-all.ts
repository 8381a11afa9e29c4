import type {
  Cursor,
  IndexEntry,
  IndexName,
  Item,
  Key,
  Page,
  PageQuery,
  TablePort,
} from '#shared/store/table/table.port.ts';

type TableQuery = Omit<Parameters<TablePort['query']>[0], 'after'>;

/** `getMany` reads up to this many items at once. */
const MAX_KEYS = 100;

/** All items of a query, in order, for small sets. `limit` is the size of a page. */
export const queryAll = (table: TablePort, query: TableQuery): Promise<readonly Item[]> =>
  allPages((after) => table.query({ ...query, ...after }));

/** All entries of a part of an index, in order. */
export const allEntries = (
  table: TablePort,
  index: IndexName,
  query: Omit<PageQuery, 'after'>,
): Promise<readonly IndexEntry[]> => allPages((after) => table.entries(index, { ...query, ...after }));

async function allPages<T>(read: (after: { readonly after?: Cursor }) => Promise<Page<T>>): Promise<readonly T[]> {
  const found: T[] = [];
  let after: Cursor | undefined;
  do {
    const page = await read(after === undefined ? {} : { after });
    found.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return found;
}

/** The items of these keys, in their order, however many there are. */
export async function getAll(table: TablePort, wanted: readonly Key[]): Promise<readonly (Item | undefined)[]> {
  const found: (Item | undefined)[] = [];
  for (let from = 0; from < wanted.length; from += MAX_KEYS) {
    found.push(...(await table.getMany(wanted.slice(from, from + MAX_KEYS).map(({ pk, sk }) => ({ pk, sk })))));
  }
  return found;
}
