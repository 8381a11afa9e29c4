import {
  APPROVED,
  AUTHENTICATION_REQUIRED,
  declineFor,
  NOT_AUTHENTICATED,
  type Refusal,
  type ResponseCode,
} from '#lib/simulators/checkout/declines.ts';
import { announce } from '#lib/simulators/checkout/events.ts';
import { toIsoUnits } from '#lib/simulators/checkout/money.ts';
import {
  type Action,
  type Balances,
  newId,
  type Payment,
  type PaymentNotes,
  type PaymentStatus,
  referenceId,
  type StoredAction,
  type StoredPayment,
} from '#lib/simulators/checkout/objects.ts';
import { keepInstrument, type TestSource } from '#lib/simulators/checkout/test-methods.ts';
import { type Behaviour, isApproval } from '#lib/simulators/kit/behaviour.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { DAY } from '#shared/kernel/clock.ts';

/** A payment after a change, and the action that caused it. */
export type PaymentChange = { readonly payment: StoredPayment; readonly action: Action };

/** A payment after an attempt. It has no action if nothing was sent to the issuer. */
export type Attempt = { readonly payment: StoredPayment; readonly action?: Action };

export const changePayment = (work: UnitOfWork, payment: StoredPayment, body: Partial<Payment>): StoredPayment =>
  work.objects.put({ ...payment, body: { ...payment.body, ...body } });

type ActionInput = Pick<Action, 'type' | 'amount'> &
  Partial<Pick<Action, 'approved' | 'reference' | 'metadata'>> & { readonly result?: ResponseCode };

/** An action without its own reference and metadata gets those of the payment. */
export function addAction(
  work: UnitOfWork,
  payment: StoredPayment,
  { type, amount, approved, result, reference, metadata }: ActionInput,
): StoredAction {
  const body: Action = {
    id: newId('act'),
    type,
    processed_on: work.now.toISOString(),
    amount,
    ...(approved !== undefined && { approved }),
    ...result,
    reference: reference ?? payment.body.reference,
    metadata: metadata ?? payment.body.metadata,
  };
  const { account, paymentId } = payment;
  return work.objects.put({
    id: body.id,
    account,
    kind: 'action',
    paymentId,
    parent: payment.id,
    due: null,
    body,
    notes: { webhook: payment.notes.webhook },
  });
}

const NO_BALANCES: Balances = {
  total_authorized: 0,
  total_voided: 0,
  available_to_void: 0,
  total_captured: 0,
  available_to_capture: 0,
  total_refunded: 0,
  available_to_refund: 0,
};

/** Money that nobody captures is held for so long. */
export const HOLD_MS = 7 * DAY;

/** Holds the money. `amount` differs from the request if a scenario wants a wrong amount. */
function authorize(work: UnitOfWork, pending: StoredPayment, amount = pending.body.amount): PaymentChange {
  const { capture: captures } = pending.notes;
  const before = captures ? pending : { ...pending, due: work.now.getTime() + HOLD_MS };
  const balances = {
    ...NO_BALANCES,
    total_authorized: amount,
    available_to_void: amount,
    available_to_capture: amount,
  };
  const facts = before.body.source.type === 'card' ? networkFacts(before) : {};
  const payment = changePayment(work, before, { status: 'Authorized', approved: true, amount, balances, ...facts });
  keepInstrument(work, { responseSource: payment.body.source });
  const action = addAction(work, payment, { type: 'Authorization', amount, approved: true, result: APPROVED }).body;
  const { currency } = payment.body;
  if (!captures)
    work.recordHold({ id: payment.id, paymentId: payment.paymentId, amount: toIsoUnits(amount, currency), currency });
  announce(work, 'payment_approved', payment, action);
  return { payment, action };
}

/** What the network tells of an approved payment. Visa's ids have 15 digits. */
const networkFacts = ({ id, body }: StoredPayment): Pick<Payment, 'eci' | 'scheme_id'> => ({
  scheme_id: `1${[...id].map((letter) => (letter.codePointAt(0) ?? 0) % 10).join('')}`.slice(0, 15),
  ...(body['3ds'] && { eci: '05' }),
});

/** Captures the whole amount, as the request of the payment wants it. */
function captureAtOnce(work: UnitOfWork, before: StoredPayment): void {
  const { amount, currency } = before.body;
  const balances = {
    ...before.body.balances,
    total_captured: amount,
    available_to_void: 0,
    available_to_capture: 0,
    available_to_refund: amount,
  };
  const payment = changePayment(work, before, { status: 'Captured', balances });
  const action = addAction(work, payment, { type: 'Capture', amount, approved: true, result: APPROVED }).body;
  work.recordCharge({ id: payment.id, paymentId: payment.paymentId, amount: toIsoUnits(amount, currency), currency });
  announce(work, 'payment_captured', payment, action);
}

/** Approves, then captures. The response shows the state in between. */
export function succeed(work: UnitOfWork, before: StoredPayment, amount = before.body.amount): PaymentChange {
  const authorized = authorize(work, before, amount);
  if (before.notes.capture) captureAtOnce(work, authorized.payment);
  return authorized;
}

export function decline(work: UnitOfWork, before: StoredPayment, { result, processing, secure }: Refusal): Attempt {
  const payment = changePayment(work, before, {
    status: 'Declined',
    approved: false,
    ...processingOf(result, processing),
    ...(secure && { '3ds': authentication(secure.authentication_response) }),
  });
  const { amount } = payment.body;
  const declined = { type: 'Authorization', amount, approved: false } as const;
  const action = result && addAction(work, payment, { ...declined, result }).body;
  if (result === NOT_AUTHENTICATED) announce(work, 'payment_authentication_failed', payment, action);
  announce(work, 'payment_declined', payment, action);
  return { payment, ...(action && { action }) };
}

/** The issuer's own code is in Checkout.com's, unless that is its own. */
function processingOf(result?: ResponseCode, advice?: Refusal['processing']): Pick<Payment, 'processing'> {
  const code = /^[23]00([0-9A-Z]{2})$/.exec(result?.response_code ?? '')?.[1];
  const processing = { ...(code !== undefined && { partner_response_code: code }), ...advice };
  return Object.keys(processing).length > 0 ? { processing } : {};
}

export const authentication = (authentication_response: string) => ({
  downgraded: false,
  enrolled: 'Y',
  authentication_response,
  version: '2.2.0',
});

function markPending(work: UnitOfWork, before: StoredPayment, redirect: boolean): StoredPayment {
  const payment: StoredPayment = work.objects.put({ ...before, notes: { ...before.notes, redirect } });
  announce(work, 'payment_pending', payment);
  return payment;
}

/** Ends a payment without money: the customer cancelled, or the merchant voided. Captured money stays. */
export function endPayment(
  work: UnitOfWork,
  before: StoredPayment,
  status: PaymentStatus & ('Canceled' | 'Voided'),
  own: Pick<ActionInput, 'reference' | 'metadata'> = {},
): PaymentChange {
  const voidable = before.body.balances.available_to_void;
  const balances = { ...before.body.balances, total_voided: voidable, available_to_void: 0, available_to_capture: 0 };
  const isCaptured = before.body.balances.total_captured > 0;
  const change = isCaptured ? { balances } : { status, approved: status === 'Voided', balances };
  const payment = changePayment(work, { ...before, due: null }, change);
  if (!before.notes.capture && voidable > 0) work.recordRelease(payment.id);
  const action = addAction(work, payment, {
    type: 'Void',
    amount: voidable,
    approved: true,
    result: APPROVED,
    ...own,
  }).body;
  announce(work, status === 'Voided' ? 'payment_voided' : 'payment_canceled', payment, action);
  return { payment, action };
}

type PaymentInput = Pick<Payment, 'amount' | 'currency' | 'payment_type' | 'reference' | 'description' | 'metadata'> & {
  readonly customer?: { readonly email?: string; readonly name?: string };
};

/** Stores a pending payment, which can be found by its reference. */
export function newPayment(
  work: UnitOfWork,
  source: TestSource,
  { customer, ...fields }: PaymentInput,
  notes: Omit<PaymentNotes, 'session' | 'redirect'>,
): StoredPayment {
  const id = newId('pay');
  const paymentId = typeof fields.metadata.payment_id === 'string' ? fields.metadata.payment_id : null;
  const session = newId('sid');
  const { account, now } = work;
  const base = { account, paymentId, due: null };
  const body: Payment = {
    id,
    requested_on: now.toISOString(),
    source: source.responseSource,
    ...fields,
    approved: false,
    status: 'Pending',
    balances: NO_BALANCES,
    risk: { flagged: false },
    ...(customer && { customer: { id: newId('cus'), ...customer } }),
  };
  work.objects.put({
    ...base,
    paymentId: null,
    id: session,
    kind: 'session',
    parent: null,
    body: { payment: id },
    notes: null,
  });
  const parent = fields.reference === undefined ? null : referenceId(fields.reference);
  return work.objects.put({
    ...base,
    id,
    kind: 'payment',
    parent,
    body,
    notes: { ...notes, session, redirect: false },
  });
}

type PlannedOutcome =
  | { readonly kind: 'succeed' | 'authenticate' | 'wait' }
  | { readonly kind: 'decline'; readonly refusal: Refusal };

/** The outcome that a scenario wants, if it wants one. */
function scenarioOutcome(behaviour: Behaviour | null): PlannedOutcome | undefined {
  if (isApproval(behaviour)) return { kind: 'succeed' };
  if (behaviour?.kind === 'decline') return { kind: 'decline', refusal: { result: declineFor(behaviour.code) } };
  if (behaviour?.kind === 'requires_action') return { kind: 'authenticate' };
  return behaviour?.kind === 'pending' ? { kind: 'wait' } : undefined;
}

/** An enrolled card authenticates if the request wants 3-D Secure, and is declined otherwise. */
function methodOutcome(source: TestSource, secure: boolean): PlannedOutcome {
  if (source.decline) return { kind: 'decline', refusal: source.decline };
  if (source.redirects) return { kind: 'authenticate' };
  if (source.enrolled)
    return secure ? { kind: 'authenticate' } : { kind: 'decline', refusal: { result: AUTHENTICATION_REQUIRED } };
  return { kind: source.pending ? 'wait' : 'succeed' };
}

/** One attempt to pay. A scenario overrides the behaviour of the payment method. */
export function attemptPayment(work: UnitOfWork, payment: StoredPayment, source: TestSource, secure: boolean): Attempt {
  const { behaviour } = payment.notes;
  const planned = scenarioOutcome(behaviour) ?? methodOutcome(source, secure);
  if (planned.kind === 'decline') return decline(work, payment, planned.refusal);
  if (planned.kind !== 'succeed') return { payment: markPending(work, payment, planned.kind === 'authenticate') };
  return succeed(work, payment, approvedUnits(payment));
}

/** What the bank approves. Only what is captured later can be approved in part. */
export function approvedUnits({ body: { amount }, notes: { behaviour, capture } }: StoredPayment): number {
  if (behaviour?.kind === 'wrong_amount') return amount + 1;
  return behaviour?.kind === 'partial_approval' && !capture ? Math.max(1, Math.floor(amount / 2)) : amount;
}
