import { invalid } from '#lib/simulators/flutterwave/errors.ts';
import {
  ensureReference,
  newPageId,
  type Page,
  type StoredPage,
  type StoredTransaction,
} from '#lib/simulators/flutterwave/objects.ts';
import { attemptCharge, newTransaction } from '#lib/simulators/flutterwave/outcomes.ts';
import {
  apiRoute,
  chargeFields,
  checkBody,
  requiredText,
  textIn,
  urlFrom,
} from '#lib/simulators/flutterwave/requests.ts';
import { type Behaviour, scenarioNotes, withoutAuthentication } from '#lib/simulators/kit/behaviour.ts';
import type { Call, FinalOutcome, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { BASE_URL } from '#lib/simulators/kit/wire.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';

const PAGE_FIELDS = [
  'tx_ref',
  'amount',
  'currency',
  'redirect_url',
  'customer',
  'customizations',
  'meta',
  'payment_options',
  'session_duration',
  'max_retry_attempt',
  'payment_plan',
  'subaccounts',
  'configurations',
];
const MAX_SESSION_MINUTES = 1_440;

function createPage(call: Call, work: UnitOfWork) {
  checkBody(call, PAGE_FIELDS);
  const { input, paymentId, scenario } = call;
  const { txRef, amount, currency, email, meta } = chargeFields(call, 'customer', 'email');
  const redirect_url = urlFrom(requiredText(input, 'redirect_url'));
  const minutes = input.session_duration ?? MAX_SESSION_MINUTES;
  if (typeof minutes !== 'number' || !Number.isInteger(minutes) || minutes < 1 || minutes > MAX_SESSION_MINUTES) {
    throw invalid(`session_duration must be less than or equal to ${MAX_SESSION_MINUTES}`);
  }
  const payment_type = (textIn(input, 'payment_options') ?? 'card').split(',')[0]?.trim() ?? 'card';
  const id = newPageId();
  const body: Page = {
    tx_ref: txRef,
    amount,
    currency,
    redirect_url,
    payment_type,
    customer: { email },
    meta,
    status: 'open',
  };
  const due = plus(work.now, minutes * MINUTE).getTime();
  const notes = scenarioNotes(scenario);
  work.objects.put({
    id,
    account: work.account,
    kind: 'page',
    paymentId,
    parent: ensureReference(work, txRef, paymentId),
    due,
    body,
    notes,
  });
  return { message: 'Hosted Link', data: { link: `${BASE_URL}/flutterwave/pay/${id}` } };
}

/** Each attempt on the page is a transaction of its own. The scenario of the page applies to the first one only. */
export function payOnPage(work: UnitOfWork, page: StoredPage, behaviour: Behaviour | null): StoredTransaction {
  const { tx_ref: txRef, amount, currency, payment_type: type, customer, meta, redirect_url: returnUrl } = page.body;
  const notes = { behaviour: null, webhook: page.notes.webhook, waitsFor: null, returnUrl };
  const input = {
    txRef,
    amount,
    currency,
    type,
    email: customer.email,
    name: 'Anonymous customer',
    phone: null,
    meta,
    paymentId: page.paymentId,
    notes,
  };
  const attempt = attemptCharge(work, newTransaction(work, input), behaviour, 'succeed');
  work.objects.put({ ...page, notes: { ...page.notes, behaviour: null } });
  if (attempt.body.status !== 'failed') closePage(work, page, 'paid');
  return attempt;
}

export const closePage = (work: UnitOfWork, page: StoredPage, status: Page['status'] = 'closed'): StoredPage =>
  work.objects.put({ ...page, due: null, body: { ...page.body, status }, notes: { ...page.notes, behaviour: null } });

export const hostedPaymentRoutes = [apiRoute('POST', '/v3/payments', 'create', createPage)];

/** A page that closes unpaid sends no event. A closed page may still be paid late. */
export function settlePage(work: UnitOfWork, page: StoredPage, outcome: FinalOutcome): void {
  work.setWebhookMode(page.notes.webhook);
  const { behaviour } = page.notes;
  if (outcome === 'failed') closePage(work, page);
  else if (page.body.status !== 'paid') payOnPage(work, page, withoutAuthentication(behaviour));
}
