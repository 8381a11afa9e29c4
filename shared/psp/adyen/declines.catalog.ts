import { type Decline, FAILURES } from '#shared/domain/payments/declines.catalog.ts';
import {
  lookUp,
  mastercardAdvice,
  type ReasonMeaning,
  type ReasonTable,
  readReason,
  UNDECIDED,
  withAdvice,
} from '#shared/psp/kit/declines.ts';

/**
 * `refusalReasonCode` → Adyen's text for it, which is all that a notification has, and its meaning. Sources: Adyen's
 * page of refusal reasons as read in 2026-08, and its test values for 43 to 45, read in 2026-11.
 */
export const REASONS: Readonly<Record<string, readonly [text: string, meaning: ReasonMeaning]>> = {
  // Comes with approvals. A refusal that has it gives no reason.
  0: ['(none)', ['card_declined', 'retry_same_later']],
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
  33: ['Card requires online pin', 'authentication_required'],
  34: ['No checking account available on Card', ['invalid_account', 'new_method']],
  35: ['No savings account available on Card', ['invalid_account', 'new_method']],
  36: ['Mobile pin required', 'authentication_required'],
  // The customer gave up when the terminal asked for another way to read the card.
  37: ['Contactless fallback', 'customer_canceled'],
  38: ['Authentication required', 'authentication_required'],
  39: ['RReq not received from DS', ['authentication_failed', 'retry_same_later']],
  // The card's network is out of order.
  40: ['Current AID is in Penalty Box', 'try_again_later'],
  41: ['CVM Required Restart Payment', 'authentication_required'],
  42: ['3DS Authentication Error', 'authentication_failed'],
  43: ['Online PIN required', 'authentication_required'],
  // Of card readers only: the card wants to be read in another way.
  44: ['Try another interface', ['card_not_supported', 'new_method']],
  45: ['Chip downgrade mode', ['card_not_supported', 'new_method']],
  // Adyen blocked the retry, which the schemes would fine: this card must not be retried.
  46: ['Transaction blocked by Adyen to prevent excessive retry fees', ['card_declined', 'never']],
  50: ['Token Revoked', 'authorization_revoked'],
};

/** Texts that Adyen used before, or uses in other places. */
const OTHER_TEXTS: Readonly<Record<string, string>> = {
  'Blocked by Adyen to prevent excessive retry fees': '46',
  'Authentication Error': '42',
};

/** Refusals that say nothing by themselves. An issuer's own words, where we have them, are read instead. */
const GENERIC: ReadonlySet<string | null> = new Set([null, '0', '2', '27']);

/**
 * `additionalData.inferredRefusalReason`: what Adyen learned from other payments with the card. Source: OpenAPI document
 * of Checkout v72, read in 2026-11.
 */
export const INFERRED_REASONS: ReasonTable = {
  '3D Secure Mandated': 'authentication_required',
  'Closed Account': 'invalid_account',
  'ContAuth Not Supported': 'card_not_supported',
  'CVC Mandated': 'incorrect_cvc',
  'Ecommerce Not Allowed': 'transaction_not_allowed',
  'Crossborder Not Supported': 'transaction_not_allowed',
  'Card Updated': ['card_declined', 'fix_input'],
  'Low Authrate Bin': 'card_not_supported',
  'Non-reloadable prepaid card': 'card_not_supported',
};

/** `additionalData.realtimeAccountUpdaterStatus`. Source: as above. */
export const UPDATER_STATUSES: ReasonTable = {
  CardChanged: ['card_declined', 'fix_input'],
  CardExpiryChanged: ['expired_card', 'fix_input'],
  CloseAccount: 'invalid_account',
  ContactCardAccountHolder: 'call_issuer',
};

/**
 * The code before the colon of `refusalReasonRaw`: of Visa and Mastercard, then of American Express and Diners. Sources:
 * Adyen's page of raw responses, and raw responses that merchants published, read in 2026-11.
 */
export const RAW_CODES: ReasonTable = {
  '01': 'call_issuer',
  '02': 'call_issuer',
  '03': 'method_not_supported',
  '04': 'restricted_card',
  '05': 'do_not_honor',
  '07': 'fraud_suspected',
  '12': 'transaction_not_allowed',
  '13': 'amount_not_supported',
  '14': ['invalid_number', 'fix_input'],
  '15': ['invalid_number', 'fix_input'],
  '19': 'try_again_later',
  '30': 'processing_error',
  '39': ['invalid_account', 'new_method'],
  '41': 'lost_card',
  '43': 'stolen_card',
  '46': 'invalid_account',
  '51': 'insufficient_funds',
  '52': ['invalid_account', 'new_method'],
  '53': ['invalid_account', 'new_method'],
  '54': 'expired_card',
  '55': 'incorrect_pin',
  '56': ['invalid_number', 'fix_input'],
  '57': 'transaction_not_allowed',
  '58': 'transaction_not_allowed',
  '59': 'fraud_suspected',
  '61': 'limit_exceeded',
  '62': 'restricted_card',
  '63': 'fraud_suspected',
  '65': 'limit_exceeded',
  '70': 'call_issuer',
  '72': ['restricted_card', 'new_method'],
  '75': ['incorrect_pin', 'never'],
  '78': ['restricted_card', 'new_method'],
  '79': ['card_declined', 'fix_input'],
  '82': ['card_declined', 'retry_same_later'],
  '83': 'fraud_suspected',
  '88': 'processing_error',
  '91': 'issuer_unavailable',
  '92': 'issuer_unavailable',
  '93': ['transaction_not_allowed', 'never'],
  // A possible duplicate.
  '94': ['card_declined', 'retry_same_later'],
  '96': 'issuer_unavailable',
  '1A': 'authentication_required',
  '5C': 'transaction_not_allowed',
  '6P': 'incorrect_cvc',
  '9G': 'transaction_not_allowed',
  N7: 'incorrect_cvc',
  R0: 'authorization_revoked',
  R1: 'authorization_revoked',
  R3: 'authorization_revoked',
  SA: ['restricted_card', 'new_method'],
  '100': 'do_not_honor',
  '101': 'expired_card',
  '107': 'call_issuer',
  '109': 'method_not_supported',
  '110': 'amount_not_supported',
  '111': ['invalid_number', 'fix_input'],
  '114': ['invalid_account', 'new_method'],
  '115': 'transaction_not_allowed',
  '116': 'insufficient_funds',
  '117': 'incorrect_pin',
  '119': 'transaction_not_allowed',
  '121': 'limit_exceeded',
  '122': 'incorrect_cvc',
  '129': 'fraud_suspected',
  '187': 'expired_card',
  '200': 'restricted_card',
  '208': 'lost_card',
  '209': 'stolen_card',
  '911': 'issuer_unavailable',
  '912': 'issuer_unavailable',
};

/**
 * Words of `refusalReasonRaw`. They come before the codes, because some codes differ by scheme (65, 78, 82) or are
 * missing. The first line that matches counts.
 */
const RAW_TEXTS: readonly (readonly [RegExp, ReasonMeaning])[] = [
  [/cvv|cvc|cvx|security code/i, 'incorrect_cvc'],
  [/stolen/i, 'stolen_card'],
  [/\blost\b/i, 'lost_card'],
  [/pick.?up|capture card|retain card/i, 'restricted_card'],
  [/fraud|counterfeit|security violation|^security$/i, 'fraud_suspected'],
  [/excessive retr|do not (try again|retry)/i, ['card_declined', 'never']],
  [/stop.?payment|revo(ked|cation)|cancel\w* of recurring/i, 'authorization_revoked'],
  [/closed|nonexistent account|no such account|no account on file/i, 'invalid_account'],
  [/authentication required/i, 'authentication_required'],
  [/expiry (date )?(incorrect|invalid)|(incorrect|invalid) expir/i, 'invalid_expiry'],
  [/invalid transaction/i, 'transaction_not_allowed'],
];

/**
 * `errorCode`s about the customer's input or the amount, and those that leave the outcome open. Sources: Adyen's page of
 * error codes as two public clients list it (read in 2026-11) and the OpenAPI document. Where 14_018 is "shopper
 * reference is missing" in one and "invalid payload" in the other, both mean that the method cannot be used.
 */
export const REQUEST_DECLINES: ReasonTable = {
  101: 'invalid_number',
  102: 'card_not_supported',
  103: 'incorrect_cvc',
  // Possibly a second submission of the same charge.
  106: UNDECIDED,
  108: 'invalid_account',
  109: 'method_not_supported',
  110: 'invalid_payment_method',
  111: 'invalid_payment_method',
  112: 'method_not_supported',
  126: 'invalid_payment_method',
  127: 'invalid_payment_method',
  128: ['invalid_payment_method', 'fix_input'],
  129: 'invalid_expiry',
  137: 'amount_not_supported',
  138: 'currency_not_supported',
  140: 'invalid_expiry',
  141: 'invalid_expiry',
  142: 'invalid_payment_method',
  144: 'invalid_expiry',
  153: 'incorrect_cvc',
  161: ['invalid_number', 'fix_input'],
  162: ['invalid_number', 'fix_input'],
  163: ['invalid_number', 'fix_input'],
  166: 'amount_not_supported',
  172: 'invalid_payment_method',
  174: 'invalid_payment_method',
  175: 'invalid_payment_method',
  182: ['invalid_payment_method', 'fix_input'],
  193: ['invalid_number', 'fix_input'],
  203: ['invalid_payment_method', 'fix_input'],
  701: UNDECIDED,
  703: UNDECIDED,
  // A call with this key is running or done, and its result unknown.
  704: UNDECIDED,
  800: 'invalid_payment_method',
  802: 'invalid_payment_method',
  803: 'invalid_payment_method',
  // Saved for another kind of use.
  805: 'invalid_payment_method',
  806: 'invalid_payment_method',
  807: 'invalid_payment_method',
  820: 'incorrect_cvc',
  903: UNDECIDED,
  904: UNDECIDED,
  // The account has no acquirer for such a card or method, in this currency or country.
  905: 'method_not_supported',
  '905_1': 'method_not_supported',
  '905_2': 'method_not_supported',
  '905_3': 'method_not_supported',
  '905_4': 'method_not_supported',
  '905_5': 'method_not_supported',
  '905_6': 'method_not_supported',
  907: 'method_not_supported',
  916: ['limit_exceeded', 'new_method'],
  926: 'invalid_payment_method',
  927: 'invalid_payment_method',
  2000: 'invalid_payment_method',
  '14_004': 'invalid_payment_method',
  '14_005': 'invalid_payment_method',
  '14_006': 'invalid_payment_method',
  '14_007': 'invalid_payment_method',
  '14_018': 'invalid_payment_method',
  '14_020': ['invalid_payment_method', 'fix_input'],
  '14_029': 'incorrect_cvc',
  '14_031': 'invalid_payment_method',
  '5_001': 'invalid_payment_method',
  '5_002': 'invalid_payment_method',
  '5_003': 'invalid_payment_method',
  '5_006': 'invalid_payment_method',
  '5_008': 'invalid_payment_method',
  '5_202': 'invalid_payment_method',
  '5_206': 'invalid_payment_method',
  '5_208': 'invalid_payment_method',
  '5_612': UNDECIDED,
  '5_613': UNDECIDED,
};

const lines = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The other published `errorCode`s: our request, the key or the account is wrong, and nothing was done. */
export const REFUSED_REQUESTS: ReadonlySet<string> = lines(`
  000 010 100 104 105 107 113 114 115 116 117 118 119 120 121 122 123 124 125 130 131 132 133 134 135 136 139 143 145
  146 147 148 149 150 151 152 154 155 156 157 158 159 160 164 165 167 168 170 171 173 177 180 181 183 184 185 186 187
  188 189 190 191 192 194 195 196 198 199 200 205 217 218 600 601 602 603 604 605 606 607 608 609 610 611 690 691 692 693 694
  695 700 702 801 804 901 902 906 908 912 918 919 920 921_1 921_2 922 923 928 929 930 931 950 951 952 953 954 955 956
  957 958 959 960 961 962 963 964 965 966 967 1000 1001 1002 29_001 29_100 14_002 14_003 14_008 14_010 14_011 14_012
  14_013 14_014 14_015 14_016 14_017 14_019 14_021 14_022 14_023 14_024 14_026 14_027 14_028 14_030 14_032 14_033
  14_034 14_035 14_036 14_037 14_0378 14_0379 14_0380 14_0381 14_0382 14_0383 14_0384 14_0385 14_0392 14_0425 14_0426
  14_0427 14_0428 14_0430 14_0431 14_0432 15_001 15_002 15_003 15_004 15_005 15_006 15_007 15_008 15_009 15_010 15_011
  15_012 15_013 15_014 15_015 15_016 15_017 15_018 15_019 15_020 15_021 15_022 15_023 15_024 5_004 5_005 5_007 5_601
  5_602 5_603 5_604 5_605 5_606 5_607 5_608 5_609 5_610 5_611 5_614 5_615`);

const normalized = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const CODE_BY_TEXT: ReadonlyMap<string, string> = new Map([
  ...Object.entries(REASONS).map(([code, [text]]): [string, string] => [normalized(text), code]),
  ...Object.entries(OTHER_TEXTS).map(([text, code]): [string, string] => [normalized(text), code]),
]);

/** What a response or a notification says about a refusal. `reason` is Adyen's text, `data` its `additionalData`. */
type Refusal = {
  readonly code?: string | null | undefined;
  readonly reason?: string | null | undefined;
  readonly data?: Readonly<Record<string, unknown>> | null | undefined;
};

/**
 * What a refusal means. An Auto Rescue, which the account may have, charges the card again later by itself: until it
 * has ended, the charge may still succeed.
 */
export function readRefusal({ code, reason, data }: Refusal): Decline | typeof UNDECIDED {
  if (textOf(data, 'retry.rescueScheduled') === 'true') return UNDECIDED;
  const known = knownCode(code) ?? codeOfText(reason);
  const meaning = known === null ? undefined : REASONS[known]?.[1];
  const [issuers, final] = issuersMeanings(data, meaning === undefined ? reason : undefined, known);
  if (final) return final;
  const isGeneric = GENERIC.has(meaning === undefined ? null : known);
  const decline = issuers && isGeneric ? issuers : readReason(meaning, known);
  return decline === UNDECIDED ? decline : withAdvice(decline, mastercardAdvice(textOf(data, 'merchantAdviceCode')));
}

/** Digits only: a text in this place is not passed on. */
const knownCode = (code: string | null | undefined): string | null =>
  typeof code === 'string' && /^\d{1,4}$/.test(code) ? code : null;

/** `Expired Card`, `6 : Expired Card` and `3d-secure: 3D Not Authenticated` all name a reason. A bare code does too. */
function codeOfText(reason: string | null | undefined): string | null {
  const text = (reason ?? '').trim();
  const parts = [text, ...text.split(':')].map((part) => CODE_BY_TEXT.get(normalized(part)));
  return parts.find((code) => code !== undefined) ?? knownCode(text);
}

/**
 * What the issuer or Adyen's data about the card say, most specific first; and the one of them that forbids any retry,
 * which counts beside every other reason.
 */
function issuersMeanings(
  data: Refusal['data'],
  unknownReason: string | null | undefined,
  code: string | null,
): readonly [Decline | undefined, Decline | undefined] {
  const meanings = [
    lookUp(INFERRED_REASONS, textOf(data, 'inferredRefusalReason')),
    lookUp(UPDATER_STATUSES, textOf(data, 'realtimeAccountUpdaterStatus')),
    ...rawTexts(data).map(rawMeaning),
    rawMeaning(unknownReason ?? ''),
  ];
  const declines = meanings
    .filter((meaning) => meaning !== undefined)
    .map((meaning) => readReason(meaning, code))
    .filter((decline) => decline !== UNDECIDED);
  return [declines[0], declines.find(isFinal)];
}

const isFinal = ({ code, retry }: Decline): boolean => retry === 'never' || FAILURES[code].category === 'fraud';

const MAX_TEXT = 200;

function textOf(data: Refusal['data'], name: string): string | null {
  const value = data?.[name];
  return ['string', 'boolean', 'number'].includes(typeof value) ? String(value).slice(0, MAX_TEXT).trim() : null;
}

/** The last attempt comes first: Adyen may send one charge to several acquirers. */
function rawTexts(data: Refusal['data']): readonly string[] {
  const attempts = [5, 4, 3, 2, 1].map((attempt) => `retry.attempt${attempt}.rawResponse`);
  return ['refusalReasonRaw', 'refusalCodeRaw', ...attempts].flatMap((name) => textOf(data, name) ?? []);
}

/** `05 : Do not honor`, `DECLINED Expiry Incorrect`, or only the code. */
function rawMeaning(text: string): ReasonMeaning | undefined {
  const [, code = '', words = ''] = /^(?:([0-9A-Z]{2,3})\s*(?::|$))?\s*(.*)$/s.exec(text) ?? [];
  return RAW_TEXTS.find(([pattern]) => pattern.test(words))?.[1] ?? lookUp(RAW_CODES, code);
}

/** Whether Adyen may have charged all the same, or is doing so. */
export const leavesOpen = (code: string | null): boolean => lookUp(REQUEST_DECLINES, code) === UNDECIDED;

type RefusedRequest = { readonly status: number; readonly code: string | null };

/**
 * A request refused for its content, method or amount. The customer can change these, so it is a decline and not a
 * configuration error.
 */
export function requestDecline({ status, code }: RefusedRequest): Decline | undefined {
  const meaning = REQUEST_STATUSES.has(status) ? lookUp(REQUEST_DECLINES, code) : undefined;
  const decline = meaning === undefined ? undefined : readReason(meaning, code);
  return decline === UNDECIDED ? undefined : decline;
}

/** A missing acquirer may also be a 500. No other 500 is a refusal. */
const REQUEST_STATUSES: ReadonlySet<number> = new Set([400, 422, 500]);
