import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** How Stripe reports a decline. `advice_code` is set where Stripe gives advice, which clients rank above the code. */
export type StripeDecline = {
  readonly code: string;
  readonly decline_code?: string;
  readonly message: string;
  readonly advice_code?: 'confirm_card_data' | 'do_not_try_again' | 'try_again_later';
  readonly network_decline_code?: string;
};

const DECLINED = 'Your card was declined.';
const NOT_SUPPORTED = 'Your card does not support this type of purchase.';

const soft = (decline_code: string, message = DECLINED): StripeDecline => ({
  code: 'card_declined',
  decline_code,
  message,
});
const later = (decline_code: string, message = DECLINED): StripeDecline => ({
  ...soft(decline_code, message),
  advice_code: 'try_again_later',
});
const never = (decline_code: string, message = DECLINED): StripeDecline => ({
  ...soft(decline_code, message),
  advice_code: 'do_not_try_again',
});

/** Our failure codes in Stripe's words. Codes that are ours alone (`no_route`, `expired` …) have none. */
const DECLINES: Readonly<Partial<Record<FailureCode, StripeDecline>>> = {
  insufficient_funds: {
    ...later('insufficient_funds', 'Your card has insufficient funds.'),
    network_decline_code: '51',
  },
  card_declined: soft('generic_decline'),
  do_not_honor: { ...soft('do_not_honor'), network_decline_code: '05' },
  limit_exceeded: later(
    'card_velocity_exceeded',
    'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  ),
  try_again_later: later('try_again_later'),
  issuer_unavailable: { ...soft('issuer_not_available'), network_decline_code: '91' },
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
  incorrect_pin: soft('incorrect_pin'),
  call_issuer: soft('call_issuer'),
  expired_card: {
    code: 'expired_card',
    decline_code: 'expired_card',
    message: 'Your card has expired.',
    network_decline_code: '54',
  },
  card_not_supported: soft('card_not_supported', NOT_SUPPORTED),
  transaction_not_allowed: soft('transaction_not_allowed', NOT_SUPPORTED),
  invalid_number: {
    code: 'incorrect_number',
    decline_code: 'incorrect_number',
    message: 'Your card number is incorrect.',
  },
  lost_card: { ...never('lost_card'), network_decline_code: '41' },
  stolen_card: { ...never('stolen_card'), network_decline_code: '43' },
  restricted_card: { ...never('restricted_card'), network_decline_code: '62' },
  invalid_account: { ...never('invalid_account'), network_decline_code: '14' },
  authorization_revoked: { ...never('revocation_of_authorization'), network_decline_code: 'R1' },
  fraud_suspected: { ...never('fraudulent'), network_decline_code: '59' },
  customer_canceled: { code: 'payment_method_customer_decline', message: 'The customer declined the payment.' },
  processing_error: {
    code: 'processing_error',
    decline_code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  currency_not_supported: soft('currency_not_supported', 'Your card does not support this currency.'),
};

/** Any other of our codes is a decline without a reason, which is all that Stripe could say. */
export const declineFor = (code: FailureCode): StripeDecline => DECLINES[code] ?? soft('generic_decline');

/** Undefined where Stripe has no word of its own. */
export const knownDecline = (code: FailureCode): StripeDecline | undefined => DECLINES[code];
