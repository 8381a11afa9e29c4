import { isObject, textAt, valueAt } from '#lib/simulators/kit/json.ts';
import type { Input } from '#lib/simulators/kit/provider-simulator.port.ts';
import { invalidRequest, unprocessable } from '#lib/simulators/paypal/errors.ts';
import { type Money, minus, readMoney, sameAmount, times } from '#lib/simulators/paypal/money.ts';

const UNIT = "/purchase_units/@reference_id=='default'";

const missing = (field: string) =>
  invalidRequest(field, 'MISSING_REQUIRED_PARAMETER', 'A required field / parameter is missing.');

function checkText(parent: unknown, name: string, most: number, field: string, least = 0): void {
  const value = valueAt(parent, name);
  if (value === undefined || (typeof value === 'string' && value.length >= least && value.length <= most)) return;
  throw invalidRequest(
    `${field}/${name}`,
    'INVALID_STRING_LENGTH',
    'The value of a field is either too short or too long.',
  );
}

/** An amount that may be zero. */
function partAt(parent: unknown, name: string, field: string): Money | undefined {
  const value = valueAt(parent, name);
  if (value === undefined) return undefined;
  const currency_code = textAt(value, 'currency_code') ?? '';
  return /^0+(\.0+)?$/.test(textAt(value, 'value') ?? '')
    ? { currency_code, value: '0' }
    : readMoney(value, `${field}/${name}`);
}

const ADDRESS_LENGTHS = {
  address_line_1: 300,
  address_line_2: 300,
  admin_area_1: 300,
  admin_area_2: 120,
  postal_code: 60,
};

function checkAddress(address: unknown, field: string): void {
  if (address === undefined) return;
  const country = textAt(address, 'country_code');
  if (country === null) throw missing(`${field}/country_code`);
  if (!/^([A-Z]{2}|C2)$/.test(country))
    throw invalidRequest(
      `${field}/country_code`,
      'INVALID_PARAMETER_SYNTAX',
      'The value of a field does not conform to the expected format.',
    );
  for (const [name, most] of Object.entries(ADDRESS_LENGTHS)) checkText(address, name, most, field);
}

/** Countries of a state each, in which PayPal does not deliver without one. */
const WITH_STATES: ReadonlySet<string> = new Set(['AR', 'BR', 'C2', 'CA', 'ID', 'IN', 'JP', 'MX', 'TH', 'US']);

function checkShipping(shipping: unknown): void {
  const field = `${UNIT}/shipping`;
  const address = valueAt(shipping, 'address');
  checkText(valueAt(shipping, 'name'), 'full_name', 300, `${field}/name`);
  checkAddress(address, `${field}/address`);
  if (address === undefined) return;
  if (!textAt(address, 'admin_area_2'))
    throw unprocessable('CITY_REQUIRED', 'The specified country requires a city.', `${field}/address/admin_area_2`);
  if (!textAt(address, 'postal_code'))
    throw unprocessable('POSTAL_CODE_REQUIRED', 'The specified country requires a postal code.', `${field}/address`);
  const [country = '', state = ''] = ['country_code', 'admin_area_1'].map((name) => textAt(address, name) ?? '');
  const isUnknown = (country === 'US' || country === 'CA') && !/^[A-Z]{2}$/.test(state);
  if (isUnknown || (WITH_STATES.has(country) && state === ''))
    throw unprocessable('SHIPPING_ADDRESS_INVALID', 'Provided shipping address is invalid.', `${field}/address`);
}

const CATEGORIES = ['DIGITAL_GOODS', 'PHYSICAL_GOODS', 'DONATION'];

/** The price of an item, times its quantity. */
function itemTotal(item: unknown, index: number): Money {
  const field = `${UNIT}/items/${index}`;
  for (const name of ['name', 'quantity']) if (valueAt(item, name) === undefined) throw missing(`${field}/${name}`);
  const price = partAt(item, 'unit_amount', field);
  if (!price) throw missing(`${field}/unit_amount`);
  checkText(item, 'name', 127, field, 1);
  checkText(item, 'sku', 127, field);
  const [quantity, category] = [textAt(item, 'quantity') ?? '', valueAt(item, 'category')];
  if (!/^[1-9][0-9]{0,9}$/.test(quantity) || (category !== undefined && !CATEGORIES.some((each) => each === category)))
    throw invalidRequest(field, 'INVALID_PARAMETER_VALUE', 'The value of a field is invalid.');
  return times(price, Number(quantity));
}

const ADDED = ['item_total', 'shipping', 'handling', 'tax_total', 'insurance'];
const TAKEN_OFF = ['shipping_discount', 'discount'];

/** The parts must add up to the amount, and the items to their part. */
function checkSums(unit: Input, amount: Money): void {
  const breakdown = valueAt(unit, 'amount', 'breakdown');
  const items = unit.items ?? [];
  if (!Array.isArray(items))
    throw invalidRequest(`${UNIT}/items`, 'INVALID_PARAMETER_SYNTAX', 'The value of a field is no list.');
  const field = `${UNIT}/amount/breakdown`;
  const total = partAt(breakdown, 'item_total', field);
  if (items.length > 0 && !total)
    throw unprocessable('ITEM_TOTAL_REQUIRED', 'If item details are specified, item_total is required.', field);
  const none = { ...amount, value: '0' };
  const ofItems = minus(
    none,
    items.map(itemTotal).map((each) => times(each, -1)),
  );
  if (items.length > 0 && total && !sameAmount(total, ofItems))
    throw unprocessable('ITEM_TOTAL_MISMATCH', 'Should equal sum of (unit_amount * quantity) across all items.', field);
  if (breakdown === undefined) return;
  const parts = (names: readonly string[]) => names.flatMap((name) => partAt(breakdown, name, field) ?? []);
  const sum = minus(
    minus(
      none,
      parts(ADDED).map((each) => times(each, -1)),
    ),
    parts(TAKEN_OFF),
  );
  if (!sameAmount(sum, amount))
    throw unprocessable(
      'AMOUNT_MISMATCH',
      'Should equal item_total + tax_total + shipping + handling + insurance - shipping_discount - discount.',
      `${UNIT}/amount`,
    );
}

/** Details of a purchase unit, which the order shows again. */
export function unitDetailsIn(unit: unknown, amount: Money): Input {
  if (!isObject(unit)) return {};
  checkText(unit, 'soft_descriptor', 22, UNIT, 1);
  checkShipping(unit.shipping);
  checkSums(unit, amount);
  const { soft_descriptor, items, shipping } = unit;
  return {
    ...(soft_descriptor !== undefined && { soft_descriptor }),
    ...(items !== undefined && { items }),
    ...(shipping !== undefined && { shipping }),
  };
}

/** What the request says of the payer, and of the page. */
export function checkPayer(wallet: unknown, unit: unknown): void {
  const field = '/payment_source/paypal';
  for (const name of ['given_name', 'surname']) checkText(valueAt(wallet, 'name'), name, 140, `${field}/name`);
  checkAddress(valueAt(wallet, 'address'), `${field}/address`);
  const phone = valueAt(wallet, 'phone');
  if (phone !== undefined && !/^[0-9]{1,14}$/.test(textAt(phone, 'phone_number', 'national_number') ?? ''))
    throw invalidRequest(`${field}/phone`, 'INVALID_PARAMETER_SYNTAX', 'The value of a field is no phone number.');
  const preference = textAt(wallet, 'experience_context', 'shipping_preference');
  if (preference === 'SET_PROVIDED_ADDRESS' && valueAt(unit, 'shipping', 'address') === undefined)
    throw unprocessable('MISSING_SHIPPING_ADDRESS', 'The shipping address is required.', `${UNIT}/shipping/address`);
}

/** Mastercard and Discover require the date of the charge that is referred to. */
export function checkReference(stored: unknown, field: string): void {
  const reference = valueAt(stored, 'previous_network_transaction_reference');
  if (reference === undefined) return;
  const at = `${field}/previous_network_transaction_reference`;
  const id = textAt(reference, 'id') ?? '';
  if (!/^[\w@.:&+=*^'~#!$%()-]{9,36}$/.test(id))
    throw invalidRequest(`${at}/id`, 'INVALID_PARAMETER_SYNTAX', 'The value of a field has the wrong form.');
  if (id.length === 9 && !/^[0-9]{4}$/.test(textAt(reference, 'date') ?? '')) throw missing(`${at}/date`);
}
