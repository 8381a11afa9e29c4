import { type Decline, declineOf, type FailureCode } from '#shared/domain/payments/declines.catalog.ts';
import type { ChargeOrder, PspOutcome } from '#shared/ports/psp.port.ts';
import {
  lookUp,
  type ReasonMeaning,
  type ReasonTable,
  readReason,
  UNDECIDED,
  unknownDecline,
} from '#shared/psp/kit/declines.ts';
import { safeCode } from '#shared/psp/kit/responses.ts';
import type { RefusedResponse } from '#shared/psp/razorpay/client.ts';

/** Passes on only words that look like Razorpay's codes, never text from a message. `NA` means none. */
export const codeOf = (code: string | null | undefined): string | null =>
  code === 'NA' ? null : safeCode(code, /^[A-Za-z0-9_]{1,64}$/);

/** For an unknown id Razorpay responds 400 without a code. Only its words tell. */
const UNKNOWN_ID = /\bid provided does not exist|not a valid id|invalid input \[strippedId\]/i;

export const isUnknownId = ({ error }: RefusedResponse): boolean => UNKNOWN_ID.test(error.description ?? '');

/**
 * Razorpay's `reason` → ours. Sources (markdown-docs of Razorpay, read 2026-11): errors/payments/list.md and cards.md as
 * wholes, cross-checked with rainy-day/errors/error-reasons.md, which says what some of the short lines mean; and the
 * lists of charges without the customer (emandate/errors.md, recurring-payments/upi/create-subsequent-payments.md).
 */
export const REASONS: ReasonTable = {
  // The bank may have approved it, or may still do so: Razorpay asks the bank for three days ("late authorization").
  capture_failed: UNDECIDED,
  collect_request_pending: UNDECIDED,
  deemed_transaction: UNDECIDED,
  duplicate_request: UNDECIDED,
  form_status_pending: UNDECIDED,
  invalid_response_from_gateway: UNDECIDED,
  order_already_paid: UNDECIDED,
  payment_pending: UNDECIDED,
  payment_pending_approval: UNDECIDED,
  psp_timeout: UNDECIDED,
  request_timed_out: UNDECIDED,
  verification_failed: UNDECIDED,
  // A late authorization is possible after these too, but mostly the customer did not finish. A failover could charge
  // the customer twice; another try is up to them.
  payment_timed_out: ['expired', 'fix_input'],
  payment_collect_request_expired: 'expired',
  payment_session_expired: 'expired',
  mandate_creation_expired: 'expired',
  mandate_creation_timeout: 'expired',
  // A generic refusal: the bank gave no reason.
  card_declined: 'card_declined',
  payment_declined: 'card_declined',
  payment_failed: 'card_declined',
  // A refusal with a part of its reason, which another provider does not change.
  already_declined: ['card_declined', 'retry_same_later'],
  authorisation_declined_by_psp: ['card_declined', 'new_method'],
  credit_failed: ['card_declined', 'retry_same_later'],
  credit_to_beneficiary_failed: ['card_declined', 'retry_same_later'],
  debit_declined: ['card_declined', 'new_method'],
  duplicate_mandate_request: ['card_declined', 'retry_same_later'],
  duplicate_rrn_found: ['card_declined', 'retry_same_later'],
  mandate_creation_declined: ['card_declined', 'new_method'],
  mandate_creation_failed: ['card_declined', 'retry_same_later'],
  mandate_paused: ['card_declined', 'fix_input'],
  record_not_found: ['card_declined', 'retry_same_later'],
  // Funds and limits.
  adequate_funds_not_available_blocked: 'insufficient_funds',
  funds_blocked_by_mandate: 'insufficient_funds',
  insufficient_fund: 'insufficient_funds',
  insufficient_funds: 'insufficient_funds',
  amount_does_not_match_mandate_amount: ['limit_exceeded', 'new_method'],
  credit_limit_exceeded: ['limit_exceeded', 'new_method'],
  emi_greater_than_max_amount: ['limit_exceeded', 'new_method'],
  limit_exceeded_remitting_bank: ['limit_exceeded', 'new_method'],
  mandate_current_cycle_allowed_debit_exceeds: 'limit_exceeded',
  mandate_debit_beyond_psp_amount_cap: ['limit_exceeded', 'new_method'],
  mandate_request_limit_breached: 'limit_exceeded',
  mcc_amount_limit_exceeded: ['limit_exceeded', 'new_method'],
  per_transaction_limit_exceeded: ['limit_exceeded', 'new_method'],
  transaction_daily_count_exceeded: 'limit_exceeded',
  transaction_daily_limit_exceeded: 'limit_exceeded',
  transaction_frequency_limit_exceeded: 'limit_exceeded',
  transaction_limit_exceeded: ['limit_exceeded', 'new_method'],
  // A technical fault: nothing was charged.
  bank_cutoff_in_progress: 'issuer_unavailable',
  bank_not_available: 'issuer_unavailable',
  bank_technical_error: 'issuer_unavailable',
  banks_hsm_is_down_remitter: 'issuer_unavailable',
  gateway_technical_error: 'processing_error',
  issuer_dispatch_failed: 'issuer_unavailable',
  issuer_technical_error: 'issuer_unavailable',
  merchant_error_payee_psp: 'processing_error',
  payment_declined_due_to_high_traffic: 'issuer_unavailable',
  psp_app_not_available: 'issuer_unavailable',
  psp_bank_not_available: 'issuer_unavailable',
  psp_not_available: 'issuer_unavailable',
  remitter_dispatch_failed: 'issuer_unavailable',
  server_error: 'processing_error',
  upi_app_technical_error: 'issuer_unavailable',
  vpa_resolution_failed: 'issuer_unavailable',
  // A technical fault about the mandate or of an unclear end.
  bank_account_validation_failed: 'try_again_later',
  execution_day_rule_mismatch: 'try_again_later',
  id_value_must_be_present: 'try_again_later',
  invalid_transaction_beneficiary: 'try_again_later',
  no_original_request_found: 'try_again_later',
  null_ack_processing_failure: 'try_again_later',
  payer_seqnum_validation_failure: 'try_again_later',
  payment_mandate_not_active: 'try_again_later',
  pre_debit_notification_failed: 'try_again_later',
  pre_debit_notification_not_sent: 'try_again_later',
  regid_details_must_be_present: 'try_again_later',
  reqauth_mandate_not_acknowledged: 'try_again_later',
  response_not_received_within_tat: 'try_again_later',
  seqnum_mismatch_payer_psp: 'try_again_later',
  unable_to_process_beneficiary_bank: 'try_again_later',
  // What the customer entered or did.
  authentication_failed: 'authentication_failed',
  pin_not_set: 'authentication_failed',
  mpin_not_set_by_customer: 'authentication_failed',
  otp_attempts_exceeded: ['authentication_failed', 'new_method'],
  incorrect_atm_pin: 'incorrect_pin',
  incorrect_otp: 'incorrect_pin',
  incorrect_pin: 'incorrect_pin',
  invalid_otp: 'incorrect_pin',
  otp_expired: 'incorrect_pin',
  number_of_pin_tries_exceeded: ['incorrect_pin', 'new_method'],
  pin_attempts_exceeded: ['incorrect_pin', 'new_method'],
  incorrect_cvv: 'incorrect_cvc',
  incorrect_card_expiry_date: 'invalid_expiry',
  card_number_invalid: ['invalid_number', 'fix_input'],
  incorrect_card_details: ['invalid_number', 'fix_input'],
  incorrect_cardholder_name: ['invalid_payment_method', 'fix_input'],
  invalid_email: ['invalid_payment_method', 'fix_input'],
  invalid_mobile_number: ['invalid_payment_method', 'fix_input'],
  invalid_user_details: ['invalid_payment_method', 'fix_input'],
  invalid_vpa: ['invalid_payment_method', 'fix_input'],
  payment_cancelled: ['customer_canceled', 'new_method'],
  // The method cannot be used, or not for this.
  card_expired: 'expired_card',
  card_disabled_for_online_payments: 'card_not_supported',
  card_not_enrolled: 'card_not_supported',
  card_type_invalid: 'card_not_supported',
  psp_app_not_supported: 'card_not_supported',
  upi_autopay_not_supported_on_psp: 'card_not_supported',
  credit_limit_expired: 'transaction_not_allowed',
  credit_limit_inactive: 'transaction_not_allowed',
  credit_limit_not_approved: 'transaction_not_allowed',
  credit_not_permitted: 'transaction_not_allowed',
  international_transaction_not_allowed: 'transaction_not_allowed',
  nature_of_debit_not_allowed: 'transaction_not_allowed',
  transaction_not_allowed: 'transaction_not_allowed',
  transaction_not_permitted_cardholder: 'transaction_not_allowed',
  transaction_not_permitted_cardholder_beneficiary: 'transaction_not_allowed',
  transaction_not_permitted_to_vpa: 'transaction_not_allowed',
  user_not_eligible: 'transaction_not_allowed',
  debit_instrument_inactive: 'invalid_payment_method',
  emi_plan_unavailable: 'invalid_payment_method',
  invalid_device: 'invalid_payment_method',
  invalid_token: 'invalid_payment_method',
  joint_account_not_allowed: 'invalid_payment_method',
  mandate_expired: 'invalid_payment_method',
  mobile_number_invalid: 'invalid_payment_method',
  no_financial_address_record_found: 'invalid_payment_method',
  payer_account_has_changed: 'invalid_payment_method',
  psp_not_registered: 'invalid_payment_method',
  transaction_on_vpa_restricted: 'invalid_payment_method',
  umn_does_not_exist_payer: 'invalid_payment_method',
  user_not_registered_for_netbanking: 'invalid_payment_method',
  // Never again.
  bank_account_invalid: 'invalid_account',
  incorrect_ifsc: 'invalid_account',
  invaild_account_number: 'invalid_account',
  remitter_account_dormant: 'invalid_account',
  mandate_cancelled: 'authorization_revoked',
  mandate_not_active: 'authorization_revoked',
  debit_instrument_blocked: 'restricted_card',
  payment_stopped_by_court_order: 'restricted_card',
  payment_amount_tampered: 'fraud_suspected',
  payment_risk_check_failed: 'fraud_suspected',
  suspected_fraud_decline: 'fraud_suspected',
  // The amount, the merchant's account, or our request.
  amount_less_than_minimum_amount: 'amount_not_supported',
  invalid_amount: 'amount_not_supported',
  invalid_currency: 'currency_not_supported',
  bank_not_enabled: 'method_not_supported',
  card_network_not_enabled: 'method_not_supported',
  collect_on_mcc_blocked: 'method_not_supported',
  payment_method_not_enabled: 'method_not_supported',
  recurring_payment_not_enabled: 'method_not_supported',
  upi_collect_not_enabled: 'method_not_supported',
  upi_intent_not_enabled: 'method_not_supported',
  bad_request_error: 'invalid_configuration',
  beneficiary_account_does_not_exist: 'invalid_configuration',
  beneficiary_account_dormant: 'invalid_configuration',
  compliance_violation: 'invalid_configuration',
  duplicate_refund_id: 'invalid_configuration',
  file_size_exceeds_limit: 'invalid_configuration',
  form_data_mismatch: 'invalid_configuration',
  form_mismatch: 'invalid_configuration',
  form_signature_missing: 'invalid_configuration',
  image_not_clear: 'invalid_configuration',
  input_validation_failed: 'invalid_configuration',
  invalid_order_id: 'invalid_configuration',
  invalid_request: 'invalid_configuration',
  live_mode_not_enabled: 'invalid_configuration',
  merchant_not_activated: 'invalid_configuration',
  mismatch_in_transaction_details: 'invalid_configuration',
  order_amount_mismatch: 'invalid_configuration',
  order_payment_method_mismatch: 'invalid_configuration',
  refund_limit_crossed: 'invalid_configuration',
  selected_frequency_invalid: 'invalid_configuration',
  unknown_file_type: 'invalid_configuration',
  upi_dummy_payment: 'invalid_configuration',
};

/** Who the rule protects. A violation by anybody else is about the merchant's account. */
const CUSTOMER_SIDE: ReadonlySet<string> = new Set(['customer', 'customer_psp', 'bank', 'issuer_bank', 'issuer']);

/** A violation on the customer's side is a matter of the bank's rules: nobody may try again. */
const meaningOf = (reason: string | null, source: string | null | undefined): ReasonMeaning | undefined =>
  reason === 'compliance_violation' && CUSTOMER_SIDE.has(source ?? '')
    ? ['transaction_not_allowed', 'never']
    : lookUp(REASONS, reason);

/** The description of a refused request without a reason → ours. Partly UNVERIFIED. */
export const BY_DESCRIPTION: readonly (readonly [words: RegExp, code: FailureCode])[] = [
  [/amount.{0,20}(less than.{0,10}minimum|exceeds maximum)/i, 'amount_not_supported'],
  [
    /currency.{0,20}not (supported|allowed|enabled)|international.{0,30}not (supported|allowed|enabled)/i,
    'currency_not_supported',
  ],
];

/** The field that such a request was refused for → ours. */
export const BY_FIELD: Readonly<Record<string, FailureCode>> = {
  amount: 'amount_not_supported',
  currency: 'currency_not_supported',
  method: 'method_not_supported',
  token: 'invalid_payment_method',
  customer_id: 'invalid_payment_method',
};

type FailureReason = { readonly reason: string | null | undefined; readonly source: string | null | undefined };

/** The decline of a failed payment, or `undecided`. */
export function toDecline({ reason: given, source }: FailureReason): Decline | typeof UNDECIDED {
  const reason = codeOf(given);
  return readReason(meaningOf(reason, source), reason);
}

/** Faults of Razorpay or its gateway. Without a reason they do not say how far the call got. */
const FAULT_CODES: ReadonlySet<string> = new Set(['GATEWAY_ERROR', 'SERVER_ERROR']);

/** Another call about the same order or payment is running. */
const IN_PROGRESS = /another (\w+ )?operation is in progress/i;

/** Whether the bank may have approved the payment of this refusal, or another one of its order. */
export function isUndecided({ error }: RefusedResponse): boolean {
  const meaning = lookUp(REASONS, codeOf(error.reason));
  if (meaning !== undefined) return meaning === UNDECIDED;
  return FAULT_CODES.has(error.code) || IN_PROGRESS.test((error.description ?? '').slice(0, MAX_MATCHED_LENGTH));
}

/** Reasons that only say "our request": the words or the field tell more. */
const SAYS_NO_MORE: ReadonlySet<string> = new Set(['input_validation_failed', 'invalid_request', 'bad_request_error']);

const knownReason = (reason: string | null): ReasonMeaning | undefined =>
  SAYS_NO_MORE.has(reason ?? '') ? undefined : lookUp(REASONS, reason);

/** Older refusals have no reason and name no payment. These words say that there was one. */
const PAYMENT_FAILED =
  /\b(payment|transaction|card)\b.*\b(failed|declined|unsuccessful|cancelled|not (be )?completed)\b/i;

/** Before any other step, Razorpay has only read our request. */
const FIRST_STEP = 'payment_initiation';

/**
 * A refusal that names no payment is a decline for a known reason, for the content of the request, or after the first
 * step. Anything else is a rejected request.
 */
export function declineBeforePayment({ status, error }: RefusedResponse): Decline | undefined {
  const { reason, source, step, description, field } = error;
  const code = codeOf(reason);
  if (knownReason(code) !== undefined) {
    const decline = toDecline({ reason, source });
    return decline === UNDECIDED ? undefined : decline;
  }
  if (status !== 400) return undefined;
  const [, byWords] =
    BY_DESCRIPTION.find(([words]) => words.test((description ?? '').slice(0, MAX_MATCHED_LENGTH))) ?? [];
  const failure = byWords ?? lookUp(BY_FIELD, field);
  if (failure) return declineOf(failure, code);
  if (code === null && PAYMENT_FAILED.test((description ?? '').slice(0, MAX_MATCHED_LENGTH))) return unknownDecline();
  const isRequestsFault = SAYS_NO_MORE.has(code ?? '') || (codeOf(step) ?? FIRST_STEP) === FIRST_STEP;
  return isRequestsFault ? undefined : unknownDecline(code);
}

/** On the text of a full response our patterns would run for long. */
const MAX_MATCHED_LENGTH = 300;

/**
 * The same for a token charge. Its token or customer may be missing or deleted, and neither has a code. The order is
 * new, so the missing object is not the order.
 */
export function tokenDecline(refused: RefusedResponse): Decline | undefined {
  const { reason, field } = refused.error;
  const isOfToken =
    knownReason(codeOf(reason)) === undefined && refused.status === 400 && (field === 'method' || isUnknownId(refused));
  return isOfToken ? declineOf('invalid_payment_method', codeOf(reason)) : declineBeforePayment(refused);
}

/** The same off-session, where the amount may also exceed the mandate's limit. */
export function offSessionDecline(refused: RefusedResponse): Decline | undefined {
  const { reason, description } = refused.error;
  const exceedsMandate =
    refused.status === 400 &&
    knownReason(codeOf(reason)) === undefined &&
    /amount exceeds maximum amount allowed/i.test(description ?? '');
  return exceedsMandate ? declineOf('limit_exceeded', codeOf(reason), 'new_method') : tokenDecline(refused);
}

/** Off-session nobody could authenticate. The bank requires the customer, and has no other code for that. */
export function asOffSession(outcome: PspOutcome, { offSession }: ChargeOrder): PspOutcome {
  if (!offSession || outcome.kind !== 'declined' || outcome.decline.code !== 'authentication_failed') return outcome;
  return { ...outcome, decline: declineOf('authentication_required', outcome.decline.provider_code) };
}
