type RecentRead<T> = { readonly at: Date; readonly value: Promise<T>; readonly overdue: Promise<typeof OVERDUE> };

const OVERDUE = Symbol('overdue');

/** A read that takes longer may belong to an invocation that was ended: others then read for themselves. */
const MAX_WAIT_MS = 500;
const MAX_KEYS = 1_000;

/**
 * Values that were read a short time ago, for callers that may use a value of that age. Concurrent callers share one
 * read.
 */
export class RecentReads<T> {
  readonly #maxAgeMs: number;
  readonly #reads = new Map<string, RecentRead<T>>();
  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  /** `since`: the value must have been read later than this. */
  async read(key: string, at: Date, load: () => Promise<T>, since?: Date): Promise<T> {
    const known = this.#reads.get(key);
    if (known && this.#isUsable(known, at, since)) {
      const value = await Promise.race([known.value.catch(() => OVERDUE), known.overdue]);
      if (value !== OVERDUE) return value as T;
    }
    return this.#load(key, at, load);
  }

  forget(key: string): void {
    this.#reads.delete(key);
  }

  #isUsable({ at: readAt }: RecentRead<T>, at: Date, since: Date | undefined): boolean {
    const age = at.getTime() - readAt.getTime();
    return age >= 0 && age <= this.#maxAgeMs && (since === undefined || since < readAt);
  }

  #load(key: string, at: Date, load: () => Promise<T>): Promise<T> {
    const read = startRead(at, load);
    this.#reads.delete(key);
    this.#reads.set(key, read);
    read.value.catch(() => {
      if (this.#reads.get(key) === read) this.#reads.delete(key);
    });
    const oldest = this.#reads.size > MAX_KEYS ? this.#reads.keys().next().value : undefined;
    if (oldest !== undefined) this.#reads.delete(oldest);
    return read.value;
  }
}

function startRead<T>(at: Date, load: () => Promise<T>): RecentRead<T> {
  const { promise: overdue, resolve } = Promise.withResolvers<typeof OVERDUE>();
  const timer = setTimeout(() => resolve(OVERDUE), MAX_WAIT_MS);
  timer.unref();
  const value = load().finally(() => clearTimeout(timer));
  return { at, value, overdue };
}
