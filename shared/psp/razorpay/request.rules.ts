import { shortened } from '#shared/kernel/shortened.ts';
import { type ChargeOrder, PspUnasked, type RefundOrder } from '#shared/ports/psp.port.ts';
import { METHODS } from '#shared/psp/razorpay/capabilities.ts';
import { razorpayUnits } from '#shared/psp/razorpay/money.rules.ts';
import { RazorpayToken } from '#shared/psp/razorpay/token.schema.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A payment link is a page of Razorpay's; other charges are payments of an order, begun by us. */
export type Plan =
  | { readonly kind: 'link' }
  | { readonly kind: 'payment'; readonly path: string; readonly fields: Fields };

const LINK: Plan = { kind: 'link' };
const BY_MERCHANT = '/v1/payments/create/recurring';
const WITH_CUSTOMER = '/v1/payments/create/json';

/**
 * Derived from the order alone, so that later look-ups search the right place. A page needs no phone number; a payment
 * begun by us does.
 */
export function planOf(order: ChargeOrder): Plan {
  const { paymentMethod, customerEmail, offSession } = order;
  const token = paymentMethod.token === undefined ? undefined : tokenOf(paymentMethod.token);
  const contact = phoneOf(token?.contact ?? paymentMethod.phone);
  const email = token?.email ?? customerEmail ?? undefined;
  if (offSession) return { kind: 'payment', path: BY_MERCHANT, fields: { ...unattended(token), contact, email } };
  const method = token ? savedMethod(order.method, token) : directMethod(order);
  return contact && email && method
    ? { kind: 'payment', path: WITH_CUSTOMER, fields: { ...method, contact, email, ...presence(order) } }
    : LINK;
}

function tokenOf(given: unknown): RazorpayToken {
  const token = RazorpayToken.safeParse(given);
  if (!token.success)
    throw new PspUnasked(
      'invalid_payment_method',
      'A Razorpay token is a string, or an object with token and customer_id, contact or email.',
    );
  return token.data;
}

const phoneOf = (given: string | undefined): string | undefined => {
  const digits = given?.replace(/[ ()-]/g, '');
  return digits && /^\+?\d{8,15}$/.test(digits) ? digits : undefined;
};

function unattended(token: RazorpayToken | undefined): Fields {
  if (!token?.customer_id)
    throw new PspUnasked(
      'invalid_payment_method',
      'Without the customer Razorpay charges a token only together with its customer_id.',
    );
  return { token: token.token, customer_id: token.customer_id, recurring: true };
}

const savedMethod = (method: string, { token, customer_id }: RazorpayToken): Fields => ({ method, token, customer_id });

/** Collecting by UPI address was withdrawn in 2026: the customer's own app is opened instead. */
function directMethod({ method, paymentMethod: { bank, network } }: ChargeOrder): Fields | undefined {
  if (method === 'upi') return { method, upi: { flow: 'intent' } };
  if (method === 'netbanking' && typeof bank === 'string') return { method, bank };
  return method === 'wallet' && network ? { method, wallet: network } : undefined;
}

const presence = ({ customerIp, returnUrl }: ChargeOrder): Fields => ({
  ip: customerIp ?? undefined,
  callback_url: returnUrl,
});

/**
 * `unique_receipt` makes a repeat bring the same order. It is documented for India alone, so before a repeat the
 * receipt is looked up as well.
 */
export const orderBody = (order: ChargeOrder): Fields => ({
  ...priceOf(order),
  receipt: order.attemptId,
  unique_receipt: true,
  ...captureOf(order),
  notes: notesOf(order),
});

/**
 * In India we decide about late authorizations: by then the payment may have been made elsewhere. Off-session ones are
 * always late, as the bank notifies the customer a day or more before it pays, and nothing else is tried meanwhile.
 */
function captureOf({ offSession, currency }: ChargeOrder): Fields {
  if (offSession) return { payment_capture: true };
  const late = { automatic_expiry_period: 12, manual_expiry_period: 3 * 24 * 60, refund_speed: 'normal' };
  return { payment: { capture: 'automatic', ...(currency === 'INR' && { capture_options: late }) } };
}

/** An order's notes do not come back with its payments, so both have them. */
export const paymentBody = (
  order: ChargeOrder,
  { fields }: Extract<Plan, { kind: 'payment' }>,
  orderId: string,
): Fields => ({
  ...priceOf(order),
  order_id: orderId,
  ...fields,
  description: shortened(order.description ?? '', 255) || undefined,
  notes: notesOf(order),
});

const LONGEST_NOTE = 256;

/** One too long note would make Razorpay refuse the charge; half a mail address is useless. */
const notesOf = ({ metadata }: Pick<ChargeOrder, 'metadata'>): Fields =>
  Object.fromEntries(
    Object.entries(metadata).filter(([, text]) => typeof text === 'string' && text.length <= LONGEST_NOTE),
  );

const LINK_LIFE_SECONDS = 24 * 60 * 60;

export function linkBody(order: ChargeOrder): Fields {
  const contact = phoneOf(order.paymentMethod.phone);
  const customer = { email: order.customerEmail ?? undefined, contact };
  return {
    ...priceOf(order),
    accept_partial: false,
    reference_id: order.attemptId,
    description: shortened(order.description ?? '', 2048) || undefined,
    ...((customer.email ?? contact) && { customer }),
    notify: { sms: false, email: false },
    reminder_enable: false,
    notes: notesOf(order),
    callback_url: order.returnUrl,
    callback_method: 'get',
    expire_by: Math.floor(Date.parse(order.startedAt) / 1000) + LINK_LIFE_SECONDS,
    options: { checkout: { method: Object.fromEntries(METHODS.map((method) => [method, method === order.method])) } },
  };
}

/** The amount is always named: left out it would mean "the rest", which a refund made in the dashboard changes. */
export const refundBody = (order: RefundOrder): Fields => ({
  amount: priceOf(order).amount,
  speed: 'normal',
  receipt: order.refundId,
  notes: notesOf(order),
});

function priceOf({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  const units = razorpayUnits(amount, currency);
  if (units === undefined)
    throw new PspUnasked('amount_not_supported', `Razorpay can't be asked for exactly this amount of ${currency}.`);
  return { amount: units, currency };
}
