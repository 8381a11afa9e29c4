import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** Our failure codes as a bank's text in `processor_response`. */
const REASONS: Readonly<Partial<Record<FailureCode, string>>> = {
  insufficient_funds: 'Insufficient Funds',
  do_not_honor: 'Do not honour',
  limit_exceeded: 'Exceeds withdrawal amount limit',
  try_again_later: 'Please try again later',
  issuer_unavailable: 'Issuer or Switch Inoperative',
  authentication_required: 'Authentication required',
  authentication_failed: '3DS authentication failed',
  incorrect_cvc: 'Invalid CVV',
  invalid_expiry: 'Invalid expiry date',
  incorrect_pin: 'Incorrect PIN',
  call_issuer: 'Please contact your bank',
  expired_card: 'Expired card',
  card_not_supported: 'Card not supported',
  transaction_not_allowed: 'Transaction not permitted to cardholder',
  invalid_number: 'Invalid card number',
  lost_card: 'Lost card',
  stolen_card: 'Stolen card',
  restricted_card: 'Restricted card',
  invalid_account: 'Closed Account',
  authorization_revoked: 'Revocation of authorization order',
  fraud_suspected: 'Suspected fraud',
  customer_canceled: 'Transaction cancelled by customer',
  processing_error: 'acquirer_system_error',
  currency_not_supported: 'Currency not supported by card',
  expired: 'Transaction timed out',
};

/** Codes without a text become the generic decline. */
export const reasonFor = (code: FailureCode): string => REASONS[code] ?? 'Transaction declined';
