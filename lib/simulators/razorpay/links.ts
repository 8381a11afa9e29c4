import { type Behaviour, scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { FinalOutcome, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { BASE_URL } from '#lib/simulators/kit/wire.ts';
import { invalid, invalidState } from '#lib/simulators/razorpay/errors.ts';
import { announce, sign } from '#lib/simulators/razorpay/events.ts';
import { checkMoney } from '#lib/simulators/razorpay/money.ts';
import {
  isLink,
  isOrder,
  type Link,
  linkOf,
  newId,
  type PreparedAttempt,
  paymentsOf,
  referenceKey,
  type StoredLink,
  type StoredOrder,
  type StoredPayment,
  seconds,
} from '#lib/simulators/razorpay/objects.ts';
import { newOrder } from '#lib/simulators/razorpay/orders.ts';
import {
  type AttemptResult,
  attemptPayment,
  changeLink,
  newPayment,
  settlePayment,
} from '#lib/simulators/razorpay/outcomes.ts';
import {
  type ApiRequest,
  apiRoute,
  type BodyShape,
  type Fields,
  findObject,
  integerIn,
  notesIn,
  objectIn,
  paymentIdIn,
  textIn,
} from '#lib/simulators/razorpay/requests.ts';
import { PAGE_METHOD, type TestMethod } from '#lib/simulators/razorpay/test-methods.ts';

const CREATE_LINK: BodyShape = {
  amount: 'integer',
  currency: 'text',
  accept_partial: 'boolean',
  description: 2_048,
  reference_id: 40,
  customer: { fields: { name: 'text', email: 'text', contact: 'text' } },
  expire_by: 'integer',
  notify: { fields: { sms: 'boolean', email: 'boolean' } },
  notes: 'notes',
  callback_url: 'text',
  callback_method: ['get'],
  reminder_enable: 'boolean',
  options: {
    fields: {
      checkout: { fields: { method: { fields: { card: 'flag', netbanking: 'flag', upi: 'flag', wallet: 'flag' } } } },
    },
  },
};

const MIN_EXPIRY_SECONDS = 15 * 60;
const MAX_EXPIRY_SECONDS = 183 * 24 * 60 * 60;
/** How many attempts get a signed return. Signatures are computed at creation, when the key secret is existing. */
const MAX_SIGNED_TRIES = 5;

function expiryOf(input: Fields, now: number): number {
  const expireBy = integerIn(input, 'expire_by') ?? 0;
  if (expireBy !== 0 && expireBy < now + MIN_EXPIRY_SECONDS)
    throw invalid('expire_by should be at least 15 minutes from now.', 'expire_by');
  if (expireBy > now + MAX_EXPIRY_SECONDS) throw invalid('expire_by should be within six months.', 'expire_by');
  return expireBy;
}

function checkCallback(input: Fields): void {
  const url = textIn(input, 'callback_url');
  if (url !== null && !/^https?:\/\/\S+$/.test(url))
    throw invalid('The callback url format is invalid.', 'callback_url');
  if (url !== null && textIn(input, 'callback_method') === null)
    throw invalid('callback_method: is required.', 'callback_method');
}

const linksOfReference = (work: UnitOfWork, reference: string): readonly StoredLink[] =>
  work.objects.childrenOf(referenceKey(work.account, reference)).filter(isLink);

function createLink(request: ApiRequest, work: UnitOfWork): Link {
  const { input, call, keySecret } = request;
  const body = newLink(input, seconds(work.now));
  const { id, reference_id, expire_by } = body;
  if (reference_id !== '' && linksOfReference(work, reference_id).length > 0)
    throw invalid(`payment link with given reference_id: (${reference_id}) already exists`);
  const tries = Array.from({ length: MAX_SIGNED_TRIES }, (): PreparedAttempt => {
    const payment = newId('pay');
    return { id: payment, signature: sign(keySecret, `${id}|${reference_id}|paid|${payment}`) };
  });
  work.objects.put({
    id,
    account: work.account,
    kind: 'payment_link',
    paymentId: paymentIdIn(input),
    parent: reference_id === '' ? null : referenceKey(work.account, reference_id),
    due: expire_by === 0 ? null : expire_by * 1_000,
    body,
    notes: { ...scenarioNotes(call.scenario), tries },
  });
  return body;
}

/** Validates the input and builds an open link. */
function newLink(input: Fields, now: number): Link {
  const [amount, currency] = [integerIn(input, 'amount') ?? 0, textIn(input, 'currency') ?? 'INR'];
  checkMoney(amount, currency);
  checkCallback(input);
  const { callback_url, callback_method, description = '', reminder_enable = false, accept_partial = false } = input;
  const customer = objectIn(input, 'customer');
  const id = newId('plink');
  return {
    accept_partial,
    amount,
    amount_paid: 0,
    ...(typeof callback_url === 'string' && { callback_url, callback_method }),
    cancelled_at: 0,
    created_at: now,
    currency,
    customer: Object.keys(customer).length === 0 ? [] : customer,
    description,
    expire_by: expiryOf(input, now),
    expired_at: 0,
    first_min_partial_amount: 0,
    id,
    notes: notesIn(input),
    notify: { email: false, sms: false, whatsapp: false, ...objectIn(input, 'notify') },
    payments: null,
    reference_id: textIn(input, 'reference_id') ?? '',
    reminder_enable,
    reminders: [],
    short_url: `${BASE_URL}/razorpay/l/${id}`,
    status: 'created',
    updated_at: now,
    upi_link: false,
    user_id: '',
  };
}

/** The order of a link, created by the first attempt to pay. Order and payments get the notes of the link. */
function orderOfLink(work: UnitOfWork, link: StoredLink): StoredOrder {
  const existing = link.body.order_id === undefined ? undefined : work.objects.get(link.body.order_id);
  if (existing && isOrder(existing)) return existing;
  const { amount, currency, notes, reference_id } = link.body;
  const receipt = reference_id === '' ? null : reference_id;
  return newOrder(work, {
    amount,
    currency,
    receipt,
    notes,
    paymentId: link.paymentId,
    capture: { automatic: true, within: null },
  });
}

/** One attempt of the customer on the page. The scenario of the link applies to this attempt only. */
export function payOnLink(
  work: UnitOfWork,
  link: StoredLink,
  behaviour: Behaviour | null,
  method: TestMethod = PAGE_METHOD,
): { readonly payment: StoredPayment; readonly result: AttemptResult } {
  const [prepared, ...tries] = link.notes.tries;
  const order = orderOfLink(work, link);
  changeLink(work, link, { order_id: order.id }, { behaviour: null, tries });
  const notes = {
    behaviour: null,
    webhook: link.notes.webhook,
    method,
    capture: order.notes.capture,
    link: link.id,
    callbackUrl: null,
    signature: prepared?.signature ?? null,
    wrongCodes: 0,
  };
  const fields = {
    description: `#${link.id.slice('plink_'.length)}`,
    notes: link.body.notes,
    ...objectIn(link.body, 'customer'),
  };
  const payment = newPayment(work, {
    ...(prepared && { id: prepared.id }),
    order,
    paymentId: link.paymentId,
    notes,
    fields,
  });
  return attemptPayment(work, payment, behaviour);
}

function endLink(
  work: UnitOfWork,
  link: StoredLink,
  change: Partial<Link> & { readonly status: 'expired' | 'cancelled' },
): StoredLink {
  const after = changeLink(work, link, change);
  announce(work, `payment_link.${change.status}`, { payment_link: after.body });
  return after;
}

export const expireLink = (work: UnitOfWork, link: StoredLink): StoredLink =>
  endLink(work, link, { status: 'expired', expired_at: seconds(work.now) });

function cancelLink({ id }: ApiRequest, work: UnitOfWork): Link {
  const link = findObject(work, id, isLink);
  const { status } = link.body;
  if (status === 'paid' || status === 'partially_paid')
    throw invalidState('cannot cancel or expire an already paid/partially paid link');
  if (status !== 'created') throw invalidState(`cannot cancel or expire an ${status} link`);
  work.setWebhookMode(link.notes.webhook);
  return endLink(work, link, { status: 'cancelled', cancelled_at: seconds(work.now) }).body;
}

/** A completion includes the customer's authentication, so a required one counts as approved. */
const approveAuthentication = (behaviour: Behaviour | null): Behaviour | null =>
  behaviour?.kind === 'requires_action' ? { kind: 'approve' } : behaviour;

/** A link may still be paid after it was cancelled or expired, once: the customer was faster. */
export function settleLink(work: UnitOfWork, link: StoredLink, outcome: FinalOutcome): void {
  work.setWebhookMode(link.notes.webhook);
  const payments = link.body.order_id === undefined ? [] : paymentsOf(work.objects, link.body.order_id);
  const openPayment = payments.findLast(({ body }) => body.status === 'created');
  if (outcome === 'failed') {
    if (openPayment) settlePayment(work, openPayment, 'failed');
    const now = openPayment ? (linkOf(work.objects, openPayment) ?? link) : link;
    if (now.body.status === 'created') expireLink(work, now);
  } else if (openPayment) settlePayment(work, openPayment, 'succeeded');
  else if (!payments.some(({ body }) => body.captured))
    payOnLink(work, link, approveAuthentication(link.notes.behaviour));
}

export const linkRoutes = [
  apiRoute('POST', '/v1/payment_links', 'create', { shape: CREATE_LINK, required: ['amount'], run: createLink }),
  apiRoute('GET', '/v1/payment_links/{id}', 'fetch', { run: ({ id }, work) => findObject(work, id, isLink).body }),
  apiRoute('POST', '/v1/payment_links/{id}/cancel', 'cancel', { run: cancelLink }),
];
