import { DatabaseSync } from 'node:sqlite';
import type { DueIndex } from '#shared/ports/due.port.ts';
import { dueShards } from '#shared/store/keys.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

/** A table that can be put in the place of the one that a host has begun with. */
export function replaceableTable() {
  let current: TablePort | undefined;
  let isReplaced = false;
  const now = (): TablePort => {
    if (!current) throw new Error('The host has not opened its table yet.');
    return current;
  };
  const table: TablePort = {
    get: (key, how) => now().get(key, how),
    getMany: (keys) => now().getMany(keys),
    put: (item, condition) => now().put(item, condition),
    update: (key, change, condition) => now().update(key, change, condition),
    delete: (key, condition) => now().delete(key, condition),
    query: (where) => now().query(where),
    entries: (index, where) => now().entries(index, where),
    count: (index, where) => now().count(index, where),
    transact: (writes, token) => now().transact(writes, token),
  };
  return {
    wrap: (base: TablePort): TablePort => {
      current = base;
      return table;
    },
    /** The host's own index of due work knows nothing of the other table: then each sweep reads all shards. */
    wrapDue: (due: DueIndex): DueIndex => ({
      ...due,
      shards: async (until) => (isReplaced ? dueShards : due.shards(until)),
    }),
    replaceBy: (other: TablePort): void => {
      current = other;
      isReplaced = true;
    },
  };
}

/** A copy of a running host's data as it is now. */
export function copyOfDatabase(file: string, copy: string): void {
  const database = new DatabaseSync(file);
  database.exec(`VACUUM INTO '${copy}'`);
  database.close();
}

export const tableIn = (file: string): TablePort => new SqliteTable({ database: openDatabase(file) });
