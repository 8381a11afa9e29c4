import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** A provider's token and its lifetime in `seconds`. */
export type FreshToken = { readonly text: string; readonly seconds: number };

type Known = { readonly text: string; readonly until: number };

/** Margin, as a token that expires during its call would be refused. */
const MARGIN_MS = 60_000;
const MOST = 1_000;

/** Accounts are identified by the hash of their login, which is not stored. */
export const accountKey = (...credentials: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(credentials)).digest('hex');

/** Access tokens in memory, one per account. Concurrent callers share one fetch, and its failure. */
export class AccessTokens {
  readonly #known = new Map<string, Known>();
  readonly #underWay = new Map<string, Promise<string>>();
  /** How long a caller waits for another's fetch, whose invocation may have died. */
  readonly #patienceMs: number;
  constructor(patienceMs = 3_000) {
    this.#patienceMs = patienceMs;
  }

  async get(account: string, now: () => Date, fetch: () => Promise<FreshToken>): Promise<string> {
    const known = this.#known.get(account);
    if (known && known.until > now().getTime()) return known.text;
    const shared = this.#underWay.get(account);
    const text = shared && (await Promise.race([shared, pause(this.#patienceMs, undefined, { ref: false })]));
    return text ?? this.#begin(account, now, fetch);
  }

  /** Drops a refused token; one fetched since stays. */
  drop(account: string, text: string): void {
    if (this.#known.get(account)?.text === text) this.#known.delete(account);
  }

  #begin(account: string, now: () => Date, fetch: () => Promise<FreshToken>): Promise<string> {
    const fetching = this.#fetch(account, now, fetch).finally(() => {
      if (this.#underWay.get(account) === fetching) this.#underWay.delete(account);
    });
    this.#underWay.set(account, fetching);
    return fetching;
  }

  async #fetch(account: string, now: () => Date, fetch: () => Promise<FreshToken>): Promise<string> {
    const { text, seconds } = await fetch();
    this.#known.delete(account);
    this.#known.set(account, { text, until: now().getTime() + seconds * 1_000 - MARGIN_MS });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST) break;
      this.#known.delete(oldest);
    }
    return text;
  }
}
