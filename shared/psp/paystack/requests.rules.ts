import { type ChargeOrder, PspUnsupported, type RefundOrder } from '#shared/ports/psp.port.ts';
import type { Money } from '#shared/psp/kit/money.ts';
import { findNetwork } from '#shared/psp/kit/networks.ts';
import { METHOD_CHANNELS, networksOf, SAMPLE_NETWORKS } from '#shared/psp/paystack/capabilities.ts';
import { paystackUnits } from '#shared/psp/paystack/money.rules.ts';
import { isReusableToken, PaystackToken } from '#shared/psp/paystack/tokens.rules.ts';

type Body = Readonly<Record<string, unknown>>;

type ChargeRequest = { readonly kind: 'page' | 'charge'; readonly path: string; readonly body: Body };

/** The request derives from the order alone, so that a repeat is the same call. */
export function chargeRequest(order: ChargeOrder): ChargeRequest {
  const { offSession, method, paymentMethod } = order;
  if (offSession && (paymentMethod.token === undefined || !isReusableToken(paymentMethod.token, method)))
    throw new PspUnsupported('invalid_payment_method', OFF_SESSION_MESSAGE);
  if (paymentMethod.token !== undefined) return tokenCharge(order);
  const direct = directFields(order);
  if (direct) return { kind: 'charge', path: '/charge', body: { ...commonFields(order), ...direct } };
  const page = { channels: METHOD_CHANNELS[order.method], callback_url: order.returnUrl };
  return { kind: 'page', path: '/transaction/initialize', body: { ...commonFields(order), ...page } };
}

const commonFields = (order: ChargeOrder): Body => ({
  email: emailOf(order),
  ...priceOf(order),
  reference: toReference(order.attemptId),
  metadata: order.metadata,
});

const OFF_SESSION_MESSAGE = 'Off-session, Paystack charges only an authorization code.';

const TOKEN_MESSAGE =
  'A Paystack token is a string, or an object with authorization_code and email, or with bank_code and account_number.';

/**
 * Paystack has one form for a stored card, on-session and off-session. The callback URL is for a bank that requires the
 * customer. `queue` is not used: it would cost us the response. Only this call takes the metadata as text.
 */
function tokenCharge(order: ChargeOrder): ChargeRequest {
  const { data: token } = PaystackToken.safeParse(order.paymentMethod.token);
  if (token === undefined) throw new PspUnsupported('invalid_payment_method', TOKEN_MESSAGE);
  if (typeof token === 'object' && 'bank_code' in token) {
    const { bank_code: code, account_number } = token;
    return { kind: 'charge', path: '/charge', body: { ...commonFields(order), bank: { code, account_number } } };
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

/**
 * Methods that need no page once the customer's network is known: the phone rings, or a code is displayed. The page
 * itself asks for a network that Paystack does not know.
 */
function directFields(order: ChargeOrder): Body | undefined {
  const { method, paymentMethod } = order;
  const { phone, network: named } = paymentMethod;
  if (named === undefined) return undefined;
  if (method === 'qr' || method === 'eft')
    return { [method]: { provider: findNetwork(SAMPLE_NETWORKS[method] ?? {}, named) ?? named } };
  const network = findNetwork(networksOf(order) ?? {}, named);
  if (network === undefined) return undefined;
  if (method === 'ussd') return { ussd: { type: network } };
  return phone === undefined ? undefined : { mobile_money: { phone, provider: network } };
}

/**
 * The amount is always sent: without it the whole charge would be refunded. The refund is recognized by its note, as
 * Paystack keeps no key.
 */
export function refundBody(order: RefundOrder): Body {
  return { transaction: order.reference, ...priceOf(order), merchant_note: toReference(order.refundId) };
}

function emailOf({ customerEmail }: ChargeOrder): string {
  if (customerEmail === null)
    throw new PspUnsupported('invalid_configuration', 'Paystack requires the email address of the customer.');
  return customerEmail;
}

function priceOf({ amount, currency }: Money) {
  const units = paystackUnits(amount, currency);
  if (units === undefined)
    throw new PspUnsupported('amount_not_supported', `Paystack cannot charge exactly this amount of ${currency}.`);
  return { amount: units, currency };
}

/** Our id as a reference. Paystack allows letters, digits and `- . =`, and our ids have one underscore. */
export const toReference = (id: string): string => id.replaceAll('_', '-');

/** The attempt's id in a reference; undefined if it is not ours. */
export const toAttemptId = (reference: string): string | undefined =>
  /^att-[0-9a-z]{26}$/.test(reference) ? reference.replace('-', '_') : undefined;

/** Our refund's id, where a note is one. */
export const toRefundId = (note: string): string | undefined =>
  /^re-[0-9a-z]{26}$/.test(note) ? note.replace('-', '_') : undefined;
