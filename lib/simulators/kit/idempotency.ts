import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { WireRequest, WireResponse } from '#lib/simulators/kit/wire.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

/** The idempotency key of a POST. */
export function idempotencyKeyOf({ method, headers }: WireRequest, header: string): string | null {
  const key = headers[header];
  return method === 'POST' && typeof key === 'string' ? key : null;
}

/** Fingerprint of a request: two requests with the same path and body are the same request. */
export const hashPathAndBody = ({ path, body }: WireRequest): string =>
  createHash('sha256').update(`${path}\n${body}`).digest('hex');

type StoredResponse = { readonly fingerprint: string; readonly response: WireResponse };

type IdempotencyKey = { readonly provider: Provider; readonly account: string; readonly key: string };

/** First responses by idempotency key, kept for the provider's time to live on the service clock. */
export class IdempotencyStore {
  readonly #find;
  readonly #put;
  readonly #delete;
  constructor(database: DatabaseSync) {
    this.#find = database.prepare(
      'SELECT fingerprint, status, headers, body, at FROM idempotency WHERE provider = ? AND account = ? AND key = ?',
    );
    this.#put = database.prepare('INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#delete = database.prepare('DELETE FROM idempotency WHERE provider = ? AND account = ? AND key = ?');
  }
  find({ provider, account, key }: IdempotencyKey, at: Date, ttlMs: number): StoredResponse | undefined {
    const row = this.#find.get(provider, account, key);
    if (!row) return undefined;
    if (Number(row.at) + ttlMs <= at.getTime()) {
      this.#delete.run(provider, account, key);
      return undefined;
    }
    const response = { status: Number(row.status), headers: JSON.parse(String(row.headers)), body: String(row.body) };
    return { fingerprint: String(row.fingerprint), response };
  }
  put(
    { provider, account, key }: IdempotencyKey,
    fingerprint: string,
    { status, headers, body }: WireResponse,
    at: Date,
  ): void {
    this.#put.run(provider, account, key, fingerprint, status, JSON.stringify(headers), body, at.getTime());
  }
}
