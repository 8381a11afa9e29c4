import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import { textAt } from '#lib/simulators/kit/json.ts';
import type { Call, FinalOutcome, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';
import { json, notFound, unprocessable } from '#lib/simulators/paypal/errors.ts';
import { announceAuthorization, announceCapture } from '#lib/simulators/paypal/events.ts';
import { isGreater, isZero, type Money, minus, readMoney } from '#lib/simulators/paypal/money.ts';
import {
  authorizationOf,
  authorizationResource,
  behaviourIn,
  captureResource,
  capturesOf,
  isAuthorization,
  newPaypalId,
  nextTime,
  type StoredAuthorization,
  type StoredCapture,
  type StoredOrder,
} from '#lib/simulators/paypal/objects.ts';
import {
  authorize,
  changeAuthorization,
  checkInvoice,
  claimInvoice,
  completeCapture,
  processorFields,
  putCapture,
  settleCapture,
} from '#lib/simulators/paypal/outcomes.ts';
import { checkIntent, findOrder, settleOrder, takeOrder } from '#lib/simulators/paypal/payments.ts';
import { apiRoute } from '#lib/simulators/paypal/requests.ts';

function findAuthorization(work: UnitOfWork, id: string | undefined): StoredAuthorization {
  const found = findOwned(work, id, isAuthorization);
  if (!found) throw notFound();
  return found;
}

/** Authorizes an approved order, once. */
function authorizeOrder(call: Call, work: UnitOfWork): WireResponse {
  const order = findOrder(work, call.params.id);
  checkIntent(order, 'AUTHORIZE');
  if (authorizationOf(work, order)) throw unprocessable('ORDER_ALREADY_AUTHORIZED', 'Order already authorized.');
  return takeOrder(call, work, order);
}

/** The captures of an authorization that took or may take money. */
function takenOf(work: UnitOfWork, { parent }: StoredAuthorization): readonly StoredCapture[] {
  return capturesOf(work, findOrder(work, parent ?? '')).filter(({ body }) => body.status !== 'DECLINED');
}

const leftOf = (work: UnitOfWork, authorization: StoredAuthorization): Money =>
  minus(
    authorization.body.amount,
    takenOf(work, authorization).map(({ body }) => body.amount),
  );

/** Why this state of an authorization takes no capture. */
const REFUSALS: Readonly<Record<string, readonly [issue: string, description: string]>> = {
  VOIDED: ['AUTHORIZATION_VOIDED', 'A voided authorization cannot be captured or reauthorized.'],
  DENIED: ['AUTHORIZATION_DENIED', 'A denied authorization cannot be captured.'],
  PENDING: ['AUTHORIZATION_DENIED', 'A pending authorization cannot be captured.'],
  CAPTURED: ['AUTHORIZATION_ALREADY_CAPTURED', 'Authorization has already been captured.'],
};

function captureAmount({ input }: Call, work: UnitOfWork, authorization: StoredAuthorization): Money {
  const { status, amount: authorized } = authorization.body;
  const refusal = REFUSALS[status];
  if (refusal) throw unprocessable(...refusal);
  const left = leftOf(work, authorization);
  const amount = input.amount === undefined ? left : readMoney(input.amount, '/amount');
  if (amount.currency_code !== authorized.currency_code)
    throw unprocessable(
      'AUTH_CAPTURE_CURRENCY_MISMATCH',
      'Currency of capture must be the same as currency of authorization.',
      '/amount/currency_code',
    );
  if (isGreater(amount, left))
    throw unprocessable('MAX_CAPTURE_AMOUNT_EXCEEDED', 'Capture amount exceeds allowable limit.', '/amount/value');
  return amount;
}

function captureAuthorization(call: Call, work: UnitOfWork): WireResponse {
  const authorization = findAuthorization(work, call.params.id);
  const order = findOrder(work, authorization.parent ?? '');
  const amount = captureAmount(call, work, authorization);
  const invoice_id = textAt(call.input, 'invoice_id') ?? undefined;
  checkInvoice(work, 'capture', invoice_id);
  const behaviour = behaviourIn(call);
  const time = nextTime(work.now);
  const declined = behaviour?.kind === 'decline';
  const { custom_id } = authorization.body;
  const capture = putCapture(
    work,
    order,
    {
      id: newPaypalId(),
      status: declined ? 'DECLINED' : 'PENDING',
      amount,
      ...(behaviour?.kind === 'pending' && { status_details: { reason: 'PENDING_REVIEW' } }),
      ...processorFields(order, behaviour),
      ...(custom_id !== undefined && { custom_id }),
      ...(invoice_id !== undefined && { invoice_id }),
      create_time: time,
      update_time: time,
    },
    {
      authorization: authorization.id,
      final: call.input.final_capture === true,
      webhook: scenarioNotes(call.scenario).webhook,
    },
  );
  if (!declined) claimInvoice(work, 'capture', invoice_id);
  return json(201, captureResource(work, decide(work, authorization, capture, behaviour?.kind)));
}

/** A declined capture leaves the authorization as it was. */
function decide(
  work: UnitOfWork,
  authorization: StoredAuthorization,
  capture: StoredCapture,
  behaviour: string | undefined,
): StoredCapture {
  if (behaviour === 'decline') {
    announceCapture(work, 'DECLINED', capture);
    return capture;
  }
  const done = capture.notes.final || isZero(leftOf(work, authorization));
  changeAuthorization(
    work,
    authorization,
    { status: done ? 'CAPTURED' : 'PARTIALLY_CAPTURED' },
    done ? null : authorization.due,
  );
  const isPending = behaviour === 'pending';
  if (isPending) announceCapture(work, 'PENDING', capture);
  const after = isPending ? capture : completeCapture(work, capture);
  if (done && !isPending) work.recordRelease(authorization.id);
  return after;
}

/** Gives back what is not captured. Captured money stays. */
function voidAuthorization(call: Call, work: UnitOfWork): WireResponse {
  const authorization = findAuthorization(work, call.params.id);
  const { status } = authorization.body;
  if (status === 'VOIDED') throw unprocessable('PREVIOUSLY_VOIDED', 'Authorization has been previously voided.');
  if (status === 'CAPTURED')
    throw unprocessable(
      'PREVIOUSLY_CAPTURED',
      'Authorization has been previously captured and hence cannot be voided.',
    );
  return json(200, authorizationResource(work, release(work, authorization)));
}

function release(work: UnitOfWork, authorization: StoredAuthorization): StoredAuthorization {
  const after = changeAuthorization(work, authorization, { status: 'VOIDED' }, null);
  work.recordRelease(authorization.id);
  announceAuthorization(work, 'VOIDED', after);
  return after;
}

/** Nobody captured it in time. */
export function expireAuthorization(work: UnitOfWork, authorization: StoredAuthorization): void {
  work.setWebhookMode(authorization.notes.webhook);
  if (authorization.body.status === 'PENDING') changeAuthorization(work, authorization, { status: 'DENIED' }, null);
  else release(work, authorization);
}

export function settleAuthorization(work: UnitOfWork, authorization: StoredAuthorization, outcome: FinalOutcome): void {
  work.setWebhookMode(authorization.notes.webhook);
  if (outcome === 'succeeded') authorize(work, authorization);
  else if (authorization.body.status === 'PENDING')
    changeAuthorization(work, authorization, { status: 'DENIED' }, null);
}

/** The bank ends a pending capture. One that is denied leaves its authorization open again. */
export function settleHeldCapture(work: UnitOfWork, capture: StoredCapture, outcome: FinalOutcome): void {
  settleCapture(work, capture, outcome);
  const { authorization, final } = capture.notes;
  if (!authorization) return;
  if (outcome === 'failed') reopen(work, capture);
  else if (final) work.recordRelease(authorization);
}

/** The order of a later capture: its newest capture, or its authorization. */
export function settleAuthorizedOrder(work: UnitOfWork, order: StoredOrder, outcome: FinalOutcome): void {
  const capture = capturesOf(work, order).at(-1);
  const authorization = authorizationOf(work, order);
  if (capture) settleHeldCapture(work, capture, outcome);
  else if (authorization) settleAuthorization(work, authorization, outcome);
  else settleOrder(work, order, outcome);
}

function reopen(work: UnitOfWork, capture: StoredCapture): void {
  const authorization = findOwned(work, capture.notes.authorization, isAuthorization);
  if (authorization?.body.status !== 'CAPTURED' && authorization?.body.status !== 'PARTIALLY_CAPTURED') return;
  const taken = takenOf(work, authorization);
  const due = Date.parse(authorization.body.expiration_time);
  changeAuthorization(work, authorization, { status: taken.length > 0 ? 'PARTIALLY_CAPTURED' : 'CREATED' }, due);
}

export const authorizationRoutes = [
  apiRoute('POST', '/v2/checkout/orders/{id}/authorize', 'confirm', authorizeOrder),
  apiRoute('GET', '/v2/payments/authorizations/{id}', 'fetch', ({ params }, work) =>
    json(200, authorizationResource(work, findAuthorization(work, params.id))),
  ),
  apiRoute('POST', '/v2/payments/authorizations/{id}/capture', 'capture', captureAuthorization),
  apiRoute('POST', '/v2/payments/authorizations/{id}/void', 'cancel', voidAuthorization),
];
