import {
  type Decline,
  type DeclineClass,
  declineOf,
  type FailureCode,
} from '#shared/domain/payments/declines.catalog.ts';

type DeclineMapping = FailureCode | readonly [FailureCode, DeclineClass];

/**
 * `response_code` → ours; with a class where its meaning is narrower or wider. UNVERIFIED: some of the
 * codes. A code without a line goes by its range, which never allows more.
 */
export const REASONS: Readonly<Record<string, DeclineMapping>> = {
  20001: 'call_issuer',
  20002: 'call_issuer',
  20003: 'invalid_configuration',
  20005: 'do_not_honor',
  20006: 'processing_error',
  20012: 'transaction_not_allowed',
  20013: 'amount_not_supported',
  20014: 'invalid_number',
  20017: 'customer_canceled',
  20019: 'processing_error',
  20038: ['incorrect_pin', 'new_method'],
  20039: 'invalid_account',
  20040: 'transaction_not_allowed',
  20051: 'insufficient_funds',
  20052: 'invalid_account',
  20053: 'invalid_account',
  20054: 'expired_card',
  20055: 'incorrect_pin',
  20056: 'invalid_account',
  20057: 'transaction_not_allowed',
  // The terminal is the account: another account may take the card.
  20058: 'method_not_supported',
  20059: 'fraud_suspected',
  20061: 'limit_exceeded',
  20062: 'restricted_card',
  20063: 'fraud_suspected',
  20065: 'limit_exceeded',
  20068: 'issuer_unavailable',
  20075: ['incorrect_pin', 'new_method'],
  20078: 'call_issuer',
  20082: 'incorrect_cvc',
  20087: 'incorrect_cvc',
  20088: 'issuer_unavailable',
  20091: 'issuer_unavailable',
  20092: 'issuer_unavailable',
  // Possible duplicate of a recent charge: a failover could charge the customer twice.
  20094: ['card_declined', 'fix_input'],
  20096: 'processing_error',
  20100: 'invalid_expiry',
  20150: 'authentication_failed',
  20151: 'authentication_failed',
  20152: 'authentication_failed',
  20153: 'authentication_failed',
  20154: 'authentication_required',
  20179: ['invalid_payment_method', 'never'],
  20182: ['do_not_honor', 'never'],
  20183: 'fraud_suspected',
  '200N7': 'incorrect_cvc',
  '200R1': 'authorization_revoked',
  '200R3': 'authorization_revoked',
  30004: 'restricted_card',
  30007: 'restricted_card',
  30015: 'invalid_number',
  30016: ['transaction_not_allowed', 'never'],
  30033: 'expired_card',
  30034: 'fraud_suspected',
  30036: 'restricted_card',
  30041: 'lost_card',
  30043: 'stolen_card',
  30045: 'invalid_account',
};

/** By the first digit, for codes that have no line. */
export const RANGES: Readonly<Record<string, DeclineMapping>> = {
  2: 'card_declined',
  3: ['card_declined', 'never'],
  4: 'fraud_suspected',
};

/** Mastercard's advice, which is the network's word and narrows the class. */
export const ADVICE: Readonly<Record<string, DeclineClass>> = {
  '01': 'fix_input',
  '02': 'retry_same_later',
  '03': 'never',
  '21': 'never',
  ...Object.fromEntries(['24', '25', '26', '27', '28', '29', '30'].map((code) => [code, 'retry_same_later' as const])),
};

/** Refused requests about the customer's input or the amount, not the account. Names partly from general knowledge. */
export const REQUEST_DECLINES: Readonly<Record<string, FailureCode>> = {
  amount_invalid: 'amount_not_supported',
  amount_limit_exceeded: 'amount_not_supported',
  currency_invalid: 'currency_not_supported',
  payment_method_invalid: 'method_not_supported',
  source_type_invalid: 'method_not_supported',
  token_invalid: 'invalid_payment_method',
  token_expired: 'invalid_payment_method',
  token_used: 'invalid_payment_method',
  token_in_use: 'invalid_payment_method',
  token_data_invalid: 'invalid_payment_method',
  token_type_invalid: 'invalid_payment_method',
  instrument_not_found: 'invalid_payment_method',
  source_id_invalid: 'invalid_payment_method',
  source_id_unknown: 'invalid_payment_method',
  source_invalid: 'invalid_payment_method',
  source_token_invalid: 'invalid_payment_method',
  source_token_type_invalid: 'invalid_payment_method',
  previous_payment_id_invalid: 'invalid_payment_method',
  card_not_found: 'invalid_payment_method',
  card_disabled: 'invalid_payment_method',
  card_expired: 'expired_card',
  card_number_invalid: 'invalid_number',
  cvv_invalid: 'incorrect_cvc',
};

/** Refused requests that say the account or its channel can't take payments. Names from general knowledge. */
export const ACCOUNT_ERRORS: ReadonlySet<string> = new Set([
  'business_invalid',
  'business_settings_missing',
  'channel_details_invalid',
  'channel_url_missing',
  'processing_channel_id_invalid',
  'processing_channel_id_required',
  'server_api_not_allowed',
]);

const lookUp = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Only what looks like a response code is passed on: nothing a message could carry. */
const responseCode = (code: string | null | undefined): string | null =>
  code && /^[1-9]\d{2}[0-9A-Z]{2}$/.test(code) ? code : null;

/** Checkout.com's decline. An unknown code goes by its range. Without a code it is `card_declined`. */
export function toDecline(code: string | null | undefined, advice: string | null | undefined): Decline {
  const reason = responseCode(code);
  const known = (reason && (lookUp(REASONS, reason) ?? lookUp(RANGES, reason.slice(0, 1)))) || 'card_declined';
  const [failure, retry] = typeof known === 'string' ? [known] : known;
  const decline = declineOf(failure, reason, retry);
  const advised = lookUp(ADVICE, advice ?? '');
  return advised && decline.retry !== 'never' ? { ...decline, retry: advised } : decline;
}

/** A request refused for what the customer can change: a decline, and not a configuration error. */
export function requestDecline(status: number, codes: readonly string[]): Decline | undefined {
  const code = status === 422 ? codes.find((each) => Object.hasOwn(REQUEST_DECLINES, each)) : undefined;
  const failure = code === undefined ? undefined : lookUp(REQUEST_DECLINES, code);
  return failure && declineOf(failure, code);
}
