import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { SimulatedCall, SimulatedCharge, SimulatedHold } from '#lib/simulators/simulators.port.ts';
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
/** The captures of one hold are one charge. */
const CHARGES = `SELECT payment_id, SUM(amount) amount, SUM(refunded) refunded, MIN(currency) currency,
  COUNT(DISTINCT COALESCE((SELECT hold FROM captures c WHERE c.provider = money.provider AND c.id = money.id), id)) count
  FROM money`;
const HOLDS = `SELECT payment_id, SUM(amount) authorized, SUM(captured) captured, SUM(released) released,
  MIN(currency) currency, COUNT(*) count FROM holds`;

type Capture = {
  readonly hold: string;
  readonly amount: number;
  /** The object that refunds name, where each capture has one of its own. */
  readonly id?: string;
};

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
  readonly #hold;
  readonly #captureHold;
  readonly #capture;
  readonly #captureOf;
  readonly #release;
  readonly #holds;
  readonly #holdsOf;
  readonly #newestHold;
  readonly #wasReleased;
  constructor(database: DatabaseSync) {
    this.#call = database.prepare(
      'INSERT INTO calls (provider, operation, payment_id, idempotency_key, status, at) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#charge = database.prepare(
      'INSERT INTO money (provider, id, payment_id, amount, refunded, currency) VALUES (?, ?, ?, ?, 0, ?)',
    );
    this.#refund = database.prepare('UPDATE money SET refunded = refunded + ? WHERE provider = ? AND id = ?');
    this.#calls = database.prepare(`${CALLS} WHERE ${ofProvider} ORDER BY seq`);
    this.#callsOf = database.prepare(`${CALLS} WHERE payment_id = ?2 AND ${ofProvider} ORDER BY seq`);
    this.#charges = database.prepare(`${CHARGES} WHERE ${ofProvider} GROUP BY payment_id`);
    this.#newest = database.prepare(
      `SELECT m.id, m.amount, m.currency FROM money m LEFT JOIN objects o ON o.provider = m.provider AND o.id = m.id
       WHERE m.payment_id = ?2 AND m.provider = ?1 ORDER BY o.seq DESC LIMIT 1`,
    );
    this.#chargesOf = database.prepare(`${CHARGES} WHERE payment_id = ?2 AND ${ofProvider} GROUP BY payment_id`);
    this.#hold = database.prepare('INSERT INTO holds VALUES (?, ?, ?, ?, 0, 0, ?)');
    this.#captureHold = database.prepare('UPDATE holds SET captured = captured + ?3 WHERE provider = ?1 AND id = ?2');
    this.#capture = database.prepare(
      `INSERT INTO money (provider, id, payment_id, amount, refunded, currency)
       SELECT provider, ?4, payment_id, ?3, 0, currency FROM holds WHERE provider = ?1 AND id = ?2
       ON CONFLICT (provider, id) DO UPDATE SET amount = amount + excluded.amount`,
    );
    this.#captureOf = database.prepare('INSERT OR IGNORE INTO captures VALUES (?, ?, ?)');
    this.#release = database.prepare(
      'UPDATE holds SET released = amount - captured WHERE provider = ? AND id = ? AND captured <= amount',
    );
    this.#newestHold = database.prepare(
      `SELECT h.id, h.currency FROM holds h LEFT JOIN objects o ON o.provider = h.provider AND o.id = h.id
       WHERE h.payment_id = ?2 AND h.provider = ?1 ORDER BY o.seq DESC LIMIT 1`,
    );
    this.#wasReleased = database.prepare('SELECT 1 FROM holds WHERE provider = ? AND id = ? AND released > 0');
    this.#holds = database.prepare(`${HOLDS} WHERE ${ofProvider} GROUP BY payment_id`);
    this.#holdsOf = database.prepare(`${HOLDS} WHERE payment_id = ?2 AND ${ofProvider} GROUP BY payment_id`);
  }
  recordCall({ provider, operation, payment_id, idempotency_key, status, at }: SimulatedCall): void {
    this.#call.run(provider, operation, payment_id, idempotency_key, status, at);
  }
  /** Records a charge that took money. Charges without one of our payment ids are not counted. */
  recordCharge(provider: Provider, { id, paymentId, amount, currency }: NewCharge): void {
    if (paymentId !== null) this.#charge.run(provider, id, paymentId, amount, currency.toUpperCase());
  }
  /** Records money that is reserved, and not taken. */
  recordHold(provider: Provider, { id, paymentId, amount, currency }: NewCharge): void {
    if (paymentId !== null) this.#hold.run(provider, id, paymentId, amount, currency.toUpperCase());
  }
  /** Takes reserved money. A negative amount takes a capture back that failed after it had succeeded. */
  recordCapture(provider: Provider, { hold, amount, id = hold }: Capture): void {
    this.#captureHold.run(provider, hold, amount);
    this.#capture.run(provider, hold, amount, id);
    this.#captureOf.run(provider, id, hold);
  }
  /** The rest of the reserved money is the customer's again. */
  recordRelease(provider: Provider, hold: string): void {
    this.#release.run(provider, hold);
  }
  /** Records refunded money. The amount is negative if a refund failed after it had succeeded. */
  recordRefund(provider: Provider, chargeId: string, amount: number): void {
    this.#refund.run(amount, provider, chargeId);
  }
  /** Whether money that this charge had reserved was given back. */
  wasReleased(provider: Provider, id: string): boolean {
    return this.#wasReleased.get(provider, id) !== undefined;
  }
  /** The last charge that reserved money for this payment. */
  newestHold(provider: Provider, paymentId: string): { readonly id: string; readonly currency: string } | undefined {
    const row = this.#newestHold.get(provider, paymentId);
    return row && { id: String(row.id), currency: String(row.currency) };
  }
  /** The last charge that took money for this payment. */
  newestCharge(
    provider: Provider,
    paymentId: string,
  ): { readonly id: string; readonly amount: number; readonly currency: string } | undefined {
    const row = this.#newest.get(provider, paymentId);
    return row && { id: String(row.id), amount: Number(row.amount), currency: String(row.currency) };
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
    const holds: Record<string, SimulatedHold> = {};
    for (const row of all ? this.#holds.all(providerOrNull) : this.#holdsOf.all(providerOrNull, paymentId))
      holds[String(row.payment_id)] = holdFromRow(row);
    // Without holds, the answer is that of a service that only charges at once.
    return { calls, charges, ...(Object.keys(holds).length > 0 && { holds }) };
  }
}

const holdFromRow = ({ authorized, captured, released, currency, count }: Row): SimulatedHold => ({
  authorized: Number(authorized),
  captured: Number(captured),
  released: Number(released),
  currency: String(currency),
  count: Number(count),
});

type Row = Record<string, SQLOutputValue>;

const orNull = (value: SQLOutputValue | undefined): string | null => (typeof value === 'string' ? value : null);

function callFromRow({ provider, operation, payment_id, idempotency_key, status, at }: Row): SimulatedCall {
  const ids = { payment_id: orNull(payment_id), idempotency_key: orNull(idempotency_key) };
  return { provider: String(provider), operation: String(operation), ...ids, status: Number(status), at: String(at) };
}
