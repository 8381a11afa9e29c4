import {
  type Decline,
  type DeclineClass,
  declineOf,
  type FailureCode,
} from '#shared/domain/payments/declines.catalog.ts';
import { safeCode } from '#shared/psp/kit/responses.ts';
import type { StripeError } from '#shared/psp/stripe/schema.ts';

/** Passes on only words that look like Stripe's codes, never text from a message. */
export const codeOf = (code: string | null | undefined): string | null => safeCode(code, /^[a-z0-9_]{1,64}$/);

/**
 * Stripe's `decline_code`, or its `code` if there is none → ours; with a class where Stripe's meaning is narrower or
 * wider than ours.
 */
export const REASONS: Readonly<Record<string, FailureCode | readonly [FailureCode, DeclineClass]>> = {
  insufficient_funds: 'insufficient_funds',
  generic_decline: 'card_declined',
  card_declined: 'card_declined',
  do_not_honor: 'do_not_honor',
  no_action_taken: 'do_not_honor',
  call_issuer: 'call_issuer',
  refer_to_customer: 'call_issuer',
  card_velocity_exceeded: 'limit_exceeded',
  withdrawal_count_limit_exceeded: 'limit_exceeded',
  card_decline_rate_limit_exceeded: 'limit_exceeded',
  charge_exceeds_source_limit: 'limit_exceeded',
  invalid_amount: 'limit_exceeded',
  try_again_later: 'try_again_later',
  approve_with_id: 'try_again_later',
  issuer_not_available: 'issuer_unavailable',
  processing_error: 'processing_error',
  reenter_transaction: 'processing_error',
  payment_method_not_available: 'processing_error',
  authentication_required: 'authentication_required',
  authentication_not_handled: 'authentication_required',
  mobile_device_authentication_required: 'authentication_required',
  payment_intent_action_required: 'authentication_required',
  payment_intent_authentication_failure: 'authentication_failed',
  incorrect_cvc: 'incorrect_cvc',
  invalid_cvc: 'incorrect_cvc',
  invalid_expiry_month: 'invalid_expiry',
  invalid_expiry_year: 'invalid_expiry',
  incorrect_pin: 'incorrect_pin',
  invalid_pin: 'incorrect_pin',
  online_or_offline_pin_required: 'incorrect_pin',
  pin_try_exceeded: ['incorrect_pin', 'new_method'],
  incorrect_zip: ['card_declined', 'fix_input'],
  incorrect_postal_code: ['card_declined', 'fix_input'],
  incorrect_address: ['card_declined', 'fix_input'],
  new_account_information_available: ['invalid_payment_method', 'fix_input'],
  // Possible duplicate of a recent charge: a failover could charge the customer twice.
  duplicate_transaction: ['card_declined', 'fix_input'],
  incorrect_number: 'invalid_number',
  invalid_number: 'invalid_number',
  expired_card: 'expired_card',
  expired_payment_method: 'expired_card',
  card_not_supported: 'card_not_supported',
  currency_not_supported: 'currency_not_supported',
  payment_method_currency_mismatch: 'currency_not_supported',
  transaction_not_allowed: 'transaction_not_allowed',
  not_permitted: 'transaction_not_allowed',
  service_not_allowed: 'transaction_not_allowed',
  restricted_card: 'restricted_card',
  pickup_card: 'restricted_card',
  payment_method_restricted: 'restricted_card',
  lost_card: 'lost_card',
  stolen_card: 'stolen_card',
  fraudulent: 'fraud_suspected',
  merchant_blacklist: 'fraud_suspected',
  security_violation: 'fraud_suspected',
  highest_risk_level: 'fraud_suspected',
  revocation_of_authorization: 'authorization_revoked',
  revocation_of_all_authorizations: 'authorization_revoked',
  stop_payment_order: 'authorization_revoked',
  debit_not_authorized: 'authorization_revoked',
  billing_invalid_mandate: 'authorization_revoked',
  payment_intent_mandate_invalid: 'authorization_revoked',
  india_recurring_payment_mandate_canceled: 'authorization_revoked',
  invalid_account: 'invalid_account',
  account_closed: 'invalid_account',
  no_account: 'invalid_account',
  payment_method_customer_decline: 'customer_canceled',
  payment_method_provider_decline: 'card_declined',
  payment_intent_payment_attempt_failed: 'card_declined',
  payment_method_provider_timeout: 'expired',
  payment_intent_payment_attempt_expired: 'expired',
  charge_exceeds_transaction_limit: 'amount_not_supported',
  // A card of the other mode, which any customer may type.
  testmode_decline: 'invalid_payment_method',
  test_mode_live_card: 'invalid_payment_method',
  live_mode_test_card: 'invalid_payment_method',
};

/** `advice_code` is the network's word and wins over the reason's usual class. */
export const ADVICE: Readonly<Record<string, DeclineClass>> = {
  do_not_try_again: 'never',
  try_again_later: 'retry_same_later',
  confirm_card_data: 'fix_input',
};

/** Refused requests about the customer's input or the amount, not the account. */
export const REQUEST_DECLINES: Readonly<Record<string, FailureCode>> = {
  amount_too_small: 'amount_not_supported',
  amount_too_large: 'amount_not_supported',
  invalid_charge_amount: 'amount_not_supported',
  charge_exceeds_transaction_limit: 'amount_not_supported',
  payment_method_unactivated: 'method_not_supported',
  payment_method_currency_mismatch: 'currency_not_supported',
  payment_intent_incompatible_payment_method: 'card_not_supported',
  payment_method_unexpected_state: 'invalid_payment_method',
  payment_method_unsupported_type: 'card_not_supported',
  payment_intent_mandate_invalid: 'authorization_revoked',
  india_recurring_payment_mandate_canceled: 'authorization_revoked',
  token_already_used: 'invalid_payment_method',
  token_in_use: 'invalid_payment_method',
  token_card_network_invalid: 'invalid_payment_method',
  invalid_source_usage: 'invalid_payment_method',
  invalid_card_type: 'card_not_supported',
  // For a token of the other mode.
  livemode_mismatch: 'invalid_payment_method',
  payment_method_invalid_parameter: 'invalid_payment_method',
  payment_method_invalid_parameter_testmode: 'invalid_payment_method',
  payment_method_billing_details_address_missing: 'invalid_payment_method',
  payment_method_bank_account_blocked: 'invalid_payment_method',
  bank_account_restricted: 'invalid_payment_method',
  bank_account_unusable: 'invalid_payment_method',
  bank_account_unverified: 'invalid_payment_method',
  sepa_unsupported_account: 'invalid_payment_method',
};

/** Refused requests that say the account takes no payments, or not with this key. */
export const ACCOUNT_ERRORS: ReadonlySet<string> = new Set([
  'account_invalid',
  'api_key_expired',
  'not_allowed_on_standard_account',
  'platform_account_required',
  'platform_api_key_expired',
  'secret_key_required',
  'testmode_charges_only',
  'tls_version_unsupported',
]);

/** Stripe's decline. An unknown reason is `card_declined` if the issuer declined, and `processing_error` otherwise. */
export function toDecline(error: StripeError): Decline {
  const reason = codeOf(error.decline_code) ?? codeOf(error.code);
  const known = reason === null || !Object.hasOwn(REASONS, reason) ? undefined : REASONS[reason];
  const [code, usual] =
    typeof known === 'string'
      ? [known]
      : (known ?? [error.type === 'card_error' ? 'card_declined' : 'processing_error']);
  const advice = error.advice_code && Object.hasOwn(ADVICE, error.advice_code) ? ADVICE[error.advice_code] : undefined;
  return declineOf(code, reason, advice ?? usual);
}

/** Parameters that come from the token. A deleted customer takes its saved methods with it. */
const TOKEN_PARAMS: ReadonlySet<string> = new Set(['payment_method', 'confirmation_token', 'customer', 'mandate']);

/** A missing object may also be a 404. */
const REQUEST_STATUSES: ReadonlySet<number> = new Set([400, 404]);

/**
 * A request refused for its content, method or amount. The customer can change these, so it is a decline and not a
 * configuration error.
 */
export function requestDecline(status: number, error: StripeError): Decline | undefined {
  if (!REQUEST_STATUSES.has(status)) return undefined;
  const code = codeOf(error.code);
  const failure =
    code !== null && Object.hasOwn(REQUEST_DECLINES, code) ? REQUEST_DECLINES[code] : byParam(error.param ?? '');
  return failure && declineOf(failure, code);
}

function byParam(param: string): FailureCode | undefined {
  if (TOKEN_PARAMS.has(param)) return 'invalid_payment_method';
  return param === 'currency' ? 'currency_not_supported' : undefined;
}
