import { shortened } from '#shared/kernel/shortened.ts';
import { type ChargeOrder, PspUnasked, type RefundOrder } from '#shared/ports/psp.port.ts';
import type { FormValue } from '#shared/psp/kit/form.ts';
import { METHOD_TYPES } from '#shared/psp/stripe/capabilities.ts';
import { stripeUnits } from '#shared/psp/stripe/money.rules.ts';
import { StripeToken } from '#shared/psp/stripe/token.schema.ts';

type Params = { readonly [name: string]: FormValue };

/** A charge of a given method: confirmed in the same call, captured at once. */
export function intentParams(order: ChargeOrder): Params {
  return {
    ...priceOf(order),
    confirm: true,
    capture_method: 'automatic',
    ...methodOf(order),
    allowed_payment_method_types: METHOD_TYPES[order.method],
    description: order.description === null ? undefined : shortened(order.description, 1000),
    metadata: order.metadata,
    return_url: order.returnUrl,
    off_session: order.offSession ? true : undefined,
  };
}

/** A page at Stripe on which the customer chooses and pays. Its intent is made late, so both carry our keys. */
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
          product_data: { name: shortened(order.description ?? '', 250) || 'Payment' },
        },
      },
    ],
    allowed_payment_method_types: METHOD_TYPES[order.method],
    customer_email: order.customerEmail,
    payment_intent_data: { capture_method: 'automatic', metadata: order.metadata },
    metadata: order.metadata,
    success_url: order.returnUrl,
    cancel_url: order.returnUrl,
  };
}

/** The amount is always named: left out it would mean "the rest", which a refund made in the dashboard changes. */
export function refundParams(order: RefundOrder, paymentIntent: string): Params {
  return { payment_intent: paymentIntent, amount: priceOf(order).amount, metadata: order.metadata };
}

function priceOf({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  const units = stripeUnits(amount, currency);
  if (units === undefined)
    throw new PspUnasked('amount_not_supported', `Stripe can't be asked for exactly this amount of ${currency}.`);
  return { amount: units, currency: currency.toLowerCase() };
}

function methodOf(order: ChargeOrder): Params {
  const token = StripeToken.safeParse(order.paymentMethod.token);
  if (!token.success)
    throw new PspUnasked(
      'invalid_payment_method',
      'A Stripe token is a string, or an object with payment_method or confirmation_token.',
    );
  if (typeof token.data !== 'string') return token.data;
  return token.data.startsWith('ctoken_') ? { confirmation_token: token.data } : { payment_method: token.data };
}
