import { valueAt } from '#lib/simulators/frame/json.ts';
import { impossible, malformed } from '#lib/simulators/paypal/errors.ts';

const INITIATORS = ['CUSTOMER', 'MERCHANT'];
const TYPES = ['ONE_TIME', 'RECURRING', 'UNSCHEDULED'];
const USAGES = ['FIRST', 'SUBSEQUENT', 'DERIVED'];
const VERIFICATIONS = ['SCA_ALWAYS', 'SCA_WHEN_REQUIRED', '3D_SECURE', 'AVS_CVV'];

function word(
  given: unknown,
  name: string,
  words: readonly string[],
  field: string,
  required = false,
): string | undefined {
  const value = valueAt(given, name);
  if (value === undefined && required)
    throw malformed(`${field}/${name}`, 'MISSING_REQUIRED_PARAMETER', 'A required field / parameter is missing.');
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !words.includes(value))
    throw malformed(`${field}/${name}`, 'INVALID_PARAMETER_VALUE', 'The value of a field is invalid.');
  return value;
}

/**
 * Whether it is the merchant who wants this charge, and the payer away; who says nothing has the payer there. Refuses
 * what does not go together.
 */
export function payerIsAway(source: unknown, name: 'card' | 'paypal', at: string): boolean {
  word(valueAt(source, 'attributes', 'verification'), 'method', VERIFICATIONS, `${at}/attributes/verification`);
  const stored = valueAt(source, 'stored_credential');
  if (stored === undefined) return false;
  const field = `${at}/stored_credential`;
  const isMerchant = word(stored, 'payment_initiator', INITIATORS, field, true) === 'MERCHANT';
  const type = word(stored, 'payment_type', TYPES, field, name === 'card');
  const usage = word(stored, 'usage', USAGES, field);
  const refersBack = ['previous_transaction_reference', 'previous_network_transaction_reference'].some(
    (key) => valueAt(stored, key) !== undefined,
  );
  if (isMerchant ? type === 'ONE_TIME' || usage === 'FIRST' : refersBack) {
    throw impossible(
      'INCOMPATIBLE_PARAMETER_VALUE',
      'The value of the field is incompatible/redundant with other fields in the order.',
      field,
    );
  }
  if (isMerchant && valueAt(source, 'security_code') !== undefined) {
    throw impossible(
      'MERCHANT_INITIATED_WITH_SECURITY_CODE',
      'A security code is not supported where the merchant is the initiator.',
      `${at}/security_code`,
    );
  }
  return isMerchant;
}
