import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { SimulatedCall, SimulatedCharge } from '#lib/simulators/simulators.port.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

type Filter = { readonly provider?: string; readonly payment_id?: string };

type NewCharge = {
  readonly id: string;
  readonly paymentId: string | null;
  readonly amount: number;
  readonly currency: string;
};

const ofProvider = '(?1 IS NULL OR provider = ?1)';
const CALLS = 'SELECT provider, operation, payment_id, idempotency_key, status, at FROM calls';
const CHARGES =
  'SELECT payment_id, SUM(amount) amount, SUM(refunded) refunded, MIN(currency) currency, COUNT(*) count FROM money';

/** All calls and charges the simulators saw. Tests of "charged at most once" count them here. */
export class Ledger {
  readonly #call;
  readonly #charge;
  readonly #refund;
  readonly #calls;
  readonly #callsOf;
  readonly #charges;
  readonly #chargesOf;
  readonly #newest;
  constructor(database: DatabaseSync) {
    this.#call = database.prepare(
      'INSERT INTO calls (provider, operation, payment_id, idempotency_key, status, at) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#charge = database.prepare('INSERT INTO money VALUES (?, ?, ?, ?, 0, ?)');
    this.#refund = database.prepare('UPDATE money SET refunded = refunded + ? WHERE provider = ? AND id = ?');
    this.#calls = database.prepare(`${CALLS} WHERE ${ofProvider} ORDER BY seq`);
    this.#callsOf = database.prepare(`${CALLS} WHERE payment_id = ?2 AND ${ofProvider} ORDER BY seq`);
    this.#charges = database.prepare(`${CHARGES} WHERE ${ofProvider} GROUP BY payment_id`);
    this.#newest = database.prepare(
      `SELECT m.id, m.currency FROM money m LEFT JOIN objects o ON o.provider = m.provider AND o.id = m.id
       WHERE m.payment_id = ?2 AND m.provider = ?1 ORDER BY o.seq DESC LIMIT 1`,
    );
    this.#chargesOf = database.prepare(`${CHARGES} WHERE payment_id = ?2 AND ${ofProvider} GROUP BY payment_id`);
  }
  recordCall({ provider, operation, payment_id, idempotency_key, status, at }: SimulatedCall): void {
    this.#call.run(provider, operation, payment_id, idempotency_key, status, at);
  }
  /** Records a charge that took money. Charges without one of our payment ids are not counted. */
  recordCharge(provider: Provider, { id, paymentId, amount, currency }: NewCharge): void {
    if (paymentId !== null) this.#charge.run(provider, id, paymentId, amount, currency.toUpperCase());
  }
  /** Records refunded money. The amount is negative if a refund failed after it had succeeded. */
  recordRefund(provider: Provider, chargeId: string, amount: number): void {
    this.#refund.run(amount, provider, chargeId);
  }
  /** The last charge that took money for this payment. */
  newestCharge(provider: Provider, paymentId: string): { readonly id: string; readonly currency: string } | undefined {
    const row = this.#newest.get(provider, paymentId);
    return row && { id: String(row.id), currency: String(row.currency) };
  }
  read({ provider, payment_id: paymentId }: Filter) {
    const providerOrNull = provider ?? null;
    const all = paymentId === undefined;
    const calls = (all ? this.#calls.all(providerOrNull) : this.#callsOf.all(providerOrNull, paymentId)).map(
      callFromRow,
    );
    const charges: Record<string, SimulatedCharge> = {};
    for (const row of all ? this.#charges.all(providerOrNull) : this.#chargesOf.all(providerOrNull, paymentId)) {
      const { payment_id: id, amount, refunded, currency, count } = row;
      charges[String(id)] = {
        amount: Number(amount),
        refunded: Number(refunded),
        currency: String(currency),
        count: Number(count),
      };
    }
    return { calls, charges };
  }
}

const orNull = (value: SQLOutputValue | undefined): string | null => (typeof value === 'string' ? value : null);

function callFromRow({
  provider,
  operation,
  payment_id,
  idempotency_key,
  status,
  at,
}: Record<string, SQLOutputValue>): SimulatedCall {
  const ids = { payment_id: orNull(payment_id), idempotency_key: orNull(idempotency_key) };
  return { provider: String(provider), operation: String(operation), ...ids, status: Number(status), at: String(at) };
}
