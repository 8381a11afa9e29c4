import type { DatabaseSync } from 'node:sqlite';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';
import type { Provider } from '#shared/domain/reference/provider.model.ts';

type Remembered = { readonly fingerprint: string; readonly answer: WireAnswer };

type Owner = { readonly provider: Provider; readonly account: string; readonly key: string };

/** First answers by idempotency key, for as long as the provider keeps them by the service clock. */
export class IdempotencyStore {
  readonly #find;
  readonly #put;
  readonly #forget;
  constructor(database: DatabaseSync) {
    this.#find = database.prepare(
      'SELECT fingerprint, status, headers, body, at FROM idempotency WHERE provider = ? AND account = ? AND key = ?',
    );
    this.#put = database.prepare('INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#forget = database.prepare('DELETE FROM idempotency WHERE provider = ? AND account = ? AND key = ?');
  }
  find({ provider, account, key }: Owner, at: Date, life: number): Remembered | undefined {
    const row = this.#find.get(provider, account, key);
    if (!row) return undefined;
    if (Number(row.at) + life <= at.getTime()) {
      this.#forget.run(provider, account, key);
      return undefined;
    }
    const answer = { status: Number(row.status), headers: JSON.parse(String(row.headers)), body: String(row.body) };
    return { fingerprint: String(row.fingerprint), answer };
  }
  put({ provider, account, key }: Owner, fingerprint: string, { status, headers, body }: WireAnswer, at: Date): void {
    this.#put.run(provider, account, key, fingerprint, status, JSON.stringify(headers), body, at.getTime());
  }
}
