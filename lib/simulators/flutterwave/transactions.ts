import { wordsFor } from '#lib/simulators/flutterwave/declines.ts';
import { announceCharge } from '#lib/simulators/flutterwave/events.ts';
import { majorFrom, minorFrom } from '#lib/simulators/flutterwave/money.ts';
import {
  hang,
  type Meta,
  newNumber,
  type StoredTransaction,
  type Transaction,
  type TransactionNotes,
} from '#lib/simulators/flutterwave/objects.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

type Making = {
  readonly txRef: string;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly type: string;
  readonly email: string;
  readonly name: string;
  readonly phone: string | null;
  readonly meta: Meta | null;
  readonly paymentId: string | null;
  readonly notes: TransactionNotes;
};

const FLW_REF = 'FLW-MOCK-';

/** The id of the transaction that a `flw_ref` stands for. */
export const numberOf = (flwRef: string): string => flwRef.slice(FLW_REF.length);

const accountNumber = (work: Work): number => Number.parseInt(work.account.slice(0, 5), 16);

export function newTransaction(work: Work, making: Making): StoredTransaction {
  const { amount, currency, type } = making;
  const id = newNumber(work);
  const major = majorFrom(amount, currency);
  const created_at = work.now.toISOString();
  const body: Transaction = {
    id,
    tx_ref: making.txRef,
    flw_ref: `${FLW_REF}${id}`,
    device_fingerprint: 'N/A',
    amount: major,
    currency,
    charged_amount: major,
    app_fee: majorFrom(Math.round(amount * 0.014), currency),
    merchant_fee: 0,
    processor_response: 'Pending',
    auth_model: type === 'card' ? 'noauth' : 'AUTH',
    ip: '::ffff:10.5.179.3',
    narration: work.accountName,
    status: 'pending',
    payment_type: type,
    created_at,
    account_id: accountNumber(work),
    ...(type === 'card' && { card: CARD }),
    meta: making.meta,
    customer: { id: id - 1, name: making.name, phone_number: making.phone ?? 'N/A', email: making.email, created_at },
  };
  const parent = hang(work, making.txRef, making.paymentId);
  return work.objects.put({
    id: String(id),
    account: work.account,
    kind: 'transaction',
    paymentId: making.paymentId,
    parent,
    due: null,
    body,
    notes: making.notes,
  });
}

const CARD = {
  first_6digits: '553188',
  last_4digits: '2950',
  issuer: 'SIMULATED BANK',
  country: 'NG',
  type: 'MASTERCARD',
  expiry: '09/32',
};

export const change = (
  work: Work,
  stored: StoredTransaction,
  body: Partial<Transaction>,
  notes: Partial<TransactionNotes> = {},
): StoredTransaction =>
  work.objects.put({ ...stored, body: { ...stored.body, ...body }, notes: { ...stored.notes, ...notes } });

/** Money is taken. `extra` minor units where a scenario makes the amount another. */
export function succeed(work: Work, stored: StoredTransaction, extra = 0): StoredTransaction {
  const { currency } = stored.body;
  const amount = minorFrom(stored.body.amount, currency) + extra;
  const major = majorFrom(amount, currency);
  const paid = {
    amount: major,
    charged_amount: major,
    status: 'successful',
    processor_response: 'Approved by Financial Institution',
  } as const;
  const after = change(
    work,
    stored,
    { ...paid, amount_settled: majorFrom(amount - Math.round(amount * 0.014), currency) },
    { waitsFor: null },
  );
  work.took({ id: stored.id, paymentId: stored.paymentId, amount, currency });
  announceCharge(work, after);
  return after;
}

export function fail(work: Work, stored: StoredTransaction, code: FailureCode): StoredTransaction {
  const after = change(work, stored, { status: 'failed', processor_response: wordsFor(code) }, { waitsFor: null });
  announceCharge(work, after);
  return after;
}
