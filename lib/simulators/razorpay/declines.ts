import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** The error of a failed payment. */
export type RazorpayDecline = {
  readonly reason: string;
  readonly source: string;
  readonly step: string;
  readonly description: string;
};

const by = (source: string, step: string, reason: string, description: string): RazorpayDecline => ({
  reason,
  source,
  step,
  description,
});
const bank = (reason: string, description: string) => by('issuer_bank', 'payment_authorization', reason, description);
const customer = (reason: string, description: string) => by('customer', 'payment_authentication', reason, description);

const BLOCKED = bank('debit_instrument_blocked', 'The card is blocked.');
const DECLINED = bank(
  'card_declined',
  'Your payment was declined as per the bank. Please try another card or contact your bank.',
);

/** Our failure codes as Razorpay's errors. Codes without an equivalent become the generic decline. */
const DECLINES: Readonly<Partial<Record<FailureCode, RazorpayDecline>>> = {
  insufficient_funds: by(
    'customer',
    'payment_authorization',
    'insufficient_funds',
    'Your payment could not be completed due to insufficient account balance.',
  ),
  card_declined: DECLINED,
  limit_exceeded: bank('transaction_limit_exceeded', 'The amount exceeds the limit of this card.'),
  issuer_unavailable: bank('bank_technical_error', 'The bank could not be reached.'),
  authentication_required: customer('authentication_failed', 'The payment could not be authenticated.'),
  authentication_failed: customer('authentication_failed', 'The payment could not be authenticated.'),
  incorrect_cvc: customer('incorrect_cvv', 'The CVV is wrong.'),
  invalid_expiry: customer('incorrect_card_expiry_date', 'The expiry date is wrong.'),
  incorrect_pin: customer('incorrect_pin', 'The PIN is wrong.'),
  expired_card: bank('card_expired', 'The card has expired.'),
  card_not_supported: bank('card_disabled_for_online_payments', 'The card is not enabled for payments online.'),
  transaction_not_allowed: bank(
    'international_transaction_not_allowed',
    'The card does not allow international payments.',
  ),
  invalid_payment_method: bank('debit_instrument_inactive', 'The account is inactive.'),
  invalid_number: customer('card_number_invalid', 'The card number is wrong.'),
  lost_card: BLOCKED,
  stolen_card: BLOCKED,
  restricted_card: BLOCKED,
  authorization_revoked: bank('mandate_not_active', 'The registered mandate is no longer active.'),
  fraud_suspected: by(
    'internal',
    'payment_authorization',
    'payment_risk_check_failed',
    'The payment failed the risk check.',
  ),
  customer_canceled: customer('payment_cancelled', 'The customer canceled the payment.'),
  processing_error: by(
    'gateway',
    'payment_authorization',
    'gateway_technical_error',
    'The gateway had a technical problem.',
  ),
  invalid_configuration: by(
    'business',
    'payment_initiation',
    'merchant_not_activated',
    'The account is not activated.',
  ),
  expired: customer('payment_timed_out', 'The payment was not finished in time.'),
};

export const declineFor = (code: FailureCode): RazorpayDecline => DECLINES[code] ?? DECLINED;

/** Where each documented reason comes from: source and step are Razorpay's words for who failed, and when. */
const DOCUMENTED: readonly (readonly [source: string, step: string, reasons: string])[] = [
  [
    'customer',
    'payment_authentication',
    `authentication_failed incorrect_atm_pin incorrect_card_details incorrect_card_expiry_date
     incorrect_cardholder_name incorrect_cvv incorrect_otp incorrect_pin invalid_device invalid_email
     invalid_mobile_number invalid_user_details invalid_vpa mobile_number_invalid otp_attempts_exceeded otp_expired
     payment_cancelled payment_session_expired payment_timed_out pin_attempts_exceeded pin_not_set
     payment_collect_request_expired card_number_invalid`,
  ],
  [
    'business',
    'payment_initiation',
    `amount_less_than_minimum_amount bank_not_enabled card_network_not_enabled collect_on_mcc_blocked
     duplicate_refund_id input_validation_failed invalid_amount invalid_currency invalid_order_id invalid_request
     live_mode_not_enabled merchant_not_activated mismatch_in_transaction_details order_amount_mismatch
     order_payment_method_mismatch payment_amount_tampered payment_method_not_enabled recurring_payment_not_enabled
     refund_limit_crossed upi_collect_not_enabled upi_intent_not_enabled`,
  ],
  [
    'internal',
    'payment_authorization',
    `compliance_violation payment_risk_check_failed server_error duplicate_request verification_failed`,
  ],
  [
    'customer_psp',
    'payment_authorization',
    `authorisation_declined_by_psp psp_app_not_available psp_app_not_supported psp_not_available psp_not_registered
     transaction_on_vpa_restricted upi_app_technical_error upi_autopay_not_supported_on_psp psp_timeout
     reqauth_mandate_not_acknowledged`,
  ],
  [
    'gateway',
    'payment_authorization',
    `capture_failed collect_request_pending deemed_transaction duplicate_rrn_found gateway_technical_error
     invalid_response_from_gateway payment_declined_due_to_high_traffic payment_failed payment_pending
     record_not_found request_timed_out vpa_resolution_failed mandate_creation_failed mandate_creation_timeout`,
  ],
  [
    'beneficiary_bank',
    'payment_credit_response',
    'beneficiary_account_does_not_exist beneficiary_account_dormant credit_failed credit_not_permitted',
  ],
  [
    'issuer_bank',
    'payment_authorization',
    `bank_account_invalid bank_account_validation_failed bank_cutoff_in_progress bank_not_available
     bank_technical_error card_declined card_expired card_not_enrolled card_type_invalid credit_limit_exceeded
     credit_limit_expired credit_limit_inactive credit_limit_not_approved debit_declined debit_instrument_blocked
     debit_instrument_inactive emi_greater_than_max_amount emi_plan_unavailable funds_blocked_by_mandate
     insufficient_funds international_transaction_not_allowed issuer_technical_error mandate_creation_declined
     mandate_creation_expired mcc_amount_limit_exceeded payment_declined payment_pending_approval
     transaction_daily_count_exceeded transaction_daily_limit_exceeded transaction_frequency_limit_exceeded
     transaction_limit_exceeded user_not_eligible user_not_registered_for_netbanking`,
  ],
];

/** The error of a reason on Razorpay's page of errors. */
export function documentedDecline(reason: string): RazorpayDecline | undefined {
  const line = DOCUMENTED.find(([, , reasons]) => reasons.split(/\s+/).includes(reason));
  return line && by(line[0], line[1], reason, 'Your payment could not be completed.');
}
