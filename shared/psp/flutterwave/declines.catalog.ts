import { type Decline, declineOf, type FailureCode } from '#shared/domain/payments/declines.catalog.ts';
import { lookUp, type ReasonMeaning, type ReasonTable, readReason, UNDECIDED } from '#shared/psp/kit/declines.ts';
import { safeCode } from '#shared/psp/kit/responses.ts';

/** Listed, and not known to be harmless. */
const STAYS: ReasonMeaning = ['card_declined', 'retry_same_later'];
const BROKEN: ReasonMeaning = ['processing_error', 'retry_same_later'];
const NEVER: ReasonMeaning = ['card_declined', 'never'];

/**
 * An issuer's reasons as Flutterwave's test page lists them (developer.flutterwave.com/docs/testing of 2026-04, read
 * 2026-11). Texts with these words are read alike, whatever stands between the words.
 */
export const ISSUER_REASONS: ReasonTable = {
  // An approval of a charge that is said to have failed.
  approved: UNDECIDED,
  partial_approval: UNDECIDED,
  no_reason_to_decline: UNDECIDED,
  already_reversed: STAYS,
  unsolicited_reversal: STAYS,
  no_action_taken: STAYS,
  insufficient_funds: 'insufficient_funds',
  do_not_honor: 'do_not_honor',
  exceeds_approval_amount_limit: 'limit_exceeded',
  exceeds_withdrawal_limit: 'limit_exceeded',
  expired_card: 'expired_card',
  incorrect_pin: 'incorrect_pin',
  cannot_verify_pin: 'incorrect_pin',
  pin_data_required: 'incorrect_pin',
  pin_entry_tries_exceeded: ['incorrect_pin', 'new_method'],
  invalid_cvv: 'incorrect_cvc',
  negative_cvv_result: 'incorrect_cvc',
  invalid_amount: 'amount_not_supported',
  invalid_account_number: 'invalid_number',
  no_checking_account: 'invalid_account',
  no_savings_account: 'invalid_account',
  unable_to_locate_record_in_file: 'invalid_account',
  blocked_first_use: 'call_issuer',
  refer_to_issuer: 'call_issuer',
  refer_to_issuer_special_condition: 'call_issuer',
  invalid_transaction: 'transaction_not_allowed',
  transaction_not_permitted_card: 'transaction_not_allowed',
  // The terminal stands for the merchant account: another connection may accept the card.
  transaction_not_permitted_terminal: 'method_not_supported',
  invalid_merchant: 'invalid_configuration',
  cannot_complete_violation_of_law: 'transaction_not_allowed',
  transaction_does_not_fulfill_aml_req: 'transaction_not_allowed',
  invalid_restricted_service_code: 'restricted_card',
  pick_up_card_no_fraud: 'restricted_card',
  pick_up_card_fraud: 'fraud_suspected',
  suspected_fraud: 'fraud_suspected',
  security_violation: 'fraud_suspected',
  lost_card_pick_up: 'lost_card',
  stolen_card_pick_up: 'stolen_card',
  issuer_unavailable: 'issuer_unavailable',
  no_such_issuer: 'method_not_supported',
  unable_to_route_transaction: 'issuer_unavailable',
  file_temporarily_not_available: 'try_again_later',
  reenter_transaction: 'try_again_later',
  system_error: 'processing_error',
  error: 'processing_error',
};

type ReasonPattern = readonly [pattern: RegExp, name: string, meaning: ReasonMeaning];

/**
 * The other reasons are sentences of many banks and networks, read in lower case with single spaces. The first matching
 * line counts: what must never go elsewhere stands first. Its name is passed on, never the sentence. Sources, read
 * 2026-11: Flutterwave's support pages on errors of cards, banks and mobile money, its pages on API errors, and
 * sentences that public reports of M-Pesa and MTN show. A sentence without a line stays at Flutterwave.
 */
export const REASONS: readonly ReasonPattern[] = [
  [/fraud|suspected|hot card|security violation|acquirer, security/, 'suspected_fraud', 'fraud_suspected'],
  [/stolen/, 'stolen_card', 'stolen_card'],
  [/\blost\b/, 'lost_card', 'lost_card'],
  [/pick ?up|retain card/, 'pick_up_card', 'restricted_card'],
  [/revo(ked|cation)|stop payment/, 'authorization_revoked', 'authorization_revoked'],
  [/violation of law|money laundering/, 'not_permitted', 'transaction_not_allowed'],
  [/(closed|invalid|no|dormant) (\w+ )?account\b|account (is )?(closed|dormant)/, 'invalid_account', 'invalid_account'],
  [/restricted|blocked|blacklist/, 'restricted_card', 'restricted_card'],
  [/contact acquirer/, 'contact_acquirer', NEVER],
  [/\b(do not|don't|never) (re)?try\b/, 'do_not_retry', NEVER],
  [/^(approved|success|partial approval)/, 'approved', UNDECIDED],
  // The charge may have been made before.
  [/duplicate|already (reversed|processed|paid|completed)/, 'duplicate_transaction', ['card_declined', 'fix_input']],
  [/already in process/, 'try_again_later', 'try_again_later'],
  // The customer's phone or the customer did not answer.
  [/activity timed out|smsc ack timeout|\bds timeout|no mo has been received/, 'timed_out', 'expired'],
  [
    /(session|otp|code|link) (has |is )?(timed out|expired)|transaction (has )?(timed out|expired)/,
    'timed_out',
    'expired',
  ],
  [/expired/, 'expired_card', 'expired_card'],
  // Flutterwave says of these that the processor did not answer, or not in time.
  [/timed? ?out|^no message$|no response|server error has occurr?ed/, 'no_answer', UNDECIDED],
  [/pending|in progress|being processed|awaiting|waiting for/, 'pending', UNDECIDED],
  [/insufficient|(no|not) sufficient|low balance/, 'insufficient_funds', 'insufficient_funds'],
  [/do ?not ?hono/, 'do_not_honor', 'do_not_honor'],
  [/pin tr(y|ies)|tries exceeded/, 'pin_tries_exceeded', ['incorrect_pin', 'new_method']],
  [/(incorrect|invalid|wrong|cannot verify) pin|initiator information is invalid/, 'incorrect_pin', 'incorrect_pin'],
  [/(incorrect|invalid|wrong) (otp|one.time|token)/, 'invalid_otp', 'incorrect_pin'],
  [/(incorrect|invalid|wrong) (cvv|cvc|security)/, 'invalid_cvv', 'incorrect_cvc'],
  [/(incorrect|invalid|wrong) expir/, 'invalid_expiry', 'invalid_expiry'],
  [/address verification|\bavs\b/, 'address_verification', ['card_declined', 'fix_input']],
  [/(incorrect|invalid|wrong) date of birth/, 'invalid_birthday', 'authentication_failed'],
  [/could not send sms|otp.{0,12}error/, 'otp_error', 'authentication_failed'],
  [/(invalid|incorrect) (card|number)|no such card/, 'invalid_card_number', 'invalid_number'],
  [/payer not found/, 'payer_not_found', ['invalid_payment_method', 'fix_input']],
  [/authenticat\w* (is )?required|requires? authenticat/, 'authentication_required', 'authentication_required'],
  [
    /authenticat\w* (failed|failure|error|unsuccessful)|(3ds?|secure) ?failed|failed authenticat/,
    'authentication_failed',
    'authentication_failed',
  ],
  [
    /invalid amount|\bamount\b.{0,40}\b(minimum|maximum|greater than|less than|at least|decimal places)\b/,
    'amount_not_supported',
    'amount_not_supported',
  ],
  [/limit|exceed/, 'limit_exceeded', 'limit_exceeded'],
  [/not (permitted|allowed).{0,12}(terminal|acquirer|merchant)/, 'not_permitted_here', 'method_not_supported'],
  [/not (permitted|allowed)/, 'not_permitted', 'transaction_not_allowed'],
  [/(card|brand) (is )?(not supported|unsupported)/, 'card_not_supported', 'card_not_supported'],
  [
    /currency (is )?(not (supported|allowed)|unsupported)|currency must be|only (be done )?in naira|accounts in naira/,
    'currency_not_supported',
    'currency_not_supported',
  ],
  [/(contact|call|refer to) (the |your )?(card )?(issuer|bank)/, 'refer_to_issuer', 'call_issuer'],
  [/aborted|cancel+ed|(customer|user) (rejected|declined)/, 'canceled_by_customer', 'customer_canceled'],
  [
    /inactive merchant|payee not found|merchant is (suspended|inactive|not active)/,
    'invalid_merchant',
    'invalid_configuration',
  ],
  [/issuer or switch|issuer (is )?(unavailable|not available|inoperative)/, 'issuer_unavailable', 'issuer_unavailable'],
  [/^acquirer system error$|^system (error|malfunction)$/, 'system_error', 'processing_error'],
  [/try again|temporar/, 'try_again_later', 'try_again_later'],
  [/^(an )?(unexpected )?error( has)? occ?urr?ed/, 'bank_error', BROKEN],
  [/invalid (response|hash)|ioexception|internal|5xx|external validation failed/, 'bank_error', BROKEN],
  [/system internal error|could not perform transaction/, 'bank_error', BROKEN],
  // As a whole: a sentence that says more than this is not the generic refusal.
  [
    /^((the )?(transaction|card|payment) )?(was )?declined( by (the )?(issuer|bank|financial institution))?$/,
    'declined',
    'card_declined',
  ],
];

/** Reasons are sentences. On the text of a full response our patterns would run for minutes. */
const MAX_MATCHED_LENGTH = 300;

/** The merchant account cannot take payments. These texts are not documented and not verified. */
export const ACCOUNT_ERRORS =
  /\bmerchant\b.{0,30}\b(inactive|not active|not activated|deactivated|disabled|suspended)\b|\binactive merchant\b/i;

/** Flutterwave's own check of a request or its key: such words are no bank's. */
const OWN_CHECKS: readonly RegExp[] = [
  /\bFLW(SECK|PUBK)|\b(secret|public|api) key\b/i,
  /\b(is|are) required\b|\brequired$|\bmust (be|not)\b|\bis not allowed\b/i,
  /\bnot (valid|enabled)\b|\bcan only\b|\blength\b/i,
  /^(invalid|unknown) (auth|request|param|body|email|phone|network|country|redirect|charge)/i,
  /\bno (route|transaction|refund)s?\b|\bmerchant\b/i,
];

const isOwnCheck = (message: string): boolean =>
  OWN_CHECKS.some((pattern) => pattern.test(message.slice(0, MAX_MATCHED_LENGTH)));

/** For refused token charges only. The customer can change the token, so this is no configuration error. */
const INVALID_TOKEN_TEXT =
  /\btoken\b.*\b(invalid|expired|not found|not exist|deleted|disabled)\b|\b(invalid|expired|wrong|no such)\b.*\btoken\b/i;

/** Passes on only words that look like codes, never free text. */
const codeOf = (text: string): string | null => safeCode(text, /^[a-z0-9_]{1,64}$/);

/** `[MpesaCB - ]The balance …` names the part of Flutterwave that wrote it. */
const plain = (text: string): string =>
  text
    .slice(0, MAX_MATCHED_LENGTH)
    .replace(/^\s*\[[^\]]{0,40}\]/, '')
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
    .replace(/\.$/, '')
    .toLowerCase();

/** The reason's meaning and its name; undefined if no list has it. */
export function readReasonText(text: string): Decline | typeof UNDECIDED | undefined {
  const words = plain(text);
  const key = words.replaceAll(/[^a-z0-9]+/g, '_');
  const listed = lookUp(ISSUER_REASONS, key);
  if (listed !== undefined) return readReason(listed, key);
  const [, name = null, meaning] = REASONS.find(([pattern]) => pattern.test(words)) ?? [];
  return meaning && readReason(meaning, name);
}

/** Flutterwave's decline, or `undecided`. An unknown reason stays. */
export const toDecline = (reason: string | null | undefined): Decline | typeof UNDECIDED =>
  readReasonText(reason ?? '') ?? readReason(undefined, codeOf(reason ?? ''));

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
  'fraud_suspected',
  'authorization_revoked',
  'amount_not_supported',
  'currency_not_supported',
  'method_not_supported',
]);

/** A refused request whose message says why the customer cannot pay; undefined if it may be our mistake. */
export function declineFromMessage(message: string, usedToken: boolean): Decline | undefined {
  if (usedToken && INVALID_TOKEN_TEXT.test(message.slice(0, MAX_MATCHED_LENGTH)))
    return declineOf('invalid_payment_method', 'invalid_token');
  const decline = readReasonText(message);
  return decline && decline !== UNDECIDED && CUSTOMER_DECLINES.has(decline.code) ? decline : undefined;
}

/** A bank's reason in a refusal. Flutterwave documents 400. */
const CHARGE_STATUSES: ReadonlySet<number> = new Set([400, 402, 422]);

/**
 * What a refused charge of a card or phone means, where no transaction shows it. Banks' reasons stand in such refusals:
 * words that are not Flutterwave's own check are a reason that we do not know. Undefined if the request is at fault.
 */
export function refusedCharge(
  status: number,
  message: string,
  usedToken: boolean,
): Decline | typeof UNDECIDED | undefined {
  const own = declineFromMessage(message, usedToken);
  if (own || !CHARGE_STATUSES.has(status) || isOwnCheck(message)) return own;
  return toDecline(message);
}
