import type { Cursor, Item, Page, TablePort } from '#shared/store/table/table.port.ts';

let partitions = 0;

/** A partition of its own for each test: all share one table, and DynamoDB's takes seconds to make. */
export const fresh = (): string => `TEST#${++partitions}`;

/** The same item with anything in it, for what TypeScript would not let us write. */
export const wild = (pk: string, attributes: object): Item => ({ pk, sk: 'x', ...attributes }) as Item;

export async function seed(
  table: TablePort,
  pk: string,
  sortKeys: readonly string[],
  attributes: (n: number) => object = () => ({}),
): Promise<void> {
  await Promise.all(sortKeys.map((sk, n) => table.put({ pk, sk, ...attributes(n) })));
}

/** Follows cursors until there is none. */
export async function queryAll<T>(
  page: (after: Cursor | undefined) => Promise<Page<T>>,
): Promise<readonly (readonly T[])[]> {
  const pages: (readonly T[])[] = [];
  let after: Cursor | undefined;
  do {
    const { items, next } = await page(after);
    pages.push(items);
    after = next;
  } while (after !== undefined);
  return pages;
}
