import type { Item, TablePort } from '#shared/ports/table.port.ts';

type Query = Omit<Parameters<TablePort['query']>[0], 'after'>;

/** All that a query finds, in its order, for what is read whole. `limit` is a page's: what the store reads at once. */
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
