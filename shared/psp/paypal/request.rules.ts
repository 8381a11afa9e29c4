import { shortened } from '#shared/kernel/shortened.ts';
import { type ChargeOrder, PspUnasked, type RefundOrder } from '#shared/ports/psp.port.ts';
import { paypalValue } from '#shared/psp/paypal/money.rules.ts';
import { PaypalToken } from '#shared/psp/paypal/token.schema.ts';

type Fields = { readonly [name: string]: unknown };

/**
 * An order for a later capture. The customer's address is left out: PayPal documents a field for it only as the paying
 * account's login, which may be another.
 */
export function orderBody(order: ChargeOrder): Fields {
  const unit = {
    amount: priceOf(order),
    custom_id: keysOf(order, '|'),
    // Unique at PayPal by default: a second guard against a double charge.
    invoice_id: order.attemptId,
    ...(order.description && { description: shortened(order.description, 127) }),
  };
  return { intent: 'CAPTURE', purchase_units: [unit], payment_source: sourceOf(order) };
}

/** The amount is always named: left out it would mean "the rest", which a refund made at PayPal changes. */
export const refundBody = (order: RefundOrder): Fields => ({
  amount: priceOf(order),
  // Its allowed characters are documented as letters, digits and -_., only.
  custom_id: keysOf(order, ','),
  invoice_id: order.refundId,
});

/** PayPal has one text of 127 characters for all our keys. */
const keysOf = (
  { metadata: { org_id, connection_id, payment_id } }: Pick<ChargeOrder, 'metadata'>,
  separator: string,
): string => [org_id, connection_id, payment_id].join(separator);

function priceOf({ amount, currency }: { readonly amount: number; readonly currency: string }): Fields {
  const value = paypalValue(amount, currency);
  if (value === undefined)
    throw new PspUnasked('amount_not_supported', `PayPal can't be asked for exactly this amount of ${currency}.`);
  return { currency_code: currency, value };
}

function sourceOf(order: ChargeOrder): Fields {
  const back = { return_url: order.returnUrl, cancel_url: order.returnUrl };
  if (order.paymentMethod.token === undefined && order.offSession)
    throw new PspUnasked('invalid_payment_method', 'PayPal charges a payer who is away by a saved method only.');
  if (order.paymentMethod.token === undefined)
    return { paypal: { experience_context: { ...back, ...pageFor(order.method) } } };
  const token = PaypalToken.safeParse(order.paymentMethod.token);
  if (!token.success)
    throw new PspUnasked(
      'invalid_payment_method',
      'A PayPal token is the id of a saved payment method, or an object with vault_id and source.',
    );
  const { vault_id, source } = typeof token.data === 'string' ? { vault_id: token.data } : token.data;
  const isCard = (source ?? (order.method === 'card' ? 'card' : 'paypal')) === 'card';
  return isCard
    ? { card: { vault_id, ...cardUse(order), experience_context: back } }
    : { paypal: { vault_id, ...accountUse(order), experience_context: back } };
}

/** A page at PayPal. Who wants to pay by card is shown the form for cards first. */
const pageFor = (method: string): Fields => ({
  user_action: 'PAY_NOW',
  shipping_preference: 'NO_SHIPPING',
  landing_page: method === 'card' ? 'GUEST_CHECKOUT' : 'NO_PREFERENCE',
});

/**
 * A customer who is present may be authenticated by the card's bank, where a rule requires it; one who is away has
 * agreed to recurring charges.
 */
const cardUse = ({ offSession }: ChargeOrder): Fields =>
  offSession
    ? { stored_credential: { payment_initiator: 'MERCHANT', payment_type: 'RECURRING', usage: 'SUBSEQUENT' } }
    : {
        stored_credential: { payment_initiator: 'CUSTOMER', payment_type: 'ONE_TIME', usage: 'SUBSEQUENT' },
        attributes: { verification: { method: 'SCA_WHEN_REQUIRED' } },
      };

const accountUse = ({ offSession }: ChargeOrder): Fields =>
  offSession ? { stored_credential: { payment_initiator: 'MERCHANT', usage: 'SUBSEQUENT' } } : {};
