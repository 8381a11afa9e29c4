import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import { following } from '#lib/simulators/frame/following.ts';
import { ownOf } from '#lib/simulators/frame/own.ts';
import type { Call, Work } from '#lib/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';
import { api, wantsAll } from '#lib/simulators/paypal/api.ts';
import { impossible, json, missing } from '#lib/simulators/paypal/errors.ts';
import { announceOrder } from '#lib/simulators/paypal/events.ts';
import { readSource, readUnit, type Source } from '#lib/simulators/paypal/new-order.ts';
import {
  behaviourIn,
  capturesOf,
  isCapture,
  isOrder,
  linksOf,
  memberId,
  newPaypalId,
  nextTime,
  type StoredCapture,
  type StoredOrder,
  showCapture,
  showOrder,
} from '#lib/simulators/paypal/objects.ts';
import { changeOrder, checkInvoice, take } from '#lib/simulators/paypal/taking.ts';

function findOrder(work: Work, id: string | undefined): StoredOrder {
  const found = ownOf(work, id, isOrder);
  if (!found) throw missing();
  return found;
}

export function findCapture(work: Work, id: string | undefined): StoredCapture {
  const found = ownOf(work, id, isCapture);
  if (!found) throw missing();
  return found;
}

function create(call: Call, work: Work): WireAnswer {
  const unit = readUnit(call.input);
  const source = readSource(call.input, call);
  if (source.atOnce) checkInvoice(work, 'capture', unit.invoice_id);
  const order = putOrder(call, work, unit, source);
  if (!source.atOnce) return created(call, work, order);
  const behaviour = wherePayerIs(source, behaviourIn(call) ?? source.says);
  if (behaviour?.kind === 'requires_action')
    return created(call, work, changeOrder(work, order, { status: 'PAYER_ACTION_REQUIRED' }, { behaviour: null }));
  const taken = take(work, order, behaviour);
  if ('order' in taken) return created(call, work, taken.order);
  changeOrder(work, order, { status: 'VOIDED' });
  return taken.refused;
}

/** A payer who is away can't be asked: the bank declines, as PayPal does for its accounts. */
const wherePayerIs = ({ away }: Source, behaviour: Behaviour | null): Behaviour | null =>
  away && behaviour?.kind === 'requires_action' ? { kind: 'decline', code: 'authentication_required' } : behaviour;

function putOrder(
  call: Call,
  work: Work,
  unit: ReturnType<typeof readUnit>,
  { source, returnUrl, cancelUrl, atOnce, shown }: Source,
): StoredOrder {
  const time = nextTime(work.now);
  const id = newPaypalId();
  const status = atOnce ? 'APPROVED' : 'PAYER_ACTION_REQUIRED';
  const body = {
    id,
    intent: 'CAPTURE',
    status,
    unit,
    payment_source: shown,
    payer: null,
    create_time: time,
    update_time: time,
  } as const;
  // At a page the scenario waits for the payer; a question of the bank is the page itself.
  const behaviour = behaviourIn(call);
  const notes = {
    behaviour: behaviour?.kind === 'requires_action' ? null : behaviour,
    source,
    returnUrl,
    cancelUrl,
    hopeless: false,
  };
  const { webhook } = following(call.script);
  return work.objects.put({
    id,
    account: work.account,
    kind: 'order',
    paymentId: call.paymentId,
    parent: null,
    due: null,
    body,
    notes: { ...notes, webhook },
  });
}

function created(call: Call, work: Work, order: StoredOrder): WireAnswer {
  const { id, status, payment_source } = order.body;
  return json(201, wantsAll(call) ? showOrder(work, order) : { id, status, payment_source, links: linksOf(order) });
}

/** Approval alone moves no money: this does, once an order. */
function capture(call: Call, work: Work): WireAnswer {
  const order = findOrder(work, call.params.id);
  const { status } = order.body;
  if (capturesOf(work, order).length > 0)
    throw impossible(
      'ORDER_ALREADY_CAPTURED',
      "Order already captured. If 'intent=CAPTURE' only one capture per order is allowed.",
    );
  if (status !== 'APPROVED')
    throw impossible('ORDER_NOT_APPROVED', 'Payer has not yet approved the Order for payment.');
  if (call.script === null) work.sendBy(order.notes.webhook);
  const taken = take(work, order, behaviourIn(call) ?? order.notes.behaviour);
  return 'refused' in taken ? taken.refused : json(201, showOrder(work, taken.order));
}

/** The payer approves. PayPal reports it; only the merchant's capture moves money. */
export function approve(
  work: Work,
  order: StoredOrder,
  change: Partial<StoredOrder['notes']> & { readonly authenticated?: boolean } = {},
): StoredOrder {
  const { authenticated = true, ...notes } = change;
  const result = authenticated
    ? { liability_shift: 'POSSIBLE', three_d_secure: { enrollment_status: 'Y', authentication_status: 'Y' } }
    : { liability_shift: 'NO', three_d_secure: { enrollment_status: 'Y', authentication_status: 'N' } };
  const { card } = order.body.payment_source;
  const payment_source =
    card === undefined ? order.body.payment_source : { card: { ...Object(card), authentication_result: result } };
  const payer = { payer_id: order.body.payer?.payer_id ?? memberId(newPaypalId()) };
  const after = changeOrder(work, order, { status: 'APPROVED', payment_source, payer }, notes);
  announceOrder(work, 'APPROVED', after);
  return after;
}

export const orderRoutes = [
  api('POST', '/v2/checkout/orders', 'create', create),
  api('GET', '/v2/checkout/orders/{id}', 'fetch', ({ params }, work) =>
    json(200, showOrder(work, findOrder(work, params.id))),
  ),
  api('POST', '/v2/checkout/orders/{id}/capture', 'confirm', capture),
  api('GET', '/v2/payments/captures/{id}', 'fetch', ({ params }, work) =>
    json(200, showCapture(work, findCapture(work, params.id))),
  ),
];
