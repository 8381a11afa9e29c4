import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';
import {
  cardIssue,
  NO_WAY_TO_PAY,
  PAYER_NEEDED,
  processorResponse,
  walletIssue,
} from '#lib/simulators/paypal/declines.ts';
import { errorAnswer, impossible } from '#lib/simulators/paypal/errors.ts';
import { announceCapture, announceOrder } from '#lib/simulators/paypal/events.ts';
import { minorOf, plus } from '#lib/simulators/paypal/money.ts';
import {
  type Capture,
  newPaypalId,
  nextTime,
  type Order,
  type OrderNotes,
  payerPage,
  type StoredCapture,
  type StoredOrder,
} from '#lib/simulators/paypal/objects.ts';

export function changeOrder(
  work: Work,
  order: StoredOrder,
  change: Partial<Order>,
  notes: Partial<OrderNotes> = {},
): StoredOrder {
  const body = { ...order.body, ...change, update_time: nextTime(work.now, order.body.update_time) };
  return work.objects.put({ ...order, body, notes: { ...order.notes, ...notes } });
}

type InvoiceKind = 'capture' | 'refund';
const invoiceKey = ({ account }: Work, kind: InvoiceKind, invoice: string): string => `${kind} ${invoice} ${account}`;

/** An account takes an invoice id once, for captures and for refunds apart. */
export function checkInvoice(work: Work, kind: InvoiceKind, invoice: string | undefined): void {
  if (invoice !== undefined && work.objects.get(invoiceKey(work, kind, invoice)))
    throw impossible('DUPLICATE_INVOICE_ID', 'Duplicate Invoice ID detected.');
}

export function claimInvoice(work: Work, kind: InvoiceKind, invoice: string | undefined): void {
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

type Taken = { readonly order: StoredOrder } | { readonly refused: WireAnswer };

/** Takes the order's money, or finds that it can't. What a scenario had in store is used up by the try. */
export function take(work: Work, order: StoredOrder, behaviour: Behaviour | null): Taken {
  checkInvoice(work, 'capture', order.body.unit.invoice_id);
  const tried = work.objects.put({ ...order, notes: { ...order.notes, behaviour: null } });
  const issue = refusalOf(order, behaviour);
  if (issue) return { refused: refuse(order, issue) };
  if (behaviour?.kind === 'requires_action') {
    const waiting = changeOrder(work, tried, { status: 'PAYER_ACTION_REQUIRED' });
    return { refused: refuse(waiting, PAYER_NEEDED) };
  }
  return { order: settle(work, tried, behaviour) };
}

function refusalOf({ notes }: StoredOrder, behaviour: Behaviour | null) {
  if (notes.hopeless) return NO_WAY_TO_PAY;
  if (behaviour?.kind !== 'decline') return undefined;
  return notes.source === 'card' ? cardIssue(behaviour.code) : walletIssue(behaviour.code);
}

/** Remembered under the key: the same call gets the same no. */
function refuse({ id }: StoredOrder, issue: ReturnType<typeof walletIssue>): WireAnswer {
  return errorAnswer(422, [issue], {
    links: [{ href: payerPage(id), rel: 'redirect', method: 'GET' }],
    turnedAway: false,
  });
}

function settle(work: Work, order: StoredOrder, behaviour: Behaviour | null): StoredOrder {
  const { custom_id, invoice_id, amount } = order.body.unit;
  const declined = behaviour?.kind === 'decline';
  if (!declined) claimInvoice(work, 'capture', invoice_id);
  const time = nextTime(work.now);
  const capture = putCapture(work, order, {
    id: newPaypalId(),
    status: declined ? 'DECLINED' : 'PENDING',
    amount: behaviour?.kind === 'wrong_amount' ? plus(amount, 1) : amount,
    ...(behaviour?.kind === 'pending' && { status_details: { reason: 'PENDING_REVIEW' } }),
    ...(declined && { processor_response: processorResponse(behaviour.code) }),
    ...(custom_id !== undefined && { custom_id }),
    ...(invoice_id !== undefined && { invoice_id }),
    create_time: time,
    update_time: time,
  });
  const after = changeOrder(work, order, { status: 'COMPLETED' });
  if (declined) announceCapture(work, 'DECLINED', capture);
  else if (behaviour?.kind === 'pending') announceCapture(work, 'PENDING', capture);
  else completeCapture(work, capture);
  announceOrder(work, 'COMPLETED', after);
  return after;
}

function putCapture(work: Work, order: StoredOrder, body: Capture): StoredCapture {
  const { account, paymentId, notes } = order;
  return work.objects.put({
    id: body.id,
    account,
    kind: 'capture',
    paymentId,
    parent: order.id,
    due: null,
    body,
    notes: { webhook: notes.webhook },
  });
}

export function changeCapture(work: Work, capture: StoredCapture, change: Partial<Capture>): StoredCapture {
  return work.objects.put({
    ...capture,
    body: { ...capture.body, ...change, update_time: nextTime(work.now, capture.body.update_time) },
  });
}

/** Money moves, also where the capture was declined before: the bank has changed its mind. */
export function completeCapture(work: Work, capture: StoredCapture): StoredCapture {
  if (capture.body.status !== 'PENDING' && capture.body.status !== 'DECLINED') return capture;
  const { status_details: _, processor_response: __, ...body } = capture.body;
  const after = changeCapture(work, { ...capture, body }, { status: 'COMPLETED' });
  const { amount } = after.body;
  work.took({ id: after.id, paymentId: after.paymentId, amount: minorOf(amount), currency: amount.currency_code });
  announceCapture(work, 'COMPLETED', after);
  return after;
}

export function denyCapture(work: Work, capture: StoredCapture): StoredCapture {
  if (capture.body.status !== 'PENDING') return capture;
  const after = changeCapture(work, capture, {
    status: 'DECLINED',
    processor_response: processorResponse('card_declined'),
  });
  announceCapture(work, 'DENIED', after);
  return after;
}
