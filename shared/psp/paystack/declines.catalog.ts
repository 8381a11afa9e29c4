import {
  type Decline,
  type DeclineClass,
  declineOf,
  type FailureCode,
} from '#shared/domain/payments/declines.catalog.ts';
import type { Envelope, Transaction } from '#shared/psp/paystack/schema.ts';

type ReasonPattern = readonly [pattern: RegExp, word: string, code: FailureCode, retry?: DeclineClass];

/**
 * Paystack's reasons are the bank's sentences. The first matching line decides; `word` is passed on, never the
 * sentence.
 */
export const REASONS: readonly ReasonPattern[] = [
  [/insufficient.{0,3}funds|not sufficient funds|insufficient balance/i, 'insufficient_funds', 'insufficient_funds'],
  [/lost.{0,3}card/i, 'lost_card', 'lost_card'],
  [/stolen.{0,3}card/i, 'stolen_card', 'stolen_card'],
  [/pick.{0,2}up|hot.{0,2}card/i, 'pick_up_card', 'restricted_card'],
  [/fraud/i, 'suspected_fraud', 'fraud_suspected'],
  [/expired.{0,3}card|card.{0,12}expired/i, 'expired_card', 'expired_card'],
  [/not completed|session.{0,20}(timed?.?out|expired)/i, 'not_completed', 'expired'],
  [/cancell?ed/i, 'customer_canceled', 'customer_canceled'],
  [/(invalid|incorrect|wrong).{0,8}pin/i, 'incorrect_pin', 'incorrect_pin'],
  [/pin tries exceeded/i, 'pin_tries_exceeded', 'incorrect_pin', 'new_method'],
  [
    /(invalid|incorrect|wrong).{0,8}(otp|token)|(otp|token).{0,8}expired|token not generated/i,
    'incorrect_otp',
    'incorrect_pin',
  ],
  [/(invalid|incorrect|wrong).{0,8}(cvv|cvc)/i, 'incorrect_cvc', 'incorrect_cvc'],
  [/(invalid|incorrect|wrong).{0,8}expiry/i, 'invalid_expiry', 'invalid_expiry'],
  [/(invalid|incorrect|wrong).{0,8}card number/i, 'invalid_number', 'invalid_number'],
  [/(invalid|incorrect|wrong).{0,8}card/i, 'invalid_card', 'invalid_payment_method', 'fix_input'],
  [/(invalid|incorrect|wrong).{0,8}account/i, 'invalid_account', 'invalid_account'],
  [/expired/i, 'expired', 'expired_card'],
  [/revoked|stop payment/i, 'authorization_revoked', 'authorization_revoked'],
  [/authentication.{0,12}required/i, 'authentication_required', 'authentication_required'],
  [/authenticat|3.?d.?secure/i, 'authentication_failed', 'authentication_failed'],
  [/limit/i, 'limit_exceeded', 'limit_exceeded'],
  [/restricted/i, 'restricted_card', 'restricted_card', 'new_method'],
  // The terminal is the account: another account may take the card.
  [/not (permitted|allowed).{0,12}(terminal|acquirer|merchant)/i, 'not_permitted_here', 'method_not_supported'],
  [/not permitted|not allowed/i, 'not_permitted', 'transaction_not_allowed'],
  [/currency.{0,5}not supported/i, 'currency_not_supported', 'currency_not_supported'],
  [/not supported/i, 'not_supported', 'card_not_supported'],
  [/refer to (card )?issuer|contact your bank/i, 'refer_to_issuer', 'call_issuer'],
  [/issuer or switch inoperative|issuer.{0,20}(unavailable|inoperative)/i, 'issuer_inoperative', 'issuer_unavailable'],
  [/time.?out|timed out|system malfunction/i, 'system_malfunction', 'processing_error'],
  [/cannot be fulfilled until|try again later/i, 'try_again_later', 'try_again_later'],
  [/do not honou?r/i, 'do_not_honor', 'do_not_honor'],
  [/declined/i, 'declined', 'card_declined'],
];

/** Refused requests about the customer's card or the amount, not the account; by code or words. */
export const REQUEST_DECLINES: readonly ReasonPattern[] = [
  // Also for a revoked authorization, and for a single-use one.
  [/does not match authori[sz]ation code/i, 'email_mismatch', 'invalid_payment_method'],
  [
    /authori[sz]ation code.{0,40}(does not exist|deactivated|invalid|inactive|not found)|invalid authori[sz]ation code/i,
    'invalid_authorization',
    'invalid_payment_method',
  ],
  [/authori[sz]ation is not reusable/i, 'not_reusable', 'invalid_payment_method'],
  [/cannot be fulfilled until/i, 'try_again_later', 'try_again_later'],
  [/currency not supported|unsupported_currency/i, 'currency_not_supported', 'currency_not_supported'],
  [
    /invalid[ _]amount|amount.{0,30}(minimum|maximum|at least|less than|greater than|more than)/i,
    'invalid_amount',
    'amount_not_supported',
  ],
  [/no active channel/i, 'no_active_channel', 'method_not_supported'],
];

/** The merchant's account cannot take payments. UNVERIFIED words. */
export const ACCOUNT_ERRORS =
  /\b(merchant|business|integration)\b.{0,30}\b(inactive|not active|not activated|deactivated|disabled|suspended)\b/i;

function firstMatch(lines: typeof REASONS, text: string): Decline | undefined {
  const [, word, code, retry] = lines.find(([pattern]) => pattern.test(text)) ?? [];
  return code && declineOf(code, word, retry);
}

/** The decline of a failed charge. A reason without a match is `card_declined` without a provider code. */
export function toDecline({ gateway_response, message }: Pick<Transaction, 'gateway_response' | 'message'>): Decline {
  return firstMatch(REASONS, `${gateway_response ?? ''}\n${message ?? ''}`) ?? declineOf('card_declined');
}

/** An unsupported currency is a 403, and a missing object a 404. */
const REQUEST_STATUSES: ReadonlySet<number> = new Set([400, 403, 404]);

/**
 * A request refused for its content, card or amount. The customer can change these, so it is a decline and not a
 * configuration error.
 */
export const requestDecline = (
  status: number,
  { code, message }: Pick<Envelope, 'code' | 'message'>,
): Decline | undefined =>
  REQUEST_STATUSES.has(status) ? firstMatch(REQUEST_DECLINES, `${code ?? ''}\n${message ?? ''}`) : undefined;
