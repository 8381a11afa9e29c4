import { appendFileSync } from 'node:fs';
import { INDEXES, type Item, type Key, type TablePort, type Write } from '#shared/store/table/table.port.ts';
import { changed } from '#test/support/memory-store.ts';

/** The contents of a table whose files cannot be read: everything that was ever stored in it. */
export function mirroredTable(file: string) {
  const items = new Map<string, Item>();
  const note = (key: Key, item: Item | undefined) => {
    if (item) appendFileSync(file, `${JSON.stringify(item)}\n`);
    if (item) items.set(`${key.pk} ${key.sk}`, item);
    else items.delete(`${key.pk} ${key.sk}`);
  };
  return {
    items: (): readonly Item[] => [...items.values()],
    through: (table: TablePort): TablePort =>
      changed(table, {
        put: async (item, condition) => noted(await table.put(item, condition), () => note(item, item)),
        update: async (key, change, condition) =>
          noted(await table.update(key, change, condition), (written) => note(key, written.item)),
        delete: async (key, condition) => noted(await table.delete(key, condition), () => note(key, undefined)),
        transact: async (writes, token) => {
          const done = await table.transact(writes, token);
          for (const key of writes.map(keyOf)) note(key, await table.get(key, { consistent: true }));
          return done;
        },
      }),
  };
}

function noted<T extends { readonly ok: boolean }>(written: T, note: (written: Extract<T, { ok: true }>) => void): T {
  if (written.ok) note(written as Extract<T, { ok: true }>);
  return written;
}

function keyOf(write: Write): Key {
  if ('put' in write) return write.put;
  if ('update' in write) return write.update;
  return 'delete' in write ? write.delete : write.check;
}

/** The index entries of an item, one line each. */
export const entriesOf = (item: Item): readonly string[] =>
  Object.entries(INDEXES).flatMap(([name, [part, at]]) =>
    item[part] === undefined || item[at] === undefined
      ? []
      : [`entry ${name} ${item[part]} ${item[at]} ${item.pk} ${item.sk}`],
  );
