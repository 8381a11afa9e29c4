import { api, invalid, json } from '#lib/simulators/checkout/answers.ts';
import { type Attempted, attempt, newPayment } from '#lib/simulators/checkout/attempt.ts';
import { findPage } from '#lib/simulators/checkout/find.ts';
import { checkMoney } from '#lib/simulators/checkout/money.ts';
import {
  isPage,
  isPayment,
  newPageId,
  type Page,
  type StoredPage,
  type StoredPayment,
} from '#lib/simulators/checkout/objects.ts';
import { card } from '#lib/simulators/checkout/sources.ts';
import { checkWire, commonOf, requiredUrl } from '#lib/simulators/checkout/validation.ts';
import { createdPage, shownPage } from '#lib/simulators/checkout/views.ts';
import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import { following } from '#lib/simulators/frame/following.ts';
import { isObject } from '#lib/simulators/frame/json.ts';
import type { Call, Input, Work } from '#lib/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';
import { MINUTE } from '#shared/kernel/clock.ts';

/** How long a page really lives is published nowhere. */
const PAGE_LIFE = 30 * MINUTE;

function create(call: Call, work: Work): WireAnswer {
  checkWire(call);
  const { input } = call;
  const { capture, ...common } = commonOf(input);
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
  const about = { account: work.account, kind: 'page', paymentId, parent: null, due: work.now.getTime() + PAGE_LIFE };
  return json(
    201,
    createdPage(work.objects.put({ id, ...about, body, notes: { ...following(call.script), capture } })),
  );
}

function billingOf({ billing }: Input): unknown {
  const country = isObject(billing) && isObject(billing.address) ? billing.address.country : undefined;
  if (country === undefined) throw invalid('billing_address_country_required');
  if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)) throw invalid('billing_address_country_invalid');
  return billing;
}

const changePage = (
  work: Work,
  page: StoredPage,
  change: Partial<Page>,
  notes: Partial<StoredPage['notes']> = {},
): StoredPage => work.objects.put({ ...page, body: { ...page.body, ...change }, notes: { ...page.notes, ...notes } });

/** The customer pays on the page. What a scenario left for the payment applies to this try, and only to this one. */
export function payOnPage(work: Work, page: StoredPage, behaviour: Behaviour | null): Attempted {
  const { id, amount, currency, reference, description, customer, metadata, success_url, failure_url } = page.body;
  const given = { amount, currency, reference, description, customer, metadata, payment_type: 'Regular' };
  const notes = {
    behaviour,
    webhook: page.notes.webhook,
    capture: page.notes.capture,
    urls: { success: success_url, failure: failure_url },
  };
  const payment = newPayment(work, card(), given, notes);
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
  const made = attempt(work, payment, card(), true);
  follow(work, made.payment);
  return made;
}

/** Brings the page of a payment, if it has one, to where that is. A declined try leaves it open. */
export function follow(work: Work, payment: StoredPayment): void {
  const tie = work.objects.get<{ readonly page: string }, unknown>(`page of ${payment.id}`);
  const page = tie && work.objects.get(tie.body.page);
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

export function expirePage(work: Work, page: StoredPage): void {
  if (page.body.status === 'Payment Pending')
    work.objects.put({ ...page, due: null, body: { ...page.body, status: 'Expired' } });
}

/** The newest try on a page, as it is now. */
export function tryOf(work: Work, { body }: StoredPage): StoredPayment | undefined {
  const payment = body.payment_id === undefined ? undefined : work.objects.get(body.payment_id);
  return payment && isPayment(payment) ? payment : undefined;
}

export const hostedRoutes = [
  api('POST', '/hosted-payments', 'create', create),
  api('GET', '/hosted-payments/{id}', 'fetch', ({ params }, work) =>
    json(200, shownPage(findPage(work, params.id ?? ''))),
  ),
];
