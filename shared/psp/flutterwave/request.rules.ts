import { shortened } from '#shared/kernel/shortened.ts';
import { type ChargeOrder, PspUnasked, type RefundOrder } from '#shared/ports/psp.port.ts';
import { PAGE_OPTIONS } from '#shared/psp/flutterwave/capabilities.ts';
import { MOBILE_MONEY } from '#shared/psp/flutterwave/mobile-money.catalog.ts';
import { majorUnits } from '#shared/psp/flutterwave/money.rules.ts';
import { keepsToken } from '#shared/psp/flutterwave/token.rules.ts';
import { FlutterwaveToken } from '#shared/psp/flutterwave/token.schema.ts';

export type ChargeRequest = { readonly kind: 'page' | 'token' | 'phone'; readonly path: string; readonly body: object };

/** The longest that Flutterwave takes, which is what a customer has here. */
export const PAGE_MINUTES = 1440;

/** What is sent for an order follows from the order alone. */
export function chargeRequest(order: ChargeOrder): ChargeRequest {
  const { offSession, method, paymentMethod } = order;
  if (offSession && (paymentMethod.token === undefined || !keepsToken(paymentMethod.token, method)))
    throw new PspUnasked('invalid_payment_method', AWAY);
  if (paymentMethod.token !== undefined)
    return { kind: 'token', path: '/v3/tokenized-charges', body: tokenBody(order) };
  const phone = phoneOf(order);
  return phone
    ? { kind: 'phone', path: `/v3/charges?type=${phone.type}`, body: { ...common(order), ...phone.body } }
    : { kind: 'page', path: '/v3/payments', body: pageBody(order) };
}

const AWAY = 'Flutterwave charges a customer who is away by the token of a card alone.';

/**
 * Token charges have one form, with the customer present or away; how the bank sees them is the account's setting
 * (`noauth` for off-session). If the bank requires the customer anyway, they return by the address.
 */
function tokenBody(order: ChargeOrder): object {
  const token = FlutterwaveToken.safeParse(order.paymentMethod.token);
  if (!token.success)
    throw new PspUnasked(
      'invalid_payment_method',
      'A Flutterwave token is a string, or an object with token and email.',
    );
  const given = typeof token.data === 'string' ? { token: token.data } : token.data;
  return { ...common(order), ...(order.country !== null && { country: order.country }), ...given };
}

/** A customer who names phone and network is asked on the phone; where something is missing the page asks for it. */
function phoneOf({
  method,
  currency,
  country,
  paymentMethod,
  attemptId,
}: ChargeOrder): { readonly type: string; readonly body: object } | undefined {
  const line = method === 'mobile_money' ? MOBILE_MONEY[currency] : undefined;
  const phone_number = paymentMethod.phone?.replaceAll(/\D/g, '');
  if (!line || !phone_number) return undefined;
  const named = paymentMethod.network?.toUpperCase().replaceAll(/[^A-Z]/g, '');
  const network = line.networks ? line.networks[named ?? ''] : named;
  if ((line.networks && !network) || (line.needsCountry && country === null)) return undefined;
  return {
    type: line.type,
    body: { phone_number, order_id: attemptId, ...(network && { network }), ...(country !== null && { country }) },
  };
}

/** `tx_ref` is what a charge without an answer is found again by. */
function common(order: ChargeOrder) {
  return {
    ...priceOf(order),
    tx_ref: order.attemptId,
    email: emailOf(order),
    ...(order.customerIp !== null && { ip: order.customerIp }),
    ...(order.description !== null && { narration: shortened(order.description, 100) }),
    redirect_url: order.returnUrl,
    meta: order.metadata,
  };
}

function pageBody(order: ChargeOrder): object {
  const options = order.method === 'mobile_money' ? MOBILE_MONEY[order.currency]?.page : PAGE_OPTIONS[order.method];
  return {
    ...priceOf(order),
    tx_ref: order.attemptId,
    redirect_url: order.returnUrl,
    customer: { email: emailOf(order) },
    ...(order.description !== null && { customizations: { description: shortened(order.description, 200) } }),
    ...(options !== undefined && { payment_options: options }),
    meta: order.metadata,
    session_duration: PAGE_MINUTES,
  };
}

/** The comment is where our refund is recognized by. */
export const refundBody = (order: RefundOrder): object => ({ amount: priceOf(order).amount, comments: order.refundId });

function emailOf({ customerEmail }: ChargeOrder): string {
  if (customerEmail === null)
    throw new PspUnasked('invalid_configuration', 'Flutterwave needs the mail address of the customer.');
  return customerEmail;
}

function priceOf({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  const units = majorUnits(amount, currency);
  if (units === undefined)
    throw new PspUnasked('amount_not_supported', `Flutterwave can't be asked for exactly this amount of ${currency}.`);
  return { amount: units, currency };
}
