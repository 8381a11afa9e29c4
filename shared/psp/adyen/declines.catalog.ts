import {
  type Decline,
  type DeclineClass,
  declineOf,
  type FailureCode,
} from '#shared/domain/payments/declines.catalog.ts';
import type { AdyenError } from '#shared/psp/adyen/client.ts';

type DeclineMapping = FailureCode | readonly [FailureCode, DeclineClass];

/**
 * `refusalReasonCode` → Adyen's text for it, which is all that a notification has, and our code. A class is added where
 * Adyen's meaning is narrower or wider than ours. A new reason is a new line.
 */
export const REASONS: Readonly<Record<string, readonly [text: string, meaning: DeclineMapping]>> = {
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
 * `errorCode`s about the customer's input or the amount, not the account. UNVERIFIED: 14_004 and 14_018, and
 * whether the Checkout API has more.
 */
export const REQUEST_DECLINES: Readonly<Record<string, FailureCode>> = {
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

const normalized = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const CODE_BY_TEXT: ReadonlyMap<string, string> = new Map(
  Object.entries(REASONS).map(([code, [text]]) => [normalized(text), code]),
);

/** Passes on only what looks like a code. */
const isCode = (code: string | null | undefined): code is string => /^\d{1,4}$/.test(code ?? '');

/** Adyen's decline. An unknown reason is `card_declined`. */
export function declineFromCode(reasonCode: string | null | undefined): Decline {
  const code = isCode(reasonCode) ? reasonCode : null;
  const meaning = code !== null && Object.hasOwn(REASONS, code) ? REASONS[code]?.[1] : undefined;
  const [failure, retry] = typeof meaning === 'object' ? meaning : [meaning ?? 'card_declined'];
  return declineOf(failure, code, retry);
}

/** The same for a notification. Its `reason` is the text, which some accounts receive after the code. */
export function declineFromText(reason: string | null | undefined): Decline {
  const [, code, text] = /^(?:(\d{1,4})\s*:\s*)?(.*)$/s.exec(reason ?? '') ?? [];
  return declineFromCode(code ?? CODE_BY_TEXT.get(normalized(text ?? '')));
}

/**
 * A request refused for its content, method or amount. The customer can change these, so it is a decline and not a
 * configuration error.
 */
export function requestDecline({ status, code }: AdyenError): Decline | undefined {
  const failure =
    REQUEST_STATUSES.has(status) && code !== null && Object.hasOwn(REQUEST_DECLINES, code)
      ? REQUEST_DECLINES[code]
      : undefined;
  return failure && declineOf(failure, code);
}

/** A missing acquirer (905) may also be a 500. No other 500 is a refusal. */
const REQUEST_STATUSES: ReadonlySet<number> = new Set([400, 422, 500]);
