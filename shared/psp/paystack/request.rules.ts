import { type ChargeOrder, PspUnasked, type RefundOrder } from '#shared/ports/psp.port.ts';
import { METHOD_CHANNELS } from '#shared/psp/paystack/capabilities.ts';
import { paystackUnits } from '#shared/psp/paystack/money.rules.ts';
import { toReference } from '#shared/psp/paystack/reference.rules.ts';
import { keepsToken } from '#shared/psp/paystack/token.rules.ts';
import { PaystackToken } from '#shared/psp/paystack/token.schema.ts';

type Body = Readonly<Record<string, unknown>>;
type ChargeCall = { readonly kind: 'page' | 'charge'; readonly path: string; readonly body: Body };

/** All fields derive from the order, so that a repeat is the same call. */
export function chargeCall(order: ChargeOrder): ChargeCall {
  const { offSession, method, paymentMethod } = order;
  if (offSession && (paymentMethod.token === undefined || !keepsToken(paymentMethod.token, method)))
    throw new PspUnasked('invalid_payment_method', AWAY);
  if (paymentMethod.token !== undefined) return byToken(order);
  const direct = directMethod(order);
  if (direct) return { kind: 'charge', path: '/charge', body: { ...chargeOf(order), ...direct } };
  const page = { channels: METHOD_CHANNELS[order.method], callback_url: order.returnUrl };
  return { kind: 'page', path: '/transaction/initialize', body: { ...chargeOf(order), ...page } };
}

const chargeOf = (order: ChargeOrder): Body => ({
  email: emailOf(order),
  ...priceOf(order),
  reference: toReference(order.attemptId),
  metadata: order.metadata,
});

const AWAY = 'Paystack charges a customer who is away by an authorization code alone.';
const TOKEN =
  'A Paystack token is a string, or an object with authorization_code and email, or with bank_code and account_number.';

/**
 * Paystack has one form for a stored card, with the customer present or away; the address is for a bank that requires
 * the customer. `queue` would spare Paystack bursts of charges, but cost us the answer. Of this call alone the metadata
 * are text.
 */
function byToken(order: ChargeOrder): ChargeCall {
  const { data: token } = PaystackToken.safeParse(order.paymentMethod.token);
  if (token === undefined) throw new PspUnasked('invalid_payment_method', TOKEN);
  if (typeof token === 'object' && 'bank_code' in token) {
    const { bank_code: code, account_number } = token;
    return { kind: 'charge', path: '/charge', body: { ...chargeOf(order), bank: { code, account_number } } };
  }
  const card = typeof token === 'string' ? { authorization_code: token, email: emailOf(order) } : token;
  const body = {
    ...priceOf(order),
    reference: toReference(order.attemptId),
    ...card,
    callback_url: order.returnUrl,
    metadata: JSON.stringify(order.metadata),
  };
  return { kind: 'charge', path: '/transaction/charge_authorization', body };
}

/** A method without a page, once the customer's network is known: the phone rings, or a code is shown. */
function directMethod({ method, paymentMethod: { phone, network } }: ChargeOrder): Body | undefined {
  if (network === undefined) return undefined;
  if (method === 'mobile_money')
    return phone === undefined ? undefined : { mobile_money: { phone, provider: network } };
  if (method === 'ussd') return { ussd: { type: network } };
  if (method === 'qr' || method === 'eft') return { [method]: { provider: network } };
  return undefined;
}

/**
 * The amount is always named: left out it would mean all of it. Paystack keeps no key of a refund, so the note is what
 * it is known by.
 */
export function refundBody(order: RefundOrder): Body {
  return { transaction: order.reference, ...priceOf(order), merchant_note: toReference(order.refundId) };
}

function emailOf({ customerEmail }: ChargeOrder): string {
  if (customerEmail === null)
    throw new PspUnasked('invalid_configuration', "Paystack takes no payment without the customer's email.");
  return customerEmail;
}

function priceOf({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  const units = paystackUnits(amount, currency);
  if (units === undefined)
    throw new PspUnasked('amount_not_supported', `Paystack can't be asked for exactly this amount of ${currency}.`);
  return { amount: units, currency };
}
