import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import { following } from '#lib/simulators/frame/following.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { HERE } from '#lib/simulators/frame/wire.ts';
import { type Ask, api, find } from '#lib/simulators/razorpay/ask.ts';
import { impossible, invalid } from '#lib/simulators/razorpay/errors.ts';
import { announce, sign } from '#lib/simulators/razorpay/events.ts';
import { checkMoney } from '#lib/simulators/razorpay/money.ts';
import {
  isLink,
  isOrder,
  type Link,
  newId,
  type PreparedTry,
  referencePlace,
  type StoredLink,
  type StoredOrder,
  type StoredPayment,
  seconds,
} from '#lib/simulators/razorpay/objects.ts';
import { newOrder } from '#lib/simulators/razorpay/orders.ts';
import { attempt, type Came, changeLink, newPayment } from '#lib/simulators/razorpay/outcomes.ts';
import { AT_PAGE } from '#lib/simulators/razorpay/test-methods.ts';
import {
  type Fields,
  hashIn,
  integerIn,
  notesIn,
  paymentIdIn,
  type Shape,
  textIn,
} from '#lib/simulators/razorpay/validation.ts';

const CREATE: Shape = {
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

const QUARTER_OF_AN_HOUR = 15 * 60;
const HALF_A_YEAR = 183 * 24 * 60 * 60;
/** How many tries can end with a signed return: signatures are made while the key's secret is there. */
const TRIES = 5;

function expiryOf(input: Fields, now: number): number {
  const given = integerIn(input, 'expire_by') ?? 0;
  if (given !== 0 && given < now + QUARTER_OF_AN_HOUR)
    throw invalid('expire_by should be at least 15 minutes from now.', 'expire_by');
  if (given > now + HALF_A_YEAR) throw invalid('expire_by should be within six months.', 'expire_by');
  return given;
}

function checkCallback(input: Fields): void {
  const url = textIn(input, 'callback_url');
  if (url !== null && !/^https?:\/\/\S+$/.test(url))
    throw invalid('The callback url format is invalid.', 'callback_url');
  if (url !== null && textIn(input, 'callback_method') === null)
    throw invalid('callback_method: is required.', 'callback_method');
}

const linksOf = (work: Work, reference: string): readonly StoredLink[] =>
  work.objects.childrenOf(referencePlace(work.account, reference)).filter(isLink);

function create({ input, call, keySecret }: Ask, work: Work): Link {
  const [amount, currency] = [integerIn(input, 'amount') ?? 0, textIn(input, 'currency') ?? 'INR'];
  checkMoney(amount, currency);
  checkCallback(input);
  const now = seconds(work.now);
  const expire_by = expiryOf(input, now);
  const reference_id = textIn(input, 'reference_id') ?? '';
  if (reference_id !== '' && linksOf(work, reference_id).length > 0)
    throw invalid(`payment link with given reference_id: (${reference_id}) already exists`);
  const id = newId('plink');
  const { callback_url, callback_method, description = '', reminder_enable = false, accept_partial = false } = input;
  const body: Link = {
    accept_partial,
    amount,
    amount_paid: 0,
    ...(typeof callback_url === 'string' && { callback_url, callback_method }),
    cancelled_at: 0,
    created_at: now,
    currency,
    customer: Object.keys(hashIn(input, 'customer')).length === 0 ? [] : hashIn(input, 'customer'),
    description,
    expire_by,
    expired_at: 0,
    first_min_partial_amount: 0,
    id,
    notes: notesIn(input),
    notify: { email: false, sms: false, whatsapp: false, ...hashIn(input, 'notify') },
    payments: null,
    reference_id,
    reminder_enable,
    reminders: [],
    short_url: `${HERE}/razorpay/l/${id}`,
    status: 'created',
    updated_at: now,
    upi_link: false,
    user_id: '',
  };
  const tries = Array.from({ length: TRIES }, (): PreparedTry => {
    const payment = newId('pay');
    return { id: payment, signature: sign(keySecret, `${id}|${reference_id}|paid|${payment}`) };
  });
  const parent = reference_id === '' ? null : referencePlace(work.account, reference_id);
  const due = expire_by === 0 ? null : expire_by * 1_000;
  const notes = { ...following(call.script), tries };
  work.objects.put({
    id,
    account: work.account,
    kind: 'payment_link',
    paymentId: paymentIdIn(input),
    parent,
    due,
    body,
    notes,
  });
  return body;
}

/** The order behind a link is made by the first try to pay, and has the link's notes, as its payments have. */
function orderBehind(work: Work, link: StoredLink): StoredOrder {
  const known = link.body.order_id === undefined ? undefined : work.objects.get(link.body.order_id);
  if (known && isOrder(known)) return known;
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

/** The customer pays at the page. What a scenario left for the payment applies to this try, and only to this one. */
export function payLink(
  work: Work,
  link: StoredLink,
  behaviour: Behaviour | null,
): { readonly payment: StoredPayment; readonly came: Came } {
  const [prepared, ...tries] = link.notes.tries;
  const order = orderBehind(work, link);
  changeLink(work, link, { order_id: order.id }, { behaviour: null, tries });
  const notes = {
    behaviour: null,
    webhook: link.notes.webhook,
    method: AT_PAGE,
    capture: order.notes.capture,
    link: link.id,
    callbackUrl: null,
    signature: prepared?.signature ?? null,
    wrongCodes: 0,
  };
  const shown = {
    description: `#${link.id.slice('plink_'.length)}`,
    notes: link.body.notes,
    ...hashIn(link.body, 'customer'),
  };
  const payment = newPayment(work, {
    ...(prepared && { id: prepared.id }),
    order,
    paymentId: link.paymentId,
    notes,
    shown,
  });
  return attempt(work, payment, behaviour);
}

function end(
  work: Work,
  link: StoredLink,
  change: Partial<Link> & { readonly status: 'expired' | 'cancelled' },
): StoredLink {
  const after = changeLink(work, link, change);
  announce(work, `payment_link.${change.status}`, { payment_link: after.body });
  return after;
}

export const expireLink = (work: Work, link: StoredLink): StoredLink =>
  end(work, link, { status: 'expired', expired_at: seconds(work.now) });

function cancel({ id }: Ask, work: Work): Link {
  const link = find(work, id, isLink);
  const { status } = link.body;
  if (status === 'paid' || status === 'partially_paid')
    throw impossible('cannot cancel or expire an already paid/partially paid link');
  if (status !== 'created') throw impossible(`cannot cancel or expire an ${status} link`);
  work.sendBy(link.notes.webhook);
  return end(work, link, { status: 'cancelled', cancelled_at: seconds(work.now) }).body;
}

export const linkRoutes = [
  api('POST', '/v1/payment_links', 'create', { shape: CREATE, required: ['amount'], run: create }),
  api('GET', '/v1/payment_links', 'find', {
    filters: ['reference_id', 'payment_id', 'count', 'skip'],
    run: ({ query }, work) => ({
      payment_links: linksOf(work, query.get('reference_id') ?? '').map(({ body }) => body),
    }),
  }),
  api('GET', '/v1/payment_links/{id}', 'fetch', { run: ({ id }, work) => find(work, id, isLink).body }),
  api('POST', '/v1/payment_links/{id}/cancel', 'cancel', { run: cancel }),
];
