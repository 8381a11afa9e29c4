import { shortened } from '#shared/kernel/shortened.ts';
import { type ChargeOrder, PspUnasked, type RefundOrder } from '#shared/ports/psp.port.ts';
import { PAGE_METHODS } from '#shared/psp/checkout/capabilities.ts';
import type { CheckoutCredentials } from '#shared/psp/checkout/credentials.schema.ts';
import { checkoutUnits } from '#shared/psp/checkout/money.rules.ts';
import { directSource, tokenSource } from '#shared/psp/checkout/source.rules.ts';

const LONGEST_VALUE = 255;

/** Whether the charge is made at once, with what the customer has given; everything else goes to a hosted page. */
export const isDirect = (order: ChargeOrder): boolean =>
  order.paymentMethod.token !== undefined || directSource(order) !== undefined;

/** A charge at once, captured by Checkout.com by itself. */
export function paymentBody(order: ChargeOrder, credentials: CheckoutCredentials): object {
  const paidBy = order.paymentMethod.token === undefined ? { source: directSource(order) } : tokenSource(order);
  return {
    ...paidBy,
    ...(order.paymentMethod.token !== undefined && presence(order)),
    ...common(order, credentials),
    success_url: order.returnUrl,
    failure_url: order.returnUrl,
  };
}

/** With the customer there a card may ask for 3-D Secure, and goes on without it where the card knows none. */
function presence({ offSession, method }: ChargeOrder): object {
  if (offSession) return { merchant_initiated: true, payment_type: 'Recurring' };
  return method === 'card' || method === 'wallet' ? { '3ds': { enabled: true, attempt_n3d: true } } : {};
}

/** A page at Checkout.com on which the customer pays. Its payments carry the same reference and keys. */
export function pageBody(order: ChargeOrder, credentials: CheckoutCredentials): object {
  const country = order.country ?? credentials.default_country;
  if (country === undefined)
    throw new PspUnasked(
      'invalid_configuration',
      'A hosted page of Checkout.com needs the country of the customer, or a default_country in the connection.',
    );
  const methods = PAGE_METHODS[order.method];
  return {
    ...common(order, credentials),
    billing: { address: { country } },
    ...(methods && { allow_payment_methods: methods }),
    ...(order.method === 'card' && { '3ds': { enabled: true, attempt_n3d: true } }),
    success_url: order.returnUrl,
    failure_url: order.returnUrl,
    cancel_url: order.returnUrl,
  };
}

function common(order: ChargeOrder, { processing_channel_id }: CheckoutCredentials): object {
  const email =
    order.customerEmail !== null && order.customerEmail.length <= LONGEST_VALUE ? order.customerEmail : undefined;
  return {
    amount: unitsOf(order),
    currency: order.currency,
    reference: order.attemptId,
    capture: true,
    processing_channel_id,
    ...(order.description && { description: shortened(order.description, 100) }),
    ...(email && { customer: { email } }),
    metadata: metadataOf(order),
  };
}

/** Actions have metadata and a reference of their own, so both are sent again. */
export function refundBody(order: RefundOrder): object {
  return { amount: unitsOf(order), reference: order.refundId, metadata: metadataOf(order) };
}

function metadataOf({ metadata }: Pick<ChargeOrder, 'metadata'>): object {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value.length <= LONGEST_VALUE));
}

function unitsOf({ amount, currency }: { readonly amount: number; readonly currency: string }): number {
  const units = checkoutUnits(amount, currency);
  if (units === undefined)
    throw new PspUnasked('amount_not_supported', `Checkout.com can't be asked for exactly this amount of ${currency}.`);
  return units;
}
