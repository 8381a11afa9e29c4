import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { FinalOutcome, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { invalidState, notFound } from '#lib/simulators/mollie/errors.ts';
import { announceCapture } from '#lib/simulators/mollie/events.ts';
import { halPage } from '#lib/simulators/mollie/lists.ts';
import { amountOf, minorUnits, readAmount } from '#lib/simulators/mollie/money.ts';
import {
  type Amount,
  type Capture,
  findPayment,
  isCapture,
  newMollieId,
  type StoredCapture,
  type StoredPayment,
  timestamp,
} from '#lib/simulators/mollie/objects.ts';
import { capture, release, settlePayment } from '#lib/simulators/mollie/outcomes.ts';
import { type ApiRequest, apiRoute, checkMetadata } from '#lib/simulators/mollie/requests.ts';

const capturesOf = (work: UnitOfWork, { id }: StoredPayment): readonly StoredCapture[] =>
  work.objects.childrenOf(id).filter(isCapture);

const isPending = ({ body }: StoredCapture): boolean => body.status === 'pending';

/** What is held and not captured, nor asked for by a pending capture. */
function capturableOf(work: UnitOfWork, payment: StoredPayment): number {
  const { amount, amountCaptured } = payment.body;
  const pending = capturesOf(work, payment).filter(isPending);
  const asked = pending.reduce((sum, { body }) => sum + minorUnits(body.amount), 0);
  return minorUnits(amount) - (amountCaptured ? minorUnits(amountCaptured) : 0) - asked;
}

/** Without an amount all that can be captured is. */
function amountIn({ input }: ApiRequest, work: UnitOfWork, payment: StoredPayment): Amount {
  const { currency } = payment.body.amount;
  const capturable = capturableOf(work, payment);
  const isWhole = input.amount === undefined || input.amount === null;
  const requested = isWhole ? amountOf(capturable, currency) : readAmount(input.amount);
  if (requested.currency !== currency) throw invalidState('The amount contains an invalid currency', 'amount.currency');
  if (minorUnits(requested) > capturable || capturable === 0)
    throw invalidState('The amount is higher than what can still be captured', 'amount');
  return requested;
}

/** Behaviour of the scenario → status of the capture. */
const CAPTURE_STATUSES: Readonly<Record<string, Capture['status']>> = { pending: 'pending', decline: 'failed' };

/** A pending capture leaves the payment authorized, until the bank decides. */
function capturePayment(request: ApiRequest, work: UnitOfWork): Capture {
  const payment = findPayment(work, request.id);
  checkMetadata(request.input.metadata);
  if (payment.body.status !== 'authorized') throw invalidState('The payment is not authorized and cannot be captured.');
  const amount = amountIn(request, work, payment);
  const status = CAPTURE_STATUSES[request.call.scenario?.behaviour.kind ?? ''] ?? 'succeeded';
  const { description, metadata = null } = request.input;
  const { webhook } = scenarioNotes(request.call.scenario);
  const created = newCapture(work, payment, { amount, description, metadata, webhook });
  return status === 'pending' ? created.body : finishCapture(work, created, status).body;
}

type NewCapture = StoredCapture['notes'] & {
  readonly amount: Amount;
  readonly description?: unknown;
  readonly metadata: unknown;
};

function newCapture(
  work: UnitOfWork,
  payment: StoredPayment,
  { amount, description, metadata, webhook }: NewCapture,
): StoredCapture {
  const id = newMollieId('cpt');
  const paymentUrl = `https://api.mollie.com/v2/payments/${payment.id}`;
  const body: Capture = {
    resource: 'capture',
    id,
    mode: payment.body.mode,
    ...(typeof description === 'string' && { description }),
    amount,
    status: 'pending',
    metadata,
    paymentId: payment.id,
    createdAt: timestamp(work.now),
    _links: {
      self: { href: `${paymentUrl}/captures/${id}`, type: 'application/hal+json' },
      payment: { href: paymentUrl, type: 'application/hal+json' },
      documentation: { href: 'https://docs.mollie.com/reference/create-capture', type: 'text/html' },
    },
  };
  const of = { account: work.account, paymentId: payment.paymentId, parent: payment.id, due: null };
  return work.objects.put({ id, kind: 'capture', ...of, body, notes: { webhook } });
}

function finishCapture(work: UnitOfWork, stored: StoredCapture, status: Capture['status']): StoredCapture {
  const after = work.objects.put({ ...stored, body: { ...stored.body, status } });
  const payment = findPayment(work, stored.body.paymentId);
  const settled = status === 'succeeded' ? capture(work, payment, minorUnits(stored.body.amount)) : payment;
  announceCapture(work, settled, after.body);
  return after;
}

/** The bank decides a pending capture. */
export function settleCapture(work: UnitOfWork, stored: StoredCapture, outcome: FinalOutcome): void {
  work.setWebhookMode(stored.notes.webhook);
  if (isPending(stored)) finishCapture(work, stored, outcome);
}

/** Of a payment with a pending capture, that capture is decided. Of a held one the rest is captured or released. */
export function settleNewest(work: UnitOfWork, payment: StoredPayment, outcome: FinalOutcome): void {
  const pending = capturesOf(work, payment).findLast(isPending);
  if (pending) settleCapture(work, pending, outcome);
  else if (payment.body.status !== 'authorized' || outcome === 'failed') settlePayment(work, payment, outcome);
  else captureRest(work, payment);
}

function captureRest(work: UnitOfWork, payment: StoredPayment): void {
  const { webhook } = payment.notes;
  work.setWebhookMode(webhook);
  const amount = amountOf(capturableOf(work, payment), payment.body.amount.currency);
  finishCapture(work, newCapture(work, payment, { amount, metadata: null, webhook }), 'succeeded');
}

/** Mollie does not document what becomes of a pending capture, so nothing is released before it is decided. */
function releaseAuthorization({ id }: ApiRequest, work: UnitOfWork): undefined {
  const payment = findPayment(work, id);
  if (payment.body.status !== 'authorized')
    throw invalidState('Authorization cannot be released because the payment is not in the authorized state.');
  if (capturesOf(work, payment).some(isPending)) throw invalidState('A capture of the payment is still pending.');
  release(work, payment);
}

/** The bank's hold ends. A capture that is pending then fails. */
export function lapseAuthorization(work: UnitOfWork, payment: StoredPayment): void {
  work.setWebhookMode(payment.notes.webhook);
  for (const stored of capturesOf(work, payment).filter(isPending)) finishCapture(work, stored, 'failed');
  release(work, payment, 'expired');
}

function findCapture({ id, call }: ApiRequest, work: UnitOfWork): Capture {
  const token = call.params.capture ?? '';
  const found = capturesOf(work, findPayment(work, id)).find((each) => each.id === token);
  if (!found) throw notFound(token);
  return found.body;
}

function listCaptures(request: ApiRequest, work: UnitOfWork): object {
  const url = `https://api.mollie.com/v2/payments/${request.id}/captures`;
  const captures = capturesOf(work, findPayment(work, request.id)).toReversed();
  return halPage(captures, request, { url, name: 'captures', documentation: 'list-captures' });
}

export const captureRoutes = [
  apiRoute('POST', '/v2/payments/{id}/captures', 'capture', {
    shape: { amount: 'object', description: 'text', metadata: 'any' },
    status: 201,
    run: capturePayment,
  }),
  apiRoute('GET', '/v2/payments/{id}/captures', 'fetch', { query: ['embed', 'from', 'limit'], run: listCaptures }),
  apiRoute('GET', '/v2/payments/{id}/captures/{capture}', 'fetch', { query: ['embed'], run: findCapture }),
  apiRoute('POST', '/v2/payments/{id}/release-authorization', 'cancel', { status: 202, run: releaseAuthorization }),
];
