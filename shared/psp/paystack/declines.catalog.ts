import type { Decline } from '#shared/domain/payments/declines.catalog.ts';
import { type ReasonMeaning, readReason, UNDECIDED, unknownDecline } from '#shared/psp/kit/declines.ts';
import type { Envelope, Transaction } from '#shared/psp/paystack/schema.ts';

type ReasonPattern = readonly [pattern: RegExp, word: string, meaning: ReasonMeaning];

/** The bank was asked, and may have charged. */
const BANK_FAILED: ReasonMeaning = ['processing_error', 'retry_same_later'];

const SAYS_LITTLE: ReasonMeaning = ['card_declined', 'retry_same_later'];

const BANK = '(the |your )?((card )?issuer|(issuing )?bank|financial institution)';

/** As a whole: a sentence that says more than this is not the generic refusal. */
const GENERIC_REFUSAL = new RegExp(
  `^(((the |your )?(transaction|card|payment|charge) )?((was|has been) )?declined( by ${BANK})?` +
    `|${BANK} (has )?declined( (the |this |your )?transaction)?)[.!]?$`,
  'im',
);

/**
 * Paystack's reasons are sentences: its own and the banks'. The first matching line decides; `word` is passed on, never
 * the sentence. Sources, read 2026-11: Paystack's pages of API errors and its support pages of customer, bank and
 * system errors; the response texts of the Nigerian card switch, which Paystack passes on; recorded answers. A sentence
 * without a line stays at Paystack. Where the bank may have charged, nothing goes elsewhere.
 */
export const REASONS: readonly ReasonPattern[] = [
  [/insufficient.{0,3}funds|no(t)? sufficient funds|insufficient balance/i, 'insufficient_funds', 'insufficient_funds'],
  [/lost.{0,3}card|(card|pick.?up).{0,20}\blost\b/i, 'lost_card', 'lost_card'],
  [/stolen/i, 'stolen_card', 'stolen_card'],
  [/pick.{0,2}up|hot.{0,2}card|retain card|hard capture/i, 'pick_up_card', 'restricted_card'],
  [/suspected malfunction/i, 'bank_error', BANK_FAILED],
  [/fraud|\brisk\b/i, 'suspected_fraud', 'fraud_suspected'],
  [/security violation|acquirer.{0,3}security/i, 'security_violation', 'fraud_suspected'],
  [/blacklist/i, 'blacklisted', 'fraud_suspected'],
  [/\b(do not|don.t|never) (re-?)?(try|attempt)\b/i, 'do_not_retry', ['card_declined', 'never']],
  [/violation of law/i, 'not_permitted_by_law', ['transaction_not_allowed', 'never']],
  // The charge may have been made before: Paystack says of one such sentence that the first attempt most likely was.
  [/duplicate|already (processed|paid)/i, 'duplicate_transaction', ['card_declined', 'fix_input']],
  [/cut.?off in progress/i, 'try_again_later', 'try_again_later'],
  [/\bpending\b|in progress|unconfirmed|received too late/i, 'pending', UNDECIDED],
  [/^(approved|successful|payment successful)|partially|, partial$/im, 'approved', UNDECIDED],
  [/expired.{0,3}card|card.{0,12}expired/i, 'expired_card', 'expired_card'],
  [/not completed|session.{0,20}(time.?out|timed?.?out|expired)/i, 'not_completed', 'expired'],
  [/exceeded the time|enter the otp|generate token is successful/i, 'not_completed', 'expired'],
  [/token authorization successful|incomplete transaction/i, 'not_completed', 'expired'],
  [/cancell?(ed|ation)/i, 'customer_canceled', 'customer_canceled'],
  [/pin tries exceeded|max trials/i, 'pin_tries_exceeded', ['incorrect_pin', 'new_method']],
  [/(invalid|incorrect|wrong).{0,8}pin|cannot verify pin/i, 'incorrect_pin', 'incorrect_pin'],
  [/incorrect security details/i, 'incorrect_pin', 'incorrect_pin'],
  [/token.{0,40}incorrect token/i, 'incorrect_otp', 'incorrect_pin'],
  [/(invalid|incorrect|wrong).{0,8}(otp|token)|token not generated/i, 'incorrect_otp', 'incorrect_pin'],
  [/(otp|token).{0,12}(expired|invalid|incorrect)/i, 'incorrect_otp', 'incorrect_pin'],
  [/otp.{0,12}error|could not (generate|authenticate) token|enrolling you/i, 'otp_error', 'authentication_failed'],
  [/(invalid|incorrect|wrong).{0,8}(date of birth|birthday)/i, 'incorrect_birthday', 'authentication_failed'],
  [/(invalid|incorrect|wrong).{0,8}(cvv|cvc)/i, 'incorrect_cvc', 'incorrect_cvc'],
  [/(invalid|incorrect|wrong).{0,8}expiry|expiry.{0,30}(in)?correct/i, 'invalid_expiry', 'invalid_expiry'],
  [/(invalid|incorrect|wrong).{0,8}card number|card number.{0,20}invalid/i, 'invalid_number', 'invalid_number'],
  [/pan is invalid|no such (issuer|financial institution)|no issuer/i, 'invalid_number', 'invalid_number'],
  [/(invalid|incorrect|wrong).{0,8}card/i, 'invalid_card', ['invalid_payment_method', 'fix_input']],
  [
    /(invalid|incorrect|wrong).{0,8}account|account (is )?closed|closed account|dormant|no card record/i,
    'invalid_account',
    'invalid_account',
  ],
  [/no (credit|universal|investment|savings|check|cheque) account/i, 'invalid_account', 'invalid_account'],
  [/expired/i, 'expired', 'expired_card'],
  [/revoked|stop payment/i, 'authorization_revoked', 'authorization_revoked'],
  [/authentication.{0,12}required|requires token/i, 'authentication_required', 'authentication_required'],
  [/authenticat|3.?d.?secure|cardinal/i, 'authentication_failed', 'authentication_failed'],
  [/amount limit exceeded|amount.{0,20}too low|less than ngn/i, 'invalid_amount', 'amount_not_supported'],
  [/invalid amount|valid amount/i, 'invalid_amount', 'amount_not_supported'],
  [/limit|exceeds withdrawal/i, 'limit_exceeded', 'limit_exceeded'],
  // The terminal is the account: another account may take the card.
  [/restricted merchant|not (been )?configured/i, 'not_permitted_here', 'method_not_supported'],
  [/merchant is not enabled|bank not supported/i, 'not_permitted_here', 'method_not_supported'],
  [/not (permitted|allowed).{0,12}(terminal|acquirer|merchant)/i, 'not_permitted_here', 'method_not_supported'],
  [/invalid merchant|integration.{0,20}deactivated/i, 'invalid_merchant', 'invalid_configuration'],
  [/restricted/i, 'restricted_card', 'restricted_card'],
  [
    /not permitted|(transaction|card|function).{0,12}not allowed|prevented your card/i,
    'not_permitted',
    'transaction_not_allowed',
  ],
  [/invalid transaction(?! ?(reference|id))/i, 'invalid_transaction', 'transaction_not_allowed'],
  [/currency.{0,5}not supported/i, 'currency_not_supported', 'currency_not_supported'],
  [/file update not supported/i, 'bank_error', BANK_FAILED],
  [/not supported/i, 'not_supported', 'card_not_supported'],
  [/refer to (card )?issuer|refer to financial|contact (your bank|acquirer)/i, 'refer_to_issuer', 'call_issuer'],
  [/bank approval required|customer dispute/i, 'refer_to_issuer', 'call_issuer'],
  [/issuer or switch inoperative|issuer.{0,20}(unavailable|inoperative)/i, 'issuer_inoperative', 'issuer_unavailable'],
  [/time.?out|timed out/i, 'system_malfunction', BANK_FAILED],
  [/cannot be fulfilled until|try again later/i, 'try_again_later', 'try_again_later'],
  [/access denied|auth data error|please try again|try again\.$/i, 'try_again_later', 'try_again_later'],
  // Paystack's own words for what its fraud system stopped.
  [/unable to process transaction/i, 'suspected_fraud', 'fraud_suspected'],
  [/error occurr?ed while processing|unknown error has occurred/i, 'try_again_later', 'try_again_later'],
  [/system malfunction|format error|routing error/i, 'system_malfunction', 'processing_error'],
  [/re-?enter transaction/i, 'system_malfunction', 'processing_error'],
  [/invalid response|cannot be reached|reset\/broken/i, 'bank_error', BANK_FAILED],
  [/file update|reconcile|split pre-?processing|integration error/i, 'bank_error', BANK_FAILED],
  [/calling cybersource|account error|transaction (not found|error)/i, 'bank_error', BANK_FAILED],
  [/unexpected error|^error$/im, 'bank_error', BANK_FAILED],
  [/no action taken|unacceptable transaction fee|amount incorrect/i, 'bank_error', SAYS_LITTLE],
  [/honou?r with identification/i, 'bank_error', SAYS_LITTLE],
  [/do not honou?r/i, 'do_not_honor', 'do_not_honor'],
  [GENERIC_REFUSAL, 'declined', 'card_declined'],
];

/** Refused requests about the customer's card or the amount, not the account; by code or words. */
export const REQUEST_DECLINES: readonly ReasonPattern[] = [
  // Also for a revoked authorization, and for a single-use one.
  [/does not match authori[sz]ation code/i, 'email_mismatch', 'invalid_payment_method'],
  [
    /authori[sz]ation code.{0,40}(does not exist|deactivated|invalid|inactive|not found)/i,
    'invalid_authorization',
    'invalid_payment_method',
  ],
  [/invalid authori[sz]ation code/i, 'invalid_authorization', 'invalid_payment_method'],
  [/authori[sz]ation is not reusable/i, 'not_reusable', 'invalid_payment_method'],
  [/cannot be fulfilled until|error checking this authori[sz]ation/i, 'try_again_later', 'try_again_later'],
  [/currency not supported|unsupported_currency/i, 'currency_not_supported', 'currency_not_supported'],
  [
    /invalid[ _]amount|amount.{0,30}(minimum|maximum|at least|less than|greater than|more than)/i,
    'invalid_amount',
    'amount_not_supported',
  ],
  [/valid amount|amount limit exceeded|less than ngn/i, 'invalid_amount', 'amount_not_supported'],
  [/no active channel/i, 'no_active_channel', 'method_not_supported'],
];

/** The merchant's account cannot take payments. The words about its state are not documented. */
export const ACCOUNT_ERRORS =
  /invalid merchant|\b(merchant|business|integration)\b.{0,30}\b(inactive|not active|(de|not )activated|disabled|suspended)/i;

const findReason = (lines: typeof REASONS, text: string): ReasonPattern | undefined =>
  lines.find(([pattern]) => pattern.test(text));

type Words = Pick<Transaction, 'gateway_response' | 'message'>;

const textOf = ({ gateway_response, message }: Words): string => `${gateway_response ?? ''}\n${message ?? ''}`;

/** The decline of a failed charge, or `undecided`. A reason without a match stays, without a provider code. */
export function toDecline(words: Words): Decline | typeof UNDECIDED {
  const [, word, meaning] = findReason(REASONS, textOf(words)) ?? [];
  return readReason(meaning, word ?? null);
}

/** An unsupported currency is a 403, and a missing object a 404. */
const REQUEST_STATUSES: ReadonlySet<number> = new Set([400, 403, 404]);

/**
 * A request refused for its content, card or amount. The customer can change these, so it is a decline and not a
 * configuration error.
 */
export function requestDecline(
  status: number,
  { code, message }: Pick<Envelope, 'code' | 'message'>,
): Decline | undefined {
  if (!REQUEST_STATUSES.has(status)) return undefined;
  const [, word, meaning] = findReason(REQUEST_DECLINES, `${code ?? ''}\n${message ?? ''}`) ?? [];
  const decline = meaning && readReason(meaning, word ?? null);
  return decline === UNDECIDED ? undefined : decline;
}

/** A bank's reason in a refusal. Paystack documents 400; what others have seen comes with these too. */
const CHARGE_STATUSES: ReadonlySet<number> = new Set([400, 402, 422]);

/** What Paystack documents of its own checks, which older answers do not mark as such. */
const OWN_CHECKS =
  /transaction (reference|id should)|email (address|is)|at_least|^one of authori|^"?\w+"? is required|invalid (json|key)/i;

/** Paystack's own checks of a request name their kind. Then the words are no bank's. */
const isOwnCheck = ({ type, code, message }: Envelope): boolean =>
  type === 'validation_error' || (code ?? '') !== '' || OWN_CHECKS.test(message ?? '');

/** Reasons that must not go elsewhere, in whatever form Paystack says them. */
const NEVER_ELSEWHERE: ReadonlySet<string> = new Set([
  'lost_card',
  'stolen_card',
  'pick_up_card',
  'suspected_fraud',
  'security_violation',
  'blacklisted',
  'do_not_retry',
  'duplicate_transaction',
]);

/**
 * What a refused charge of a card or account means. Paystack documents that banks' reasons may stand in a refusal, and
 * its own checks have a type: other words are a reason that we do not know.
 */
export function refusedCharge(status: number, error: Envelope): Decline | typeof UNDECIDED | undefined {
  const own = requestDecline(status, error);
  if (own || !CHARGE_STATUSES.has(status) || ACCOUNT_ERRORS.test(error.message ?? '')) return own;
  const [, word = null, meaning] = findReason(REASONS, textOf({ message: error.message })) ?? [];
  if (isOwnCheck(error) && !NEVER_ELSEWHERE.has(word ?? '')) return undefined;
  return meaning === undefined ? unknownDecline() : readReason(meaning, word);
}
