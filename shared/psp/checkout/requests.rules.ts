import { truncate } from '#shared/kernel/text.ts';
import type { CaptureOrder } from '#shared/ports/capture.port.ts';
import { type ChargeOrder, PspUnsupported, type RefundOrder } from '#shared/ports/psp.port.ts';
import { PAGE_METHODS } from '#shared/psp/checkout/capabilities.ts';
import type { CheckoutCredentials } from '#shared/psp/checkout/credentials.schema.ts';
import {
  challengeOf,
  commonDetails,
  customerName,
  exemptionOf,
  itemsOf,
  ownerOf,
  pageBilling,
  paymentType,
} from '#shared/psp/checkout/details.rules.ts';
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
    ...(order.details && isOfCards(order) && itemsOf(order)),
    success_url: order.returnUrl,
    failure_url: order.returnUrl,
  };
}

/** On-session, a card may require 3-D Secure. A card without 3-D Secure is charged without it. */
function presenceFields(order: ChargeOrder): object {
  if (order.offSession) return { merchant_initiated: true, payment_type: paymentType(order) };
  const secure = { enabled: true, attempt_n3d: true, ...challengeOf(order), ...exemptionOf(order) };
  return isOfCards(order) ? { '3ds': secure } : {};
}

const isOfCards = ({ method }: ChargeOrder): boolean => method === 'card' || method === 'wallet';

/** A page at Checkout.com. Its payments carry the same reference and metadata. */
export function pageBody(order: ChargeOrder, credentials: CheckoutCredentials): object {
  const country = order.country ?? order.details?.billing?.address?.country ?? credentials.default_country;
  if (country === undefined)
    throw new PspUnsupported(
      'invalid_configuration',
      'A hosted page of Checkout.com needs the country of the customer, or a default_country in the connection.',
    );
  const methods = PAGE_METHODS[order.method];
  return {
    ...commonFields(order, credentials),
    billing: order.details ? pageBilling(order, country) : { address: { country } },
    ...(methods && { allow_payment_methods: methods }),
    ...(order.method === 'card' && { '3ds': { enabled: true, attempt_n3d: true, ...challengeOf(order) } }),
    ...(keepsOnPage(order) && { payment_method_configuration: keptOnPage(order) }),
    success_url: order.returnUrl,
    failure_url: order.returnUrl,
    cancel_url: order.returnUrl,
  };
}

/** A page keeps cards, for a customer whose mail address it knows. */
const keepsOnPage = (order: ChargeOrder): boolean =>
  order.save !== undefined && isOfCards(order) && emailOf(order) !== undefined;

const keptOnPage = ({ method }: ChargeOrder): object =>
  Object.fromEntries((PAGE_METHODS[method] ?? []).map((name) => [name, { store_payment_details: 'enabled' }]));

const emailOf = ({ customerEmail }: ChargeOrder): string | undefined =>
  customerEmail !== null && customerEmail.length <= MAX_VALUE_LENGTH ? customerEmail : undefined;

function commonFields(order: ChargeOrder, credentials: CheckoutCredentials): object {
  const { processing_channel_id } = credentials;
  const email = emailOf(order);
  return {
    amount: unitsOf(order),
    currency: order.currency,
    reference: order.attemptId,
    capture: order.capture !== 'manual',
    processing_channel_id,
    ...(order.description && { description: truncate(order.description, 100) }),
    ...(email && { customer: { email, ...customerName(order) } }),
    metadata: metadataOf(order),
    ...(order.details && commonDetails(order, credentials)),
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
function tokenSource(order: ChargeOrder): SourceFields {
  const parsed = CheckoutToken.safeParse(order.paymentMethod.token);
  if (!parsed.success)
    throw new PspUnsupported(
      'invalid_payment_method',
      'A Checkout.com token is a string, or an object with token or id.',
    );
  const token = parsed.data;
  if (typeof token === 'string')
    return isSingleUse(token)
      ? { source: newSource(token, order) }
      : { source: { type: 'id', id: token }, ...previousPayment(order) };
  if ('token' in token) return { source: newSource(token.token, order), ...schemeChoice(token) };
  return { source: { type: 'id', id: token.id }, ...previousPayment(order, token.previous_payment_id) };
}

const newSource = (token: string, order: ChargeOrder): object => ({
  type: 'token',
  token,
  ...(order.save && isOfCards(order) && { store_for_future_use: true }),
  ...(order.details && ownerOf(order)),
});

/** The payment in which the customer agreed: Checkout.com's own, or the network's id of one made elsewhere. */
function previousPayment(
  { offSession, details }: ChargeOrder,
  own?: string,
): Pick<SourceFields, 'previous_payment_id'> {
  const id = own ?? details?.mit?.network_transaction_id;
  return offSession && id !== undefined && /^[\w-]{1,100}$/.test(id) ? { previous_payment_id: id } : {};
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
