import {
  type Decline,
  type DeclineClass,
  declineOf,
  type FailureCode,
} from '#shared/domain/payments/declines.catalog.ts';
import {
  type Advice,
  lookUp,
  mastercardAdvice,
  type ReasonMeaning,
  type ReasonTable,
  readReason,
  UNDECIDED,
  UNKNOWN_ADVICE,
} from '#shared/psp/kit/declines.ts';
import { safeCode } from '#shared/psp/kit/responses.ts';
import type { LastPaymentError, StripeError } from '#shared/psp/stripe/schema.ts';

/** Passes on only words that look like Stripe's codes, never text from a message. */
export const codeOf = (code: string | null | undefined): string | null => safeCode(code, /^[a-z0-9_]{1,64}$/);

/**
 * `decline_code`, the reason of a bank or of a payment method's provider. Source: docs.stripe.com/declines/codes (read
 * 2026-05), both tables as a whole; cross-checked with the constants of stripe-go (2026-08).
 */
const DECLINE_CODES: ReasonTable = {
  // Cards.
  authentication_required: 'authentication_required',
  authentication_not_handled: 'authentication_required',
  mobile_device_authentication_required: 'authentication_required',
  approve_with_id: 'try_again_later',
  call_issuer: 'call_issuer',
  card_not_supported: 'card_not_supported',
  card_velocity_exceeded: 'limit_exceeded',
  currency_not_supported: 'currency_not_supported',
  do_not_honor: 'do_not_honor',
  do_not_try_again: ['card_declined', 'never'],
  // Possible duplicate of a recent charge: a failover could charge the customer twice.
  duplicate_transaction: ['card_declined', 'fix_input'],
  expired_card: 'expired_card',
  fraudulent: 'fraud_suspected',
  generic_decline: 'card_declined',
  incorrect_address: ['card_declined', 'fix_input'],
  incorrect_cvc: 'incorrect_cvc',
  incorrect_number: 'invalid_number',
  incorrect_pin: 'incorrect_pin',
  incorrect_zip: ['card_declined', 'fix_input'],
  insufficient_funds: 'insufficient_funds',
  invalid_account: 'invalid_account',
  invalid_amount: 'limit_exceeded',
  invalid_cvc: 'incorrect_cvc',
  invalid_expiry_month: 'invalid_expiry',
  invalid_expiry_year: 'invalid_expiry',
  invalid_number: 'invalid_number',
  invalid_pin: 'incorrect_pin',
  issuer_not_available: 'issuer_unavailable',
  lost_card: 'lost_card',
  merchant_blacklist: 'fraud_suspected',
  new_account_information_available: ['invalid_payment_method', 'fix_input'],
  no_action_taken: 'do_not_honor',
  not_permitted: 'transaction_not_allowed',
  offline_pin_required: 'incorrect_pin',
  online_or_offline_pin_required: 'incorrect_pin',
  pickup_card: 'restricted_card',
  pin_try_exceeded: ['incorrect_pin', 'new_method'],
  processing_error: 'processing_error',
  reenter_transaction: 'processing_error',
  restricted_card: 'restricted_card',
  revocation_of_all_authorizations: 'authorization_revoked',
  revocation_of_authorization: 'authorization_revoked',
  security_violation: 'fraud_suspected',
  service_not_allowed: 'transaction_not_allowed',
  stolen_card: 'stolen_card',
  stop_payment_order: 'authorization_revoked',
  // A card of the other mode, which any customer may type.
  testmode_decline: 'invalid_payment_method',
  transaction_not_allowed: 'transaction_not_allowed',
  try_again_later: 'try_again_later',
  withdrawal_count_limit_exceeded: 'limit_exceeded',
  // Other payment methods. The outcome's reason has its own word for some of them.
  partner_generic_decline: 'card_declined',
  invalid_customer_account: ['invalid_payment_method', 'new_method'],
  payment_limit_exceeded: 'limit_exceeded',
  invalid_billing_agreement: 'authorization_revoked',
  partner_expired_card: 'expired_card',
  partner_processing_error: 'processing_error',
  partner_insufficient_funds: 'insufficient_funds',
  partner_invalid_currency: 'currency_not_supported',
  partner_invalid_amount: 'amount_not_supported',
  invalid_business_account: 'method_not_supported',
  partner_high_risk_customer: 'fraud_suspected',
  compliance_violation: ['transaction_not_allowed', 'never'],
  payment_disputed: ['card_declined', 'new_method'],
  invalid_authorization: 'authorization_revoked',
  invalid_payment_information: 'invalid_payment_method',
  // It may have been made all the same.
  partner_payment_not_found: ['card_declined', 'retry_same_later'],
  expired_payment_information: 'expired_card',
  partner_duplicate_transaction: ['card_declined', 'fix_input'],
  recurring_not_supported_by_bank: 'transaction_not_allowed',
  // Radar's own reason, which the outcome of a blocked charge has.
  highest_risk_level: 'fraud_suspected',
};

/** Why a bank debit failed. Source: docs.stripe.com/payments/sepa-debit and /api/payouts/failures (read 2026-05). */
const DEBIT_CODES: ReasonTable = {
  account_closed: 'invalid_account',
  account_frozen: 'invalid_account',
  authorization_revoked: 'authorization_revoked',
  bank_account_restricted: 'invalid_payment_method',
  bank_ownership_changed: 'invalid_account',
  branch_does_not_exist: 'invalid_number',
  could_not_process: 'processing_error',
  debit_authorization_not_match: 'authorization_revoked',
  debit_disputed: 'authorization_revoked',
  debit_not_authorized: 'authorization_revoked',
  declined: 'card_declined',
  generic_could_not_process: 'processing_error',
  incorrect_account_holder_address: ['invalid_payment_method', 'fix_input'],
  incorrect_account_holder_name: ['invalid_payment_method', 'fix_input'],
  invalid_account_number: 'invalid_number',
  invalid_currency: 'currency_not_supported',
  no_account: 'invalid_account',
  recipient_deceased: 'invalid_account',
  refer_to_customer: 'call_issuer',
};

const all = (meaning: ReasonMeaning, codes: string): ReasonTable =>
  Object.fromEntries(codes.split(/\s+/).map((code) => [code, meaning]));

/**
 * `code`, of a failed payment or a rejected request. Source: the codes that stripe-node 23.1.0 (API 2026-10-28) lists
 * for `last_payment_error`, as a whole; meanings: docs.stripe.com/error-codes (read 2026-05).
 */
const ERROR_CODES: ReasonTable = {
  ...all('authentication_required', 'authentication_required payment_intent_action_required'),
  ...all(
    'authentication_failed',
    `authentication_failure payment_intent_authentication_failure three_d_secure_authentication_not_supported
     three_d_secure_authentication_upstream_error setup_intent_authentication_failure`,
  ),
  ...all('card_declined', 'card_declined payment_method_provider_decline payment_intent_payment_attempt_failed'),
  ...all('insufficient_funds', 'insufficient_funds balance_insufficient'),
  ...all('limit_exceeded', 'card_decline_rate_limit_exceeded charge_exceeds_source_limit'),
  ...all('processing_error', 'processing_error payment_method_not_available'),
  ...all('incorrect_cvc', 'incorrect_cvc invalid_cvc'),
  ...all('invalid_expiry', 'invalid_expiry_month invalid_expiry_year'),
  ...all(
    'invalid_number',
    'incorrect_number invalid_number account_number_invalid bank_account_bad_routing_numbers routing_number_invalid',
  ),
  ...all(['card_declined', 'fix_input'], 'incorrect_address incorrect_postal_code incorrect_zip postal_code_invalid'),
  ...all('expired_card', 'expired_card expired_payment_method'),
  ...all('invalid_account', 'account_closed no_account'),
  ...all('restricted_card', 'payment_method_restricted'),
  ...all('call_issuer', 'refer_to_customer'),
  ...all('customer_canceled', 'payment_method_customer_decline'),
  ...all(
    'expired',
    `payment_method_provider_timeout payment_intent_payment_attempt_expired capture_charge_authorization_expired
     charge_expired_for_capture customer_session_expired`,
  ),
  ...all(
    'authorization_revoked',
    `billing_invalid_mandate debit_not_authorized india_recurring_payment_mandate_canceled
     payment_intent_mandate_invalid setup_intent_mandate_invalid`,
  ),
  ...all(['invalid_payment_method', 'fix_input'], 'payment_intent_konbini_rejected_confirmation_number'),
  ...all(
    'invalid_payment_method',
    `acss_debit_session_incomplete bank_account_declined bank_account_restricted bank_account_unusable
     bank_account_unverified bank_account_verification_failed financial_connections_account_inactive
     financial_connections_account_pending_account_numbers financial_connections_account_unavailable_account_numbers
     intent_verification_method_missing invalid_source_usage livemode_mismatch
     payment_method_bank_account_already_verified payment_method_bank_account_blocked
     payment_method_billing_details_address_missing payment_method_invalid_parameter
     payment_method_invalid_parameter_testmode payment_method_microdeposit_failed
     payment_method_microdeposit_processing_error payment_method_microdeposit_verification_amounts_invalid
     payment_method_microdeposit_verification_amounts_mismatch
     payment_method_microdeposit_verification_attempts_exceeded
     payment_method_microdeposit_verification_descriptor_code_mismatch payment_method_microdeposit_verification_timeout
     payment_method_unexpected_state sepa_unsupported_account setup_attempt_failed setup_intent_setup_attempt_expired
     token_already_used token_card_network_invalid token_in_use`,
  ),
  // Not in the list of that version. Older accounts get them for a card of the other mode.
  ...all('invalid_payment_method', 'test_mode_live_card live_mode_test_card'),
  ...all(
    'card_not_supported',
    `invalid_card_type payment_intent_incompatible_payment_method payment_method_unsupported_type
     setup_intent_mobile_wallet_unsupported`,
  ),
  ...all('currency_not_supported', 'payment_method_currency_mismatch'),
  ...all('amount_not_supported', 'amount_too_large amount_too_small'),
  ...all('amount_not_supported', 'charge_exceeds_transaction_limit invalid_charge_amount'),
  ...all('method_not_supported', 'payment_method_unactivated capability_not_active'),
  ...all('fraud_suspected', 'anomalous_money_movement_request'),
  // Somebody stopped the request, and the page does not say why.
  ...all(['card_declined', 'retry_same_later'], 'action_blocked approval_required request_blocked'),
  // Another call about the same object: it says nothing about the charge.
  ...all(UNDECIDED, 'idempotency_key_in_use lock_timeout rate_limit payment_intent_rate_limit_exceeded'),
  // The object has moved on: so may the charge.
  ...all(
    UNDECIDED,
    `capture_unauthorized_payment charge_already_captured charge_already_refunded charge_disputed charge_not_refundable
     intent_invalid_state payment_intent_unexpected_state refund_disputed_payment return_intent_already_processed
     setup_intent_unexpected_state status_transition_invalid`,
  ),
  // Our request or the merchant's account: never a bank's word.
  ...all(
    'invalid_configuration',
    `account_country_invalid_address account_error_country_change_requires_additional_steps
     account_information_mismatch account_invalid account_token_required_for_v2_account alipay_upgrade_required
     api_key_expired application_fees_not_allowed balance_invalid_parameter bank_account_exists bitcoin_upgrade_required
     cardholder_phone_number_required charge_invalid_parameter clearing_code_unsupported country_code_invalid
     country_unsupported coupon_expired customer_max_payment_methods customer_max_subscriptions
     customer_tax_location_invalid dispute_evidence_page_limit_exceeded email_invalid failed_tax_calculation
     financial_account_balance_does_not_support_currency financial_account_capability_not_enabled
     financial_account_capability_restricted financial_connections_consent_locale_invalid
     financial_connections_consent_locale_unsupported financial_connections_no_successful_transaction_refresh
     forwarding_api_inactive forwarding_api_invalid_parameter forwarding_api_retryable_upstream_error
     forwarding_api_upstream_connection_error forwarding_api_upstream_connection_timeout forwarding_api_upstream_error
     instant_payouts_config_disabled instant_payouts_currency_disabled instant_payouts_limit_exceeded
     instant_payouts_unsupported invalid_canceled_subscription_fields invalid_characters
     invalid_mandate_reference_prefix_format invalid_tax_location invoice_no_customer_line_items
     invoice_no_payment_method_types invoice_no_subscription_line_items invoice_not_editable
     invoice_on_behalf_of_not_editable invoice_payment_intent_requires_action invoice_upcoming_none missing
     not_allowed_on_standard_account out_of_inventory ownership_declaration_not_allowed parameter_invalid_empty
     parameter_invalid_integer parameter_invalid_string_blank parameter_invalid_string_empty parameter_missing
     parameter_unknown parameters_exclusive payment_evaluation_on_api_version_not_supported
     payment_intent_invalid_parameter payment_method_configuration_failures payout_reconciliation_not_ready
     payouts_limit_exceeded payouts_not_allowed platform_account_required platform_api_key_expired product_inactive
     progressive_onboarding_limit_exceeded resource_already_exists resource_missing secret_key_required
     service_period_coupon_with_metered_tiered_item_unsupported setup_intent_invalid_parameter shipping_address_invalid
     shipping_calculation_failed siret_invalid sku_inactive smart_disputes_not_available state_unsupported
     storer_capability_missing storer_capability_not_active stripe_tax_inactive
     subscription_update_trial_after_billing_cycle_anchor tax_id_invalid tax_id_prohibited taxes_calculation_failed
     terminal_location_country_unsupported terminal_reader_busy terminal_reader_hardware_fault
     terminal_reader_invalid_location_for_activation terminal_reader_invalid_location_for_payment
     terminal_reader_offline terminal_reader_timeout testmode_charges_only tls_version_unsupported
     transfer_source_balance_parameters_mismatch transfers_not_allowed url_invalid`,
  ),
};

/** Every reason of Stripe's. `code` and `decline_code` share their words. */
export const REASONS: ReasonTable = { ...ERROR_CODES, ...DEBIT_CODES, ...DECLINE_CODES };

/** `advice_code`. Source: docs.stripe.com/declines/card (read 2026-05). It wins over the reason's usual class. */
export const ADVICE: Readonly<Record<string, DeclineClass>> = {
  do_not_try_again: 'never',
  try_again_later: 'retry_same_later',
  confirm_card_data: 'fix_input',
};

function adviceOf({ advice_code, network_advice_code }: LastPaymentError): Advice | undefined {
  const networks = mastercardAdvice(network_advice_code);
  if (networks === 'never') return networks;
  return lookUp(ADVICE, advice_code) ?? (advice_code ? UNKNOWN_ADVICE : networks);
}

/**
 * Visa's response codes after which it charges a fee for each new attempt with the card. Source: public pages of
 * acquirers (2026-11).
 */
const VISA_NEVER: ReadonlySet<string> = new Set('04 07 12 14 15 41 43 46 57 R0 R1 R3'.split(' '));

/** What means the same at every network (ISO 8583): pick up, lost, stolen, stopped by the customer. */
const NETWORKS_NEVER: ReadonlySet<string> = new Set('04 07 41 43 R0 R1 R3'.split(' '));

const SAME_CARD_AGAIN: ReadonlySet<DeclineClass> = new Set(['retry_other_psp', 'only_other_psp', 'retry_same_later']);

/** `decline_code` may hide what the network said. A card of an unknown network counts as one of Visa's. */
function withNetworkRule(decline: Decline, { network_decline_code, payment_method }: LastPaymentError): Decline {
  const brand = payment_method?.card?.brand?.toLowerCase() ?? 'visa';
  const isFinal = (brand === 'visa' ? VISA_NEVER : NETWORKS_NEVER).has(network_decline_code ?? '');
  return isFinal && SAME_CARD_AGAIN.has(decline.retry) ? { ...decline, retry: 'never' } : decline;
}

/** Codes that only say "declined": the `decline_code` beside them is the reason. */
const SAYS_NO_MORE: ReadonlySet<string> = new Set([
  'card_declined',
  'payment_method_provider_decline',
  'payment_intent_payment_attempt_failed',
]);

/** The decline of a failed payment, or `undecided`. Where the table lacks the `decline_code`, `code` is the reason. */
export function toDecline(error: LastPaymentError): Decline | typeof UNDECIDED {
  const reason = codeOf(error.decline_code);
  const code = codeOf(error.code);
  const isUnsaid = Boolean(error.decline_code) && SAYS_NO_MORE.has(code ?? '');
  const meaning = lookUp(REASONS, reason) ?? (isUnsaid ? undefined : lookUp(REASONS, code));
  const decline = readReason(meaning, reason ?? code, adviceOf(error));
  return decline === UNDECIDED ? UNDECIDED : withNetworkRule(decline, error);
}

/** Rejected requests that say the account takes no payments, or not with this key. */
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

/** Parameters that come from the token. A deleted customer takes its saved methods with it. */
const TOKEN_PARAMS: ReadonlySet<string> = new Set(['payment_method', 'confirmation_token', 'customer', 'mandate']);

/** A missing object may also be a 404. */
const REQUEST_STATUSES: ReadonlySet<number> = new Set([400, 404]);

/**
 * A request rejected for its content, method or amount. The customer can change these, so it is a decline and not a
 * configuration error. Undefined for any other rejected request.
 */
export function requestDecline(status: number, error: StripeError): Decline | undefined {
  if (!REQUEST_STATUSES.has(status)) return undefined;
  const code = codeOf(error.code);
  const meaning = lookUp(ERROR_CODES, code);
  if (meaning !== undefined && meaning !== UNDECIDED && meaning !== 'invalid_configuration') {
    const decline = toDecline(error);
    return decline === UNDECIDED ? undefined : decline;
  }
  const failure = byParam(error.param ?? '');
  return failure && declineOf(failure, code);
}

/** Whether a rejected request leaves open what became of the charge: its object has moved on, or is in use. */
export const leavesOpen = ({ code }: StripeError): boolean => lookUp(ERROR_CODES, codeOf(code)) === UNDECIDED;

function byParam(param: string): FailureCode | undefined {
  if (TOKEN_PARAMS.has(param)) return 'invalid_payment_method';
  return param === 'currency' ? 'currency_not_supported' : undefined;
}
