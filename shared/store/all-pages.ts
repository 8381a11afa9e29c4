import type { Item, TablePort } from '#shared/ports/table.port.ts';

type Query = Omit<Parameters<TablePort['query']>[0], 'after'>;

/** All results of a query, in order, for small sets. `limit` is the size of a page. */
export async function allPages(table: TablePort, query: Query): Promise<readonly Item[]> {
  const found: Item[] = [];
  let after: string | undefined;
  do {
    const page = await table.query({ ...query, ...(after !== undefined && { after }) });
    found.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return found;
}
