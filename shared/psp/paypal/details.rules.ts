import type {
  Address,
  Contact,
  MerchantInitiated,
  OrderLine,
  PaymentDetails,
} from '#shared/domain/payments/payment-details.model.ts';
import type { ChargeOrder } from '#shared/ports/psp.port.ts';
import { cut, nonEmpty, phoneParts, splitName, statementOf, statementText } from '#shared/psp/kit/details.ts';
import { toDecimal } from '#shared/psp/kit/money.ts';
import { orderLinesOf } from '#shared/psp/kit/order-lines.ts';
import { decimalsOf } from '#shared/psp/paypal/money.rules.ts';

type Fields = { readonly [name: string]: unknown };

/** Details of the purchase. PayPal writes its own prefix and the account's name before the statement's text. */
export function unitDetails(order: ChargeOrder): Fields {
  const lines = linesOf(order);
  return {
    ...nonEmpty({
      soft_descriptor: statementText(order.details && statementOf(order.details), {
        max: 22,
        refused: /[^A-Za-z0-9 .*-]/g,
      }),
      items: lines?.items,
      shipping: shippingOf(order.details?.shipping),
    }),
  };
}

/** PayPal refuses an order whose parts do not add up to its amount. */
export const breakdownOf = (order: ChargeOrder): Fields => ({ ...nonEmpty({ breakdown: linesOf(order)?.breakdown }) });

type Lines = { readonly items: readonly Fields[]; readonly breakdown: Fields };

const isItem = ({ kind, total_amount }: OrderLine): boolean => kind !== 'shipping' && total_amount >= 0;

/** Shipping and what is below zero are parts of the amount, and no items. A part that PayPal cannot write leaves out all. */
function linesOf(order: ChargeOrder): Lines | undefined {
  const lines = orderLinesOf(order);
  const items = lines?.filter(isItem).map((line) => itemOf(line, order.currency));
  if (!lines || !items || items.length === 0 || items.some((item) => item === undefined)) return undefined;
  const sumOf = (wanted: (line: OrderLine) => boolean) =>
    lines.filter(wanted).reduce((sum, { total_amount }) => sum + total_amount, 0);
  const part = (amount: number) => (amount === 0 ? null : moneyOf(amount, order.currency));
  const parts = {
    item_total: moneyOf(sumOf(isItem), order.currency),
    shipping: part(sumOf((line) => line.kind === 'shipping' && line.total_amount >= 0)),
    discount: part(-sumOf(({ total_amount }) => total_amount < 0)),
  };
  const known = Object.entries(parts).filter(([, money]) => money !== null);
  if (known.some(([, money]) => money === undefined)) return undefined;
  return { items: items.filter((item) => item !== undefined), breakdown: Object.fromEntries(known) };
}

const MAX_TEXT = 127;

const CATEGORIES: Readonly<Partial<Record<NonNullable<OrderLine['kind']>, string>>> = {
  digital: 'DIGITAL_GOODS',
  gift_card: 'DIGITAL_GOODS',
  physical: 'PHYSICAL_GOODS',
};

/** The amount is of one piece. A total that is no multiple of the quantity is sent as one piece. */
function itemOf({ name, quantity, total_amount, sku, kind }: OrderLine, currency: string): Fields | undefined {
  const single = moneyOf(total_amount / quantity, currency);
  const isEven = total_amount % quantity === 0 && single !== undefined;
  const unit_amount = isEven ? single : moneyOf(total_amount, currency);
  const text = cut(isEven ? name : `${quantity} x ${name}`, MAX_TEXT);
  if (!unit_amount || !text) return undefined;
  return {
    name: text,
    quantity: String(isEven ? quantity : 1),
    unit_amount,
    ...nonEmpty({ sku: cut(sku, MAX_TEXT), category: kind && CATEGORIES[kind] }),
  };
}

function moneyOf(amount: number, currency: string): Fields | undefined {
  const value = Number.isSafeInteger(amount) ? toDecimal(amount, currency, decimalsOf(currency)) : undefined;
  return value === undefined ? undefined : { currency_code: currency, value };
}

/** Where a parcel goes to, if the address is whole: PayPal refuses one that lacks a part which its country needs. */
function shippingOf({ name, address }: Contact = {}): Fields | undefined {
  const to = address && isWhole(address) ? addressOf(address) : undefined;
  const full_name = cut(name, 300);
  return to && { ...(full_name && { name: { full_name } }), address: to };
}

/** Whether the page shows the address of the order, rather than none. */
export const shipsTo = ({ details }: ChargeOrder): boolean => shippingOf(details?.shipping) !== undefined;

/** Countries whose addresses need a state, as PayPal's list of state codes has them (read in 2026-11). */
const WITH_STATES: ReadonlySet<string> = new Set('AR BR CA CN ID IN JP MX TH US'.split(' '));

const isWhole = (address: Address): boolean => {
  const { line1, city, postal_code, country = '' } = address;
  const isStated = !WITH_STATES.has(country) || stateOf(address) !== undefined;
  return Boolean(line1?.trim() && city?.trim() && postal_code?.trim() && country) && isStated;
};

/** PayPal wants `CA` and not `California`: there, a state that is no code is no part of an address. */
function stateOf({ state, country }: Address): string | undefined {
  const name = cut(state, 300);
  if (country !== 'US' && country !== 'CA') return name;
  return /^(?:(?:US|CA)-)?([A-Z]{2})$/.exec(name?.toUpperCase() ?? '')?.[1];
}

/** PayPal's code of China is its own. An address without a country is none there. */
function addressOf(address: Address): Fields | undefined {
  const { line1, line2, city, postal_code, country } = address;
  if (!country) return undefined;
  return {
    country_code: country === 'CN' ? 'C2' : country,
    ...nonEmpty({
      address_line_1: cut(line1, 300),
      address_line_2: cut(line2, 300),
      admin_area_2: cut(city, 120),
      admin_area_1: stateOf(address),
      postal_code: cut(postal_code, 60),
    }),
  };
}

/** What PayPal's page is filled with for the payer. */
export function payerDetails({ billing, shipping }: PaymentDetails = {}): Fields {
  const { first, last } = splitName(billing?.name);
  const { number } = phoneParts(billing?.phone ?? shipping?.phone) ?? {};
  const isNumber = number !== undefined && number.length <= 14;
  return {
    ...nonEmpty({
      name: nonEmpty({ given_name: cut(first, 140), surname: cut(last, 140) }),
      phone: isNumber ? { phone_number: { national_number: number } } : undefined,
      address: addressOf(billing?.address ?? {}),
    }),
  };
}

/** With the payer present: `SCA_ALWAYS` authenticates also where no rule requires it. */
export const verificationOf = ({ details }: ChargeOrder): 'SCA_ALWAYS' | 'SCA_WHEN_REQUIRED' => {
  const challenge = details?.sca?.challenge;
  return challenge === 'required' || challenge === 'preferred' ? 'SCA_ALWAYS' : 'SCA_WHEN_REQUIRED';
};

/** Why an absent payer's card is charged. Instalments follow a schedule, as subscriptions do. */
export const initiatedBy = ({ details }: ChargeOrder): Fields => ({
  payment_type: details?.mit?.reason === 'unscheduled' ? 'UNSCHEDULED' : 'RECURRING',
  ...nonEmpty({ previous_network_transaction_reference: referenceOf(details?.mit) }),
});

/**
 * Mastercard's reference is nine characters and a date, which PayPal takes apart and requires together. Anything else
 * that is too short is left out: PayPal has its own reference to the first charge of a card that it keeps.
 */
function referenceOf({ network_transaction_id: id = '' }: Partial<MerchantInitiated> = {}): Fields | undefined {
  const [, banknet, date] = /^([A-Za-z0-9]{9})(\d{4})$/.exec(id.replaceAll(' ', '')) ?? [];
  if (banknet && date) return { id: banknet, date };
  return /^[A-Za-z0-9._-]{14,36}$/.test(id) ? { id } : undefined;
}
