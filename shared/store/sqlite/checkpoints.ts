import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const WORKER = new URL('./checkpoint.worker.ts', import.meta.url);
/** 48 MB of pages. At some hundred payments a second the log is copied each second, and starts again every other. */
const DEFAULT_LIMITS = { commits: 512, pages: 12_288 };

type CheckpointLimits = {
  /** Commits before the log is copied for the first time, and again. */
  readonly commits: number;
  /** A longer log is started again from its beginning as soon as it has been copied to its end. */
  readonly pages: number;
};

/**
 * Copies the log of a SQLite file into the file, on a thread of its own: it writes and syncs thousands of pages, which
 * would block the event loop. As writers go on meanwhile, the copy is always a bit behind, and SQLite can start the log
 * again only when nothing is left to copy: now and then writers wait for that.
 */
export class Checkpoints {
  readonly #path: string;
  readonly #limits: CheckpointLimits;
  #worker: Worker | undefined;
  #copied: (pages?: number) => void = () => undefined;
  #commits = 0;
  #isCopying = false;
  #pause: Promise<void> | undefined;

  constructor(databasePath: string, limits: CheckpointLimits = DEFAULT_LIMITS) {
    this.#path = databasePath;
    this.#limits = limits;
  }

  /** Whether writers have to wait, and for what. */
  get pause(): Promise<void> | undefined {
    return this.#pause;
  }

  noteCommit(): void {
    this.#commits += 1;
    if (this.#commits < this.#limits.commits || this.#isCopying) return;
    this.#commits = 0;
    this.#isCopying = true;
    void this.#copyAll().finally(() => {
      this.#isCopying = false;
    });
  }

  close(): void {
    this.#worker?.postMessage('close');
  }

  async #copyAll(): Promise<void> {
    const pages = await this.#copy();
    if (pages === undefined || pages < this.#limits.pages) return;
    // What was written during the first copy, so that less is left for the pause.
    await this.#copy();
    await this.#pauseFor(() => this.#copy());
  }

  async #pauseFor(work: () => Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pause = promise;
    // What was begun before is committed at the end of this turn.
    await setImmediate();
    await work();
    this.#pause = undefined;
    resolve();
  }

  /** How many pages the log had; `undefined` if the copy failed: the next one is tried after as many commits again. */
  #copy(): Promise<number | undefined> {
    this.#worker ??= this.#start();
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.#copied = resolve;
    this.#worker.postMessage('copy');
    return promise;
  }

  #start(): Worker {
    const worker = new Worker(WORKER, { workerData: this.#path, name: 'checkpoint' });
    worker.unref();
    const end = () => {
      this.#worker = undefined;
      this.#copied();
    };
    return worker
      .on('message', (pages?: number) => this.#copied(pages))
      .on('error', end)
      .on('exit', end);
  }
}
