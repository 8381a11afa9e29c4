import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** A decline. Clients rank Stripe's `advice_code`, if there is one, above the code. */
export type StripeDecline = {
  readonly code: string;
  readonly decline_code?: string;
  readonly message: string;
  readonly advice_code?: 'confirm_card_data' | 'do_not_try_again' | 'try_again_later';
  readonly network_decline_code?: string;
};

const DECLINED_MESSAGE = 'Your card was declined.';
const NOT_SUPPORTED_MESSAGE = 'Your card does not support this type of purchase.';

const softDecline = (decline_code: string, message = DECLINED_MESSAGE): StripeDecline => ({
  code: 'card_declined',
  decline_code,
  message,
});
const retryableDecline = (decline_code: string, message = DECLINED_MESSAGE): StripeDecline => ({
  ...softDecline(decline_code, message),
  advice_code: 'try_again_later',
});
const hardDecline = (decline_code: string, message = DECLINED_MESSAGE): StripeDecline => ({
  ...softDecline(decline_code, message),
  advice_code: 'do_not_try_again',
});

/** Our failure codes as Stripe's codes. Codes that only we have (`no_route`, `expired` …) are missing. */
const DECLINES: Readonly<Partial<Record<FailureCode, StripeDecline>>> = {
  insufficient_funds: {
    ...retryableDecline('insufficient_funds', 'Your card has insufficient funds.'),
    network_decline_code: '51',
  },
  card_declined: softDecline('generic_decline'),
  do_not_honor: { ...softDecline('do_not_honor'), network_decline_code: '05' },
  limit_exceeded: retryableDecline(
    'card_velocity_exceeded',
    'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  ),
  try_again_later: retryableDecline('try_again_later'),
  issuer_unavailable: { ...softDecline('issuer_not_available'), network_decline_code: '91' },
  authentication_required: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
  authentication_failed: {
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  },
  incorrect_cvc: {
    code: 'incorrect_cvc',
    decline_code: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
    advice_code: 'confirm_card_data',
  },
  invalid_expiry: {
    code: 'invalid_expiry_year',
    message: "Your card's expiration year is invalid.",
    advice_code: 'confirm_card_data',
  },
  incorrect_pin: softDecline('incorrect_pin'),
  call_issuer: softDecline('call_issuer'),
  expired_card: {
    code: 'expired_card',
    decline_code: 'expired_card',
    message: 'Your card has expired.',
    network_decline_code: '54',
  },
  card_not_supported: softDecline('card_not_supported', NOT_SUPPORTED_MESSAGE),
  transaction_not_allowed: softDecline('transaction_not_allowed', NOT_SUPPORTED_MESSAGE),
  invalid_number: {
    code: 'incorrect_number',
    decline_code: 'incorrect_number',
    message: 'Your card number is incorrect.',
  },
  lost_card: { ...hardDecline('lost_card'), network_decline_code: '41' },
  stolen_card: { ...hardDecline('stolen_card'), network_decline_code: '43' },
  restricted_card: { ...hardDecline('restricted_card'), network_decline_code: '62' },
  invalid_account: { ...hardDecline('invalid_account'), network_decline_code: '14' },
  authorization_revoked: { ...hardDecline('revocation_of_authorization'), network_decline_code: 'R1' },
  fraud_suspected: { ...hardDecline('fraudulent'), network_decline_code: '59' },
  customer_canceled: { code: 'payment_method_customer_decline', message: 'The customer declined the payment.' },
  processing_error: {
    code: 'processing_error',
    decline_code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  currency_not_supported: softDecline('currency_not_supported', 'Your card does not support this currency.'),
};

/** Codes without an equivalent become `generic_decline`. */
export const declineFor = (code: FailureCode): StripeDecline => DECLINES[code] ?? softDecline('generic_decline');

/** Undefined if Stripe has no such code. */
export const knownDecline = (code: FailureCode): StripeDecline | undefined => DECLINES[code];
