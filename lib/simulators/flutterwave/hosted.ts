import { api, invalid } from '#lib/simulators/flutterwave/answers.ts';
import { addressFrom, asked, checkBody, needText } from '#lib/simulators/flutterwave/asked.ts';
import { attempt } from '#lib/simulators/flutterwave/attempt.ts';
import {
  hang,
  newPageId,
  type Page,
  type StoredPage,
  type StoredTransaction,
} from '#lib/simulators/flutterwave/objects.ts';
import { textAt } from '#lib/simulators/flutterwave/reading.ts';
import { newTransaction } from '#lib/simulators/flutterwave/transactions.ts';
import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import { following } from '#lib/simulators/frame/following.ts';
import type { Call, Work } from '#lib/simulators/frame/provider.port.ts';
import { HERE } from '#lib/simulators/frame/wire.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';

const KNOWN = [
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
];
const MOST_MINUTES = 1_440;

function create(call: Call, work: Work) {
  checkBody(call, KNOWN);
  const { input, paymentId, script } = call;
  const { txRef, amount, currency, email, meta } = asked(call, 'customer', 'email');
  const redirect_url = addressFrom(needText(input, 'redirect_url'));
  const minutes = input.session_duration ?? MOST_MINUTES;
  if (typeof minutes !== 'number' || !Number.isInteger(minutes) || minutes < 1 || minutes > MOST_MINUTES) {
    throw invalid(`session_duration must be less than or equal to ${MOST_MINUTES}`);
  }
  const payment_type = (textAt(input, 'payment_options') ?? 'card').split(',')[0]?.trim() ?? 'card';
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
  const notes = following(script);
  work.objects.put({
    id,
    account: work.account,
    kind: 'page',
    paymentId,
    parent: hang(work, txRef, paymentId),
    due,
    body,
    notes,
  });
  return { message: 'Hosted Link', data: { link: `${HERE}/flutterwave/pay/${id}` } };
}

/** A try to pay on the page is a transaction of its own. What a scenario left applies to the first one only. */
export function payOn(work: Work, page: StoredPage, behaviour: Behaviour | null): StoredTransaction {
  const { tx_ref: txRef, amount, currency, payment_type: type, customer, meta, redirect_url: returnUrl } = page.body;
  const notes = { behaviour: null, webhook: page.notes.webhook, waitsFor: null, returnUrl };
  const making = {
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
  const tried = attempt(work, newTransaction(work, making), behaviour, 'succeed');
  work.objects.put({ ...page, notes: { ...page.notes, behaviour: null } });
  if (tried.body.status !== 'failed') closePage(work, page, 'paid');
  return tried;
}

export const closePage = (work: Work, page: StoredPage, status: Page['status'] = 'closed'): StoredPage =>
  work.objects.put({ ...page, due: null, body: { ...page.body, status }, notes: { ...page.notes, behaviour: null } });

export const hostedRoutes = [api('POST', '/v3/payments', 'create', create)];
