import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** A provider's token and its lifetime in `seconds`. */
export type AccessToken = { readonly text: string; readonly seconds: number };

type CachedToken = { readonly text: string; readonly until: number };

/** A token is renewed this long before it expires: one that expires during its call would be refused. */
const EXPIRY_MARGIN_MS = 60_000;
const MAX_CACHED_TOKENS = 1_000;

/** Accounts are identified by the hash of their credentials, which are not stored. */
export const accountKey = (...credentials: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(credentials)).digest('hex');

/** Access tokens in memory, one per account. Concurrent callers share one fetch, and its failure. */
export class AccessTokens {
  readonly #cached = new Map<string, CachedToken>();
  readonly #pending = new Map<string, Promise<string>>();
  /** How long a caller waits for another caller's fetch, whose invocation may have died. */
  readonly #maxWaitMs: number;
  constructor(maxWaitMs = 3_000) {
    this.#maxWaitMs = maxWaitMs;
  }

  async get(account: string, now: () => Date, fetch: () => Promise<AccessToken>): Promise<string> {
    const cached = this.#cached.get(account);
    if (cached && cached.until > now().getTime()) return cached.text;
    const pending = this.#pending.get(account);
    const text = pending && (await Promise.race([pending, pause(this.#maxWaitMs, undefined, { ref: false })]));
    return text ?? this.#startFetch(account, now, fetch);
  }

  /** Drops a refused token. One that was fetched since then stays. */
  drop(account: string, text: string): void {
    if (this.#cached.get(account)?.text === text) this.#cached.delete(account);
  }

  #startFetch(account: string, now: () => Date, fetch: () => Promise<AccessToken>): Promise<string> {
    const fetching = this.#fetch(account, now, fetch).finally(() => {
      if (this.#pending.get(account) === fetching) this.#pending.delete(account);
    });
    this.#pending.set(account, fetching);
    return fetching;
  }

  async #fetch(account: string, now: () => Date, fetch: () => Promise<AccessToken>): Promise<string> {
    const { text, seconds } = await fetch();
    this.#cached.delete(account);
    this.#cached.set(account, { text, until: now().getTime() + seconds * 1_000 - EXPIRY_MARGIN_MS });
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size <= MAX_CACHED_TOKENS) break;
      this.#cached.delete(oldest);
    }
    return text;
  }
}
