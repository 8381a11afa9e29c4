import type { DatabaseSync } from 'node:sqlite';
import type { SqliteDatabase } from '#shared/store/sqlite/sqlite-database.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS stream_positions (
    consumer TEXT NOT NULL, shard TEXT NOT NULL, seq TEXT, at_end INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (consumer, shard)) STRICT`;

export type StreamPositions = ReturnType<typeof streamPositions>;

/** A consumer's position in each shard, in the host's file. */
export function streamPositions(database: Pick<SqliteDatabase, 'setUp' | 'run'>, consumer: string) {
  const sql = database.setUp(statements);
  return {
    /** The last processed record. */
    in: (shard: string): string | undefined => sql.get.get(consumer, shard)?.seq?.toString(),
    isAtEnd: (shard: string): boolean => sql.get.get(consumer, shard)?.at_end === 1,
    move: (shard: string, seq: string): Promise<unknown> => database.run(() => sql.move.run(consumer, shard, seq)),
    end: (shard: string): Promise<unknown> => database.run(() => sql.end.run(consumer, shard)),
    /** Removes shards that the stream no longer has. */
    keepOnly: (shards: readonly string[]): Promise<unknown> =>
      database.run(() => sql.forget.run(consumer, JSON.stringify(shards))),
  };
}

function statements(db: DatabaseSync) {
  db.exec(SCHEMA);
  return {
    get: db.prepare('SELECT seq, at_end FROM stream_positions WHERE consumer = ? AND shard = ?'),
    move: db.prepare(
      'INSERT INTO stream_positions (consumer, shard, seq) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET seq = ' +
        'excluded.seq',
    ),
    end: db.prepare(
      'INSERT INTO stream_positions (consumer, shard, at_end) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET at_end = 1',
    ),
    forget: db.prepare(
      'DELETE FROM stream_positions WHERE consumer = ? AND shard NOT IN (SELECT value FROM json_each(?))',
    ),
  };
}
