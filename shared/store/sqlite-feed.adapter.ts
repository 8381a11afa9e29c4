import type { DatabaseSync } from 'node:sqlite';
import type { FeedRecord } from '#shared/ports/table.port.ts';
import type { SqliteDatabase } from '#shared/store/sqlite-commit.ts';
import { parseItem, sqliteItems } from '#shared/store/sqlite-items.ts';

const SCHEMA = 'CREATE TABLE IF NOT EXISTS feed_consumers (name TEXT PRIMARY KEY, seq INTEGER NOT NULL)';
const DIGITS = 16;
/** A bounded bite: deleting a day's backlog at once would stop the host. */
const PRUNE_AT_ONCE = 1_000;

/** What changed, in order, as DynamoDB's stream would tell it. Each consumer goes on from its checkpoint: at least once. */
export class SqliteFeed {
  readonly #database: SqliteDatabase;
  readonly #listeners = new Set<() => void>();
  readonly #sql: ReturnType<typeof statements>;
  /** Up to here it is committed. Beyond may be what a crash still takes back, and nobody must act on that. */
  #committed = 0;

  /** All consumers are named from the start: what one of them has not read is kept, and nothing is kept for others. */
  constructor({ database, consumers }: { readonly database: SqliteDatabase; readonly consumers: readonly string[] }) {
    this.#database = database;
    this.#sql = database.setUp((db) => statements(db, consumers));
    this.#advance();
    database.onCommit(() => {
      if (this.#advance()) for (const wake of this.#listeners) wake();
    });
  }

  read(consumer: string, limit: number): FeedRecord[] {
    return this.#sql.page.all(this.#position(consumer), this.#committed, limit).map(toRecord);
  }

  /** There is but one. */
  shard(): string {
    return 'sqlite';
  }

  pending(consumer: string): boolean {
    return this.#position(consumer) < this.#committed && this.read(consumer, 1).length > 0;
  }

  /** Everything up to and with this record is done. It never goes back. */
  checkpoint(consumer: string, seq: string): Promise<void> {
    return this.#database.run(() => {
      this.#sql.move.run(Number(seq), consumer);
    });
  }

  /** Drops what every consumer has passed. */
  prune(): Promise<void> {
    return this.#database.run(() => {
      this.#sql.prune.run();
    });
  }

  /** Wakes after a commit with news; answers how to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #advance(): boolean {
    const before = this.#committed;
    this.#committed = Math.max(before, Number(this.#sql.newest.get()?.seq ?? 0));
    return this.#committed > before;
  }

  #position(consumer: string): number {
    const row = this.#sql.position.get(consumer);
    if (!row) throw new Error(`${consumer} does not follow the change feed.`);
    return Number(row.seq);
  }
}

function statements(db: DatabaseSync, consumers: readonly string[]) {
  sqliteItems(db);
  db.exec(SCHEMA);
  for (const name of consumers) db.prepare('INSERT OR IGNORE INTO feed_consumers (name, seq) VALUES (?, 0)').run(name);
  db.prepare('DELETE FROM feed_consumers WHERE name NOT IN (SELECT value FROM json_each(?))').run(JSON.stringify(consumers));
  return {
    page: db.prepare('SELECT seq, pk, sk, old, new FROM feed WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?'),
    newest: db.prepare('SELECT max(seq) AS seq FROM feed'),
    position: db.prepare('SELECT seq FROM feed_consumers WHERE name = ?'),
    move: db.prepare('UPDATE feed_consumers SET seq = max(seq, ?) WHERE name = ?'),
    prune: db.prepare(`DELETE FROM feed WHERE seq <= (SELECT min(seq) FROM feed_consumers) AND seq < (SELECT min(seq) FROM feed) + ${PRUNE_AT_ONCE}`),
  };
}

function toRecord({ seq, pk, sk, old, new: next }: Record<string, unknown>): FeedRecord {
  const key = { pk: String(pk), sk: String(sk) };
  return { seq: String(seq).padStart(DIGITS, '0'), key, old: old ? parseItem(old) : undefined, new: next ? parseItem(next) : undefined };
}
