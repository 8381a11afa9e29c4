import { MINUTE, SECOND } from '#shared/kernel/clock.ts';
import type { RateCount } from '#shared/ports/rate-counts.port.ts';

/** Beyond this, the one that was seen first is forgotten, and costs a store call again. */
const MAX_REMEMBERED = 10_000;

/** Wrong guesses in a minute that are still looked up. */
const MAX_GUESSES = 10;

type Refusal = { readonly rate: RateCount['rate']; readonly from: Date; readonly until: number };

/**
 * Rate limit windows that this process has seen full. Counts only grow, so such a window stays full until it ends:
 * whoever goes on after that costs no store call.
 */
export class FullWindows {
  readonly #refusals = new Map<string, Refusal>();
  /** Wrong guesses of the latest minute, by name. */
  readonly #guesses = { minute: 0, counts: new Map<string, number>() };

  /** `name`: whose windows, and which. Windows end with a second of the clock. */
  remember(name: string, { rate, exceeded }: RateCount, at: Date): void {
    if (!exceeded) return;
    const until = (Math.floor(at.getTime() / SECOND) + exceeded.retryAfter) * SECOND;
    this.#refusals.delete(name);
    this.#refusals.set(name, { rate, from: at, until });
    const [oldest] = this.#refusals.size > MAX_REMEMBERED ? this.#refusals.keys() : [];
    if (oldest !== undefined) this.#refusals.delete(oldest);
  }

  /** A guess was wrong. After some of them, all others are refused until the minute ends. */
  rememberGuess(name: string, { rate }: RateCount, at: Date): void {
    const minute = Math.floor(at.getTime() / MINUTE);
    const { counts } = this.#guesses;
    if (minute !== this.#guesses.minute || counts.size >= MAX_REMEMBERED) counts.clear();
    this.#guesses.minute = minute;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const left = (minute + 1) * MINUTE - at.getTime();
    if (count >= MAX_GUESSES) this.remember(name, { rate, exceeded: { retryAfter: Math.ceil(left / SECOND) } }, at);
  }

  /** What the store would say; undefined if it has to be asked. */
  find(name: string, at: Date): RateCount | undefined {
    const refusal = this.#refusals.get(name);
    if (!refusal || at < refusal.from || at.getTime() >= refusal.until) return undefined;
    return { rate: refusal.rate, exceeded: { retryAfter: Math.ceil((refusal.until - at.getTime()) / SECOND) } };
  }
}
