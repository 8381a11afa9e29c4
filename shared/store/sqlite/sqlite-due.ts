import type { DueIndex } from '#shared/ports/due.port.ts';
import { dueEnd, dueId, dueShards, dueTime } from '#shared/store/keys.ts';
import type { SqliteDatabase } from '#shared/store/sqlite/sqlite-database.ts';

const OF_SHARD = "name = 'due' AND part = json_each.value";
const EARLIEST = `
  SELECT (SELECT at FROM entries WHERE ${OF_SHARD} ORDER BY at LIMIT 1) AS at
  FROM json_each(?) ORDER BY at NULLS LAST LIMIT 1`;
const SHARDS = `SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM entries WHERE ${OF_SHARD} AND at <= ?)`;
const UNTIL = `SELECT at FROM json_each(?) CROSS JOIN entries WHERE ${OF_SHARD} AND at <= ? ORDER BY at LIMIT ?`;

/** All shards of the index of due work in one statement. */
export function sqliteDue(database: SqliteDatabase): DueIndex {
  const all = JSON.stringify(dueShards);
  return {
    shards: async (until) => {
      const rows = await database.read((db) => db.prepare(SHARDS).all(all, dueEnd(until)));
      return rows.map(({ value }) => String(value));
    },
    due: async (until, limit) => {
      const rows = await database.read((db) => db.prepare(UNTIL).all(all, dueEnd(until), limit));
      return rows.map(({ at }) => ({ id: dueId(String(at)), at: dueTime(String(at)) }));
    },
    earliest: async () => {
      const row = await database.read((db) => db.prepare(EARLIEST).get(all));
      return typeof row?.at === 'string' ? dueTime(row.at) : undefined;
    },
  };
}
