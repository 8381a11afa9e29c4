import { monotonic, SECOND } from '#shared/kernel/clock.ts';
import type { SelfCheckPort } from '#shared/ports/self-check.port.ts';
import { keys } from '#shared/store/keys.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

/** All requests of this time share one read: anybody may ask, as often as he likes. */
const LOOK_EVERY = 5 * SECOND;
/** After a failure it looks again sooner. */
const LOOK_AGAIN_AFTER = SECOND;
/** Whoever asks for the health of a service does not wait longer. */
const TIMEOUT_MS = 2 * SECOND;

type Look = { readonly until: number; readonly answers: Promise<boolean> };

/** Reads an item that nobody writes: what it finds does not matter, only that the table says so. */
export class SelfCheckRepo implements SelfCheckPort {
  readonly #table: TablePort;
  #last: Look | undefined;
  constructor(table: TablePort) {
    this.#table = table;
  }

  storeAnswers(): Promise<boolean> {
    const now = monotonic();
    if (!this.#last || this.#last.until <= now) this.#last = { until: now + LOOK_EVERY, answers: this.#look() };
    return this.#last.answers;
  }

  async #look(): Promise<boolean> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('The store does not answer.')), TIMEOUT_MS);
    try {
      await Promise.race([this.#table.get(keys.selfCheck), late]);
      return true;
    } catch {
      const answers = Promise.resolve(false);
      this.#last = { until: monotonic() + LOOK_AGAIN_AFTER, answers };
      return answers;
    } finally {
      clearTimeout(timer);
    }
  }
}
