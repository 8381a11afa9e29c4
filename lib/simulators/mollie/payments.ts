import { ownOf } from '#lib/simulators/frame/own.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { type Ask, api } from '#lib/simulators/mollie/ask.ts';
import { declineFor } from '#lib/simulators/mollie/declines.ts';
import { impossible, unknownToken } from '#lib/simulators/mollie/errors.ts';
import { amountOf, readAmount, units } from '#lib/simulators/mollie/money.ts';
import { NEW_PAYMENT, newPayment } from '#lib/simulators/mollie/new-payment.ts';
import { isPayment, newMollieId, type Payment, type StoredPayment, timestamp } from '#lib/simulators/mollie/objects.ts';
import { attempt, capture, fail, release } from '#lib/simulators/mollie/outcomes.ts';

export function findPayment(work: Work, id: string): StoredPayment {
  const found = ownOf(work, id, isPayment);
  if (!found) throw unknownToken(id);
  return found;
}

/** Who brought a token, or has agreed before, is charged at once; the others find a page. */
function create(ask: Ask, work: Work): Payment {
  const payment = newPayment(ask, work);
  const { instrument, behaviour } = payment.notes;
  if (instrument === null) return payment.body;
  if (ask.input.sequenceType === 'recurring' && (instrument.authenticate || behaviour?.kind === 'requires_action')) {
    return fail(work, payment, declineFor('authentication_required')).body;
  }
  return attempt(work, payment, { behaviour, authenticated: false }).body;
}

function cancel({ id }: Ask, work: Work): Payment {
  const payment = findPayment(work, id);
  if (!payment.body.isCancelable) throw impossible('The payment cannot be cancelled');
  return fail(work, payment, { status: 'canceled' }).body;
}

function releaseAuthorization({ id }: Ask, work: Work): undefined {
  const payment = findPayment(work, id);
  if (payment.body.status !== 'authorized')
    throw impossible('Authorization cannot be released because the payment is not in the authorized state.');
  release(work, payment);
}

/** Under `pending` the bank has not said yes yet, and the payment stays as it is. */
function captureHeld({ id, input, call }: Ask, work: Work): object {
  const payment = findPayment(work, id);
  const { amount, amountCaptured, status } = payment.body;
  if (status !== 'authorized') throw impossible('The payment is not authorized, so that it cannot be captured.');
  const left = units(amount) - (amountCaptured ? units(amountCaptured) : 0);
  const wanted =
    input.amount === undefined || input.amount === null ? amountOf(left, amount.currency) : readAmount(input.amount);
  if (wanted.currency !== amount.currency)
    throw impossible('The amount contains an invalid currency', 'amount.currency');
  if (units(wanted) > left) throw impossible('The amount is higher than what can still be captured', 'amount');
  const behaviour = call.script?.behaviour.kind;
  const result = behaviour === 'pending' ? 'pending' : behaviour === 'decline' ? 'failed' : 'succeeded';
  if (result === 'succeeded') capture(work, payment, units(wanted));
  const capturedId = newMollieId('cpt');
  const self = {
    href: `https://api.mollie.com/v2/payments/${id}/captures/${capturedId}`,
    type: 'application/hal+json',
  };
  return {
    resource: 'capture',
    id: capturedId,
    mode: payment.body.mode,
    amount: wanted,
    status: result,
    metadata: input.metadata ?? null,
    paymentId: id,
    createdAt: timestamp(work.now),
    _links: {
      self,
      payment: { href: `https://api.mollie.com/v2/payments/${id}`, type: 'application/hal+json' },
      documentation: { href: 'https://docs.mollie.com/reference/create-capture', type: 'text/html' },
    },
  };
}

export const paymentRoutes = [
  api('POST', '/v2/payments', 'create', { shape: NEW_PAYMENT, query: ['include'], status: 201, run: create }),
  api('GET', '/v2/payments/{id}', 'fetch', {
    query: ['embed', 'include'],
    run: ({ id }, work) => findPayment(work, id).body,
  }),
  api('DELETE', '/v2/payments/{id}', 'cancel', { run: cancel }),
  api('POST', '/v2/payments/{id}/release-authorization', 'cancel', { status: 202, run: releaseAuthorization }),
  api('POST', '/v2/payments/{id}/captures', 'capture', {
    shape: { amount: 'object', description: 'text', metadata: 'any' },
    status: 201,
    run: captureHeld,
  }),
];
