import type { ScenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { BASE_URL } from '#lib/simulators/kit/wire.ts';
import { notFound } from '#lib/simulators/paystack/errors.ts';
import type { TestCard } from '#lib/simulators/paystack/test-methods.ts';

/** A step that a charge waits for, as the Charge API names it. */
export type ChargeStep =
  | 'send_pin'
  | 'send_otp'
  | 'send_phone'
  | 'send_birthday'
  | 'send_address'
  | 'open_url'
  | 'pay_offline'
  | 'pending_bank_transfer'
  | 'pending';

type TransactionStatus = 'abandoned' | 'ongoing' | 'pending' | 'success' | 'failed' | 'reversed';

/** The fields of a transaction that vary. `transactionView` adds the constant ones. */
export type Transaction = {
  readonly id: number;
  readonly domain: 'live' | 'test';
  readonly status: TransactionStatus;
  readonly reference: string;
  readonly amount: number;
  readonly requested_amount: number;
  readonly message: string | null;
  readonly gateway_response: string;
  readonly paid_at: string | null;
  readonly created_at: string;
  readonly channel: string;
  readonly currency: string;
  readonly metadata: unknown;
  readonly fees: number | null;
  readonly email: string;
  readonly attempts: number;
};

/** `steps`: what the customer must still do, the present step first. `behaviour` applies to the next attempt. */
export type TransactionNotes = ScenarioNotes & {
  readonly card: TestCard;
  readonly steps: readonly ChargeStep[];
  readonly responseFields: Readonly<Record<string, unknown>>;
  readonly accessCode: string | null;
  readonly callbackUrl: string | null;
  /** Whether the customer pays on Paystack's page, and so may try again. */
  readonly onPage: boolean;
  /** Refunded amount, pending refunds included. */
  readonly refunded: number;
  /** The customer pays the fees on top of what was asked for. */
  readonly feeOnTop?: boolean;
  /** The authorization that was charged. Without one the payment creates its own. */
  readonly authorizationCode?: string;
};

export type Refund = {
  readonly id: number;
  readonly integration: number;
  readonly transaction: number;
  readonly transaction_reference: string;
  readonly domain: 'live' | 'test';
  readonly currency: string;
  readonly amount: number;
  readonly status: 'pending' | 'processing' | 'processed' | 'failed' | 'needs-attention';
  readonly merchant_note: string;
  readonly customer_note: string;
  readonly refunded_by: string;
  readonly createdAt: string;
  readonly email: string;
};

export type StoredTransaction = StoredObject<Transaction, TransactionNotes>;
export type StoredRefund = StoredObject<Refund, Pick<ScenarioNotes, 'webhook'>>;

export const isTransaction = (stored: StoredObject): stored is StoredTransaction => stored.kind === 'transaction';
export const isRefund = (stored: StoredObject): stored is StoredRefund => stored.kind === 'refund';
/** Another id of a transaction: its number, or its access code. */
export const isAlias = (stored: StoredObject): boolean => stored.kind === 'alias';

export const INTEGRATION = 412_829;

/** Paystack's ids have ten digits. */
export const newNumericId = (): number => 1_000_000_000 + (Number.parseInt(randomId(9), 36) % 8_999_999_999);

export const newCode = (prefix = ''): string => prefix + randomId(15).toLowerCase();

export const AUTHORIZATION_PREFIX = 'AUTH_';

/** The authorization code that the transaction with this number creates. */
export const authorizationCode = (number: number): string => AUTHORIZATION_PREFIX + number.toString(36);

/** By reference, number or access code. Transactions of other accounts read as missing. */
export function findTransaction(work: UnitOfWork, id: string): StoredTransaction | undefined {
  const found = work.objects.get(id);
  const stored = found && isAlias(found) ? work.objects.get(found.parent ?? '') : found;
  return stored && isTransaction(stored) && stored.account === work.account ? stored : undefined;
}

export function getTransaction(work: UnitOfWork, id: string): StoredTransaction {
  const stored = findTransaction(work, id);
  if (!stored) throw notFound('Transaction reference not found.', 'transaction_not_found');
  return stored;
}

const customer = (email: string) => ({
  id: 84_312,
  first_name: null,
  last_name: null,
  email,
  customer_code: 'CUS_hcekca0j0bbg2m4',
  phone: null,
  metadata: null,
  risk_action: 'default',
  international_format_phone: null,
});

/** A payment creates an authorization to charge again. Only cards have reusable ones. */
const authorization = (code: string, last4: string, channel: string) => ({
  authorization_code: code,
  bin: '408408',
  last4,
  exp_month: '12',
  exp_year: '2030',
  channel,
  card_type: 'visa',
  bank: 'TEST BANK',
  country_code: 'NG',
  brand: 'visa',
  reusable: channel === 'card',
  signature: 'SIG_uSYN4fv1adlAuoij8QXh',
  account_name: null,
});

/** Of a transaction that failed: all fields are there, and empty. */
const NO_AUTHORIZATION = {
  ...Object.fromEntries(Object.keys(authorization('', '', '')).map((name) => [name, null])),
  reusable: false,
};

function authorizationOf({ id, status, channel }: Transaction, notes: TransactionNotes): object {
  const { card, authorizationCode: code = authorizationCode(id) } = notes;
  if (status === 'success') return authorization(code, card.last4, channel);
  return status === 'failed' ? NO_AUTHORIZATION : {};
}

/** A transaction as responses and events show it. */
export function transactionView({ body, notes }: StoredTransaction): object {
  const { email, attempts, ...rest } = body;
  return {
    ...rest,
    receipt_number: null,
    ip_address: '203.0.113.7',
    log: {
      start_time: 0,
      time_spent: 1,
      attempts,
      errors: body.status === 'failed' ? 1 : 0,
      success: body.status === 'success',
      mobile: false,
      input: [],
      history: [],
    },
    fees_split: null,
    authorization: authorizationOf(body, notes),
    customer: customer(email),
    plan: null,
    split: {},
    order_id: null,
    paidAt: body.paid_at,
    createdAt: body.created_at,
    pos_transaction_data: null,
    source: null,
    fees_breakdown: null,
    connect: null,
    transaction_date: body.created_at,
    plan_object: {},
    subaccount: {},
  };
}

/** A charge as the Charge API shows it: its transaction if it has ended, else its present step. */
export function chargeView(stored: StoredTransaction): object {
  const { body, notes } = stored;
  const [step] = notes.steps;
  if (body.status === 'success' || body.status === 'failed' || body.status === 'reversed')
    return transactionView(stored);
  if (step === undefined) return { ...transactionView(stored), status: 'pending' };
  return {
    reference: body.reference,
    status: step,
    ...(step === 'open_url' && { url: `${BASE_URL}/paystack/3ds/${notes.accessCode}` }),
    ...notes.responseFields,
  };
}

/** Lists name the transaction by its number alone. */
export const refundListView = (refund: Refund): object => ({ ...refundView(refund), transaction_reference: undefined });

export function refundView({ email, ...refund }: Refund): object {
  return {
    ...refund,
    dispute: null,
    settlement: null,
    channel: 'migs',
    expected_at: refund.createdAt,
    updatedAt: refund.createdAt,
    refunded_at: null,
    deducted_amount: refund.amount,
    fully_deducted: 1,
    bank_reference: null,
    reason: 'PARTIAL',
    customer: customer(email),
    refund_type: 'partial',
    transaction_amount: refund.amount,
    initiated_by: refund.refunded_by,
    refund_channel: 'card',
    session_id: null,
    collect_account_number: false,
  };
}
