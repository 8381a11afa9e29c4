import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** `refusalReasonCode` → `refusalReason`, and the card holder's name that triggers it in the test environment. */
const REASONS: Readonly<Record<string, readonly [reason: string, holderName?: string]>> = {
  2: ['Refused', 'DECLINED'],
  3: ['Referral', 'REFERRAL'],
  4: ['Acquirer Error', 'ERROR'],
  5: ['Blocked Card', 'BLOCK_CARD'],
  6: ['Expired Card', 'CARD_EXPIRED'],
  7: ['Invalid Amount', 'INVALID_AMOUNT'],
  8: ['Invalid Card Number', 'INVALID_CARD_NUMBER'],
  9: ['Issuer Unavailable', 'ISSUER_UNAVAILABLE'],
  10: ['Not supported', 'NOT_SUPPORTED'],
  11: ['3D Not Authenticated', 'NOT_3D_AUTHENTICATED'],
  12: ['Not enough balance', 'NOT_ENOUGH_BALANCE'],
  14: ['Acquirer Fraud', 'ACQUIRER_FRAUD'],
  15: ['Cancelled', 'CANCELLED'],
  16: ['Shopper Cancelled', 'SHOPPER_CANCELLED'],
  17: ['Invalid Pin', 'INVALID_PIN'],
  18: ['Pin tries exceeded', 'PIN_TRIES_EXCEEDED'],
  19: ['Pin validation not possible', 'PIN_VALIDATION_NOT_POSSIBLE'],
  20: ['FRAUD', 'FRAUD'],
  21: ['Not Submitted', 'NOT_SUBMITTED'],
  22: ['FRAUD-CANCELLED', 'FRAUD_CANCELLED'],
  23: ['Transaction Not Permitted', 'TRANSACTION_NOT_PERMITTED'],
  24: ['CVC Declined', 'CVC_DECLINED'],
  25: ['Restricted Card', 'RESTRICTED_CARD'],
  26: ['Revocation Of Auth', 'REVOCATION_OF_AUTH'],
  27: ['Declined Non Generic', 'DECLINED_NON_GENERIC'],
  28: ['Withdrawal amount exceeded', 'WITHDRAWAL_AMOUNT_EXCEEDED'],
  29: ['Withdrawal count exceeded', 'WITHDRAWAL_COUNT_EXCEEDED'],
  31: ['Issuer Suspected Fraud', 'ISSUER_SUSPECTED_FRAUD'],
  32: ['AVS Declined', 'AVS_DECLINED'],
  33: ['Card requires online pin', 'PIN_REQUIRED'],
  34: ['No checking account available on Card', 'NO_CHECKING_ACCOUNT'],
  35: ['No savings account available on Card', 'NO_SAVINGS_ACCOUNT'],
  36: ['Mobile PIN required', 'MOBILE_PIN_REQUIRED'],
  37: ['Contactless fallback', 'CONTACTLESS_FALLBACK'],
  38: ['Authentication required', 'AUTHENTICATION_REQUIRED'],
  39: ['RReq not received from DS', 'RREQ_NOT_RECEIVED'],
  40: ['Current AID is in Penalty Box.', 'BAN_CURRENT_AID'],
  41: ['CVM Required Restart Payment', 'CVM_REQUIRED'],
  42: ['3DS Authentication Error', 'THREED_SECURE_ERROR'],
  43: ['Online PIN required', 'ONLINE_PIN_REQUIRED'],
  44: ['Try another interface', 'TRY_ANOTHER_INTERFACE'],
  45: ['Chip downgrade mode', 'CHIP_DOWNGRADE_MODE'],
  46: ['Transaction blocked by Adyen to prevent excessive retry fees', 'ERPS_BLOCK'],
  50: ['Token Revoked'],
};

export const reasonOf = (code: string): string => REASONS[code]?.[0] ?? 'Refused';

/** The code that this card holder's name triggers, if any. */
export const refusalCodeOfHolder = (name: string): string | undefined =>
  Object.entries(REASONS).find(([, [, holder]]) => holder === name)?.[0];

/** Codes that come with another result than `Refused`. */
const RESULTS: Readonly<Record<string, string>> = { 4: 'Error', 15: 'Cancelled', 16: 'Cancelled', 22: 'Cancelled' };

export const resultOf = (code: string): string => RESULTS[code] ?? 'Refused';

const CODES: Readonly<Partial<Record<FailureCode, string>>> = {
  insufficient_funds: '12',
  do_not_honor: '27',
  limit_exceeded: '28',
  try_again_later: '40',
  issuer_unavailable: '9',
  authentication_required: '38',
  authentication_failed: '11',
  incorrect_cvc: '24',
  incorrect_pin: '17',
  call_issuer: '3',
  expired_card: '6',
  card_not_supported: '10',
  transaction_not_allowed: '23',
  invalid_number: '8',
  invalid_account: '8',
  lost_card: '5',
  stolen_card: '5',
  restricted_card: '25',
  authorization_revoked: '26',
  fraud_suspected: '20',
  customer_canceled: '16',
  processing_error: '21',
  amount_not_supported: '7',
};

/** Codes without an equivalent at Adyen become the generic refusal. */
export const refusalCodeFor = (failure: FailureCode): string => CODES[failure] ?? '2';

/** Mastercard's advice, as `merchantAdviceCode` shows it. */
const ADVICE_TEXTS: Readonly<Record<string, string>> = {
  '01': 'New account information available',
  '02': 'Try again later',
  '03': 'Do not try again',
  '04': 'Token requirements not fulfilled for this token type',
  '21': 'Payment cancellation',
  '24': 'Retry after 1 hour',
  '30': 'Retry after 10 days',
  '40': 'Consumer non-reloadable prepaid card',
};

/** Issuers' codes, as `refusalReasonRaw` shows them. */
const RAW_TEXTS: Readonly<Record<string, string>> = {
  '04': 'Capture card',
  '05': 'Do not honor',
  '41': 'Lost card',
  '43': 'Stolen card',
  '46': 'Closed account',
  '51': 'Insufficient funds/over credit limit',
  '59': 'Suspected fraud',
  '63': 'Security violation',
  '65': 'Authentication required',
  R0: 'Stop Payment Order',
};

type RequestedRefusal = { readonly code: string; readonly data: Readonly<Record<string, string>> };

/**
 * `refused_2`, `refused_2_advice_03`, `refused_2_raw_43`, `refused_12_rescued`: a refusal with this code, and with the
 * `additionalData` that an account gets which has switched them on.
 */
export function requestedRefusal(token: string): RequestedRefusal | undefined {
  const [, code = '', , kind, detail = ''] =
    /^refused_(\d{1,2})(_(?:(advice|raw)_([0-9a-z]{2,3})|rescued))?$/.exec(token) ?? [];
  if (code === '') return undefined;
  if (kind === 'advice') return { code, data: { merchantAdviceCode: labelled(detail, ADVICE_TEXTS) } };
  if (kind === 'raw') return { code, data: { refusalReasonRaw: labelled(detail.toUpperCase(), RAW_TEXTS) } };
  return { code, data: token.endsWith('_rescued') ? { 'retry.rescueScheduled': 'true' } : {} };
}

const labelled = (code: string, texts: Readonly<Record<string, string>>): string =>
  texts[code] === undefined ? code : `${code} : ${texts[code]}`;
