import { truncate } from '#shared/kernel/text.ts';
import type { CaptureOrder } from '#shared/ports/capture.port.ts';
import { type ChargeOrder, PspUnsupported, type RefundOrder } from '#shared/ports/psp.port.ts';
import type { Money } from '#shared/psp/kit/money.ts';
import type { FormValue } from '#shared/psp/kit/requests.ts';
import { METHOD_TYPES } from '#shared/psp/stripe/capabilities.ts';
import {
  cardOptions,
  intentDataDetails,
  intentDetails,
  isKept,
  pageLines,
  takesCards,
} from '#shared/psp/stripe/details.rules.ts';
import { stripeUnits } from '#shared/psp/stripe/money.rules.ts';
import { StripeToken } from '#shared/psp/stripe/tokens.rules.ts';

type Params = { readonly [name: string]: FormValue };

/**
 * A charge of a given method: confirmed in the same call, and captured at once unless the order says later. `customer`:
 * keeps the method.
 */
export function intentParams(order: ChargeOrder, customer?: string): Params {
  return {
    ...priceOf(order),
    confirm: true,
    capture_method: order.capture ?? 'automatic',
    ...methodOf(order),
    allowed_payment_method_types: METHOD_TYPES[order.method],
    description: order.description === null ? undefined : truncate(order.description, 1000),
    metadata: order.metadata,
    return_url: order.returnUrl,
    off_session: order.offSession ? true : undefined,
    ...(customer && { customer, setup_future_usage: 'off_session' }),
    ...(order.details && intentDetails(order)),
    ...methodOptions(order),
    // Nothing else may change what an earlier release has sent: a repeat under its key is to be the same.
    ...(expandsCharge(order) && { expand: ['latest_charge'] }),
  };
}

/** Whether the response is to contain the charge, which alone tells of the card. */
export const expandsCharge = ({ capture, save, details = {} }: ChargeOrder): boolean =>
  capture === 'manual' || save !== undefined || Object.keys(details).length > 0;

/** `request_multicapture`: several captures of one charge, if Stripe has agreed it with the account. */
function methodOptions(order: ChargeOrder): Params {
  if (!(order.capture === 'manual' || order.details) || !takesCards(order)) return {};
  const multicapture = order.capture === 'manual' && { request_multicapture: 'if_available' };
  return { payment_method_options: { card: { ...multicapture, ...cardOptions(order) } } };
}

/** A page at Stripe on which the customer chooses and pays. Its intent is made later, so both carry our metadata. */
export function sessionParams(order: ChargeOrder): Params {
  const metadata = order.metadata;
  const keeps = isKept(order);
  return {
    mode: 'payment',
    line_items: linesOf(order),
    allowed_payment_method_types: METHOD_TYPES[order.method],
    customer_email: order.customerEmail,
    payment_intent_data: {
      capture_method: order.capture ?? 'automatic',
      metadata,
      ...(keeps && { setup_future_usage: 'off_session' }),
      ...(order.details && intentDataDetails(order)),
    },
    ...(keeps && { customer_creation: 'always' }),
    ...methodOptions(order),
    metadata,
    success_url: order.returnUrl,
    cancel_url: order.returnUrl,
  };
}

/** What the page shows as bought. */
function linesOf(order: ChargeOrder): readonly Params[] {
  const { amount, currency } = priceOf(order);
  const line = (name: string, quantity: number, unit_amount: number) => ({
    quantity,
    price_data: { currency, unit_amount, product_data: { name: truncate(name, 250) } },
  });
  const lines = order.details ? pageLines(order) : undefined;
  return (
    lines?.map(({ name, quantity, units }) => line(name, quantity, units)) ?? [
      line(truncate(order.description ?? '', 250) || 'Payment', 1, amount),
    ]
  );
}

/** The amount is always sent. Without it the rest is refunded, which a refund made in the dashboard changes. */
export function refundParams(order: RefundOrder, paymentIntent: string): Params {
  // Repeats of a refund that an earlier release sent must be the same as then, without our id.
  const ourId = order.isOfEarlierRelease ? {} : { refund_id: order.refundId };
  return { payment_intent: paymentIntent, amount: priceOf(order).amount, metadata: { ...order.metadata, ...ourId } };
}

/**
 * Our id and its amount stay on the intent, so that a repeat finds the capture. Without `final_capture` the rest is
 * released.
 */
export function captureParams(order: CaptureOrder): Params {
  return {
    amount_to_capture: priceOf(order).amount,
    final_capture: order.final ? undefined : false,
    metadata: { ...order.metadata, [order.captureId]: order.amount },
    expand: ['latest_charge'],
  };
}

function priceOf({ amount, currency, method }: Money & { readonly method?: string }) {
  const units = stripeUnits(amount, currency, method);
  if (units === undefined)
    throw new PspUnsupported('amount_not_supported', `Stripe cannot charge exactly this amount of ${currency}.`);
  return { amount: units, currency: currency.toLowerCase() };
}

function methodOf(order: ChargeOrder): Params {
  const token = StripeToken.safeParse(order.paymentMethod.token);
  if (!token.success)
    throw new PspUnsupported(
      'invalid_payment_method',
      'A Stripe token is a string, or an object with payment_method or confirmation_token.',
    );
  if (typeof token.data !== 'string') return token.data;
  return token.data.startsWith('ctoken_') ? { confirmation_token: token.data } : { payment_method: token.data };
}
