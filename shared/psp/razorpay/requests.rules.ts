import { MINUTE } from '#shared/kernel/clock.ts';
import { truncate } from '#shared/kernel/text.ts';
import { type ChargeOrder, PspUnsupported, type RefundOrder } from '#shared/ports/psp.port.ts';
import type { Money } from '#shared/psp/kit/money.ts';
import { findNetwork } from '#shared/psp/kit/networks.ts';
import { bankCode, HOLD_MS, METHODS, WALLETS } from '#shared/psp/razorpay/capabilities.ts';
import { browserFields, nameOf } from '#shared/psp/razorpay/details.rules.ts';
import { razorpayUnits } from '#shared/psp/razorpay/money.rules.ts';
import { RazorpayToken } from '#shared/psp/razorpay/tokens.rules.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A payment link is a page of Razorpay's. Other charges are payments of an order, started by us. */
export type ChargeRequest =
  | { readonly kind: 'link' }
  | { readonly kind: 'payment'; readonly path: string; readonly fields: Fields };

const LINK: ChargeRequest = { kind: 'link' };

const OFF_SESSION_PATH = '/v1/payments/create/recurring';

const ON_SESSION_PATH = '/v1/payments/create/json';

/**
 * Derives from the order alone, so that later look-ups search the right objects. A payment started by us needs a phone
 * number; a page does not.
 */
export function chargeRequest(order: ChargeOrder): ChargeRequest {
  const { paymentMethod, customerEmail, offSession, details } = order;
  const token = paymentMethod.token === undefined ? undefined : tokenOf(paymentMethod.token);
  // Without a token the phone decides whether there is a page: then only one that was meant for it counts.
  const contact = phoneOf(token?.contact ?? paymentMethod.phone ?? (token && details?.billing?.phone));
  const email = token?.email ?? customerEmail ?? undefined;
  if (offSession)
    return { kind: 'payment', path: OFF_SESSION_PATH, fields: { ...offSessionFields(token), contact, email } };
  const method = token ? savedMethodFields(order.method, token) : directMethodFields(order);
  if (contact && email && method)
    return { kind: 'payment', path: ON_SESSION_PATH, fields: { ...method, contact, email, ...onSessionFields(order) } };
  if (order.capture === 'manual') throw noManualLink();
  return LINK;
}

/** A payment link has no setting for it: its payments are captured as the account is set. */
const noManualLink = (): PspUnsupported =>
  new PspUnsupported(
    'invalid_payment_method',
    "Razorpay's own page cannot capture later. Send a token, a bank, a wallet or UPI, with phone and email.",
  );

function tokenOf(input: unknown): RazorpayToken {
  const token = RazorpayToken.safeParse(input);
  if (!token.success)
    throw new PspUnsupported(
      'invalid_payment_method',
      'A Razorpay token is a string, or an object with token and customer_id, contact or email.',
    );
  return token.data;
}

const phoneOf = (input: string | undefined): string | undefined => {
  const digits = input?.replace(/[ ()-]/g, '');
  return digits && /^\+?\d{8,15}$/.test(digits) ? digits : undefined;
};

function offSessionFields(token: RazorpayToken | undefined): Fields {
  if (!token?.customer_id)
    throw new PspUnsupported(
      'invalid_payment_method',
      'Off-session, Razorpay charges a token only together with its customer_id.',
    );
  return { token: token.token, customer_id: token.customer_id, recurring: true };
}

const savedMethodFields = (method: string, { token, customer_id }: RazorpayToken): Fields => ({
  method,
  token,
  customer_id,
});

/**
 * Charging a UPI address was withdrawn in 2026. The customer's own app is opened instead. The page itself asks for a
 * wallet that Razorpay does not know.
 */
function directMethodFields({ method, paymentMethod: { bank, network } }: ChargeOrder): Fields | undefined {
  if (method === 'upi') return { method, upi: { flow: 'intent' } };
  if (method === 'netbanking' && typeof bank === 'string') return { method, bank: bankCode(bank) };
  const wallet = method === 'wallet' && network ? findNetwork(WALLETS, network) : undefined;
  return wallet === undefined ? undefined : { method, wallet };
}

const onSessionFields = (order: ChargeOrder): Fields => ({
  ip: order.customerIp ?? undefined,
  callback_url: order.returnUrl,
  ...browserFields(order),
});

/**
 * With `unique_receipt` a repeat returns the same order. It is documented for India alone, so the receipt is also
 * looked up before a repeat.
 */
export const orderBody = (order: ChargeOrder): Fields => ({
  ...priceOf(order),
  receipt: order.attemptId,
  unique_receipt: true,
  ...captureFields(order),
  notes: notesOf(order),
});

/**
 * In India we decide whether to capture a late authorization: by then the payment may have been made elsewhere.
 * Off-session ones are always late, as the bank notifies the customer a day or more before it pays, and nothing else is
 * tried meanwhile.
 */
function captureFields({ offSession, currency, capture: mode }: ChargeOrder): Fields {
  const capture = mode ?? 'automatic';
  if (offSession) return { payment_capture: capture === 'automatic' };
  const lateAuthorization = {
    ...(capture === 'automatic' && { automatic_expiry_period: 12 }),
    manual_expiry_period: HOLD_MS / MINUTE,
    refund_speed: 'normal',
  };
  return { payment: { capture, ...(currency === 'INR' && { capture_options: lateAuthorization }) } };
}

/** An order's notes are not on its payments, so both have them. */
export const paymentBody = (
  order: ChargeOrder,
  { fields }: Extract<ChargeRequest, { kind: 'payment' }>,
  orderId: string,
): Fields => ({
  ...priceOf(order),
  order_id: orderId,
  ...fields,
  description: truncate(order.description ?? '', 255) || undefined,
  notes: notesOf(order),
});

const MAX_NOTE_LENGTH = 256;

/** A note that is too long would make Razorpay refuse the charge. It is left out, as half a mail address is useless. */
const notesOf = ({ metadata }: Pick<ChargeOrder, 'metadata'>): Fields =>
  Object.fromEntries(
    Object.entries(metadata).filter(([, text]) => typeof text === 'string' && text.length <= MAX_NOTE_LENGTH),
  );

const LINK_LIFE_SECONDS = 24 * 60 * 60;

export function linkBody(order: ChargeOrder): Fields {
  const contact = phoneOf(order.paymentMethod.phone ?? order.details?.billing?.phone);
  const customer = { name: nameOf(order), email: order.customerEmail ?? undefined, contact };
  return {
    ...priceOf(order),
    accept_partial: false,
    reference_id: order.attemptId,
    description: truncate(order.description ?? '', 2048) || undefined,
    ...((customer.email ?? contact ?? customer.name) && { customer }),
    notify: { sms: false, email: false },
    reminder_enable: false,
    notes: notesOf(order),
    callback_url: order.returnUrl,
    callback_method: 'get',
    expire_by: Math.floor(Date.parse(order.startedAt) / 1000) + LINK_LIFE_SECONDS,
    options: { checkout: { method: Object.fromEntries(METHODS.map((method) => [method, method === order.method])) } },
  };
}

/** The amount is always sent. Without it the rest is refunded, which a refund made in the dashboard changes. */
export const refundBody = (order: RefundOrder): Fields => ({
  amount: priceOf(order).amount,
  speed: 'normal',
  receipt: order.refundId,
  notes: notesOf(order),
});

function priceOf({ amount, currency }: Money) {
  const units = razorpayUnits(amount, currency);
  if (units === undefined)
    throw new PspUnsupported('amount_not_supported', `Razorpay cannot charge exactly this amount of ${currency}.`);
  return { amount: units, currency };
}
