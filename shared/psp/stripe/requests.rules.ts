import { truncate } from '#shared/kernel/text.ts';
import type { CaptureOrder } from '#shared/ports/capture.port.ts';
import { type ChargeOrder, PspUnsupported, type RefundOrder } from '#shared/ports/psp.port.ts';
import type { Money } from '#shared/psp/kit/money.ts';
import type { FormValue } from '#shared/psp/kit/requests.ts';
import { METHOD_TYPES } from '#shared/psp/stripe/capabilities.ts';
import { stripeUnits } from '#shared/psp/stripe/money.rules.ts';
import { StripeToken } from '#shared/psp/stripe/tokens.rules.ts';

type Params = { readonly [name: string]: FormValue };

/** A charge of a given method: confirmed in the same call, and captured at once unless the order says later. */
export function intentParams(order: ChargeOrder): Params {
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
    ...(order.capture === 'manual' && { ...multicapture(order), expand: ['latest_charge'] }),
  };
}

/** Several captures of one charge: for cards, if Stripe has agreed it with the account. */
const multicapture = ({ method }: ChargeOrder): Params =>
  METHOD_TYPES[method]?.includes('card')
    ? { payment_method_options: { card: { request_multicapture: 'if_available' } } }
    : {};

/** A page at Stripe on which the customer chooses and pays. Its intent is made later, so both carry our metadata. */
export function sessionParams(order: ChargeOrder): Params {
  const { amount, currency } = priceOf(order);
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency,
          unit_amount: amount,
          product_data: { name: truncate(order.description ?? '', 250) || 'Payment' },
        },
      },
    ],
    allowed_payment_method_types: METHOD_TYPES[order.method],
    customer_email: order.customerEmail,
    payment_intent_data: { capture_method: order.capture ?? 'automatic', metadata: order.metadata },
    ...(order.capture === 'manual' && multicapture(order)),
    metadata: order.metadata,
    success_url: order.returnUrl,
    cancel_url: order.returnUrl,
  };
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
