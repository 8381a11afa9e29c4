import type { Address, Contact, OrderLine } from '#shared/domain/payments/payment-details.model.ts';
import { truncate } from '#shared/kernel/text.ts';
import type { ChargeOrder } from '#shared/ports/psp.port.ts';
import { orderLinesOf } from '#shared/psp/kit/order-lines.ts';
import { mollieAmount } from '#shared/psp/mollie/money.rules.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Addresses and lines, as Mollie takes them. It decides about 3-D Secure itself, so that it has no fields for the
 * browser, a challenge or an exemption, and none for a network's transaction. Source: OpenAPI document, read in 2026-11.
 */
export function detailFields(order: ChargeOrder): Fields {
  const { details } = order;
  if (!details) return {};
  const billingAddress = addressOf(details.billing, mailOf(order));
  const shippingAddress = addressOf(details.shipping, undefined);
  const lines = linesOf(order);
  return {
    ...(billingAddress && { billingAddress }),
    ...(shippingAddress && { shippingAddress }),
    ...(lines && { lines }),
  };
}

/** Mollie shows the description on the customer's statement, and has no other field for it. So what is for it is first. */
export function descriptionOf({ description, details }: ChargeOrder): string {
  const { statement_descriptor, statement_descriptor_suffix } = details ?? {};
  const words = [statement_descriptor, statement_descriptor_suffix, description].filter(Boolean).join(' ');
  return truncate(words, 255) || 'Payment';
}

/** Mollie mails instructions for a bank transfer to an address that it gets. */
const mailOf = ({ method, customerEmail }: ChargeOrder): string | undefined =>
  method === 'bank_transfer' ? undefined : (customerEmail ?? undefined);

/** Mollie wants a mail address, or a whole postal one. It refuses others. */
function addressOf(contact: Contact | undefined, email: string | undefined): Fields | undefined {
  if (!contact) return undefined;
  const address = postalFields(contact.address);
  const fields = { ...nameFields(contact.name), ...phoneField(contact.phone), ...address };
  if (Object.keys(fields).length === 0 || !(email || address)) return undefined;
  return { ...fields, ...(email && { email }) };
}

function postalFields(address: Address | undefined): Fields | undefined {
  const { line1, line2, city, state, postal_code, country } = address ?? {};
  if (!line1 || !city || !postal_code || !country) return undefined;
  return {
    streetAndNumber: line1,
    ...(line2 && { streetAdditional: line2 }),
    postalCode: postal_code,
    city,
    ...(state && { region: state }),
    country,
  };
}

/** Each of the two names has at least two characters, and not digits alone. */
function nameFields(name = ''): Fields {
  const [given = '', ...rest] = name.trim().split(/\s+/);
  const family = rest.join(' ');
  const isName = (text: string) => [...text].length >= 2 && !/^\d+$/.test(text);
  return isName(given) && isName(family) ? { givenName: given, familyName: family } : {};
}

/** E.164: a plus and up to 15 digits. */
function phoneField(phone = ''): Fields {
  const plain = phone.replaceAll(/[ ().-]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(plain) ? { phone: plain } : {};
}

const LINE_TYPES = {
  physical: 'physical',
  digital: 'digital',
  service: 'digital',
  shipping: 'shipping_fee',
  discount: 'discount',
  gift_card: 'gift_card',
} as const satisfies Record<NonNullable<OrderLine['kind']>, string>;

/** Mollie's discounts and gift cards take money off; a gift card that is sold is goods. */
function typeOf({ kind, unit_amount }: OrderLine): Fields {
  if (kind === undefined || (kind === 'discount' && unit_amount >= 0)) return {};
  return { type: kind === 'gift_card' && unit_amount >= 0 ? LINE_TYPES.digital : LINE_TYPES[kind] };
}

/** Lines of which any amount cannot be written are left out, all of them. */
function linesOf(order: ChargeOrder): readonly Fields[] | undefined {
  const lines = orderLinesOf(order)?.map((line) => lineOf(line, order.currency));
  return lines?.every((line) => line !== undefined) ? lines : undefined;
}

function lineOf(line: OrderLine, currency: string): Fields | undefined {
  const unitPrice = signedAmount(line.unit_amount, currency);
  const totalAmount = signedAmount(line.total_amount, currency);
  const discountAmount = signedAmount(line.discount_amount ?? 0, currency);
  if (!unitPrice || !totalAmount || !discountAmount) return undefined;
  return {
    ...typeOf(line),
    description: truncate(line.name, 255),
    quantity: line.quantity,
    unitPrice,
    ...(line.discount_amount && { discountAmount }),
    totalAmount,
    ...taxFields(line, currency),
    ...(line.sku && { sku: truncate(line.sku, 64) }),
    ...(line.image_url && { imageUrl: line.image_url }),
    ...(line.url && { productUrl: line.url }),
  };
}

/** Lines may be nothing, or negative as a discount is. A payment is neither. */
function signedAmount(amount: number, currency: string): Fields | undefined {
  const size = mollieAmount(Math.abs(amount) || 1, currency);
  if (!size) return undefined;
  if (amount === 0) return { currency, value: size.value.replaceAll(/\d/g, '0') };
  return { currency, value: `${amount < 0 ? '-' : ''}${size.value}` };
}

/** Mollie refuses a tax that does not follow from its rate. Where none of two decimals gives it, the tax is left out. */
function taxFields({ tax_amount, total_amount }: OrderLine, currency: string): Fields {
  const vatAmount = signedAmount(tax_amount ?? 0, currency);
  if (tax_amount === undefined || !vatAmount || total_amount === tax_amount) return {};
  const rate = Math.round((tax_amount * 10_000) / (total_amount - tax_amount)) / 100;
  const taxOfRate = Math.round((total_amount * rate) / (100 + rate));
  return rate >= 0 && taxOfRate === tax_amount ? { vatRate: rate.toFixed(2), vatAmount } : {};
}
