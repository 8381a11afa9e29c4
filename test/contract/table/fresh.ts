import type { Cursor, Item, Page, TablePort } from '#shared/store/table/table.port.ts';

let partitions = 0;

/** A new partition for each test: all tests share one table, because creating one on DynamoDB takes seconds. */
export const fresh = (): string => `TEST#${++partitions}`;

/** The same item with any attributes, including those that TypeScript rejects. */
export const wild = (pk: string, attributes: object): Item => ({ pk, sk: 'x', ...attributes }) as Item;

export async function seed(
  table: TablePort,
  pk: string,
  sortKeys: readonly string[],
  attributes: (n: number) => object = () => ({}),
): Promise<void> {
  await Promise.all(sortKeys.map((sk, n) => table.put({ pk, sk, ...attributes(n) })));
}

/** Follows cursors to the end. */
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
