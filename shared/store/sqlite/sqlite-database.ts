import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { TableError } from '#shared/store/table/table.port.ts';

/** Caches compiled SQL by text: compiling takes five times as long as running. Values are bound, so texts are few. */
class StatementCache extends DatabaseSync {
  readonly #statements = new Map<string, StatementSync>();

  override prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? super.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

type Group = {
  readonly committed: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: TableError) => void;
};

/**
 * The local host's one file: table, feed, queues, checkpoints. Work of one event-loop turn shares a transaction, and
 * one disk sync; results are reported only after the commit.
 */
export class SqliteDatabase {
  readonly #db: DatabaseSync;
  readonly #listeners: (() => void)[] = [];
  #group: Group | undefined;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Creates tables and loads state, outside any group; for constructors. */
  setUp<T>(work: (db: DatabaseSync) => T): T {
    return work(this.#db);
  }

  /** Runs the work at once, all or nothing; resolves when it is committed. It sees earlier uncommitted work. */
  async run<T>(work: (db: DatabaseSync) => T): Promise<T> {
    this.#group ??= this.#begin();
    const { committed } = this.#group;
    const result = this.#atomically(work);
    await committed;
    return result;
  }

  /** Reads may see uncommitted writes, and then resolve only after the commit: a crash never revokes a result. */
  async read<T>(work: (db: DatabaseSync) => T): Promise<T> {
    const result = withTableError(() => work(this.#db));
    await this.#group?.committed;
    return result;
  }

  /** Called after each commit, before its callers are resolved. */
  onCommit(listener: () => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    if (this.#group) this.#commit(this.#group);
    if (this.#db.isOpen) this.#db.close();
  }

  #begin(): Group {
    withTableError(() => this.#db.prepare('BEGIN IMMEDIATE').run());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const group = { committed: promise, resolve, reject };
    // Work that failed does not wait for the group's commit.
    promise.catch(() => undefined);
    setImmediate(() => this.#commit(group));
    return group;
  }

  #commit(group: Group): void {
    if (this.#group !== group) return;
    this.#group = undefined;
    try {
      this.#db.prepare('COMMIT').run();
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      group.reject(new TableError('unavailable', 'unknown', 'The commit failed.', error));
      return;
    }
    for (const listener of this.#listeners) listener();
    group.resolve();
  }

  #atomically<T>(work: (db: DatabaseSync) => T): T {
    this.#db.prepare('SAVEPOINT work').run();
    try {
      const result = withTableError(() => work(this.#db));
      this.#db.prepare('RELEASE work').run();
      return result;
    } catch (error) {
      // A full disk ends the whole transaction; the commit then fails for all who share it.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK TO work; RELEASE work');
      throw error;
    }
  }
}

/**
 * `:memory:` keeps nothing. A file survives power loss once a write is acknowledged. Checkpoints are SQLite's own: on a
 * separate thread the slowest writes gained a few milliseconds, and the log grew to 150 MB under load.
 */
export function openDatabase(path: string): SqliteDatabase {
  const db = new StatementCache(path);
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 1000; PRAGMA temp_store = MEMORY',
  );
  return new SqliteDatabase(db);
}

function withTableError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') throw error;
    throw new TableError('unavailable', 'not_done', 'SQLite failed.', error);
  }
}
