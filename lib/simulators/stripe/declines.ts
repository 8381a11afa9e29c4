import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

const ADVICE = ['confirm_card_data', 'do_not_try_again', 'try_again_later'] as const;

type Advice = (typeof ADVICE)[number];

/** A decline. Clients rank Stripe's `advice_code`, if there is one, above the code. */
export type StripeDecline = {
  readonly code: string;
  readonly decline_code?: string;
  readonly message: string;
  readonly advice_code?: Advice;
  readonly network_advice_code?: string;
  readonly network_decline_code?: string;
};

const DECLINED_MESSAGE = 'Your card was declined.';
const PROVIDER_DECLINED_MESSAGE = 'The payment provider has declined the payment.';
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

/** The `decline_code`s of Stripe's page for cards, each with its error code. */
const CARD_CODES: ReadonlySet<string> = new Set(
  `authentication_required authentication_not_handled approve_with_id call_issuer card_not_supported
  card_velocity_exceeded currency_not_supported do_not_honor do_not_try_again duplicate_transaction expired_card
  fraudulent generic_decline incorrect_address incorrect_cvc incorrect_number incorrect_pin incorrect_zip
  insufficient_funds invalid_account invalid_amount invalid_cvc invalid_expiry_month invalid_expiry_year invalid_number
  invalid_pin issuer_not_available lost_card merchant_blacklist mobile_device_authentication_required
  new_account_information_available no_action_taken not_permitted offline_pin_required online_or_offline_pin_required
  pickup_card pin_try_exceeded processing_error reenter_transaction restricted_card revocation_of_all_authorizations
  revocation_of_authorization security_violation service_not_allowed stolen_card stop_payment_order testmode_decline
  transaction_not_allowed try_again_later withdrawal_count_limit_exceeded`.split(/\s+/),
);

/** Those of the page for other payment methods. */
const PROVIDER_CODES: ReadonlySet<string> = new Set(
  `partner_generic_decline invalid_customer_account payment_limit_exceeded invalid_billing_agreement
  invalid_business_account partner_high_risk_customer compliance_violation payment_disputed invalid_authorization
  invalid_payment_information partner_payment_not_found expired_payment_information
  recurring_not_supported_by_bank`.split(/\s+/),
);

/** Decline codes that are error codes too. */
const OWN_ERRORS: ReadonlySet<string> = new Set(
  `authentication_required expired_card incorrect_address incorrect_cvc incorrect_number incorrect_zip invalid_cvc
  invalid_expiry_month invalid_expiry_year invalid_number processing_error`.split(/\s+/),
);

const errorCodeOf = (declineCode: string): string => (OWN_ERRORS.has(declineCode) ? declineCode : 'card_declined');

/** `<decline code>`, with Stripe's advice or the card network's two digits behind a colon: `do_not_honor:03`. */
export function documentedDecline(text: string): StripeDecline | undefined {
  const [decline_code = '', advice] = text.split(':', 2);
  if (PROVIDER_CODES.has(decline_code))
    return { code: 'payment_method_provider_decline', decline_code, message: PROVIDER_DECLINED_MESSAGE };
  if (!CARD_CODES.has(decline_code)) return undefined;
  const decline = { code: errorCodeOf(decline_code), decline_code, message: DECLINED_MESSAGE };
  if (advice === undefined) return decline;
  const advice_code = ADVICE.find((code) => code === advice);
  if (advice_code) return { ...decline, advice_code };
  return /^\d\d$/.test(advice) ? { ...decline, network_advice_code: advice } : undefined;
}
