import { truncate } from '#shared/kernel/text.ts';
import { type ChargeOrder, PspUnsupported, type RefundOrder } from '#shared/ports/psp.port.ts';
import { MOBILE_MONEY, PAGE_OPTIONS } from '#shared/psp/flutterwave/capabilities.ts';
import { pageCustomer, phoneCustomer, tokenCustomer } from '#shared/psp/flutterwave/details.rules.ts';
import { majorUnits } from '#shared/psp/flutterwave/money.rules.ts';
import { FlutterwaveToken, isReusableToken } from '#shared/psp/flutterwave/tokens.rules.ts';
import type { Money } from '#shared/psp/kit/money.ts';
import { findNetwork } from '#shared/psp/kit/networks.ts';

export type ChargeRequest = { readonly kind: 'page' | 'token' | 'phone'; readonly path: string; readonly body: object };

/** How long a page can be paid: Flutterwave's maximum. */
export const PAGE_MINUTES = 1440;

/** The request derives from the order alone. */
export function chargeRequest(order: ChargeOrder): ChargeRequest {
  const { offSession, method, paymentMethod } = order;
  if (offSession && (paymentMethod.token === undefined || !isReusableToken(paymentMethod.token, method)))
    throw new PspUnsupported('invalid_payment_method', OFF_SESSION_MESSAGE);
  if (paymentMethod.token !== undefined)
    return { kind: 'token', path: '/v3/tokenized-charges', body: tokenBody(order) };
  const phone = phoneCharge(order);
  return phone
    ? {
        kind: 'phone',
        path: `/v3/charges?type=${phone.type}`,
        body: { ...commonFields(order), ...phone.body, ...phoneCustomer(order) },
      }
    : { kind: 'page', path: '/v3/payments', body: pageBody(order) };
}

const OFF_SESSION_MESSAGE = 'Off-session, Flutterwave charges only the token of a card.';

/**
 * A token charge has the same request on-session and off-session. Whether the bank may authenticate the customer is a
 * setting of the merchant account (`noauth` for off-session). If the bank requires it anyway, the customer returns by
 * the redirect URL.
 */
function tokenBody(order: ChargeOrder): object {
  const token = FlutterwaveToken.safeParse(order.paymentMethod.token);
  if (!token.success)
    throw new PspUnsupported(
      'invalid_payment_method',
      'A Flutterwave token is a string, or an object with token and email.',
    );
  const tokenFields = typeof token.data === 'string' ? { token: token.data } : token.data;
  const country = order.country !== null && { country: order.country };
  return { ...commonFields(order), ...country, ...tokenCustomer(order), ...tokenFields };
}

/**
 * With phone and network, the customer pays on the phone. If something is missing or unknown, the hosted page asks for
 * it.
 */
function phoneCharge({
  method,
  currency,
  country,
  paymentMethod,
  attemptId,
}: ChargeOrder): { readonly type: string; readonly body: object } | undefined {
  const mobileMoney = method === 'mobile_money' ? MOBILE_MONEY[currency] : undefined;
  const phone_number = paymentMethod.phone?.replaceAll(/\D/g, '');
  if (!mobileMoney || !phone_number) return undefined;
  const { type, networks, needsNetwork = false, needsCountry = false } = mobileMoney;
  const named = paymentMethod.network;
  const network = named === undefined ? undefined : findNetwork(networks, named);
  const lacksNetwork = network === undefined && (needsNetwork || named !== undefined);
  if (lacksNetwork || (needsCountry && country === null)) return undefined;
  return {
    type,
    body: { phone_number, order_id: attemptId, ...(network && { network }), ...(country !== null && { country }) },
  };
}

/** A charge without a response is found by its `tx_ref`. */
function commonFields(order: ChargeOrder) {
  return {
    ...priceOf(order),
    tx_ref: order.attemptId,
    email: emailOf(order),
    ...(order.customerIp !== null && { ip: order.customerIp }),
    ...(order.description !== null && { narration: truncate(order.description, 100) }),
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
    customer: { email: emailOf(order), ...pageCustomer(order) },
    ...(order.description !== null && { customizations: { description: truncate(order.description, 200) } }),
    ...(options !== undefined && { payment_options: options }),
    meta: order.metadata,
    session_duration: PAGE_MINUTES,
  };
}

/** Our refund is recognized by its comment. */
export const refundBody = (order: RefundOrder): object => ({ amount: priceOf(order).amount, comments: order.refundId });

function emailOf({ customerEmail }: ChargeOrder): string {
  if (customerEmail === null)
    throw new PspUnsupported('invalid_configuration', 'Flutterwave requires the email address of the customer.');
  return customerEmail;
}

function priceOf({ amount, currency }: Money) {
  const units = majorUnits(amount, currency);
  if (units === undefined)
    throw new PspUnsupported('amount_not_supported', `Flutterwave cannot charge exactly this amount of ${currency}.`);
  return { amount: units, currency };
}
