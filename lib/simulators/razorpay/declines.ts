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
