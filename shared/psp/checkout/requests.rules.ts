import { truncate } from '#shared/kernel/text.ts';
import type { CaptureOrder } from '#shared/ports/capture.port.ts';
import { type ChargeOrder, PspUnsupported, type RefundOrder } from '#shared/ports/psp.port.ts';
import { PAGE_METHODS } from '#shared/psp/checkout/capabilities.ts';
import type { CheckoutCredentials } from '#shared/psp/checkout/credentials.schema.ts';
import { checkoutUnits } from '#shared/psp/checkout/money.rules.ts';
import { CheckoutToken, isSingleUse } from '#shared/psp/checkout/tokens.rules.ts';
import type { Money } from '#shared/psp/kit/money.ts';

const MAX_VALUE_LENGTH = 255;

/** Whether the charge is made at once. Every other charge goes to a hosted page. */
export const isDirect = (order: ChargeOrder): boolean =>
  order.paymentMethod.token !== undefined || directSource(order) !== undefined;

/** A charge that is made at once. Checkout.com captures it by itself, unless the order captures later. */
export function paymentBody(order: ChargeOrder, credentials: CheckoutCredentials): object {
  const paidBy = order.paymentMethod.token === undefined ? { source: directSource(order) } : tokenSource(order);
  return {
    ...paidBy,
    ...(order.paymentMethod.token !== undefined && presenceFields(order)),
    ...commonFields(order, credentials),
    success_url: order.returnUrl,
    failure_url: order.returnUrl,
  };
}

/** On-session, a card may require 3-D Secure. A card without 3-D Secure is charged without it. */
function presenceFields({ offSession, method }: ChargeOrder): object {
  if (offSession) return { merchant_initiated: true, payment_type: 'Recurring' };
  return method === 'card' || method === 'wallet' ? { '3ds': { enabled: true, attempt_n3d: true } } : {};
}

/** A page at Checkout.com. Its payments carry the same reference and metadata. */
export function pageBody(order: ChargeOrder, credentials: CheckoutCredentials): object {
  const country = order.country ?? credentials.default_country;
  if (country === undefined)
    throw new PspUnsupported(
      'invalid_configuration',
      'A hosted page of Checkout.com needs the country of the customer, or a default_country in the connection.',
    );
  const methods = PAGE_METHODS[order.method];
  return {
    ...commonFields(order, credentials),
    billing: { address: { country } },
    ...(methods && { allow_payment_methods: methods }),
    ...(order.method === 'card' && { '3ds': { enabled: true, attempt_n3d: true } }),
    success_url: order.returnUrl,
    failure_url: order.returnUrl,
    cancel_url: order.returnUrl,
  };
}

function commonFields(order: ChargeOrder, { processing_channel_id }: CheckoutCredentials): object {
  const email =
    order.customerEmail !== null && order.customerEmail.length <= MAX_VALUE_LENGTH ? order.customerEmail : undefined;
  return {
    amount: unitsOf(order),
    currency: order.currency,
    reference: order.attemptId,
    capture: order.capture !== 'manual',
    processing_channel_id,
    ...(order.description && { description: truncate(order.description, 100) }),
    ...(email && { customer: { email } }),
    metadata: metadataOf(order),
  };
}

/** Without the type, the rest would be voided. */
export function captureBody(order: CaptureOrder): object {
  return {
    amount: unitsOf(order),
    capture_type: order.final ? 'Final' : 'NonFinal',
    reference: order.captureId,
    metadata: metadataOf(order),
  };
}

/** Actions have their own metadata and reference, so both are sent again. */
export function refundBody(order: RefundOrder): object {
  return { amount: unitsOf(order), reference: order.refundId, metadata: metadataOf(order) };
}

function metadataOf({ metadata }: Pick<ChargeOrder, 'metadata'>): object {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value.length <= MAX_VALUE_LENGTH));
}

function unitsOf({ amount, currency }: Money): number {
  const units = checkoutUnits(amount, currency);
  if (units === undefined)
    throw new PspUnsupported('amount_not_supported', `Checkout.com cannot charge exactly this amount of ${currency}.`);
  return units;
}

type SourceFields = {
  readonly source: object;
  readonly previous_payment_id?: string;
  readonly processing?: { readonly preferred_scheme: string };
};

/** A token from the browser (`tok_…`), or a saved instrument (`src_…`) with its first payment. */
function tokenSource({ paymentMethod, offSession }: ChargeOrder): SourceFields {
  const parsed = CheckoutToken.safeParse(paymentMethod.token);
  if (!parsed.success)
    throw new PspUnsupported(
      'invalid_payment_method',
      'A Checkout.com token is a string, or an object with token or id.',
    );
  const token = parsed.data;
  if (typeof token === 'string')
    return { source: isSingleUse(token) ? { type: 'token', token } : { type: 'id', id: token } };
  if ('token' in token) return { source: { type: 'token', token: token.token }, ...schemeChoice(token) };
  const previous =
    offSession && token.previous_payment_id !== undefined ? { previous_payment_id: token.previous_payment_id } : {};
  return { source: { type: 'id', id: token.id }, ...previous };
}

const schemeChoice = ({ preferred_scheme }: { readonly preferred_scheme?: string | undefined }) =>
  preferred_scheme === undefined ? {} : { processing: { preferred_scheme } };

/**
 * Methods that redirect to the bank and need no further input. Others, such as SEPA with its mandate, go to a hosted
 * page.
 */
function directSource({ method, description, country }: ChargeOrder): object | undefined {
  switch (method) {
    case 'ideal':
      return { type: 'ideal', description: bankText(description) };
    case 'bancontact':
      return { type: 'bancontact', payment_country: country ?? 'BE' };
    case 'eps':
      return { type: 'eps', purpose: bankText(description) };
    case 'knet':
      return { type: 'knet', language: 'en' };
    default:
      return undefined;
  }
}

/** Banks refuse special characters in descriptions. */
const bankText = (text: string | null): string =>
  text
    ?.replaceAll(/[^A-Za-z0-9 .-]/g, ' ')
    .trim()
    .slice(0, 27) || 'Payment';
