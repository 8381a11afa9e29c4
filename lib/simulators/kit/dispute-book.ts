import type { DatabaseSync } from 'node:sqlite';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

/** `withheld`: what the PSP keeps from the merchant at present, in ISO minor units. */
type DisputeEntry = { readonly id: string; readonly paymentId: string | null; readonly withheld: number };

type Listed = DisputeEntry & { readonly provider: Provider };

const ofProvider = '(?1 IS NULL OR provider = ?1)';
const SUMS = 'SELECT payment_id, SUM(withheld) withheld FROM disputed';

/** What the PSPs withhold because of disputes. A dispute that was won withholds nothing. */
export class DisputeBook {
  readonly #record;
  readonly #all;
  readonly #ofPayment;
  readonly #entries;
  constructor(database: DatabaseSync) {
    this.#record = database.prepare(
      'INSERT INTO disputed VALUES (?, ?, ?, ?) ON CONFLICT (provider, id) DO UPDATE SET withheld = excluded.withheld',
    );
    this.#all = database.prepare(`${SUMS} WHERE ${ofProvider} GROUP BY payment_id`);
    this.#entries = database.prepare(
      `SELECT provider, id, payment_id, withheld FROM disputed
       WHERE (?2 IS NULL OR payment_id = ?2) AND ${ofProvider}`,
    );
    this.#ofPayment = database.prepare(`${SUMS} WHERE payment_id = ?2 AND ${ofProvider} GROUP BY payment_id`);
  }
  /** Disputes of charges without one of our payment ids are not counted. */
  record(provider: Provider, { id, paymentId, withheld }: DisputeEntry): void {
    if (paymentId !== null) this.#record.run(provider, id, paymentId, withheld);
  }
  /** Each dispute that was recorded. */
  entries(provider: string | undefined, paymentId: string | undefined): readonly Listed[] {
    return this.#entries.all(provider ?? null, paymentId ?? null).map((row) => ({
      provider: String(row.provider),
      id: String(row.id),
      paymentId: String(row.payment_id),
      withheld: Number(row.withheld),
    }));
  }
  /** By payment. */
  withheld(provider: string | undefined, paymentId: string | undefined): Readonly<Record<string, number>> {
    const rows =
      paymentId === undefined ? this.#all.all(provider ?? null) : this.#ofPayment.all(provider ?? null, paymentId);
    return Object.fromEntries(rows.map(({ payment_id, withheld }) => [String(payment_id), Number(withheld)]));
  }
}
