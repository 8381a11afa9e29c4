/** The longest that a timer of Node can wait. */
const LONGEST = 2 ** 31 - 1;

/**
 * Wakes loops. Whoever waits names the count it saw before it looked for work, so that nothing raised in between is missed;
 * and it goes on in its own context, not in that of the invocation that raised.
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

  /** Until it is raised after `seen`, or so many milliseconds of real time. */
  wait(seen: number, ms = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#count !== seen) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = ms <= LONGEST ? setTimeout(() => wake(), ms) : undefined;
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
    });
  }
}

/** One for each of these names. */
export const signalsOf = <K extends string>(names: readonly K[]): Readonly<Record<K, Signal>> =>
  Object.fromEntries(names.map((name) => [name, new Signal()])) as Record<K, Signal>;
