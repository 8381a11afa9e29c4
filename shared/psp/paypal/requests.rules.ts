import { truncate } from '#shared/kernel/text.ts';
import type { CaptureOrder } from '#shared/ports/capture.port.ts';
import { type ChargeOrder, PspUnsupported, type RefundOrder } from '#shared/ports/psp.port.ts';
import { SAVED_METHODS } from '#shared/psp/paypal/capabilities.ts';
import {
  breakdownOf,
  initiatedBy,
  payerDetails,
  shipsTo,
  unitDetails,
  verificationOf,
} from '#shared/psp/paypal/details.rules.ts';
import { paypalValue } from '#shared/psp/paypal/money.rules.ts';
import { PaypalToken } from '#shared/psp/paypal/tokens.rules.ts';

type Fields = { readonly [name: string]: unknown };

/**
 * An order for a later capture. The customer's mail address is left out: PayPal's only field for it is the login of the
 * paying account, which may be another address.
 */
export function orderBody(order: ChargeOrder): Fields {
  const unit = {
    amount: { ...priceOf(order), ...breakdownOf(order) },
    custom_id: joinedKeys(order, '|'),
    // Unique at PayPal by default: a second guard against a double charge.
    invoice_id: order.attemptId,
    ...(order.description && { description: truncate(order.description, 127) }),
    ...unitDetails(order),
  };
  const intent = order.capture === 'manual' ? 'AUTHORIZE' : 'CAPTURE';
  return { intent, purchase_units: [unit], payment_source: sourceOf(order) };
}

/** The invoice id is unique at PayPal by default: a second guard against a double capture. */
export const captureBody = (order: CaptureOrder): Fields => ({
  amount: priceOf(order),
  invoice_id: order.captureId,
  final_capture: order.final,
});

/** The amount is always sent. Without it PayPal refunds the rest, which a refund made at PayPal changes. */
export const refundBody = (order: RefundOrder): Fields => ({
  amount: priceOf(order),
  // Its allowed characters are documented as letters, digits and -_., only.
  custom_id: joinedKeys(order, ','),
  invoice_id: order.refundId,
});

/** PayPal has one text field of 127 characters for all our ids. */
const joinedKeys = (
  { metadata: { org_id, connection_id, payment_id } }: Pick<ChargeOrder, 'metadata'>,
  separator: string,
): string => [org_id, connection_id, payment_id].join(separator);

function priceOf({ amount, currency }: { readonly amount: number; readonly currency: string }): Fields {
  const value = paypalValue(amount, currency);
  if (value === undefined)
    throw new PspUnsupported('amount_not_supported', `PayPal cannot charge exactly this amount of ${currency}.`);
  return { currency_code: currency, value };
}

function sourceOf(order: ChargeOrder): Fields {
  const returnUrls = { return_url: order.returnUrl, cancel_url: order.returnUrl };
  if (order.paymentMethod.token === undefined && order.offSession)
    throw new PspUnsupported('invalid_payment_method', 'Off-session, PayPal charges saved methods only.');
  if (order.paymentMethod.token === undefined)
    return {
      paypal: {
        experience_context: { ...returnUrls, ...pageFor(order) },
        ...payerDetails(order.details),
        ...(savesMethod(order) && { attributes: { vault: VAULT } }),
      },
    };
  const token = PaypalToken.safeParse(order.paymentMethod.token);
  if (!token.success)
    throw new PspUnsupported(
      'invalid_payment_method',
      'A PayPal token is the id of a saved payment method, or an object with vault_id and source.',
    );
  const { vault_id, source } = typeof token.data === 'string' ? { vault_id: token.data } : token.data;
  const isCard = (source ?? (order.method === 'card' ? 'card' : 'paypal')) === 'card';
  return isCard
    ? { card: { vault_id, ...cardUsage(order), experience_context: returnUrls } }
    : { paypal: { vault_id, ...accountUsage(order), experience_context: returnUrls } };
}

/** Keeps the account that pays, for this merchant's later charges. */
const VAULT: Fields = { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT', customer_type: 'CONSUMER' };

/** Only on a page: a method that has a token is kept already. */
export const savesMethod = ({ save, method, paymentMethod: { token } }: ChargeOrder): boolean =>
  save !== undefined && token === undefined && SAVED_METHODS.includes(method);

/** A page at PayPal. For card payments it shows the card form first. */
const pageFor = (order: ChargeOrder): Fields => ({
  user_action: 'PAY_NOW',
  shipping_preference: shipsTo(order) ? 'SET_PROVIDED_ADDRESS' : 'NO_SHIPPING',
  landing_page: order.method === 'card' ? 'GUEST_CHECKOUT' : 'NO_PREFERENCE',
});

/**
 * On-session, the card's bank authenticates the customer where a rule or the merchant requires it. Off-session, the
 * customer has agreed to such charges.
 */
const cardUsage = (order: ChargeOrder): Fields =>
  order.offSession
    ? { stored_credential: { payment_initiator: 'MERCHANT', ...initiatedBy(order), usage: 'SUBSEQUENT' } }
    : {
        stored_credential: { payment_initiator: 'CUSTOMER', payment_type: 'ONE_TIME', usage: 'SUBSEQUENT' },
        attributes: { verification: { method: verificationOf(order) } },
      };

const accountUsage = ({ offSession }: ChargeOrder): Fields =>
  offSession ? { stored_credential: { payment_initiator: 'MERCHANT', usage: 'SUBSEQUENT' } } : {};
