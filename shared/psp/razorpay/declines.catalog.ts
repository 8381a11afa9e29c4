import {
  type Decline,
  type DeclineClass,
  declineOf,
  type FailureCode,
} from '#shared/domain/payments/declines.catalog.ts';
import type { ChargeOrder, PspOutcome } from '#shared/ports/psp.port.ts';
import { safeCode } from '#shared/psp/kit/responses.ts';
import type { RefusedResponse } from '#shared/psp/razorpay/client.ts';

/** Passes on only words that look like Razorpay's codes, never text from a message. `NA` means none. */
export const codeOf = (code: string | null | undefined): string | null =>
  code === 'NA' ? null : safeCode(code, /^[A-Za-z0-9_]{1,64}$/);

/** For an unknown id Razorpay responds 400 without a code. Only its words tell. */
const UNKNOWN_ID = /\bid provided does not exist|not a valid id|invalid input \[strippedId\]/i;

export const isUnknownId = ({ error }: RefusedResponse): boolean => UNKNOWN_ID.test(error.description ?? '');

/** Razorpay's `reason` → ours; with a class where Razorpay's meaning is narrower or wider than ours. */
export const REASONS: Readonly<Record<string, FailureCode | readonly [FailureCode, DeclineClass]>> = {
  insufficient_funds: 'insufficient_funds',
  insufficient_fund: 'insufficient_funds',
  card_declined: 'card_declined',
  payment_failed: 'card_declined',
  gateway_technical_error: 'processing_error',
  bank_technical_error: 'issuer_unavailable',
  // The bank may still approve it for days: a failover could charge the customer twice.
  payment_timed_out: ['expired', 'fix_input'],
  authentication_failed: 'authentication_failed',
  otp_attempts_exceeded: ['authentication_failed', 'new_method'],
  incorrect_otp: 'incorrect_pin',
  incorrect_pin: 'incorrect_pin',
  incorrect_cvv: 'incorrect_cvc',
  incorrect_card_expiry_date: 'invalid_expiry',
  incorrect_card_details: ['invalid_number', 'fix_input'],
  card_number_invalid: ['invalid_number', 'fix_input'],
  invalid_vpa: ['invalid_payment_method', 'fix_input'],
  card_expired: 'expired_card',
  card_not_enrolled: 'card_not_supported',
  card_disabled_for_online_payments: 'card_not_supported',
  card_type_invalid: 'card_not_supported',
  card_network_not_enabled: 'method_not_supported',
  bank_not_enabled: 'method_not_supported',
  amount_less_than_minimum_amount: 'amount_not_supported',
  international_transaction_not_allowed: 'transaction_not_allowed',
  transaction_limit_exceeded: ['limit_exceeded', 'new_method'],
  debit_instrument_blocked: 'restricted_card',
  debit_instrument_inactive: 'invalid_payment_method',
  payment_risk_check_failed: 'fraud_suspected',
  payment_cancelled: ['customer_canceled', 'new_method'],
  // For off-session charges, under the mandate that the customer agreed with their bank.
  mandate_cancelled: 'authorization_revoked',
  mandate_not_active: 'authorization_revoked',
  mandate_expired: 'invalid_payment_method',
  mandate_paused: ['card_declined', 'fix_input'],
  payment_mandate_not_active: 'try_again_later',
  invalid_token: 'invalid_payment_method',
  umn_does_not_exist_payer: 'invalid_payment_method',
  payer_account_has_changed: 'invalid_payment_method',
  no_financial_address_record_found: 'invalid_payment_method',
  mobile_number_invalid: 'invalid_payment_method',
  bank_account_invalid: 'invalid_account',
  remitter_account_dormant: 'invalid_account',
  incorrect_ifsc: 'invalid_account',
  bank_account_validation_failed: 'try_again_later',
  payment_stopped_by_court_order: 'restricted_card',
  suspected_fraud_decline: 'fraud_suspected',
  payment_declined: 'card_declined',
  debit_declined: ['card_declined', 'new_method'],
  nature_of_debit_not_allowed: 'transaction_not_allowed',
  transaction_not_allowed: 'transaction_not_allowed',
  transaction_not_permitted_cardholder: 'transaction_not_allowed',
  transaction_not_permitted_to_vpa: 'transaction_not_allowed',
  adequate_funds_not_available_blocked: 'insufficient_funds',
  amount_does_not_match_mandate_amount: ['limit_exceeded', 'new_method'],
  mandate_debit_beyond_psp_amount_cap: ['limit_exceeded', 'new_method'],
  per_transaction_limit_exceeded: ['limit_exceeded', 'new_method'],
  limit_exceeded_remitting_bank: ['limit_exceeded', 'new_method'],
  mandate_current_cycle_allowed_debit_exceeds: 'limit_exceeded',
  execution_day_rule_mismatch: 'try_again_later',
  pre_debit_notification_not_sent: 'try_again_later',
  number_of_pin_tries_exceeded: ['incorrect_pin', 'new_method'],
  bank_not_available: 'issuer_unavailable',
  psp_bank_not_available: 'issuer_unavailable',
  psp_not_available: 'issuer_unavailable',
  // The bank may have paid after all: a failover could charge the customer twice.
  psp_timeout: ['issuer_unavailable', 'retry_same_later'],
  request_timed_out: ['issuer_unavailable', 'retry_same_later'],
  server_error: 'processing_error',
  compliance_violation: 'invalid_configuration',
  merchant_not_activated: 'invalid_configuration',
  live_mode_not_enabled: 'invalid_configuration',
  order_amount_mismatch: 'invalid_configuration',
};

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

const ISSUER_SOURCES = new Set(['bank', 'issuer_bank', 'issuer', 'beneficiary_bank', 'customer', 'customer_psp']);

const knownReason = (reason: string | null) =>
  reason !== null && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;

/**
 * The decline of a failed payment. An unknown reason is `card_declined` if the bank or the customer caused it, and
 * `processing_error` otherwise.
 */
export function toDecline({ reason: given, source }: FailureReason): Decline {
  const reason = codeOf(given);
  const line = knownReason(reason) ?? (ISSUER_SOURCES.has(source ?? '') ? 'card_declined' : 'processing_error');
  return typeof line === 'string' ? declineOf(line, reason) : declineOf(line[0], reason, line[1]);
}

/** A request refused before a payment was started is a decline only for a known reason, or for its content. */
export function declineBeforePayment({ status, error }: RefusedResponse): Decline | undefined {
  const { reason, source, description, field } = error;
  const code = codeOf(reason);
  if (knownReason(code) !== undefined) return toDecline({ reason, source });
  if (status !== 400) return undefined;
  const [, byWords] =
    BY_DESCRIPTION.find(([words]) => words.test((description ?? '').slice(0, MAX_MATCHED_LENGTH))) ?? [];
  const failure = byWords ?? (field && Object.hasOwn(BY_FIELD, field) ? BY_FIELD[field] : undefined);
  return failure && declineOf(failure, code);
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
