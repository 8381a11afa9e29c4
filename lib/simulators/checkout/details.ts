import { invalid } from '#lib/simulators/checkout/errors.ts';
import { textIn } from '#lib/simulators/checkout/requests.ts';
import { isObject } from '#lib/simulators/kit/json.ts';
import type { Input } from '#lib/simulators/kit/provider-simulator.port.ts';

/** Checkout.com's rules for what it passes on of customer and order, with a payment and with a hosted page. */
export function checkDetails(input: Input): void {
  checkPlace(input.shipping, 'shipping');
  if (isObject(input.source)) {
    checkAddress(input.source.billing_address, 'source_billing_address');
    checkPhone(input.source.phone, 'source_phone');
    checkFlag(input.source.store_for_future_use, 'source_store_for_future_use');
  }
  checkDescriptor(input.billing_descriptor);
  checkItems(input.items);
  checkSecure(input['3ds']);
  checkKept(input.payment_method_configuration);
}

function objectIn(value: unknown, name: string): Input | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) throw invalid(`${name}_invalid`);
  return value;
}

function checkPlace(value: unknown, name: string): void {
  const place = objectIn(value, name);
  checkAddress(place?.address, `${name}_address`);
  checkPhone(place?.phone, `${name}_phone`);
}

const ADDRESS_LENGTHS = { address_line1: 200, address_line2: 200, city: 50, state: 50, zip: 50 };

function checkAddress(value: unknown, name: string): void {
  const address = objectIn(value, name);
  if (!address) return;
  for (const [field, length] of Object.entries(ADDRESS_LENGTHS)) textIn(address, field, length);
  if (typeof address.country !== 'string' || !/^[A-Z]{2}$/.test(address.country))
    throw invalid(`${name}_country_invalid`);
}

function checkPhone(value: unknown, name: string): void {
  const phone = objectIn(value, name);
  if (!phone) return;
  const isValid = typeof phone.number === 'string' && /^[\d ]{6,25}$/.test(phone.number);
  const code = textIn(phone, 'country_code', 7);
  if (!isValid || (code !== undefined && !/^\+?\d{1,4}$/.test(code))) throw invalid(`${name}_number_invalid`);
}

function checkFlag(value: unknown, name: string): void {
  if (value !== undefined && typeof value !== 'boolean') throw invalid(`${name}_invalid`);
}

/** Documented: no `#`, which is refused. */
function checkDescriptor(value: unknown): void {
  const descriptor = objectIn(value, 'billing_descriptor');
  if (!descriptor) return;
  const [name, city] = [textIn(descriptor, 'name', 25), textIn(descriptor, 'city', 13)];
  if (name === undefined || /[^\x20-\x7e]|#/.test(name)) throw invalid('billing_descriptor_name_invalid');
  if (city === undefined || /[^\x20-\x7e]|#/.test(city)) throw invalid('billing_descriptor_city_invalid');
}

function checkItems(value: unknown): void {
  if (value === undefined) return;
  if (!Array.isArray(value)) throw invalid('items_invalid');
  for (const item of value) {
    if (!isObject(item)) throw invalid('items_invalid');
    if (textIn(item, 'name', 255) === undefined) throw invalid('item_name_required');
    textIn(item, 'reference', 255);
    if (!Number.isInteger(item.quantity) || Number(item.quantity) < 1) throw invalid('item_quantity_invalid');
    if (!Number.isInteger(item.unit_price) || Number(item.unit_price) < 0) throw invalid('item_unit_price_invalid');
  }
}

const CHALLENGES: readonly unknown[] = [
  undefined,
  'no_preference',
  'no_challenge_requested',
  'challenge_requested',
  'challenge_requested_mandate',
];

const EXEMPTIONS: readonly unknown[] = [
  undefined,
  'low_value',
  'secure_corporate_payment',
  'trusted_listing',
  'transaction_risk_assessment',
  '3ds_outage',
  'sca_delegation',
  'out_of_sca_scope',
  'other',
  'low_risk_program',
];

function checkSecure(value: unknown): void {
  const secure = objectIn(value, '3ds');
  if (!CHALLENGES.includes(secure?.challenge_indicator)) throw invalid('3ds_challenge_indicator_invalid');
  if (!EXEMPTIONS.includes(secure?.exemption)) throw invalid('3ds_exemption_invalid');
}

const KEPT: readonly unknown[] = [undefined, 'disabled', 'enabled', 'collect_consent'];

function checkKept(value: unknown): void {
  for (const method of Object.values(objectIn(value, 'payment_method_configuration') ?? {}))
    if (!isObject(method) || !KEPT.includes(method.store_payment_details))
      throw invalid('payment_method_configuration_invalid');
}
