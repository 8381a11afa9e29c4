import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import { offSessionBehaviour, scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { Call, FinalOutcome, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';
import { json, notFound, unprocessable } from '#lib/simulators/paypal/errors.ts';
import { announceOrder } from '#lib/simulators/paypal/events.ts';
import {
  behaviourIn,
  captureResource,
  capturesOf,
  isCapture,
  isOpen,
  isOrder,
  memberId,
  newPaypalId,
  nextTime,
  orderLinks,
  orderView,
  type StoredCapture,
  type StoredOrder,
} from '#lib/simulators/paypal/objects.ts';
import { changeOrder, checkInvoice, settleCapture, takePayment } from '#lib/simulators/paypal/outcomes.ts';
import {
  apiRoute,
  type FundingSource,
  readIntent,
  readSource,
  readUnit,
  wantsRepresentation,
} from '#lib/simulators/paypal/requests.ts';
import type { AuthenticationResult } from '#lib/simulators/paypal/test-methods.ts';
import { checkVaultId } from '#lib/simulators/paypal/vault.ts';

export function findOrder(work: UnitOfWork, id: string | undefined): StoredOrder {
  const found = findOwned(work, id, isOrder);
  if (!found) throw notFound();
  return found;
}

export function findCapture(work: UnitOfWork, id: string | undefined): StoredCapture {
  const found = findOwned(work, id, isCapture);
  if (!found) throw notFound();
  return found;
}

function createOrder(call: Call, work: UnitOfWork): WireResponse {
  const intent = readIntent(call.input);
  const unit = readUnit(call.input);
  checkVaultId(call.input, work);
  const source = readSource(call.input, call);
  if (source.immediate) checkInvoice(work, 'capture', unit.invoice_id);
  const order = putOrder(call, work, { unit, intent }, source);
  if (!source.immediate) return orderResponse(call, work, order);
  const requested = behaviourIn(call) ?? source.method.behaviour;
  const behaviour = source.payerAbsent ? offSessionBehaviour(requested) : requested;
  if (behaviour?.kind === 'requires_action')
    return orderResponse(
      call,
      work,
      changeOrder(work, order, { status: 'PAYER_ACTION_REQUIRED' }, { behaviour: null }),
    );
  const result = takePayment(work, order, behaviour);
  if ('order' in result) return orderResponse(call, work, result.order);
  changeOrder(work, order, { status: 'VOIDED' });
  return result.error;
}

function putOrder(
  call: Call,
  work: UnitOfWork,
  { unit, intent }: Pick<StoredOrder['body'], 'unit' | 'intent'>,
  { source, returnUrl, cancelUrl, immediate, responseSource, method, vault }: FundingSource,
): StoredOrder {
  const time = nextTime(work.now);
  const id = newPaypalId();
  const status = immediate ? 'APPROVED' : 'PAYER_ACTION_REQUIRED';
  const body = {
    id,
    intent,
    status,
    unit,
    payment_source: responseSource,
    payer: null,
    create_time: time,
    update_time: time,
  } as const;
  // A scenario for a page applies to the later capture. The page itself is the required action.
  const behaviour = behaviourIn(call);
  const notes = {
    behaviour: behaviour?.kind === 'requires_action' ? null : behaviour,
    source,
    returnUrl,
    cancelUrl,
    cannotPay: false,
    ...(vault && { vault }),
    // A scenario decides over the method of a test.
    processor: behaviour ? undefined : method.processor,
    authentication: method.authentication,
  };
  const { webhook } = scenarioNotes(call.scenario);
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

function orderResponse(call: Call, work: UnitOfWork, order: StoredOrder): WireResponse {
  const { id, status, payment_source } = order.body;
  return json(
    201,
    wantsRepresentation(call) ? orderView(work, order) : { id, status, payment_source, links: orderLinks(order) },
  );
}

/** Captures an approved order, once. Approval alone moves no money. */
function captureOrder(call: Call, work: UnitOfWork): WireResponse {
  const order = findOrder(work, call.params.id);
  checkIntent(order, 'CAPTURE');
  if (capturesOf(work, order).length > 0)
    throw unprocessable(
      'ORDER_ALREADY_CAPTURED',
      "Order already captured. If 'intent=CAPTURE' only one capture per order is allowed.",
    );
  return takeOrder(call, work, order);
}

export function checkIntent({ body }: StoredOrder, intent: StoredOrder['body']['intent']): void {
  if (body.intent !== intent)
    throw unprocessable('ACTION_DOES_NOT_MATCH_INTENT', `Order was created with an intent to ${body.intent}.`);
}

export function takeOrder(call: Call, work: UnitOfWork, order: StoredOrder): WireResponse {
  if (order.body.status !== 'APPROVED')
    throw unprocessable('ORDER_NOT_APPROVED', 'Payer has not yet approved the Order for payment.');
  if (call.scenario === null) work.setWebhookMode(order.notes.webhook);
  const result = takePayment(work, order, behaviourIn(call) ?? order.notes.behaviour);
  return 'error' in result ? result.error : json(201, orderView(work, result.order));
}

const AUTHENTICATED: AuthenticationResult = {
  liability_shift: 'POSSIBLE',
  three_d_secure: { enrollment_status: 'Y', authentication_status: 'Y' },
};

const NOT_AUTHENTICATED: AuthenticationResult = {
  liability_shift: 'NO',
  three_d_secure: { enrollment_status: 'Y', authentication_status: 'N' },
};

/** The payer approves. PayPal announces it; the merchant must capture. */
export function approveOrder(
  work: UnitOfWork,
  order: StoredOrder,
  change: Partial<StoredOrder['notes']> & { readonly authenticated?: boolean } = {},
): StoredOrder {
  const { authenticated = true, ...notes } = change;
  const result = authenticated ? (order.notes.authentication ?? AUTHENTICATED) : NOT_AUTHENTICATED;
  const { card } = order.body.payment_source;
  const payment_source =
    card === undefined ? order.body.payment_source : { card: { ...Object(card), authentication_result: result } };
  const payer = { payer_id: order.body.payer?.payer_id ?? memberId(newPaypalId()) };
  const after = changeOrder(work, order, { status: 'APPROVED', payment_source, payer }, notes);
  announceOrder(work, 'APPROVED', after);
  return after;
}

/** The payer only approves: a payer who cannot pay fails at the capture. */
export function settleOrder(work: UnitOfWork, order: StoredOrder, outcome: FinalOutcome): void {
  const [capture] = capturesOf(work, order);
  if (capture) settleCapture(work, capture, outcome);
  if (capture || !isOpen(order)) return;
  work.setWebhookMode(order.notes.webhook);
  if (outcome === 'succeeded') approveOrder(work, order);
  else if (order.notes.source === 'card') approveOrder(work, order, { authenticated: false });
  else approveOrder(work, order, { cannotPay: true });
}

export const paymentRoutes = [
  apiRoute('POST', '/v2/checkout/orders', 'create', createOrder),
  apiRoute('GET', '/v2/checkout/orders/{id}', 'fetch', ({ params }, work) =>
    json(200, orderView(work, findOrder(work, params.id))),
  ),
  apiRoute('POST', '/v2/checkout/orders/{id}/capture', 'confirm', captureOrder),
  apiRoute('GET', '/v2/payments/captures/{id}', 'fetch', ({ params }, work) =>
    json(200, captureResource(work, findCapture(work, params.id))),
  ),
];
