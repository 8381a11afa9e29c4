import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { TableError } from '#shared/store/table/table.port.ts';

/**
 * Caches compiled SQL by its text: compiling takes five times as long as running. Values are bound as parameters, so
 * there are few different texts.
 */
class StatementCache extends DatabaseSync {
  readonly #statements = new Map<string, StatementSync>();

  override prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? super.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

type CommitGroup = {
  readonly committed: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: TableError) => void;
};

/**
 * The one file of the local host, for its table, feed, queues and checkpoints. All work of one event-loop turn shares a
 * transaction and a disk sync; results are returned only after the commit.
 */
export class SqliteDatabase {
  readonly #db: DatabaseSync;
  readonly #listeners: (() => void)[] = [];
  readonly #diskErrorListeners: (() => void)[] = [];
  #group: CommitGroup | undefined;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Creates tables and loads state, outside of any transaction; for constructors. */
  setUp<T>(work: (db: DatabaseSync) => T): T {
    return work(this.#db);
  }

  /**
   * Runs the work at once, all or nothing, and resolves after the commit. It sees earlier work that is not committed
   * yet.
   */
  async run<T>(work: (db: DatabaseSync) => T): Promise<T> {
    this.#failLostGroup();
    this.#group ??= this.#begin();
    const { committed } = this.#group;
    const result = this.#atomically(work);
    await committed;
    return result;
  }

  /** A read may see uncommitted writes. It resolves only after their commit, so that a crash never revokes a result. */
  async read<T>(work: (db: DatabaseSync) => T): Promise<T> {
    this.#failLostGroup();
    const result = this.#withTableError(() => work(this.#db));
    await this.#group?.committed;
    return result;
  }

  /** Called after each commit, before its callers are resolved. */
  onCommit(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Called whenever the file cannot be written: the disk is full, or fails. */
  onDiskError(listener: () => void): void {
    this.#diskErrorListeners.push(listener);
  }

  close(): void {
    if (this.#group) this.#commit(this.#group);
    if (this.#db.isOpen) this.#db.close();
  }

  /** SQLite ends the whole transaction if the disk is full; then the commit fails for all who share it. */
  #failLostGroup(): void {
    if (this.#group && !this.#db.isTransaction) this.#commit(this.#group);
  }

  #begin(): CommitGroup {
    this.#withTableError(() => this.#db.prepare('BEGIN IMMEDIATE').run());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const group = { committed: promise, resolve, reject };
    // Work that failed does not wait for the group's commit.
    promise.catch(() => undefined);
    setImmediate(() => this.#commit(group));
    return group;
  }

  #commit(group: CommitGroup): void {
    if (this.#group !== group) return;
    this.#group = undefined;
    try {
      this.#db.prepare('COMMIT').run();
    } catch (error) {
      this.#reportDiskError(error);
      this.#rollBack('ROLLBACK');
      group.reject(new TableError('unavailable', 'unknown', 'The commit failed.', error));
      return;
    }
    this.#announceCommit();
    group.resolve();
  }

  /** An error of a listener must not reach the timer that commits: it would end the process. */
  #announceCommit(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        // The listener reads the file, and is called again after the next commit.
        this.#reportDiskError(error);
      }
    }
  }

  /** SQLite may have ended the transaction already, if the disk is full. */
  #rollBack(sql: string): void {
    try {
      if (this.#db.isTransaction) this.#db.exec(sql);
    } catch (error) {
      this.#reportDiskError(error);
    }
  }

  #atomically<T>(work: (db: DatabaseSync) => T): T {
    this.#db.prepare('SAVEPOINT work').run();
    try {
      const result = this.#withTableError(() => work(this.#db));
      this.#withTableError(() => this.#db.prepare('RELEASE work').run());
      return result;
    } catch (error) {
      this.#rollBack('ROLLBACK TO work; RELEASE work');
      throw error;
    }
  }

  #withTableError<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') throw error;
      this.#reportDiskError(error);
      throw new TableError('unavailable', 'not_done', 'SQLite failed.', error);
    }
  }

  #reportDiskError(error: unknown): void {
    if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return;
    // The lowest byte is the kind of error.
    if (DISK_ERRORS.has(error.errcode & 0xff)) for (const listener of this.#diskErrorListeners) listener();
  }
}

/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL. */
const DISK_ERRORS: ReadonlySet<number> = new Set([8, 10, 13]);

/**
 * `:memory:` stores nothing on disk. In a file, an acknowledged write survives a power loss. SQLite makes its own
 * checkpoints: on a separate thread the slowest writes gained a few milliseconds, and the log grew to 150 MB under
 * load.
 */
export function openDatabase(path: string): SqliteDatabase {
  const db = new StatementCache(path);
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 1000; PRAGMA temp_store = MEMORY',
  );
  return new SqliteDatabase(db);
}
