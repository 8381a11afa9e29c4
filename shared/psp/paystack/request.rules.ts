import { type ChargeOrder, PspRefused, type RefundOrder } from '#shared/ports/psp.port.ts';
import { METHOD_CHANNELS } from '#shared/psp/paystack/capabilities.ts';
import { paystackUnits } from '#shared/psp/paystack/money.rules.ts';
import { toReference } from '#shared/psp/paystack/reference.rules.ts';
import { PaystackToken } from '#shared/psp/paystack/token.schema.ts';

type Body = Readonly<Record<string, unknown>>;
export type ChargeCall = { readonly kind: 'page' | 'charge'; readonly path: string; readonly body: Body };

/** Everything comes from the order alone, so that a repeat is the same call. */
export function chargeCall(order: ChargeOrder): ChargeCall {
  const { metadata, paymentMethod } = order;
  if (paymentMethod.token !== undefined) return { kind: 'charge', path: '/transaction/charge_authorization', body: storedCard(order) };
  const base = { email: emailOf(order), ...priceOf(order), reference: toReference(order.attemptId), metadata };
  const direct = directMethod(order);
  if (direct) return { kind: 'charge', path: '/charge', body: { ...base, ...direct } };
  return { kind: 'page', path: '/transaction/initialize', body: { ...base, channels: METHOD_CHANNELS[order.method], callback_url: order.returnUrl } };
}

/** Here alone the metadata are text. */
function storedCard(order: ChargeOrder): Body {
  const token = PaystackToken.safeParse(order.paymentMethod.token);
  if (!token.success) throw new PspRefused('request', 'A Paystack token is a string, or an object with authorization_code and email.');
  const card = typeof token.data === 'string' ? { authorization_code: token.data, email: emailOf(order) } : token.data;
  return { ...priceOf(order), reference: toReference(order.attemptId), ...card, metadata: JSON.stringify(order.metadata) };
}

/** A method that needs no page, once the customer's network is known: the phone rings, or a code is shown. */
function directMethod({ method, paymentMethod: { phone, network } }: ChargeOrder): Body | undefined {
  if (network === undefined) return undefined;
  if (method === 'mobile_money') return phone === undefined ? undefined : { mobile_money: { phone, provider: network } };
  if (method === 'ussd') return { ussd: { type: network } };
  if (method === 'qr' || method === 'eft') return { [method]: { provider: network } };
  return undefined;
}

/** The amount is always named: left out it would mean all of it. Paystack keeps no key of a refund, so the note is what it is known by. */
export function refundBody(order: RefundOrder): Body {
  return { transaction: order.reference, ...priceOf(order), merchant_note: toReference(order.refundId) };
}

function emailOf({ customerEmail }: ChargeOrder): string {
  if (customerEmail === null) throw new PspRefused('request', "Paystack takes no payment without the customer's email.");
  return customerEmail;
}

function priceOf({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  const units = paystackUnits(amount, currency);
  if (units === undefined) throw new PspRefused('request', `Paystack can't be asked for exactly this amount of ${currency}.`);
  return { amount: units, currency };
}
