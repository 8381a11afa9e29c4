import { declineFor, NOT_AUTHENTICATED } from '#lib/simulators/checkout/declines.ts';
import { checkDetails } from '#lib/simulators/checkout/details.ts';
import { invalid, json } from '#lib/simulators/checkout/errors.ts';
import { checkMoney } from '#lib/simulators/checkout/money.ts';
import {
  createdPageResponse,
  findPage,
  isPage,
  isPayment,
  newPageId,
  type Page,
  pageView,
  type StoredPage,
  type StoredPayment,
} from '#lib/simulators/checkout/objects.ts';
import {
  type Attempt,
  approvedUnits,
  attemptPayment,
  authentication,
  changePayment,
  decline,
  endPayment,
  newPayment,
  succeed,
} from '#lib/simulators/checkout/outcomes.ts';
import { apiRoute, checkBody, commonFields, requiredUrl } from '#lib/simulators/checkout/requests.ts';
import { card } from '#lib/simulators/checkout/test-methods.ts';
import { type Behaviour, scenarioNotes, withoutAuthentication } from '#lib/simulators/kit/behaviour.ts';
import { isObject } from '#lib/simulators/kit/json.ts';
import type { Call, FinalOutcome, Input, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';
import { MINUTE } from '#shared/kernel/clock.ts';

/** Checkout.com does not document how long a page lives. */
const PAGE_LIFE_MS = 30 * MINUTE;

function createPage(call: Call, work: UnitOfWork): WireResponse {
  checkBody(call);
  const { input } = call;
  checkDetails(input);
  const { capture, ...common } = commonFields(input);
  const id = newPageId();
  const body: Page = {
    id,
    status: 'Payment Pending',
    ...checkMoney(input.amount, input.currency),
    ...common,
    billing: billingOf(input),
    success_url: requiredUrl(input, 'success_url'),
    cancel_url: requiredUrl(input, 'cancel_url'),
    failure_url: requiredUrl(input, 'failure_url'),
  };
  const methods = input.allow_payment_methods;
  if (methods !== undefined && !(Array.isArray(methods) && methods.length > 0))
    throw invalid('allow_payment_methods_invalid');
  const paymentId = typeof body.metadata.payment_id === 'string' ? body.metadata.payment_id : null;
  const base = {
    account: work.account,
    kind: 'page',
    paymentId,
    parent: null,
    due: work.now.getTime() + PAGE_LIFE_MS,
  };
  return json(
    201,
    createdPageResponse(work.objects.put({ id, ...base, body, notes: { ...scenarioNotes(call.scenario), capture } })),
  );
}

function billingOf({ billing }: Input): unknown {
  const country = isObject(billing) && isObject(billing.address) ? billing.address.country : undefined;
  if (country === undefined) throw invalid('billing_address_country_required');
  if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)) throw invalid('billing_address_country_invalid');
  return billing;
}

const changePage = (
  work: UnitOfWork,
  page: StoredPage,
  change: Partial<Page>,
  notes: Partial<StoredPage['notes']> = {},
): StoredPage => work.objects.put({ ...page, body: { ...page.body, ...change }, notes: { ...page.notes, ...notes } });

/** One attempt of the customer on the page. The scenario of the page applies to this attempt only. */
export function payOnPage(work: UnitOfWork, page: StoredPage, behaviour: Behaviour | null): Attempt {
  const { id, amount, currency, reference, description, customer, metadata, success_url, failure_url } = page.body;
  const input = { amount, currency, reference, description, customer, metadata, payment_type: 'Regular' };
  const notes = {
    behaviour,
    webhook: page.notes.webhook,
    capture: page.notes.capture,
    urls: { success: success_url, failure: failure_url },
  };
  const source = card();
  const payment = newPayment(work, source, input, notes);
  changePage(work, page, { payment_id: payment.id }, { behaviour: null });
  work.objects.put({
    id: `page of ${payment.id}`,
    account: page.account,
    kind: 'tie',
    paymentId: null,
    parent: id,
    due: null,
    body: { page: id },
    notes: null,
  });
  const attempt = attemptPayment(work, payment, source, true);
  syncPage(work, attempt.payment);
  return attempt;
}

/** Updates the page of a payment, if it has one, to the payment's state. A declined attempt leaves it open. */
function syncPage(work: UnitOfWork, payment: StoredPayment): void {
  const link = work.objects.get<{ readonly page: string }, unknown>(`page of ${payment.id}`);
  const page = link && work.objects.get(link.body.page);
  if (!page || !isPage(page) || page.body.status === 'Payment Received') return;
  const current = work.objects.get(payment.id);
  if (!current || !isPayment(current)) return;
  const received = current.body.approved || (current.body.status === 'Pending' && !current.notes.redirect);
  if (received)
    work.objects.put({
      ...page,
      due: null,
      body: { ...page.body, status: 'Payment Received', payment_id: payment.id },
    });
}

export function expirePage(work: UnitOfWork, page: StoredPage): void {
  if (page.body.status === 'Payment Pending')
    work.objects.put({ ...page, due: null, body: { ...page.body, status: 'Expired' } });
}

/** The newest attempt on a page. */
function latestAttempt(work: UnitOfWork, { body }: StoredPage): StoredPayment | undefined {
  const payment = body.payment_id === undefined ? undefined : work.objects.get(body.payment_id);
  return payment && isPayment(payment) ? payment : undefined;
}

const PAID_STATUSES: ReadonlySet<string> = new Set([
  'Authorized',
  'Partially Captured',
  'Captured',
  'Partially Refunded',
  'Refunded',
]);

/** A payment may still succeed after it ended: the customer was faster, or the bank approved late. */
export function settlePayment(work: UnitOfWork, payment: StoredPayment, outcome: FinalOutcome): StoredPayment {
  work.setWebhookMode(payment.notes.webhook);
  const failed = payment.body.status === 'Pending' ? payment.notes.authentication : undefined;
  if (failed) return decline(work, payment, { secure: { authentication_response: failed } }).payment;
  const after = outcome === 'succeeded' ? afterSuccess(work, payment) : afterFailure(work, payment);
  syncPage(work, after);
  return after;
}

function afterSuccess(work: UnitOfWork, payment: StoredPayment): StoredPayment {
  if (PAID_STATUSES.has(payment.body.status) || work.wasReleased(payment.id)) return payment;
  const isAuthenticated = payment.notes.redirect && payment.body.source.type === 'card';
  const known = isAuthenticated ? changePayment(work, payment, { '3ds': authentication('Y') }) : payment;
  return succeed(work, known, approvedUnits(known)).payment;
}

/** A card fails its authentication; a bank's own page is cancelled. */
function afterFailure(work: UnitOfWork, payment: StoredPayment): StoredPayment {
  if (payment.body.status !== 'Pending') return payment;
  if (payment.body.source.type !== 'card') return endPayment(work, payment, 'Canceled').payment;
  const refusal = payment.notes.redirect
    ? { result: NOT_AUTHENTICATED, secure: { authentication_response: 'N' } }
    : { result: declineFor('card_declined') };
  return decline(work, payment, refusal).payment;
}

export function settlePage(work: UnitOfWork, page: StoredPage, outcome: FinalOutcome): void {
  work.setWebhookMode(page.notes.webhook);
  const attempt = latestAttempt(work, page);
  if (attempt && (attempt.body.status === 'Pending' || page.body.status === 'Payment Received'))
    settlePayment(work, attempt, outcome);
  else if (outcome === 'succeeded') payOnPage(work, page, withoutAuthentication(page.notes.behaviour));
  else expirePage(work, page);
}

export const hostedPaymentRoutes = [
  apiRoute('POST', '/hosted-payments', 'create', createPage),
  apiRoute('GET', '/hosted-payments/{id}', 'fetch', ({ params }, work) =>
    json(200, pageView(findPage(work, params.id ?? ''))),
  ),
];
