import type { DatabaseSync } from 'node:sqlite';
import type { SqliteDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { type CachedChange, type ItemCache, parseItem, sqliteItems } from '#shared/store/sqlite/sqlite-items.ts';
import type { FeedRecord } from '#shared/store/table/table.port.ts';

const SCHEMA = 'CREATE TABLE IF NOT EXISTS feed_consumers (name TEXT PRIMARY KEY, seq INTEGER NOT NULL)';
const DIGITS = 16;
/** The most records that one clean-up deletes: deleting a day's backlog at once would block the host. */
const MAX_PRUNED = 1_000;

/** Changes in order, as DynamoDB's stream delivers them. Each consumer continues from its checkpoint: at least once. */
export class SqliteFeed {
  readonly #database: SqliteDatabase;
  readonly #listeners = new Set<() => void>();
  readonly #sql: ReturnType<typeof statements>;
  /** The last record on disk. A crash may lose later ones, so no consumer may read them. */
  #committed = 0;
  /** The last record of the last commit, which may not be on disk yet. */
  #seen = 0;
  /** The checkpoint of each consumer. */
  readonly #positions: Map<string, number>;

  /** Records are deleted once every consumer has read them, so all consumers must be known from the start. */
  constructor({ database, consumers }: { readonly database: SqliteDatabase; readonly consumers: readonly string[] }) {
    this.#database = database;
    this.#sql = database.setUp((db) => statements(db, consumers));
    this.#positions = new Map(this.#sql.positions.all().map(({ name, seq }) => [String(name), Number(seq)]));
    this.#advance(this.#newest());
    database.onCommit(() => {
      const newest = this.#newest();
      if (newest === this.#seen) return undefined;
      this.#seen = newest;
      return (isOnDisk) => {
        // The next commit shows it, also if that changes nothing else: its sync brings all of this to disk.
        if (!isOnDisk) this.#seen = this.#committed;
        else if (this.#advance(newest)) for (const wake of this.#listeners) wake();
      };
    });
  }

  read(consumer: string, limit: number): FeedRecord[] {
    const page = this.#sql.page.all(this.#position(consumer), this.#committed, limit);
    return page.map(({ seq }) => ({ seq: String(seq).padStart(DIGITS, '0'), ...this.#change(Number(seq)) }));
  }

  /** Most were made by this process a moment ago, and need not be read and parsed again by each consumer. */
  #change(seq: number): CachedChange {
    const { cache } = this.#database;
    const kept = cache.change(seq);
    if (kept) return kept;
    const read = toChange(this.#sql.change.get(seq), cache);
    cache.keepChange(seq, read);
    return read;
  }

  /** There is only one shard. */
  shard(): string {
    return 'sqlite';
  }

  pending(consumer: string): boolean {
    return this.#position(consumer) < this.#committed && this.read(consumer, 1).length > 0;
  }

  /** Checkpoints everything up to and including this record; it never moves back. */
  async checkpoint(consumer: string, seq: string): Promise<void> {
    const position = Math.max(this.#position(consumer), Number(seq));
    await this.#database.run(() => this.#sql.move.run(position, consumer), { isDurable: false });
    this.#positions.set(consumer, position);
  }

  /** Deletes what every consumer has passed. */
  prune(): Promise<void> {
    return this.#database.run(
      () => {
        this.#sql.prune.run();
      },
      { isDurable: false },
    );
  }

  /** Calls back after a commit with new records; returns the unsubscribe function. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #newest(): number {
    return this.#database.cache.newestChange ?? Number(this.#sql.newest.get()?.seq ?? 0);
  }

  #advance(newest: number): boolean {
    const isNew = newest > this.#committed;
    if (isNew) this.#committed = newest;
    return isNew;
  }

  #position(consumer: string): number {
    const position = this.#positions.get(consumer);
    if (position === undefined) throw new Error(`${consumer} does not follow the change feed.`);
    return position;
  }
}

function statements(db: DatabaseSync, consumers: readonly string[]) {
  sqliteItems(db);
  db.exec(SCHEMA);
  for (const name of consumers) db.prepare('INSERT OR IGNORE INTO feed_consumers (name, seq) VALUES (?, 0)').run(name);
  db.prepare('DELETE FROM feed_consumers WHERE name NOT IN (SELECT value FROM json_each(?))').run(
    JSON.stringify(consumers),
  );
  return {
    page: db.prepare('SELECT seq FROM feed WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?'),
    change: db.prepare('SELECT pk, sk, old, new FROM feed WHERE seq = ?'),
    newest: db.prepare('SELECT max(seq) AS seq FROM feed'),
    positions: db.prepare('SELECT name, seq FROM feed_consumers'),
    move: db.prepare('UPDATE feed_consumers SET seq = ? WHERE name = ?'),
    prune: db.prepare(
      `DELETE FROM feed
       WHERE seq <= (SELECT min(seq) FROM feed_consumers) AND seq < (SELECT min(seq) FROM feed) + ${MAX_PRUNED}`,
    ),
  };
}

function toChange({ pk, sk, old, new: next }: Record<string, unknown> = {}, cache: ItemCache): CachedChange {
  const key = { pk: String(pk), sk: String(sk) };
  return {
    key,
    old: typeof old === 'string' ? parseItem(old) : undefined,
    new: typeof next === 'string' ? cache.parse(key, next) : undefined,
  };
}
