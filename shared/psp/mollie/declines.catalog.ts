import {
  type Decline,
  type DeclineClass,
  declineOf,
  type FailureCode,
} from '#shared/domain/payments/declines.catalog.ts';
import { safeCode } from '#shared/psp/kit/responses.ts';
import type { MollieError, Payment } from '#shared/psp/mollie/schema.ts';

/** Passes on only words that look like Mollie's codes, never free text. */
const codeOf = (code: string | null | undefined): string | null => safeCode(code, /^[a-z0-9_]{1,64}$/);

/**
 * Mollie's `details.failureReason`, and the card schemes' words in `statusReason.code` → ours; with a class where
 * Mollie's meaning is narrower or wider than ours.
 */
export const REASONS: Readonly<Record<string, FailureCode | readonly [FailureCode, DeclineClass]>> = {
  authentication_abandoned: 'authentication_failed',
  authentication_failed: 'authentication_failed',
  card_authentication_failed: 'authentication_failed',
  authentication_required: 'authentication_required',
  additional_customer_authentication_required: 'authentication_required',
  authentication_unavailable_acs: ['issuer_unavailable', 'retry_same_later'],
  card_declined: 'card_declined',
  refused_by_issuer: 'card_declined',
  unknown_reason: 'card_declined',
  no_reason_to_decline: 'card_declined',
  do_not_honor: 'do_not_honor',
  no_action_taken: 'do_not_honor',
  card_expired: 'expired_card',
  expired_card: 'expired_card',
  inactive_card: 'invalid_payment_method',
  blocked_first_used: 'invalid_payment_method',
  insufficient_funds: 'insufficient_funds',
  invalid_cvv: 'incorrect_cvc',
  decline_for_cvv2_failure: 'incorrect_cvc',
  invalid_card_holder_name: ['card_declined', 'fix_input'],
  // A typing error in Mollie's own form, which checks the number; the schemes' codes below mean that there is no such
  // card.
  invalid_card_number: ['invalid_number', 'fix_input'],
  invalid_account_number: 'invalid_number',
  invalid_card_type: 'card_not_supported',
  domestic_debit_transaction_not_allowed: 'card_not_supported',
  possible_fraud: 'fraud_suspected',
  suspected_fraud: 'fraud_suspected',
  fraud_security_related: 'fraud_suspected',
  security_violation: 'fraud_suspected',
  violation_of_law: 'transaction_not_allowed',
  transaction_does_not_fulfill_aml_requirement: 'transaction_not_allowed',
  transaction_not_permitted_to_cardholder: 'transaction_not_allowed',
  // The terminal stands for the merchant account: another connection may accept the card.
  transaction_not_allowed_at_terminal: 'method_not_supported',
  lost_card: 'lost_card',
  stolen_card: 'stolen_card',
  capture_card: 'restricted_card',
  pick_up_card_special_condition: 'restricted_card',
  restricted_card: 'restricted_card',
  lifecycle_related: ['restricted_card', 'never'],
  policy_related: ['transaction_not_allowed', 'never'],
  closed_account: 'invalid_account',
  no_credit_account: 'invalid_account',
  no_checking_account: 'invalid_account',
  no_savings_account: 'invalid_account',
  invalid_nonexistent_account_specified: 'invalid_account',
  invalid_nonexistent_from_account_specified: 'invalid_account',
  invalid_nonexistent_to_account_specified: 'invalid_account',
  stop_payment_order: 'authorization_revoked',
  revocation_of_authorization: 'authorization_revoked',
  revocation_of_all_authorizations: 'authorization_revoked',
  refer_to_card_issuer: 'call_issuer',
  refer_to_card_issuer_special_condition: 'call_issuer',
  contact_card_issuer: 'call_issuer',
  invalid_pin: 'incorrect_pin',
  pin_data_required: 'incorrect_pin',
  cannot_verify_pin: 'incorrect_pin',
  allowable_number_of_pin_tries_exceeded: ['incorrect_pin', 'new_method'],
  invalid_amount: 'limit_exceeded',
  exceeds_withdrawal_amount_limit: 'limit_exceeded',
  exceeds_withdrawal_count_limit: 'limit_exceeded',
  honor_with_id: 'try_again_later',
  issuer_unavailable: 'issuer_unavailable',
  credit_issuer_unavailable: 'issuer_unavailable',
  unable_to_route_transaction: 'issuer_unavailable',
  system_malfunction: 'processing_error',
  file_temporarily_unavailable: 'processing_error',
  re_enter_transaction: 'processing_error',
  error: 'processing_error',
  format_error: 'processing_error',
  // Possible duplicate of a recent charge: a failover could charge the customer twice.
  duplicate_transaction: ['card_declined', 'fix_input'],
  invalid_merchant: 'invalid_configuration',
};

/** Strictest first. */
const STRICTNESS: readonly DeclineClass[] = [
  'never',
  'new_method',
  'fix_input',
  'config',
  'only_other_psp',
  'retry_same_later',
  'retry_other_psp',
];

/**
 * Mollie may report its own reason and the card scheme's. The stricter one counts. Without a known reason it is
 * `card_declined`.
 */
export function toDecline({ details, statusReason }: Payment): Decline {
  const reasons = [statusReason?.code, details?.failureReason].map(codeOf).filter((code) => code !== null);
  const known = reasons.flatMap(knownDecline).sort((a, b) => STRICTNESS.indexOf(a.retry) - STRICTNESS.indexOf(b.retry));
  return known[0] ?? declineOf('card_declined', reasons[0] ?? null);
}

function knownDecline(reason: string): readonly Decline[] {
  const known = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  if (known === undefined) return [];
  return [typeof known === 'string' ? declineOf(known, reason) : declineOf(known[0], reason, known[1])];
}

/** Fields of the customer's input. */
const TOKEN_FIELDS = new Set(['cardToken', 'applePayPaymentToken', 'customerId', 'mandateId']);

/**
 * A charge refused for its content, method or amount. The customer can change these, so it is a decline and not a
 * configuration error.
 */
export function requestDecline(status: number, { field, detail }: MollieError): Decline | undefined {
  if (status !== 422 || !field) return undefined;
  if (TOKEN_FIELDS.has(field)) return declineOf('invalid_payment_method');
  if (field === 'method') return declineOf('method_not_supported');
  if (!/^amount(\.|$)/.test(field)) return undefined;
  return declineOf(
    field === 'amount.currency' || /currency/i.test(detail ?? '') ? 'currency_not_supported' : 'amount_not_supported',
  );
}

const GONE_STATUSES: ReadonlySet<number> = new Set([404, 410]);

/**
 * As `requestDecline`, for a charge of a known customer. A 404 or 410 means that the customer does not exist any more.
 */
export const customerDecline = (status: number, error: MollieError): Decline | undefined =>
  GONE_STATUSES.has(status) ? declineOf('invalid_payment_method') : requestDecline(status, error);

/** Mollie's texts for an invalid mandate. Whether such an error also names a field is not documented. */
const INVALID_MANDATE_TEXT =
  /\bno suitable mandates?\b|\bmandate\b.*\b(?:invalid|not valid|revoked|no longer)\b|\bcard was not found\b/i;

/** As `customerDecline`, for a mandate charge. A 410 means that the mandate or customer was deleted. */
export function mandateDecline(status: number, error: MollieError): Decline | undefined {
  if (status === 410) return declineOf('authorization_revoked');
  return (
    customerDecline(status, error) ??
    (status === 422 && INVALID_MANDATE_TEXT.test(error.detail ?? '') ? declineOf('invalid_payment_method') : undefined)
  );
}
