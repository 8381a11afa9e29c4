import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** `refusalReasonCode` → `refusalReason`, and the card holder's name that triggers it in the test environment. */
const REASONS: Readonly<Record<string, readonly [reason: string, holderName?: string]>> = {
  2: ['Refused', 'DECLINED'],
  3: ['Referral', 'REFERRAL'],
  4: ['Acquirer Error'],
  5: ['Blocked Card', 'BLOCK_CARD'],
  6: ['Expired Card', 'CARD_EXPIRED'],
  7: ['Invalid Amount', 'INVALID_AMOUNT'],
  8: ['Invalid Card Number', 'INVALID_CARD'],
  9: ['Issuer Unavailable'],
  10: ['Not supported', 'NOT_SUPPORTED'],
  11: ['3D Not Authenticated'],
  12: ['Not enough balance', 'NOT_ENOUGH_BALANCE'],
  16: ['Shopper Cancelled'],
  17: ['Invalid Pin', 'INVALID_PIN'],
  20: ['FRAUD'],
  23: ['Transaction Not Permitted', 'NOT_PERMITTED'],
  24: ['CVC Declined', 'CVC_DECLINED'],
  25: ['Restricted Card', 'RESTRICTED_CARD'],
  26: ['Revocation Of Auth', 'REVOCATION_OF_AUTH'],
  27: ['Declined Non Generic', 'DECLINED_NON_GENERIC'],
  28: ['Withdrawal amount exceeded', 'WITHDRAWAL_AMOUNT_EXCEEDED'],
  38: ['Authentication required', 'AUTHENTICATION_REQUIRED'],
};

export const reasonOf = (code: string): string => REASONS[code]?.[0] ?? 'Refused';

/** The code that this card holder's name triggers, if any. */
export const refusalCodeOfHolder = (name: string): string | undefined =>
  Object.entries(REASONS).find(([, [, holder]]) => holder === name)?.[0];

const CODES: Readonly<Partial<Record<FailureCode, string>>> = {
  insufficient_funds: '12',
  do_not_honor: '27',
  limit_exceeded: '28',
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
  processing_error: '4',
  amount_not_supported: '7',
};

/** Codes without an equivalent at Adyen become the generic refusal. */
export const refusalCodeFor = (failure: FailureCode): string => CODES[failure] ?? '2';
