import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import { isDispute } from '#lib/simulators/kit/dispute-life.ts';
import { textAt } from '#lib/simulators/kit/json.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { Input, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { declineFor } from '#lib/simulators/mollie/declines.ts';
import { checkDetails } from '#lib/simulators/mollie/details.ts';
import { chargebackView } from '#lib/simulators/mollie/disputes.ts';
import { invalid, invalidState } from '#lib/simulators/mollie/errors.ts';
import { findMandate } from '#lib/simulators/mollie/mandates.ts';
import { readAmount } from '#lib/simulators/mollie/money.ts';
import {
  findPayment,
  isCapture,
  isRefund,
  newMollieId,
  type Payment,
  type StoredPayment,
  timestamp,
} from '#lib/simulators/mollie/objects.ts';
import { attemptPayment, checkoutUrl, fail } from '#lib/simulators/mollie/outcomes.ts';
import {
  type ApiRequest,
  apiRoute,
  CREATE_FIELDS,
  captureModeOf,
  checkFirst,
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
  checkFirst(input);
  const instrument = instrumentOf(input, method);
  const amount = readAmount(input.amount);
  const description = textAt(input, 'description');
  if (!description) throw invalid("The 'description' field is missing", 'description');
  checkMetadata(input.metadata);
  checkDetails(input, amount);
  checkMandate(input, work);
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

/** A mandate that a first payment left belongs to its customer. Any other id is a test token. */
function checkMandate({ sequenceType, customerId, mandateId }: Input, work: UnitOfWork): void {
  const mandate = typeof mandateId === 'string' ? findMandate(work, mandateId) : undefined;
  if (sequenceType === 'recurring' && mandate && mandate.body.customerId !== customerId)
    throw invalid('The mandate is of another customer', 'mandateId');
}

/** Test tokens that stand for customers and mandates are not ids, so that a placeholder is shown. */
const idOrPlaceholder = (value: unknown, prefix: 'cst' | 'mdt'): string =>
  typeof value === 'string' && value.startsWith(`${prefix}_`) ? value : `${prefix}_simulated`;

export const profileId = (work: UnitOfWork): string => `pfl_${work.account.slice(0, 10)}`;

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

/** What can be embedded, and which of a payment's objects that is. */
const EMBEDDED = { captures: isCapture, chargebacks: isDispute, refunds: isRefund } as const;

const shown = (child: StoredObject): unknown => (isDispute(child) ? chargebackView(child) : child.body);

/** `embed` has names separated by commas. Newest first. */
function withEmbedded({ id, body }: StoredPayment, embed: string | null, work: UnitOfWork): object {
  const names = (embed ?? '').split(',');
  const wanted = Object.entries(EMBEDDED).filter(([name]) => names.includes(name));
  if (wanted.length === 0) return body;
  const children = work.objects.childrenOf(id).toReversed();
  const lists = wanted.map(([name, is]) => [name, children.filter(is).map(shown)]);
  return { ...body, _embedded: Object.fromEntries(lists) };
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
];
