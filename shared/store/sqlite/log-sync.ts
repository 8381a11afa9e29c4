import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';

/**
 * Brings the log of a SQLite file to disk, on a thread of Node's pool. SQLite itself would do it in each commit, which
 * blocks the event loop for milliseconds.
 */
export class LogSync {
  readonly #path: string;
  #file: number | undefined;
  #isClosed = false;

  constructor(databasePath: string) {
    this.#path = `${databasePath}-wal`;
  }

  /** Resolves once everything that was written before this call survives a power loss. */
  readonly sync = shared(() => this.#sync());

  close(): void {
    this.#isClosed = true;
    if (this.#file === undefined) return;
    fdatasyncSync(this.#file);
    closeSync(this.#file);
  }

  async #sync(): Promise<void> {
    // A closed log was synced.
    if (this.#isClosed) return;
    const file = this.#open();
    await new Promise<void>((resolve, reject) => {
      fdatasync(file, (error) => {
        if (error && !this.#isClosed) reject(error);
        else resolve();
      });
    });
  }

  /** SQLite creates the log with the first write, and keeps it as long as the database is open. */
  #open(): number {
    this.#file ??= openSync(this.#path, 'r+');
    return this.#file;
  }
}

/** One run at a time. Calls that come while one is running, and may be too late for it, share the next one. */
export function shared(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    next = undefined;
    const own = run().finally(() => {
      if (running === own) running = undefined;
    });
    running = own;
    return own;
  };
  return () => {
    if (!running) return start();
    next ??= running.then(start, start);
    return next;
  };
}
