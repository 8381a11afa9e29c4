import { type Decline, type DeclineClass, declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { lookUp, type ReasonTable, readReason, UNDECIDED, unknownDecline } from '#shared/psp/kit/declines.ts';
import { safeCode } from '#shared/psp/kit/responses.ts';
import type { MollieError, Payment } from '#shared/psp/mollie/schema.ts';

/** Passes on only words that look like Mollie's or a bank's codes, never free text. */
const codeOf = (code: string | null | undefined): string | null =>
  safeCode(code, /^([a-z0-9_]{1,64}|[A-Z]{2}[A-Z0-9]{2})$/);

/** The bank's answer does not fit a refused charge: perhaps it has approved it. So the charge stays at Mollie. */
const ODD = ['card_declined', 'retry_same_later'] as const;

/** `details.failureReason`. Source: Mollie's OpenAPI document, and the types of its Node library, read in 2026-11. */
export const FAILURE_REASONS: ReasonTable = {
  authentication_abandoned: 'authentication_failed',
  authentication_failed: 'authentication_failed',
  authentication_required: 'authentication_required',
  authentication_unavailable_acs: ['issuer_unavailable', 'retry_same_later'],
  card_declined: 'card_declined',
  card_expired: 'expired_card',
  inactive_card: 'invalid_payment_method',
  insufficient_funds: 'insufficient_funds',
  invalid_cvv: 'incorrect_cvc',
  invalid_card_holder_name: ['card_declined', 'fix_input'],
  // A typing error in Mollie's own form, which checks the number.
  invalid_card_number: ['invalid_number', 'fix_input'],
  invalid_card_type: 'card_not_supported',
  possible_fraud: 'fraud_suspected',
  refused_by_issuer: 'card_declined',
  unknown_reason: 'card_declined',
};

/** `statusReason.code` in the words of the card schemes. Source: the OpenAPI document with its texts, read in 2026-11. */
export const SCHEME_REASONS: ReasonTable = {
  approved_or_completed_successfully: ODD,
  refer_to_card_issuer: 'call_issuer',
  // Mollie sends the customer to their bank with it.
  invalid_merchant: 'call_issuer',
  capture_card: 'restricted_card',
  do_not_honor: 'do_not_honor',
  error: 'processing_error',
  partial_approval: ODD,
  invalid_transaction: 'transaction_not_allowed',
  invalid_amount: 'limit_exceeded',
  invalid_issuer: 'invalid_payment_method',
  lost_card: 'lost_card',
  stolen_card: 'stolen_card',
  insufficient_funds: 'insufficient_funds',
  expired_card: 'expired_card',
  invalid_pin: 'incorrect_pin',
  transaction_not_permitted_to_cardholder: 'transaction_not_allowed',
  // The terminal stands for the merchant account: another connection may accept the card.
  transaction_not_allowed_at_terminal: 'method_not_supported',
  exceeds_withdrawal_amount_limit: 'limit_exceeded',
  restricted_card: 'restricted_card',
  security_violation: 'fraud_suspected',
  exceeds_withdrawal_count_limit: 'limit_exceeded',
  allowable_number_of_pin_tries_exceeded: ['incorrect_pin', 'new_method'],
  no_reason_to_decline: 'card_declined',
  cannot_verify_pin: 'incorrect_pin',
  issuer_unavailable: 'issuer_unavailable',
  unable_to_route_transaction: 'issuer_unavailable',
  // A possible duplicate of a recent charge: a failover could charge the customer twice.
  duplicate_transaction: ['card_declined', 'fix_input'],
  system_malfunction: 'processing_error',
  honor_with_id: 'try_again_later',
  invalid_card_number: ['invalid_number', 'fix_input'],
  format_error: 'processing_error',
  contact_card_issuer: 'call_issuer',
  pin_not_changed: 'incorrect_pin',
  invalid_nonexistent_to_account_specified: 'invalid_account',
  invalid_nonexistent_from_account_specified: 'invalid_account',
  invalid_nonexistent_account_specified: 'invalid_account',
  // Mastercard sends these two with advice that Mollie does not show. It may be "never".
  lifecycle_related: ['restricted_card', 'never'],
  policy_related: ['transaction_not_allowed', 'never'],
  domestic_debit_transaction_not_allowed: 'card_not_supported',
  fraud_security_related: 'fraud_suspected',
  invalid_authorization_life_cycle: ODD,
  purchase_amount_only_no_cash_back_allowed: 'transaction_not_allowed',
  cryptographic_failure: ['processing_error', 'retry_same_later'],
  unacceptable_pin: 'incorrect_pin',
  refer_to_card_issuer_special_condition: 'call_issuer',
  pick_up_card_special_condition: 'restricted_card',
  vip_approval: ODD,
  invalid_account_number: 'invalid_number',
  re_enter_transaction: 'processing_error',
  // A reversal that found nothing, or something else: what became of the first message is not known.
  no_action_taken: ODD,
  unable_to_locate_record: ['invalid_account', 'new_method'],
  file_temporarily_unavailable: 'processing_error',
  no_credit_account: 'invalid_account',
  closed_account: 'invalid_account',
  no_checking_account: 'invalid_account',
  no_savings_account: 'invalid_account',
  suspected_fraud: 'fraud_suspected',
  transaction_does_not_fulfill_aml_requirement: 'transaction_not_allowed',
  pin_data_required: 'incorrect_pin',
  unable_to_locate_previous_message: ODD,
  previous_message_located_inconsistent_data: ODD,
  blocked_first_used: 'invalid_payment_method',
  transaction_reversed: ODD,
  credit_issuer_unavailable: 'issuer_unavailable',
  pin_cryptographic_error_found: 'incorrect_pin',
  negative_online_cam_result: 'incorrect_cvc',
  violation_of_law: ['transaction_not_allowed', 'never'],
  force_stip: ODD,
  cash_service_not_available: 'transaction_not_allowed',
  cashback_request_exceeds_issuer_limit: 'limit_exceeded',
  decline_for_cvv2_failure: 'incorrect_cvc',
  transaction_amount_exceeds_pre_authorized_amount: 'limit_exceeded',
  invalid_biller_information: 'invalid_configuration',
  pin_change_unblock_request_declined: 'incorrect_pin',
  unsafe_pin: 'incorrect_pin',
  card_authentication_failed: 'authentication_failed',
  stop_payment_order: 'authorization_revoked',
  revocation_of_authorization: 'authorization_revoked',
  revocation_of_all_authorizations: 'authorization_revoked',
  forward_to_issuer_xa: ODD,
  forward_to_issuer_xd: ODD,
  unable_to_go_online: 'issuer_unavailable',
  additional_customer_authentication_required: 'authentication_required',
};

/** `statusReason.code` about the merchant's account, a terminal or a voucher. Source: as above. */
export const OTHER_REASONS: ReasonTable = {
  merchant_id_not_found: 'invalid_configuration',
  merchant_account_closed: 'invalid_configuration',
  terminal_id_not_found: 'invalid_configuration',
  terminal_closed: 'invalid_configuration',
  invalid_category_code: 'invalid_configuration',
  invalid_currency: 'currency_not_supported',
  missing_cvv2_cvc2: 'incorrect_cvc',
  cvv2_not_allowed: 'invalid_configuration',
  merchant_not_registered_vbv: 'invalid_configuration',
  merchant_not_registered_for_amex: 'method_not_supported',
  transaction_not_permitted_at_terminal: 'method_not_supported',
  agreement_terminal_not_related: 'invalid_configuration',
  invalid_processor_id: 'invalid_configuration',
  invalid_merchant_data: 'invalid_configuration',
  sub_merchant_account_closed: 'invalid_configuration',
  terminal_busy: 'try_again_later',
  // It may have shown the charge all the same.
  terminal_unreachable: ODD,
  service_failed: ODD,
  invalid_operation: ODD,
  authorization_error: ODD,
  login_failed_without_reason: ODD,
  invalid_retailer: 'method_not_supported',
  card_does_not_exist: 'invalid_account',
  card_is_blocked: 'restricted_card',
  invalid_card_id: ['invalid_number', 'fix_input'],
  card_is_transferred: 'invalid_payment_method',
  card_is_not_active: 'invalid_payment_method',
  incorrect_purchase_value: 'limit_exceeded',
  card_not_available: 'invalid_payment_method',
  wrong_currency: 'currency_not_supported',
  login_failed_unknown_user: ODD,
  login_failed_invalid_password: 'authentication_failed',
  invalid_ean_code: ['invalid_payment_method', 'fix_input'],
};

/**
 * `details.bankReasonCode` of a SEPA debit, which Mollie passes on as the bank says it. Source: public lists of the
 * European Payments Council's codes, read in 2026-11.
 */
export const BANK_REASONS: ReasonTable = {
  AC01: 'invalid_account',
  AC04: 'invalid_account',
  AC06: 'invalid_account',
  AC13: ['invalid_account', 'new_method'],
  AG01: 'transaction_not_allowed',
  AG02: ODD,
  AM04: 'insufficient_funds',
  AM05: ['card_declined', 'fix_input'],
  AM06: 'insufficient_funds',
  BE05: ODD,
  CNOR: 'transaction_not_allowed',
  DNOR: 'transaction_not_allowed',
  ED05: ODD,
  FF01: ODD,
  FF05: ODD,
  MD01: 'authorization_revoked',
  MD02: 'invalid_payment_method',
  MD06: 'authorization_revoked',
  MD07: 'invalid_account',
  MS02: ['transaction_not_allowed', 'never'],
  MS03: ODD,
  RC01: ['invalid_number', 'fix_input'],
  RR01: 'transaction_not_allowed',
  RR02: 'transaction_not_allowed',
  RR03: 'transaction_not_allowed',
  RR04: 'transaction_not_allowed',
  SL01: ['transaction_not_allowed', 'never'],
  TECH: ODD,
};

const STATUS_REASONS: ReasonTable = { ...OTHER_REASONS, ...SCHEME_REASONS };

/** Strictest first. What stays counts before what may go elsewhere. */
const STRICTNESS: readonly DeclineClass[] = [
  'never',
  'new_method',
  'fix_input',
  'retry_same_later',
  'config',
  'only_other_psp',
  'retry_other_psp',
];

/**
 * Mollie may report its own reason and the scheme's or the bank's. The strictest counts, and a reason that is on no list
 * stays. So does a charge that failed without a reason.
 */
export function toDecline({ details, statusReason }: Payment): Decline {
  const declines = [
    ofReason(statusReason?.code, STATUS_REASONS),
    ofReason(details?.failureReason, FAILURE_REASONS),
    ofReason(details?.bankReasonCode, BANK_REASONS),
  ];
  const [strictest] = declines.flat().sort((a, b) => STRICTNESS.indexOf(a.retry) - STRICTNESS.indexOf(b.retry));
  return strictest ?? unknownDecline();
}

function ofReason(reason: string | null | undefined, table: ReasonTable): readonly Decline[] {
  if (!reason) return [];
  const decline = readReason(lookUp(table, reason), codeOf(reason));
  return decline === UNDECIDED ? [] : [decline];
}

/** What Mollie's shop plugins look for in a refused request: the charge was declined at once. */
const FRAUD_TEXT = /\bdeclined\b.*\bfraud\b/i;

/** The charge was tried, and refused for a reason that is not said. */
const DECLINED_TEXT = /\b(payment|card|transaction|charge) (was|has been|is) (declined|refused|rejected)\b/i;

/** Fields of the customer's input. */
const TOKEN_FIELDS = new Set(['cardToken', 'applePayPaymentToken', 'customerId', 'mandateId']);

/**
 * A charge refused for its content, method or amount. The customer can change these, so it is a decline and not a
 * configuration error.
 */
export function requestDecline(status: number, { field, detail }: MollieError): Decline | undefined {
  if (status !== 422) return undefined;
  if (FRAUD_TEXT.test(detail ?? '')) return declineOf('fraud_suspected');
  if (!field) return DECLINED_TEXT.test(detail ?? '') ? unknownDecline() : undefined;
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
