import type {
  Address,
  Contact,
  MerchantInitiated,
  OrderLine,
  PaymentDetails,
  Sca,
} from '#shared/domain/payments/payment-details.model.ts';
import type { ChargeOrder } from '#shared/ports/psp.port.ts';
import type { CheckoutCredentials } from '#shared/psp/checkout/credentials.schema.ts';
import { checkoutUnits } from '#shared/psp/checkout/money.rules.ts';
import { cut, nonEmpty, phoneParts, statementOf, statementText } from '#shared/psp/kit/details.ts';
import { orderLinesOf } from '#shared/psp/kit/order-lines.ts';

/** What a charge and a page take of the details. */
export function commonDetails({ details = {} }: ChargeOrder, credentials: CheckoutCredentials): object {
  return { ...shippingOf(details.shipping), ...descriptorOf(details, credentials) };
}

/** Lines of an order, for methods of cards. Checkout.com has no lines with discounts in its documents. */
export function itemsOf(order: ChargeOrder): object {
  const lines = orderLinesOf(order) ?? [];
  const items = lines.map((line) => itemOf(line, order.currency));
  return items.length > 0 && items.every((item) => item !== undefined) ? { items } : {};
}

function itemOf({ name, quantity, unit_amount, discount_amount = 0, sku }: OrderLine, currency: string) {
  const unit_price = unit_amount === 0 ? 0 : checkoutUnits(unit_amount, currency);
  if (unit_price === undefined || unit_price < 0 || discount_amount !== 0) return undefined;
  return { name: cut(name, 255) ?? 'Item', quantity, unit_price, reference: cut(sku, 255) };
}

/** Without a country, Checkout.com refuses an address. */
const addressOf = ({ line1, line2, city, state, postal_code, country }: Address = {}) =>
  country === undefined
    ? undefined
    : {
        ...nonEmpty({
          address_line1: cut(line1, 200),
          address_line2: cut(line2, 200),
          city: cut(city, 50),
          state: cut(state, 50),
          zip: cut(postal_code, 50),
        }),
        country,
      };

/** Shorter numbers are refused. */
const MIN_PHONE_DIGITS = 6;

function phoneOf(contact: Contact | undefined) {
  const phone = phoneParts(contact?.phone);
  return phone && phone.number.length >= MIN_PHONE_DIGITS
    ? { country_code: `+${phone.code}`, number: phone.number }
    : undefined;
}

function shippingOf(contact: Contact | undefined): object {
  const address = addressOf(contact?.address);
  const phone = phoneOf(contact);
  return address ? { shipping: { address, ...(phone && { phone }) } } : {};
}

/** The owner of a token. What was said when it was made is overridden. */
export function ownerOf({ details: { billing } = {} }: ChargeOrder): object {
  const [billing_address, phone] = [addressOf(billing?.address), phoneOf(billing)];
  return { ...(billing_address && { billing_address }), ...(phone && { phone }) };
}

/** A page requires a country. */
export function pageBilling({ details: { billing } = {} }: ChargeOrder, country: string): object {
  const address = addressOf(billing?.address) ?? addressOf({ ...billing?.address, country });
  const phone = phoneOf(billing);
  return { address, ...(phone && { phone }) };
}

/** Checkout.com knows customers by their mail address. */
export function customerName({ details: { billing } = {} }: ChargeOrder): object {
  const name = cut(billing?.name, 255);
  return name ? { name } : {};
}

const REFUSED = /[^A-Za-z0-9 .,&/-]/g;

/** A statement of the merchant's own needs a city beside it, which the connection names. */
function descriptorOf(details: PaymentDetails, { statement_city: city }: CheckoutCredentials): object {
  const name = statementText(statementOf(details), { max: 25, refused: REFUSED });
  return name && city ? { billing_descriptor: { name, city } } : {};
}

const CHALLENGES: Readonly<Record<NonNullable<Sca['challenge']>, string>> = {
  preferred: 'challenge_requested',
  required: 'challenge_requested_mandate',
  avoid: 'no_challenge_requested',
};

const EXEMPTIONS: Readonly<Record<NonNullable<Sca['exemption']>, string>> = {
  low_value: 'low_value',
  transaction_risk_analysis: 'transaction_risk_assessment',
  trusted_beneficiary: 'trusted_listing',
  secure_corporate: 'secure_corporate_payment',
};

/** Checkout.com asks for a challenge where a card is kept: otherwise later charges are declined. */
export function challengeOf({ details, save }: ChargeOrder): object {
  const challenge = details?.sca?.challenge ?? (save && !details?.sca?.exemption ? 'required' : undefined);
  return challenge ? { challenge_indicator: CHALLENGES[challenge] } : {};
}

export const exemptionOf = ({ details: { sca } = {} }: ChargeOrder): object =>
  sca?.exemption ? { exemption: EXEMPTIONS[sca.exemption] } : {};

const PAYMENT_TYPES: Readonly<Record<MerchantInitiated['reason'], string>> = {
  recurring: 'Recurring',
  instalment: 'Installment',
  unscheduled: 'Unscheduled',
};

/** A charge without the customer is part of a series unless its details say more. */
export const paymentType = ({ details: { mit } = {} }: ChargeOrder): string =>
  PAYMENT_TYPES[mit?.reason ?? 'recurring'];
