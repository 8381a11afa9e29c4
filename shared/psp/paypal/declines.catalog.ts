import {
  type Decline,
  type DeclineClass,
  declineOf,
  type FailureCode,
} from '#shared/domain/payments/declines.catalog.ts';
import { safeCode } from '#shared/psp/kit/responses.ts';
import type { Capture, Order, PaypalError } from '#shared/psp/paypal/schema.ts';

/** Passes on only words that look like PayPal's codes, never text from a message. */
export const codeOf = (code: string | null | undefined): string | null => safeCode(code, /^[A-Za-z0-9_]{1,64}$/);

/** The first code of a refusal that names a reason. */
export const issueOf = ({ details }: PaypalError): string | null => codeOf(details?.find(({ issue }) => issue)?.issue);

type DeclineMapping = FailureCode | readonly [FailureCode, DeclineClass];

/**
 * `processor_response.response_code` of a declined capture → ours; with a class where it is narrower or wider than
 * usual. The codes are documented. UNVERIFIED: their meanings. An unknown code is `card_declined`.
 */
export const RESPONSE_CODES: Readonly<Record<string, DeclineMapping>> = {
  '0390': 'invalid_account',
  '0500': 'do_not_honor',
  '0580': 'do_not_honor',
  '0890': 'incorrect_pin',
  '0960': 'processing_error',
  // The customer stopped this payment, or the agreement, at the bank.
  '0R00': 'authorization_revoked',
  '1310': 'amount_not_supported',
  '1320': 'currency_not_supported',
  '1330': 'invalid_account',
  '1335': 'invalid_account',
  '1350': 'invalid_configuration',
  '1352': 'restricted_card',
  '1370': 'invalid_configuration',
  '1380': 'invalid_expiry',
  '1382': 'incorrect_cvc',
  '5100': 'card_declined',
  '5110': 'incorrect_cvc',
  '5120': 'insufficient_funds',
  '5130': 'incorrect_pin',
  '5135': ['incorrect_pin', 'new_method'],
  '5140': 'invalid_account',
  '5150': 'restricted_card',
  '5160': 'transaction_not_allowed',
  '5170': ['card_declined', 'fix_input'],
  '5180': 'invalid_account',
  // Possible duplicate of a recent charge: a failover could charge the customer twice.
  '5200': ['card_declined', 'fix_input'],
  '5400': 'expired_card',
  '5500': 'incorrect_pin',
  '5650': 'authentication_required',
  '5700': 'method_not_supported',
  '5710': 'limit_exceeded',
  '5910': 'issuer_unavailable',
  '5920': 'issuer_unavailable',
  '5930': 'call_issuer',
  '5950': ['invalid_payment_method', 'fix_input'],
  '6300': 'invalid_account',
  '7700': 'authentication_failed',
  '7710': 'authentication_failed',
  '7900': 'incorrect_pin',
  '8000': 'processing_error',
  '8020': 'invalid_configuration',
  '8100': 'processing_error',
  '8110': 'processing_error',
  '8220': 'processing_error',
  '9100': ['try_again_later', 'retry_other_psp'],
  '9500': 'fraud_suspected',
  '9510': 'fraud_suspected',
  '9520': 'lost_card',
  '9530': 'restricted_card',
  '9540': 'restricted_card',
  PCNR: 'card_declined',
  PCVV: 'incorrect_cvc',
  PP06: 'invalid_account',
  PPAB: 'restricted_card',
  PPEF: 'expired_card',
  PPFI: 'invalid_payment_method',
  PPFR: 'restricted_card',
  PPPM: 'invalid_payment_method',
  PPRN: ['card_declined', 'never'],
};

/** The card network's `payment_advice_code` overrides the code's usual class. */
export const ADVICE: Readonly<Record<string, DeclineClass>> = {
  '01': 'fix_input',
  '02': 'retry_same_later',
  '03': 'never',
  '21': 'never',
};

/**
 * The card network reports that the customer ended the recurring agreement. A code that names a reason is more precise.
 */
const AGREEMENT_ENDED = '21';

const UNSPECIFIC_CODES: ReadonlySet<FailureCode> = new Set(['card_declined', 'do_not_honor']);

/**
 * `details[].issue` of a refusal that is about the payer, the method or the amount, and not about the account → ours.
 */
export const ISSUES: Readonly<Record<string, DeclineMapping>> = {
  INSTRUMENT_DECLINED: ['card_declined', 'new_method'],
  PAYMENT_SOURCE_DECLINED_BY_PROCESSOR: ['card_declined', 'new_method'],
  PAYMENT_SOURCE_INFO_CANNOT_BE_VERIFIED: ['card_declined', 'fix_input'],
  PAYMENT_SOURCE_CANNOT_BE_USED: 'invalid_payment_method',
  REDIRECT_PAYER_FOR_ALTERNATE_FUNDING: ['card_declined', 'new_method'],
  TRANSACTION_REFUSED: ['card_declined', 'new_method'],
  PAYER_CANNOT_PAY: ['transaction_not_allowed', 'new_method'],
  PAYER_ACCOUNT_RESTRICTED: ['invalid_account', 'new_method'],
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: ['invalid_account', 'new_method'],
  PAYER_ACTION_REQUIRED: 'authentication_required',
  COMPLIANCE_VIOLATION: ['transaction_not_allowed', 'never'],
  TRANSACTION_BLOCKED_BY_PAYEE: 'fraud_suspected',
  PAYEE_BLOCKED_TRANSACTION: 'fraud_suspected',
  TRANSACTION_LIMIT_EXCEEDED: 'limit_exceeded',
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: ['limit_exceeded', 'new_method'],
  DOMESTIC_TRANSACTION_REQUIRED: 'transaction_not_allowed',
  CARD_BRAND_NOT_SUPPORTED: 'card_not_supported',
  CARD_TYPE_NOT_SUPPORTED: 'card_not_supported',
  CARD_EXPIRED: 'expired_card',
  REFERENCED_CARD_EXPIRED: 'expired_card',
  INVALID_EXPIRY_DATE: 'invalid_expiry',
  INVALID_CURRENCY_CODE: 'currency_not_supported',
  CURRENCY_NOT_SUPPORTED_FOR_BANK: 'currency_not_supported',
  CURRENCY_NOT_SUPPORTED_FOR_CARD_TYPE: 'currency_not_supported',
  CURRENCY_NOT_SUPPORTED_FOR_COUNTRY: 'currency_not_supported',
  CANNOT_BE_ZERO_OR_NEGATIVE: 'amount_not_supported',
  DECIMAL_PRECISION: 'amount_not_supported',
  MAX_VALUE_EXCEEDED: 'amount_not_supported',
  TRANSACTION_RECEIVING_LIMIT_EXCEEDED: 'amount_not_supported',
  // The token implies the method: an account without that method takes others.
  COUNTRY_NOT_SUPPORTED_BY_PAYMENT_SOURCE: 'method_not_supported',
  NOT_ELIGIBLE_FOR_TOKEN_PROCESSING: 'method_not_supported',
  NOT_ENABLED_FOR_CARD_PROCESSING: 'method_not_supported',
  PAYEE_COUNTRY_NOT_SUPPORTED_FOR_PAYMENT_SOURCE: 'method_not_supported',
  PAYEE_NOT_ENABLED_FOR_CARD_PROCESSING: 'method_not_supported',
  PAYMENT_SOURCE_NOT_SUPPORTED: 'method_not_supported',
  TOKEN_EXPIRED: 'invalid_payment_method',
  TOKEN_ID_NOT_FOUND: 'invalid_payment_method',
  IDENTIFIER_NOT_FOUND: 'invalid_payment_method',
  MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE: 'invalid_payment_method',
  BILLING_AGREEMENT_NOT_FOUND: 'invalid_payment_method',
  AGREEMENT_ALREADY_CANCELLED: 'authorization_revoked',
};

/** The merchant's account cannot take payments. */
export const ACCOUNT_ERRORS: ReadonlySet<string> = new Set([
  'PAYEE_ACCOUNT_INVALID',
  'PAYEE_ACCOUNT_LOCKED_OR_CLOSED',
  'PAYEE_ACCOUNT_NOT_VERIFIED',
  'PAYEE_ACCOUNT_RESTRICTED',
]);

/** On PayPal's page, the payer can return and pay with something else. */
export const PAYER_CAN_RETRY: ReadonlySet<string> = new Set([
  'INSTRUMENT_DECLINED',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  'PAYER_ACTION_REQUIRED',
]);

const mappingOf = (
  table: Readonly<Record<string, DeclineMapping>>,
  code: string | null,
): readonly [FailureCode, DeclineClass?] | undefined => {
  const known = code !== null && Object.hasOwn(table, code) ? table[code] : undefined;
  return typeof known === 'string' ? [known] : known;
};

/** The decline of a declined or failed capture. An unknown reason is `card_declined`. */
export function captureDecline({ processor_response: response }: Capture): Decline {
  const reason = codeOf(response?.response_code);
  const [code, usualClass] = mappingOf(RESPONSE_CODES, reason) ?? ['card_declined'];
  const advice = response?.payment_advice_code ?? '';
  if (advice === AGREEMENT_ENDED && UNSPECIFIC_CODES.has(code)) return declineOf('authorization_revoked', reason);
  return declineOf(code, reason, Object.hasOwn(ADVICE, advice) ? ADVICE[advice] : usualClass);
}

/** Malformed or impossible requests. */
const REQUEST_STATUSES: ReadonlySet<number> = new Set([400, 422]);

/** The decline in a refusal that is about the payer, and not a configuration error. */
export function refusalDecline(status: number, error: PaypalError): Decline | undefined {
  const issue = issueOf(error);
  const meaning = REQUEST_STATUSES.has(status) ? mappingOf(ISSUES, issue) : undefined;
  return meaning && declineOf(meaning[0], issue, meaning[1]);
}

/** As `refusalDecline`, for a new order. The only PayPal id in its request is that of a saved method. */
export function orderDecline(status: number, error: PaypalError, usedToken: boolean): Decline | undefined {
  const issue = issueOf(error);
  const isAboutTokenOrId =
    status === 404 ? issue === 'INVALID_RESOURCE_ID' : REQUEST_STATUSES.has(status) && isAboutToken(error);
  return (
    refusalDecline(status, error) ??
    (usedToken && isAboutTokenOrId ? declineOf('invalid_payment_method', issue) : undefined)
  );
}

const isAboutToken = ({ details }: PaypalError): boolean =>
  details?.some(({ field }) => field?.endsWith('/vault_id')) === true;

const FAILED_STATUSES: ReadonlySet<string> = new Set(['N', 'R']);

/** The card's bank did not authenticate the payer. PayPal does not stop us from capturing, so we must. */
export function failedAuthentication({ payment_source: source }: Order): Decline | undefined {
  const result = source?.card?.authentication_result;
  const status = result?.three_d_secure?.authentication_status ?? '';
  return result?.liability_shift !== 'POSSIBLE' && FAILED_STATUSES.has(status)
    ? declineOf('authentication_failed')
    : undefined;
}
