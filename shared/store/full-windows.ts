import { SECOND } from '#shared/kernel/clock.ts';
import type { RateCount } from '#shared/ports/rate-counts.port.ts';

/** Beyond this, the one that was seen first is forgotten, and costs a store call again. */
const MAX_REMEMBERED = 10_000;

type Refusal = { readonly rate: RateCount['rate']; readonly from: Date; readonly until: number };

/**
 * Rate limit windows that this process has seen full. Counts only grow, so such a window stays full until it ends:
 * whoever goes on after that costs no store call.
 */
export class FullWindows {
  readonly #refusals = new Map<string, Refusal>();

  /** `name`: whose windows, and which. Windows end with a second of the clock. */
  remember(name: string, { rate, exceeded }: RateCount, at: Date): void {
    if (!exceeded) return;
    const until = (Math.floor(at.getTime() / SECOND) + exceeded.retryAfter) * SECOND;
    this.#refusals.delete(name);
    this.#refusals.set(name, { rate, from: at, until });
    const [oldest] = this.#refusals.size > MAX_REMEMBERED ? this.#refusals.keys() : [];
    if (oldest !== undefined) this.#refusals.delete(oldest);
  }

  /** What the store would say; undefined if it has to be asked. */
  find(name: string, at: Date): RateCount | undefined {
    const refusal = this.#refusals.get(name);
    if (!refusal || at < refusal.from || at.getTime() >= refusal.until) return undefined;
    return { rate: refusal.rate, exceeded: { retryAfter: Math.ceil((refusal.until - at.getTime()) / SECOND) } };
  }
}
