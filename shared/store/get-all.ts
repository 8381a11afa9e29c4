import type { Item, Key, TablePort } from '#shared/ports/table.port.ts';

/** The store reads up to this many items at once. */
const AT_ONCE = 100;

/** The items of these keys, in their order, however many there are. */
export async function getAll(table: TablePort, wanted: readonly Key[]): Promise<readonly (Item | undefined)[]> {
  const found: (Item | undefined)[] = [];
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    found.push(...(await table.getMany(wanted.slice(from, from + AT_ONCE).map(({ pk, sk }) => ({ pk, sk })))));
  }
  return found;
}
