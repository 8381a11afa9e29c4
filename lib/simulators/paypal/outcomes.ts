import type { Behaviour } from '#lib/simulators/kit/behaviour.ts';
import type { FinalOutcome, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';
import {
  APPROVED_RESPONSE,
  cardIssue,
  PAYER_ACTION_REQUIRED,
  PAYER_CANNOT_PAY,
  processorResponse,
  walletIssue,
} from '#lib/simulators/paypal/declines.ts';
import { errorResponse, unprocessable } from '#lib/simulators/paypal/errors.ts';
import { announceAuthorization, announceCapture, announceOrder } from '#lib/simulators/paypal/events.ts';
import { type Money, plus, portion, toMinorUnits } from '#lib/simulators/paypal/money.ts';
import {
  type Authorization,
  type Capture,
  newPaypalId,
  nextTime,
  type Order,
  type OrderNotes,
  payerPageUrl,
  type StoredAuthorization,
  type StoredCapture,
  type StoredOrder,
} from '#lib/simulators/paypal/objects.ts';
import { CARD_BRAND } from '#lib/simulators/paypal/requests.ts';
import { keptSource } from '#lib/simulators/paypal/vault.ts';
import { DAY } from '#shared/kernel/clock.ts';

export function changeOrder(
  work: UnitOfWork,
  order: StoredOrder,
  change: Partial<Order>,
  notes: Partial<OrderNotes> = {},
): StoredOrder {
  const body = { ...order.body, ...change, update_time: nextTime(work.now, order.body.update_time) };
  return work.objects.put({ ...order, body, notes: { ...order.notes, ...notes } });
}

type InvoiceKind = 'capture' | 'refund';
const invoiceKey = ({ account }: UnitOfWork, kind: InvoiceKind, invoice: string): string =>
  `${kind} ${invoice} ${account}`;

/** An account can use an invoice id once for captures, and once for refunds. */
export function checkInvoice(work: UnitOfWork, kind: InvoiceKind, invoice: string | undefined): void {
  if (invoice !== undefined && work.objects.get(invoiceKey(work, kind, invoice)))
    throw unprocessable('DUPLICATE_INVOICE_ID', 'Duplicate Invoice ID detected.');
}

export function claimInvoice(work: UnitOfWork, kind: InvoiceKind, invoice: string | undefined): void {
  if (invoice === undefined) return;
  const id = invoiceKey(work, kind, invoice);
  work.objects.put({
    id,
    account: work.account,
    kind: 'invoice',
    paymentId: null,
    parent: null,
    due: null,
    body: {},
    notes: {},
  });
}

type TakeResult = { readonly order: StoredOrder } | { readonly error: WireResponse };

/** Attempts to take the order's money. The attempt uses up the scenario. */
export function takePayment(work: UnitOfWork, order: StoredOrder, behaviour: Behaviour | null): TakeResult {
  checkInvoice(work, 'capture', order.body.unit.invoice_id);
  const attempted = work.objects.put({ ...order, notes: { ...order.notes, behaviour: null } });
  const issue = issueOf(order, behaviour);
  if (issue) return { error: declineResponse(order, issue) };
  if (behaviour?.kind === 'requires_action') {
    const waiting = changeOrder(work, attempted, { status: 'PAYER_ACTION_REQUIRED' });
    return { error: declineResponse(waiting, PAYER_ACTION_REQUIRED) };
  }
  const record = attempted.body.intent === 'AUTHORIZE' ? recordAuthorization : recordCapture;
  return { order: record(work, attempted, behaviour) };
}

function issueOf({ notes }: StoredOrder, behaviour: Behaviour | null) {
  if (notes.cannotPay) return PAYER_CANNOT_PAY;
  if (behaviour?.kind !== 'decline' || notes.processor) return undefined;
  return notes.source === 'card' ? cardIssue(behaviour.code) : walletIssue(behaviour.code);
}

/** The idempotency key stores this response: a repeated call is declined too. */
function declineResponse({ id }: StoredOrder, issue: ReturnType<typeof walletIssue>): WireResponse {
  return errorResponse(422, [issue], {
    links: [{ href: payerPageUrl(id), rel: 'redirect', method: 'GET' }],
    rejected: false,
  });
}

function recordCapture(work: UnitOfWork, order: StoredOrder, behaviour: Behaviour | null): StoredOrder {
  const { custom_id, invoice_id, amount } = order.body.unit;
  const declined = behaviour?.kind === 'decline';
  if (!declined) claimInvoice(work, 'capture', invoice_id);
  const time = nextTime(work.now);
  const capture = putCapture(work, order, {
    id: newPaypalId(),
    status: declined ? 'DECLINED' : 'PENDING',
    amount: behaviour?.kind === 'wrong_amount' ? plus(amount, 1) : amount,
    ...(behaviour?.kind === 'pending' && { status_details: { reason: 'PENDING_REVIEW' } }),
    ...processorFields(order, behaviour),
    ...(custom_id !== undefined && { custom_id }),
    ...(invoice_id !== undefined && { invoice_id }),
    create_time: time,
    update_time: time,
  });
  const after = changeOrder(work, order, { status: 'COMPLETED', ...(!declined && keptSource(work, order)) });
  if (declined) announceCapture(work, 'DECLINED', capture);
  else if (behaviour?.kind === 'pending') announceCapture(work, 'PENDING', capture);
  else completeCapture(work, capture);
  announceOrder(work, 'COMPLETED', after);
  return after;
}

/** Captures of cards show the processor's codes; those of accounts only where a code declined them. */
export function processorFields(
  { notes }: StoredOrder,
  behaviour: Behaviour | null,
): Pick<Capture, 'processor_response' | 'network_transaction_reference'> {
  const declined = behaviour?.kind === 'decline';
  const processor_response = declined ? (notes.processor ?? processorResponse(behaviour.code)) : APPROVED_RESPONSE;
  if (notes.source !== 'card') return declined ? { processor_response } : {};
  const network_transaction_reference = { id: '000000000000000', date: '0101', network: CARD_BRAND };
  return { processor_response, network_transaction_reference };
}

/** PayPal reserves the money for so long. */
const AUTHORIZATION_MS = 29 * DAY;

/** Reserves the order's money for later captures. */
function recordAuthorization(work: UnitOfWork, order: StoredOrder, behaviour: Behaviour | null): StoredOrder {
  const { custom_id, invoice_id } = order.body.unit;
  const denied = behaviour?.kind === 'decline';
  const time = nextTime(work.now);
  const end = nextTime(new Date(work.now.getTime() + AUTHORIZATION_MS));
  const due = Date.parse(end);
  const body: Authorization = {
    id: newPaypalId(),
    status: denied ? 'DENIED' : 'PENDING',
    amount: approvedAmount(order, behaviour),
    ...processorFields(order, behaviour),
    ...(custom_id !== undefined && { custom_id }),
    ...(invoice_id !== undefined && { invoice_id }),
    expiration_time: end,
    create_time: time,
    update_time: time,
  };
  const { account, paymentId, notes } = order;
  const kept = { account, kind: 'authorization', paymentId, parent: order.id, notes: { webhook: notes.webhook } };
  const authorization: StoredAuthorization = work.objects.put({ ...kept, id: body.id, due: denied ? null : due, body });
  const after = changeOrder(work, order, { status: 'COMPLETED', ...(!denied && keptSource(work, order)) });
  if (!denied && behaviour?.kind !== 'pending') authorize(work, authorization);
  return after;
}

function approvedAmount({ body: { unit } }: StoredOrder, behaviour: Behaviour | null): Money {
  if (behaviour?.kind === 'wrong_amount') return plus(unit.amount, 1);
  return behaviour?.kind === 'partial_approval' ? portion(unit.amount, 0.5) : unit.amount;
}

export function authorize(work: UnitOfWork, authorization: StoredAuthorization): StoredAuthorization {
  const { amount, status } = authorization.body;
  if (status !== 'PENDING') return authorization;
  const after = changeAuthorization(work, authorization, { status: 'CREATED' });
  const { id, paymentId } = after;
  work.recordHold({ id, paymentId, amount: toMinorUnits(amount), currency: amount.currency_code });
  announceAuthorization(work, 'CREATED', after);
  return after;
}

export const changeAuthorization = (
  work: UnitOfWork,
  authorization: StoredAuthorization,
  change: Partial<Authorization>,
  due = authorization.due,
): StoredAuthorization => {
  const update_time = nextTime(work.now, authorization.body.update_time);
  return work.objects.put({ ...authorization, due, body: { ...authorization.body, ...change, update_time } });
};

export function putCapture(
  work: UnitOfWork,
  order: StoredOrder,
  body: Capture,
  notes: Partial<StoredCapture['notes']> = {},
): StoredCapture {
  const { account, paymentId } = order;
  return work.objects.put({
    id: body.id,
    account,
    kind: 'capture',
    paymentId,
    parent: order.id,
    due: null,
    body,
    notes: { webhook: order.notes.webhook, ...notes },
  });
}

export function changeCapture(work: UnitOfWork, capture: StoredCapture, change: Partial<Capture>): StoredCapture {
  return work.objects.put({
    ...capture,
    body: { ...capture.body, ...change, update_time: nextTime(work.now, capture.body.update_time) },
  });
}

/** Takes the money, also after a decline: the bank approved late. */
export function completeCapture(work: UnitOfWork, capture: StoredCapture): StoredCapture {
  if (capture.body.status !== 'PENDING' && capture.body.status !== 'DECLINED') return capture;
  const { status_details: _, processor_response: response, ...body } = capture.body;
  const approved = response && body.network_transaction_reference ? { processor_response: APPROVED_RESPONSE } : {};
  const after = changeCapture(work, { ...capture, body }, { status: 'COMPLETED', ...approved });
  const amount = toMinorUnits(after.body.amount);
  const { authorization: hold } = after.notes;
  const { currency_code: currency } = after.body.amount;
  if (hold) work.recordCapture({ hold, id: after.id, amount });
  else work.recordCharge({ id: after.id, paymentId: after.paymentId, amount, currency });
  announceCapture(work, 'COMPLETED', after);
  return after;
}

/** After these codes PayPal finds out what the bank decided. */
const UNDECIDED_CODES: ReadonlySet<string> = new Set(['0800', 'PPIF']);

function denyCapture(work: UnitOfWork, capture: StoredCapture): StoredCapture {
  const { status, processor_response: response } = capture.body;
  const isUndecided = status === 'DECLINED' && UNDECIDED_CODES.has(response?.response_code ?? '');
  if (status !== 'PENDING' && !isUndecided) return capture;
  const after = changeCapture(work, capture, {
    status: 'DECLINED',
    processor_response: processorResponse('card_declined'),
  });
  announceCapture(work, 'DENIED', after);
  return after;
}

export function settleCapture(work: UnitOfWork, capture: StoredCapture, outcome: FinalOutcome): void {
  work.setWebhookMode(capture.notes.webhook);
  if (outcome === 'succeeded') completeCapture(work, capture);
  else denyCapture(work, capture);
}
