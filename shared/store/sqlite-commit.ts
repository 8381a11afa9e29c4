import type { DatabaseSync } from 'node:sqlite';
import { TableError } from '#shared/ports/table.port.ts';
import { KeptStatements } from '#shared/store/kept-statements.ts';

type Group = { readonly committed: Promise<void>; readonly resolve: () => void; readonly reject: (error: TableError) => void };

/**
 * The file that everything of the local host lives in: table, feed, queues, checkpoints. Work that comes within one turn
 * of the event loop shares one transaction, and so one wait for the disk; nobody hears of it before it is committed.
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

  /** Does the work at once and whole or not at all; answers when it is committed. The work sees what came before it. */
  async run<T>(work: (db: DatabaseSync) => T): Promise<T> {
    this.#group ??= this.#begin();
    const { committed } = this.#group;
    const result = this.#wholly(work);
    await committed;
    return result;
  }

  /** May see writes that are not yet committed, and then answers only when they are: a crash never unsays an answer. */
  async read<T>(work: (db: DatabaseSync) => T): Promise<T> {
    const result = translated(() => work(this.#db));
    await this.#group?.committed;
    return result;
  }

  /** Called after each commit, before those who wait for it hear. */
  onCommit(listener: () => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    if (this.#group) this.#commit(this.#group);
    if (this.#db.isOpen) this.#db.close();
  }

  #begin(): Group {
    translated(() => this.#db.prepare('BEGIN IMMEDIATE').run());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const group = { committed: promise, resolve, reject };
    // Work that failed by itself doesn't wait for its group.
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

  #wholly<T>(work: (db: DatabaseSync) => T): T {
    this.#db.prepare('SAVEPOINT work').run();
    try {
      const result = translated(() => work(this.#db));
      this.#db.prepare('RELEASE work').run();
      return result;
    } catch (error) {
      // A full disk ends the whole transaction by itself; the commit then fails for all who share it.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK TO work; RELEASE work');
      throw error;
    }
  }
}

/**
 * `:memory:` keeps nothing. A file survives the loss of power once a write is acknowledged. Checkpoints are SQLite's own:
 * on a thread of their own the slowest writes gained a few milliseconds, and the log grew to 150 MB under load.
 */
export function openDatabase(path: string): SqliteDatabase {
  const db = new KeptStatements(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 1000; PRAGMA temp_store = MEMORY');
  return new SqliteDatabase(db);
}

function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') throw error;
    throw new TableError('unavailable', 'not_done', 'SQLite refused.', error);
  }
}
