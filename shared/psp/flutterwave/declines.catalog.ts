import {
  type Decline,
  type DeclineClass,
  declineOf,
  type FailureCode,
} from '#shared/domain/payments/declines.catalog.ts';
import { safeCode } from '#shared/psp/kit/responses.ts';

type ReasonPattern = readonly [pattern: RegExp, name: string, code: FailureCode, retry?: DeclineClass];

/**
 * Flutterwave's reasons are free text of various banks and networks. The first matching line counts; its name is passed
 * on, never the text. Adding a reason is adding a line.
 */
export const REASONS: readonly ReasonPattern[] = [
  [/insufficient/i, 'insufficient_funds', 'insufficient_funds'],
  [/do[ _]?not[ _]?hono/i, 'do_not_honor', 'do_not_honor'],
  [/\b(lost)\b|_lost|lost_/i, 'lost_card', 'lost_card'],
  [/stolen/i, 'stolen_card', 'stolen_card'],
  [/fraud|suspected/i, 'suspected_fraud', 'fraud_suspected'],
  [/pick[ _-]?up/i, 'pick_up_card', 'restricted_card'],
  [/restricted|blocked/i, 'restricted_card', 'restricted_card'],
  [/expired[ _]card|card[ _](has[ _])?expired/i, 'expired_card', 'expired_card'],
  [/(incorrect|invalid|wrong|cannot[ _]verify)[ _]pin|pin[ _]tr(y|ies)/i, 'incorrect_pin', 'incorrect_pin'],
  [/(incorrect|invalid|wrong)[ _](otp|one.time)/i, 'invalid_otp', 'incorrect_pin'],
  [/(incorrect|invalid|wrong)[ _](cvv|cvc|security)/i, 'invalid_cvv', 'incorrect_cvc'],
  [/(incorrect|invalid|wrong)[ _]expir/i, 'invalid_expiry', 'invalid_expiry'],
  [/address[ _]verification|\bavs\b/i, 'address_verification', 'card_declined', 'fix_input'],
  [/(invalid|incorrect)[ _](card|number)|no[ _]such[ _]card/i, 'invalid_card_number', 'invalid_number'],
  [/(closed|invalid|no)[ _](credit[ _])?account|account[ _]closed/i, 'invalid_account', 'invalid_account'],
  [/revo(ked|cation)|stop[ _]payment/i, 'authorization_revoked', 'authorization_revoked'],
  [
    /authenticat\w*[ _](is[ _])?required|requires?[ _]authenticat/i,
    'authentication_required',
    'authentication_required',
  ],
  [
    /authenticat\w*[ _](failed|failure|error|unsuccessful)|(3ds?|secure)[ _]?failed|failed[ _]authenticat/i,
    'authentication_failed',
    'authentication_failed',
  ],
  [
    /invalid[ _]amount|\bamount\b.{0,40}\b(minimum|maximum|greater than|less than|at least|decimal places)\b/i,
    'amount_not_supported',
    'amount_not_supported',
  ],
  [/limit|exceed/i, 'limit_exceeded', 'limit_exceeded'],
  // The terminal stands for the merchant account: another connection may accept the card.
  [/not[ _](permitted|allowed).{0,12}(terminal|acquirer|merchant)/i, 'not_permitted_here', 'method_not_supported'],
  [/not[ _](permitted|allowed)|violation[ _]of[ _]law/i, 'not_permitted', 'transaction_not_allowed'],
  [/(card|brand)[ _](is[ _])?(not[ _]supported|unsupported)/i, 'card_not_supported', 'card_not_supported'],
  [
    /currency[ _](is[ _])?(not[ _](supported|allowed)|unsupported)|currency[ _]must[ _]be/i,
    'currency_not_supported',
    'currency_not_supported',
  ],
  [/(contact|call|refer to)[ _](the[ _]|your[ _])?(card[ _])?(issuer|bank)/i, 'refer_to_issuer', 'call_issuer'],
  [
    /cancel+ed[ _]by|(customer|user)[ _]cancel+ed|(customer|user)[ _](rejected|declined)/i,
    'canceled_by_customer',
    'customer_canceled',
  ],
  [
    /issuer[ _]or[ _]switch|issuer[ _](is[ _])?(unavailable|not[ _]available)|no[ _]response/i,
    'issuer_unavailable',
    'issuer_unavailable',
  ],
  [
    /acquirer_system_error|system[ _](error|malfunction)|server[ _]error|processing[ _]error/i,
    'system_error',
    'processing_error',
  ],
  [/try[ _]again|temporar/i, 'try_again_later', 'try_again_later'],
  [/time[ _-]?d?[ _-]?out|expired/i, 'timed_out', 'expired'],
  [/declined/i, 'declined', 'card_declined'],
];

/** The merchant account cannot take payments. These texts are not documented and not verified. */
export const ACCOUNT_ERRORS =
  /\bmerchant\b.{0,30}\b(inactive|not active|not activated|deactivated|disabled|suspended)\b/i;

/** For refused token charges only. The customer can change the token, so this is no configuration error. */
const INVALID_TOKEN_TEXT =
  /\btoken\b.*\b(invalid|expired|not found|not exist|deleted|disabled)\b|\b(invalid|expired|wrong|no such)\b.*\btoken\b/i;

/** Passes on only words that look like codes, never free text. */
const codeOf = (text: string): string | null => safeCode(text, /^[a-z0-9_]{1,64}$/);

/** Reasons are sentences. On the text of a full response our patterns would run for minutes. */
const MAX_MATCHED_LENGTH = 300;

const knownDecline = (text: string): Decline | undefined => {
  const line = REASONS.find(([pattern]) => pattern.test(text.slice(0, MAX_MATCHED_LENGTH)));
  return line && declineOf(line[2], line[1], line[3]);
};

/** Flutterwave's decline. An unknown reason is `card_declined`. */
export const toDecline = (reason: string | null | undefined): Decline =>
  knownDecline(reason ?? '') ?? declineOf('card_declined', codeOf(reason ?? ''));

/** Reasons that can only be about the customer's card or the order. A limit or a ban may also be the merchant's. */
const CUSTOMER_DECLINES: ReadonlySet<FailureCode> = new Set([
  'insufficient_funds',
  'do_not_honor',
  'lost_card',
  'stolen_card',
  'expired_card',
  'incorrect_pin',
  'incorrect_cvc',
  'invalid_expiry',
  'invalid_number',
  'amount_not_supported',
  'currency_not_supported',
  'method_not_supported',
]);

/** A refused request whose message says why the customer cannot pay; undefined if it may be our mistake. */
export function declineFromMessage(message: string, usedToken: boolean): Decline | undefined {
  if (usedToken && INVALID_TOKEN_TEXT.test(message.slice(0, MAX_MATCHED_LENGTH)))
    return declineOf('invalid_payment_method', 'invalid_token');
  const decline = knownDecline(message);
  return decline && CUSTOMER_DECLINES.has(decline.code) ? decline : undefined;
}
