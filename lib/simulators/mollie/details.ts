import { isObject, textAt } from '#lib/simulators/kit/json.ts';
import type { Input } from '#lib/simulators/kit/provider-simulator.port.ts';
import { invalid } from '#lib/simulators/mollie/errors.ts';
import { minorUnits, readAmount } from '#lib/simulators/mollie/money.ts';
import type { Amount } from '#lib/simulators/mollie/objects.ts';

const POSTAL_FIELDS = ['streetAndNumber', 'postalCode', 'city', 'country'];

const ADDRESS_FIELDS = [
  ...POSTAL_FIELDS,
  'title',
  'givenName',
  'familyName',
  'organizationName',
  'streetAdditional',
  'email',
  'phone',
  'region',
];

/** An address has a mail address, or all of a postal one. */
function checkAddress(input: Input, name: 'billingAddress' | 'shippingAddress'): void {
  const address = input[name];
  if (!isObject(address)) return;
  const strange = Object.keys(address).find((field) => !ADDRESS_FIELDS.includes(field));
  if (strange) throw invalid(`Non-existent body parameter "${strange}" for this API call.`, name);
  const has = (field: string) => textAt(address, field) !== null;
  if (!has('email') && !POSTAL_FIELDS.every(has)) throw invalid('The address is incomplete', name);
  for (const field of ['givenName', 'familyName'])
    if (has(field) && !/^(?=.*\D).{2,}$/su.test(textAt(address, field) ?? ''))
      throw invalid('The name is invalid', `${name}.${field}`);
  if (has('phone') && !/^\+[1-9]\d{1,14}$/.test(textAt(address, 'phone') ?? ''))
    throw invalid('The phone number is invalid', `${name}.phone`);
  if (has('country') && !/^[A-Z]{2}$/.test(textAt(address, 'country') ?? ''))
    throw invalid('The country is invalid', `${name}.country`);
}

const LINE_TYPES: ReadonlySet<string> = new Set(
  'physical digital shipping_fee discount store_credit gift_card surcharge'.split(' '),
);

/** Lines of these types are worth less than nothing. */
const REDUCTIONS: ReadonlySet<string> = new Set(['discount', 'store_credit', 'gift_card']);

const LINE_FIELDS = `type description quantity quantityUnit unitPrice discountAmount totalAmount vatRate vatAmount sku
  categories imageUrl productUrl recurring`.split(/\s+/);

/** Signed minor units; 0 where a field that may be missing is. */
function unitsOf(value: unknown, field: string, { currency }: Amount): number {
  if (value === undefined) return 0;
  const text = textAt(value, 'value') ?? '';
  if (/^0(\.0+)?$/.test(text)) return 0;
  const amount = readAmount({ ...Object(value), value: text.replace(/^-/, '') }, field);
  if (amount.currency !== currency) throw invalid('All lines must have the currency of the payment', field);
  return minorUnits(amount) * (text.startsWith('-') ? -1 : 1);
}

function totalOf(line: unknown, index: number, amount: Amount): number {
  const field = `lines.${index}`;
  const fields: Input = isObject(line) ? line : {};
  const strange = Object.keys(fields).find((name) => !LINE_FIELDS.includes(name));
  if (strange) throw invalid(`Non-existent body parameter "${strange}" for this API call.`, field);
  const { type = 'physical', description, quantity, unitPrice, totalAmount, discountAmount } = fields;
  if (!LINE_TYPES.has(String(type))) throw invalid('The type is invalid', `${field}.type`);
  if (typeof description !== 'string' || description === '') throw invalid('The description is missing', field);
  if (!Number.isInteger(quantity) || Number(quantity) < 1) throw invalid('The quantity is invalid', field);
  if (!unitPrice || !totalAmount) throw invalid('The price is missing', field);
  const total = unitsOf(totalAmount, `${field}.totalAmount`, amount);
  const price = unitsOf(unitPrice, `${field}.unitPrice`, amount);
  if (REDUCTIONS.has(String(type)) && price >= 0)
    throw invalid('The unit price must be negative', `${field}.unitPrice`);
  const discount = unitsOf(discountAmount, `${field}.discountAmount`, amount);
  if (price * Number(quantity) - discount !== total) throw invalid('The total amount is off', `${field}.totalAmount`);
  checkTax(fields, total, amount, field);
  return total;
}

/** The tax follows from its rate. */
function checkTax({ vatRate, vatAmount }: Input, total: number, amount: Amount, field: string): void {
  if (vatAmount === undefined) return;
  const rate = Number(vatRate);
  if (typeof vatRate !== 'string' || !(rate >= 0)) throw invalid('The VAT rate is invalid', `${field}.vatRate`);
  if (Math.round((total * rate) / (100 + rate)) !== unitsOf(vatAmount, `${field}.vatAmount`, amount))
    throw invalid('The VAT amount is off', `${field}.vatAmount`);
}

/** The lines of an order are worth exactly the payment. */
export function checkDetails(input: Input, amount: Amount): void {
  checkAddress(input, 'billingAddress');
  checkAddress(input, 'shippingAddress');
  const { lines } = input;
  if (lines === undefined || lines === null) return;
  if (!Array.isArray(lines) || lines.length === 0) throw invalid('The lines are invalid', 'lines');
  const total = lines.reduce<number>((sum, line, index) => sum + totalOf(line, index, amount), 0);
  if (total !== minorUnits(amount)) throw invalid('The amount of the payment is not that of its lines', 'lines');
}
