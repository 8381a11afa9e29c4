import type { DeclineClass, FailureCode } from '#shared/domain/payments/declines.catalog.ts';

type Meaning = FailureCode | readonly [FailureCode, DeclineClass];

/**
 * `refusalReasonCode` → Adyen's text for it, which is all that a notification has, and our code; with a class where
 * Adyen's meaning is narrower or wider. Adding a reason is adding a line.
 */
export const REFUSALS: Readonly<Record<string, readonly [text: string, meaning: Meaning]>> = {
  2: ['Refused', 'card_declined'],
  3: ['Referral', 'call_issuer'],
  4: ['Acquirer Error', 'processing_error'],
  5: ['Blocked Card', 'restricted_card'],
  6: ['Expired Card', 'expired_card'],
  7: ['Invalid Amount', 'amount_not_supported'],
  8: ['Invalid Card Number', ['invalid_number', 'fix_input']],
  9: ['Issuer Unavailable', 'issuer_unavailable'],
  10: ['Not supported', 'card_not_supported'],
  11: ['3D Not Authenticated', 'authentication_failed'],
  12: ['Not enough balance', 'insufficient_funds'],
  14: ['Acquirer Fraud', 'fraud_suspected'],
  15: ['Cancelled', ['customer_canceled', 'new_method']],
  16: ['Shopper Cancelled', ['customer_canceled', 'new_method']],
  17: ['Invalid Pin', 'incorrect_pin'],
  18: ['Pin tries exceeded', ['incorrect_pin', 'never']],
  19: ['Pin validation not possible', 'incorrect_pin'],
  20: ['FRAUD', 'fraud_suspected'],
  21: ['Not Submitted', 'processing_error'],
  22: ['FRAUD-CANCELLED', 'fraud_suspected'],
  23: ['Transaction Not Permitted', 'transaction_not_allowed'],
  24: ['CVC Declined', 'incorrect_cvc'],
  25: ['Restricted Card', 'restricted_card'],
  26: ['Revocation Of Auth', 'authorization_revoked'],
  27: ['Declined Non Generic', 'do_not_honor'],
  28: ['Withdrawal amount exceeded', 'limit_exceeded'],
  29: ['Withdrawal count exceeded', 'limit_exceeded'],
  31: ['Issuer Suspected Fraud', 'fraud_suspected'],
  32: ['AVS Declined', ['card_declined', 'fix_input']],
  38: ['Authentication required', 'authentication_required'],
  39: ['RReq not received from DS', ['authentication_failed', 'retry_same_later']],
  42: ['Authentication Error', 'authentication_failed'],
  // Adyen blocked the retry, which the schemes would fine: this card must not be retried.
  46: ['Blocked by Adyen to prevent excessive retry fees', ['card_declined', 'never']],
};

/**
 * `errorCode`s about the customer's input or the amount, not the account. 14_004 and 14_018 were not verified, nor
 * whether the Checkout API has more.
 */
export const UNUSABLE: Readonly<Record<string, FailureCode>> = {
  101: 'invalid_number',
  102: 'card_not_supported',
  103: 'incorrect_cvc',
  108: 'invalid_account',
  129: 'invalid_expiry',
  137: 'amount_not_supported',
  138: 'currency_not_supported',
  140: 'invalid_expiry',
  141: 'invalid_expiry',
  153: 'incorrect_cvc',
  172: 'invalid_payment_method',
  174: 'invalid_payment_method',
  800: 'invalid_payment_method',
  802: 'invalid_payment_method',
  803: 'invalid_payment_method',
  // Saved for another kind of use.
  805: 'invalid_payment_method',
  806: 'invalid_payment_method',
  807: 'invalid_payment_method',
  // The account has no acquirer for such a card or method in this currency.
  905: 'method_not_supported',
  '905_1': 'method_not_supported',
  '905_2': 'method_not_supported',
  '905_3': 'method_not_supported',
  907: 'currency_not_supported',
  // The method's details are missing, and the shopper of a saved one.
  '14_004': 'invalid_payment_method',
  '14_018': 'invalid_payment_method',
};
