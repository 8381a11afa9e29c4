import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import { textAt } from '#lib/simulators/kit/json.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { declineFor } from '#lib/simulators/mollie/declines.ts';
import { invalid, invalidState, notFound } from '#lib/simulators/mollie/errors.ts';
import { amountOf, minorUnits, readAmount } from '#lib/simulators/mollie/money.ts';
import {
  isPayment,
  isRefund,
  newMollieId,
  type Payment,
  type StoredPayment,
  timestamp,
} from '#lib/simulators/mollie/objects.ts';
import { attemptPayment, capture, checkoutUrl, fail, release } from '#lib/simulators/mollie/outcomes.ts';
import {
  type ApiRequest,
  apiRoute,
  CREATE_FIELDS,
  captureModeOf,
  checkMetadata,
  instrumentOf,
  methodOf,
  urlIn,
  webhookUrlIn,
} from '#lib/simulators/mollie/requests.ts';
import { DAY, HOUR, MINUTE } from '#shared/kernel/clock.ts';

/** How long the customer can pay; 15 minutes for all other methods. */
const PAGE_LIFE_MS: Readonly<Record<string, number>> = {
  paypal: 3 * HOUR,
  banktransfer: 14 * DAY,
  multibanco: 7 * DAY,
};

/** Stores a new open payment. The caller attempts to charge it. */
function newPayment({ input, call, mode }: ApiRequest, work: UnitOfWork): StoredPayment {
  const method = methodOf(input);
  const instrument = instrumentOf(input, method);
  const amount = readAmount(input.amount);
  const description = textAt(input, 'description');
  if (!description) throw invalid("The 'description' field is missing", 'description');
  checkMetadata(input.metadata);
  const recurring = input.sequenceType === 'recurring';
  const redirectUrl = urlIn(input, 'redirectUrl');
  if (redirectUrl === null && !recurring && input.applePayPaymentToken === undefined)
    throw invalid('The redirect URL is missing', 'redirectUrl');
  const id = newMollieId('tr');
  const expires = new Date(work.now.getTime() + (PAGE_LIFE_MS[method ?? ''] ?? 15 * MINUTE));
  const body: Payment = {
    resource: 'payment',
    id,
    mode,
    createdAt: timestamp(work.now),
    amount,
    description: description.slice(0, 255),
    method,
    metadata: input.metadata ?? null,
    status: 'open',
    // Only few methods allow an open payment to be canceled.
    isCancelable: method === 'banktransfer',
    expiresAt: timestamp(expires),
    profileId: profileId(work),
    sequenceType: textAt(input, 'sequenceType') ?? 'oneoff',
    redirectUrl,
    cancelUrl: urlIn(input, 'cancelUrl'),
    webhookUrl: webhookUrlIn(input),
    captureMode: captureModeOf(input),
    ...(typeof input.customerId === 'string' && { customerId: idOrPlaceholder(input.customerId, 'cst') }),
    ...(recurring && { mandateId: idOrPlaceholder(input.mandateId, 'mdt') }),
    _links: {
      self: { href: `https://api.mollie.com/v2/payments/${id}`, type: 'application/hal+json' },
      checkout: { href: checkoutUrl(id), type: 'text/html' },
      dashboard: { href: `https://my.mollie.com/dashboard/payments/${id}`, type: 'text/html' },
      documentation: { href: 'https://docs.mollie.com/reference/create-payment', type: 'text/html' },
    },
  };
  const notes = { ...scenarioNotes(call.scenario), instrument, pageStep: 'payment' } as const;
  return work.objects.put({
    id,
    account: work.account,
    kind: 'payment',
    paymentId: call.paymentId,
    parent: null,
    due: expires.getTime(),
    body,
    notes,
  });
}

/** Test tokens that stand for customers and mandates are not ids, so that a placeholder is shown. */
const idOrPlaceholder = (value: unknown, prefix: 'cst' | 'mdt'): string =>
  typeof value === 'string' && value.startsWith(`${prefix}_`) ? value : `${prefix}_simulated`;

export const profileId = (work: UnitOfWork): string => `pfl_${work.account.slice(0, 10)}`;

export function findPayment(work: UnitOfWork, id: string): StoredPayment {
  const found = findOwned(work, id, isPayment);
  if (!found) throw notFound(id);
  return found;
}

/** A payment with a token or mandate is charged at once. Others wait for the customer on the page. */
function createPayment(request: ApiRequest, work: UnitOfWork): Payment {
  const payment = newPayment(request, work);
  const { instrument, behaviour } = payment.notes;
  if (instrument === null) return payment.body;
  if (
    request.input.sequenceType === 'recurring' &&
    (instrument.authenticate || behaviour?.kind === 'requires_action')
  ) {
    return fail(work, payment, declineFor('authentication_required')).body;
  }
  return attemptPayment(work, payment, { behaviour, authenticated: false }).body;
}

function cancelPayment({ id }: ApiRequest, work: UnitOfWork): Payment {
  const payment = findPayment(work, id);
  if (!payment.body.isCancelable) throw invalidState('The payment cannot be cancelled');
  return fail(work, payment, { status: 'canceled' }).body;
}

function releaseAuthorization({ id }: ApiRequest, work: UnitOfWork): undefined {
  const payment = findPayment(work, id);
  if (payment.body.status !== 'authorized')
    throw invalidState('Authorization cannot be released because the payment is not in the authorized state.');
  release(work, payment);
}

/** Behaviour of the scenario → status of the capture. */
const CAPTURE_STATUSES: Readonly<Record<string, string>> = { pending: 'pending', decline: 'failed' };

/** A pending capture leaves the payment authorized. */
function capturePayment({ id, input, call }: ApiRequest, work: UnitOfWork): object {
  const payment = findPayment(work, id);
  const { amount, amountCaptured } = payment.body;
  if (payment.body.status !== 'authorized') throw invalidState('The payment is not authorized and cannot be captured.');
  const capturable = minorUnits(amount) - (amountCaptured ? minorUnits(amountCaptured) : 0);
  const requested =
    input.amount === undefined || input.amount === null
      ? amountOf(capturable, amount.currency)
      : readAmount(input.amount);
  if (requested.currency !== amount.currency)
    throw invalidState('The amount contains an invalid currency', 'amount.currency');
  if (minorUnits(requested) > capturable)
    throw invalidState('The amount is higher than what can still be captured', 'amount');
  const behaviour = call.scenario?.behaviour.kind;
  const status = CAPTURE_STATUSES[behaviour ?? ''] ?? 'succeeded';
  if (status === 'succeeded') capture(work, payment, minorUnits(requested));
  const capturedId = newMollieId('cpt');
  const self = {
    href: `https://api.mollie.com/v2/payments/${id}/captures/${capturedId}`,
    type: 'application/hal+json',
  };
  return {
    resource: 'capture',
    id: capturedId,
    mode: payment.body.mode,
    amount: requested,
    status,
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

/** `embed` has names separated by commas. Only refunds are embedded here, newest first. */
function withEmbedded({ id, body }: StoredPayment, embed: string | null, work: UnitOfWork): object {
  if (!(embed ?? '').split(',').includes('refunds')) return body;
  const stored = work.objects.childrenOf(id).filter(isRefund).toReversed();
  return { ...body, _embedded: { refunds: stored.map(({ body: refund }) => refund) } };
}

export const paymentRoutes = [
  apiRoute('POST', '/v2/payments', 'create', {
    shape: CREATE_FIELDS,
    query: ['include'],
    status: 201,
    run: createPayment,
  }),
  apiRoute('GET', '/v2/payments/{id}', 'fetch', {
    query: ['embed', 'include'],
    run: ({ id, call }, work) => withEmbedded(findPayment(work, id), call.request.query.get('embed'), work),
  }),
  apiRoute('DELETE', '/v2/payments/{id}', 'cancel', { run: cancelPayment }),
  apiRoute('POST', '/v2/payments/{id}/release-authorization', 'cancel', { status: 202, run: releaseAuthorization }),
  apiRoute('POST', '/v2/payments/{id}/captures', 'capture', {
    shape: { amount: 'object', description: 'text', metadata: 'any' },
    status: 201,
    run: capturePayment,
  }),
];
