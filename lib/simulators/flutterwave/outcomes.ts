import { reasonFor } from '#lib/simulators/flutterwave/declines.ts';
import { announceCharge } from '#lib/simulators/flutterwave/events.ts';
import { toMajorAmount, toMinorUnits } from '#lib/simulators/flutterwave/money.ts';
import {
  ensureReference,
  FLW_REF,
  type Meta,
  newNumericId,
  type StoredTransaction,
  type Transaction,
  type TransactionNotes,
} from '#lib/simulators/flutterwave/objects.ts';
import type { MethodOutcome } from '#lib/simulators/flutterwave/test-methods.ts';
import type { Behaviour } from '#lib/simulators/kit/behaviour.ts';
import type { FinalOutcome, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

type TransactionInput = {
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

const AUTH_MODELS: Readonly<Record<string, string>> = { card: 'noauth', mpesa: 'LIPA_MPESA' };

const accountNumber = (work: UnitOfWork): number => Number.parseInt(work.account.slice(0, 5), 16);

export function newTransaction(work: UnitOfWork, input: TransactionInput): StoredTransaction {
  const { amount, currency, type } = input;
  const id = newNumericId(work);
  const major = toMajorAmount(amount, currency);
  const created_at = work.now.toISOString();
  const body: Transaction = {
    id,
    tx_ref: input.txRef,
    flw_ref: `${FLW_REF}${id}`,
    device_fingerprint: 'N/A',
    amount: major,
    currency,
    charged_amount: major,
    app_fee: toMajorAmount(feeOf(amount), currency),
    merchant_fee: 0,
    // M-Pesa is called successful as soon as the phone rings.
    processor_response: type === 'mpesa' ? 'Successful' : 'Pending',
    auth_model: AUTH_MODELS[type] ?? 'AUTH',
    ip: '::ffff:10.5.179.3',
    narration: work.accountName,
    status: 'pending',
    payment_type: type,
    created_at,
    account_id: accountNumber(work),
    ...(type === 'card' ? { card: CARD } : { fraud_status: 'ok', charge_type: 'normal' }),
    ...(type === 'mpesa' && { auth_url: 'N/A' }),
    meta: input.meta,
    customer: { id: id - 1, name: input.name, phone_number: input.phone ?? 'N/A', email: input.email, created_at },
  };
  const parent = ensureReference(work, input.txRef, input.paymentId);
  return work.objects.put({
    id: String(id),
    account: work.account,
    kind: 'transaction',
    paymentId: input.paymentId,
    parent,
    due: null,
    body,
    notes: input.notes,
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

const changeTransaction = (
  work: UnitOfWork,
  stored: StoredTransaction,
  body: Partial<Transaction>,
  notes: Partial<TransactionNotes> = {},
): StoredTransaction =>
  work.objects.put({ ...stored, body: { ...stored.body, ...body }, notes: { ...stored.notes, ...notes } });

const feeOf = (amount: number): number => Math.round(amount * 0.014);

/** Some accounts let the customer pay the fee; here those whose address has the tag `+fees`. */
const feeOfCustomer = ({ customer }: Transaction, amount: number): number =>
  customer.email.includes('+fees@') ? feeOf(amount) : 0;

/** Takes the money. `extra` minor units are added if a scenario wants a wrong amount. */
export function succeed(work: UnitOfWork, stored: StoredTransaction, extra = 0): StoredTransaction {
  const { currency } = stored.body;
  const amount = toMinorUnits(stored.body.amount, currency) + extra;
  const major = toMajorAmount(amount, currency);
  const success = {
    amount: major,
    charged_amount: toMajorAmount(amount + feeOfCustomer(stored.body, amount), currency),
    status: 'successful',
    processor_response: 'Approved by Financial Institution',
  } as const;
  const after = changeTransaction(
    work,
    stored,
    { ...success, amount_settled: toMajorAmount(amount - feeOf(amount), currency) },
    { waitsFor: null },
  );
  work.recordCharge({ id: stored.id, paymentId: stored.paymentId, amount, currency });
  announceCharge(work, after);
  return after;
}

export function fail(work: UnitOfWork, stored: StoredTransaction, reason: string): StoredTransaction {
  const after = changeTransaction(work, stored, { status: 'failed', processor_response: reason }, { waitsFor: null });
  announceCharge(work, after);
  return after;
}

/** One attempt to charge. A scenario overrides the behaviour of the payment method. */
export function attemptCharge(
  work: UnitOfWork,
  stored: StoredTransaction,
  behaviour: Behaviour | null,
  methodOutcome: MethodOutcome,
): StoredTransaction {
  switch (behaviour?.kind) {
    case 'approve':
      return succeed(work, stored);
    case 'wrong_amount':
      return succeed(work, stored, 1);
    case 'decline':
      return fail(work, stored, reasonFor(behaviour.code));
    case 'requires_action':
      return changeTransaction(work, stored, {}, { waitsFor: 'page' });
    case 'pending':
      return changeTransaction(work, stored, {}, { waitsFor: 'time' });
    default:
      return applyMethodOutcome(work, stored, methodOutcome);
  }
}

function applyMethodOutcome(
  work: UnitOfWork,
  stored: StoredTransaction,
  methodOutcome: MethodOutcome,
): StoredTransaction {
  if (methodOutcome === 'succeed') return succeed(work, stored);
  return typeof methodOutcome === 'object'
    ? fail(work, stored, methodOutcome.reason)
    : changeTransaction(work, stored, {}, { waitsFor: methodOutcome });
}

/** A charge may still succeed after it failed: the network approved late. */
export function settleTransaction(
  work: UnitOfWork,
  stored: StoredTransaction,
  outcome: FinalOutcome,
  reason: FailureCode = 'card_declined',
): StoredTransaction {
  work.setWebhookMode(stored.notes.webhook);
  const { status } = stored.body;
  if (outcome === 'succeeded')
    return status === 'successful'
      ? stored
      : succeed(work, stored, stored.notes.behaviour?.kind === 'wrong_amount' ? 1 : 0);
  return status === 'pending' ? fail(work, stored, reasonFor(reason)) : stored;
}
