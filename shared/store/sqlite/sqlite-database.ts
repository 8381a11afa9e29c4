import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Checkpoints } from '#shared/store/sqlite/checkpoints.ts';
import { LogSync } from '#shared/store/sqlite/log-sync.ts';
import { ItemCache } from '#shared/store/sqlite/sqlite-items.ts';
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

/** Work that shares a transaction. */
class CommitGroup {
  /** Resolves at the commit: what is written survives the end of this process. */
  readonly written = Promise.withResolvers<void>();
  /** Resolves once it survives a power loss, too. */
  readonly durable = Promise.withResolvers<void>();
  /** Whether anyone waits for that. */
  isDurable = false;
  /** The items that it writes. */
  readonly items: string[] = [];

  constructor() {
    // Work that failed waits for neither.
    this.written.promise.catch(() => undefined);
    this.durable.promise.catch(() => undefined);
  }

  fail(error: TableError): void {
    this.written.reject(error);
    this.durable.reject(error);
  }
}

export type WaitOptions = {
  /**
   * `false` for what may be lost in a power loss, but not otherwise: the call does not wait for the disk. What is lost
   * then is always the end of the log, so the file goes back to an earlier state as a whole.
   */
  readonly isDurable?: boolean;
};

/** Called after a commit. What it returns is called once that commit survives a power loss, or cannot be synced. */
type CommitListener = () => ((isOnDisk: boolean) => void) | undefined;

/** What a database in a file has besides: without it, a commit lasts as long as the process. */
type Disk = {
  readonly log: Pick<LogSync, 'sync' | 'close'>;
  readonly checkpoints: Pick<Checkpoints, 'pause' | 'noteCommit' | 'close'>;
};

/**
 * The one file of the local host, for its table, feed, queues and checkpoints. All work of one event-loop turn shares a
 * transaction, and all transactions that are made while the disk is busy share its next sync. Results are returned only
 * after that.
 */
export class SqliteDatabase {
  /** For the items of this file, whichever table reads them. */
  readonly cache = new ItemCache();
  readonly #db: DatabaseSync;
  readonly #disk: Disk | undefined;
  readonly #listeners: CommitListener[] = [];
  readonly #diskErrorListeners: (() => void)[] = [];
  #group: CommitGroup | undefined;
  /** What wrote an item last, as long as that can be lost. */
  readonly #writers = new Map<string, CommitGroup>();
  /** The groups that somebody waits for until they are on disk, in the order of their commits. */
  readonly #unsynced = new Set<CommitGroup>();
  /** Changes when another connection has written to the file. */
  #version: unknown;
  /** A sync has failed since the log began. */
  #hasHoles = false;

  constructor(db: DatabaseSync, disk?: Disk) {
    this.#db = db;
    this.#disk = disk;
  }

  /** Creates tables and loads state, outside of any transaction; for constructors. */
  setUp<T>(work: (db: DatabaseSync) => T): T {
    return work(this.#db);
  }

  /**
   * Runs the work at once, all or nothing, and resolves after the commit. It sees earlier work that is not committed
   * yet.
   */
  async run<T>(work: (db: DatabaseSync) => T, { isDurable = true }: WaitOptions = {}): Promise<T> {
    while (this.#disk?.checkpoints.pause) await this.#disk.checkpoints.pause;
    this.#failLostGroup();
    const group = this.#group ?? this.#begin();
    if (isDurable) this.#makeDurable(group);
    const result = this.#atomically(work);
    await (isDurable ? group.durable : group.written).promise;
    return result;
  }

  /** A read may see uncommitted writes. It resolves only after their commit, so that a crash never revokes a result. */
  async read<T>(work: (db: DatabaseSync) => T, { isDurable = true }: WaitOptions = {}): Promise<T> {
    this.#failLostGroup();
    // Within a transaction nobody else can write.
    if (!this.#group) this.#noticeOthers();
    const last = isDurable ? this.#lastUnsynced : undefined;
    const result = this.#withTableError(() => work(this.#db));
    await this.#group?.written.promise;
    await last?.durable.promise;
    return result;
  }

  /** The work of `run` writes this item. */
  noteItem(name: string): void {
    const group = this.#group;
    if (!group) return;
    // Whoever reads the item then waits for the earlier write, too.
    if (this.#writers.get(name)?.isDurable) this.#makeDurable(group);
    group.items.push(name);
    this.#writers.set(name, group);
  }

  /** A read of nothing but these items, by name: it waits for their writers, and for nobody else's. */
  async readItems<T>(
    names: readonly string[],
    work: (db: DatabaseSync) => T,
    { isDurable = true }: WaitOptions = {},
  ): Promise<T> {
    this.#failLostGroup();
    if (!this.#group) this.#noticeOthers();
    const writers = names.flatMap((name) => this.#writers.get(name) ?? []);
    const result = this.#withTableError(() => work(this.#db));
    for (const group of writers) await (isDurable && group.isDurable ? group.durable : group.written).promise;
    return result;
  }

  /** Called after each commit, before its callers are resolved. */
  onCommit(listener: CommitListener): void {
    this.#listeners.push(listener);
  }

  /** Called whenever the file cannot be written: the disk is full, or fails. */
  onDiskError(listener: () => void): void {
    this.#diskErrorListeners.push(listener);
  }

  close(): void {
    if (this.#group) this.#commit(this.#group);
    this.#disk?.log.close();
    this.#disk?.checkpoints.close();
    if (this.#db.isOpen) this.#db.close();
  }

  /** SQLite ends the whole transaction if the disk is full; then the commit fails for all who share it. */
  #failLostGroup(): void {
    if (this.#group && !this.#db.isTransaction) this.#commit(this.#group);
  }

  /** Another process should never write to the file. If it did, what is kept of it is outdated. */
  #noticeOthers(): void {
    const version = this.#withTableError(() => this.#db.prepare('PRAGMA data_version').get()?.data_version);
    if (version !== this.#version) this.cache.clear();
    this.#version = version;
  }

  #begin(): CommitGroup {
    this.#withTableError(() => this.#db.prepare('BEGIN IMMEDIATE').run());
    const group = new CommitGroup();
    this.#group = group;
    setImmediate(() => this.#commit(group));
    this.#noticeOthers();
    return group;
  }

  #makeDurable(group: CommitGroup): void {
    group.isDurable = true;
    this.#unsynced.add(group);
  }

  /** What is on disk with it includes all that was written before. */
  get #lastUnsynced(): CommitGroup | undefined {
    return [...this.#unsynced].at(-1);
  }

  #commit(group: CommitGroup): void {
    if (this.#group !== group) return;
    this.#group = undefined;
    try {
      this.#db.prepare('COMMIT').run();
    } catch (error) {
      this.#reportDiskError(error);
      this.#rollBack('ROLLBACK');
      this.#end(group, new TableError('unavailable', 'unknown', 'The commit failed.', error));
      return;
    }
    group.written.resolve();
    this.#disk?.checkpoints.noteCommit();
    const announcing = this.#listeners.flatMap((listener) => this.#calling(listener) ?? []);
    const announce = (isOnDisk: boolean) => {
      for (const each of announcing) this.#calling(() => each(isOnDisk));
    };
    const acknowledge = () => {
      announce(true);
      this.#end(group);
    };
    const refuse = (error: unknown) => {
      announce(false);
      this.#failSync(group, error);
    };
    if (!this.#disk) acknowledge();
    // Counts alone need no sync.
    else if (group.isDurable || announcing.length > 0) this.#syncLog(this.#disk.log).then(acknowledge, refuse);
    else this.#forgetItems(group);
  }

  /**
   * Its items need no longer be waited for. What a failed group wrote is again as earlier ones left it: readers wait for
   * the last of those.
   */
  #forgetItems(group: CommitGroup, last?: CommitGroup): void {
    for (const name of group.items) {
      if (this.#writers.get(name) !== group) continue;
      if (!last) this.#writers.delete(name);
      else {
        this.#writers.set(name, last);
        last.items.push(name);
      }
    }
  }

  /**
   * The system reports a failed sync once, and forgets what it could not write: the next sync succeeds, though a hole in
   * the log cuts off all that follows. So first the whole log goes into the file, and begins anew.
   */
  async #syncLog(log: Disk['log']): Promise<void> {
    if (this.#hasHoles) this.#emptyLog();
    await log.sync();
    if (this.#hasHoles) throw new TableError('unavailable', 'unknown', 'An earlier commit is not on disk.');
  }

  #emptyLog(): void {
    const copied = this.#withTableError(() => this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get());
    if (copied?.busy !== 0) throw new TableError('unavailable', 'unknown', 'The log could not be copied.');
    this.#hasHoles = false;
  }

  #failSync(group: CommitGroup, error: unknown): void {
    this.#hasHoles = true;
    this.#reportDiskError(error);
    this.#end(group, new TableError('unavailable', 'unknown', 'The commit could not be written to disk.', error));
  }

  #end(group: CommitGroup, error?: TableError): void {
    this.#unsynced.delete(group);
    this.#forgetItems(group, error && this.#lastUnsynced);
    if (error) group.fail(error);
    else group.durable.resolve();
  }

  /** An error of a listener must not reach the timer that commits: it would end the process. */
  #calling<T>(listener: () => T): T | undefined {
    try {
      return listener();
    } catch (error) {
      // The listener reads the file, and is called again after the next commit.
      this.#reportDiskError(error);
      return undefined;
    }
  }

  /** SQLite may have ended the transaction already, if the disk is full. */
  #rollBack(sql: string): void {
    this.cache.clear();
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
    if (isDiskError(error)) for (const listener of this.#diskErrorListeners) listener();
  }
}

/** Whether the file could not be written: the disk is full, or fails. */
function isDiskError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Of the sync, which is a call of the file system. Of SQLite's codes, the lowest byte is the kind of error.
  if ('syscall' in error) return true;
  return 'errcode' in error && typeof error.errcode === 'number' && DISK_ERRORS.has(error.errcode & 0xff);
}

/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL. */
const DISK_ERRORS: ReadonlySet<number> = new Set([8, 10, 13]);

const IN_MEMORY = ':memory:';
/** In KiB, so that index pages of a large file need not be read again for each write. */
const PAGE_CACHE = 32 * 1024;

/**
 * `:memory:` stores nothing on disk. In a file, an acknowledged write survives a power loss: commits only write to the
 * log (`NORMAL`), and their callers wait for its sync.
 */
export function openDatabase(path: string): SqliteDatabase {
  const db = new StatementCache(path);
  db.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;
     PRAGMA busy_timeout = 1000; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${PAGE_CACHE}`,
  );
  if (path === IN_MEMORY) return new SqliteDatabase(db);
  return new SqliteDatabase(db, { log: new LogSync(path), checkpoints: new Checkpoints(path) });
}
