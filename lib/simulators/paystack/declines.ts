import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** The control port's failure codes as the text of a bank. */
const REASONS: Readonly<Partial<Record<FailureCode, string>>> = {
  insufficient_funds: 'Insufficient Funds',
  card_declined: 'Declined',
  do_not_honor: 'Do Not Honor',
  limit_exceeded: 'Exceeds withdrawal limit',
  try_again_later: 'The bank asks to try again later',
  issuer_unavailable: 'Issuer or Switch Inoperative',
  authentication_required: '3D Secure authentication is required',
  authentication_failed: '3D Secure authentication failed',
  incorrect_cvc: 'Invalid CVV',
  invalid_expiry: 'Invalid expiry date',
  incorrect_pin: 'Incorrect PIN',
  call_issuer: 'Refer to card issuer',
  expired_card: 'Expired Card',
  card_not_supported: 'Card type is not supported',
  transaction_not_allowed: 'Transaction not permitted to card holder',
  invalid_payment_method: 'Invalid card',
  invalid_number: 'Invalid card number',
  lost_card: 'Lost Card, Pick-Up',
  stolen_card: 'Stolen Card, Pick-Up',
  restricted_card: 'Restricted card',
  invalid_account: 'Invalid account',
  fraud_suspected: 'Suspected fraud',
  customer_canceled: 'Transaction cancelled by customer',
  authorization_revoked: 'Authorization revoked by customer',
  currency_not_supported: 'Currency not supported',
  processing_error: 'System malfunction',
  expired: 'The transaction was not completed',
};

export const reasonFor = (code: FailureCode): string => REASONS[code] ?? 'Declined';
