/** The longest time of a Node timer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Wakes loops. A waiter passes the count that it saw before it looked for work, so that it misses nothing raised in
 * between; it resumes in its own async context, not in the raiser's invocation.
 */
export class Signal {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  get count(): number {
    return this.#count;
  }

  raise(): void {
    this.#count += 1;
    for (const wake of [...this.#waiting]) wake();
  }

  /** Waits until it is raised after `seen`, or for this many milliseconds of real time. */
  wait(seen: number, ms = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#count !== seen) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = ms <= MAX_TIMEOUT_MS ? setTimeout(() => wake(), ms) : undefined;
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
    });
  }
}

/** One signal per name. */
export const signalsOf = <K extends string>(names: readonly K[]): Readonly<Record<K, Signal>> =>
  Object.fromEntries(names.map((name) => [name, new Signal()])) as Record<K, Signal>;
