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

/** What the look has found: nothing if the store did not answer. */
type Found = { readonly hasProbe: boolean } | undefined;
type Look = { readonly until: number; readonly found: Promise<Found> };

/** Reads one item, which only the set-up of the probe writes: that the table answers is what matters. */
export class SelfCheckRepo implements SelfCheckPort {
  readonly #table: TablePort;
  #last: Look | undefined;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async storeAnswers(): Promise<boolean> {
    return (await this.#found()) !== undefined;
  }

  async knowsProbe(): Promise<boolean> {
    return (await this.#found())?.hasProbe === true;
  }

  async noteProbe(at: Date): Promise<void> {
    await this.#table.put({ ...keys.selfCheck, item_type: 'self_check', probe_since: at.toISOString() });
  }

  #found(): Promise<Found> {
    const now = monotonic();
    if (!this.#last || this.#last.until <= now) this.#last = { until: now + LOOK_EVERY, found: this.#look() };
    return this.#last.found;
  }

  async #look(): Promise<Found> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('The store does not answer.')), TIMEOUT_MS);
    try {
      const item = await Promise.race([this.#table.get(keys.selfCheck), late]);
      return { hasProbe: item?.probe_since !== undefined };
    } catch {
      const found = Promise.resolve(undefined);
      this.#last = { until: monotonic() + LOOK_AGAIN_AFTER, found };
      return found;
    } finally {
      clearTimeout(timer);
    }
  }
}
