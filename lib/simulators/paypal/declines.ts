import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** A declined card: the processor's code, and the network's advice if there is one. */
type ProcessorResponse = { readonly response_code: string; readonly payment_advice_code?: string };

const GENERIC_DECLINE: ProcessorResponse = { response_code: '5100' };

/** Our failure codes as the processor's codes. Others become the generic decline. */
const RESPONSES: Readonly<Partial<Record<FailureCode, ProcessorResponse>>> = {
  insufficient_funds: { response_code: '5120' },
  card_declined: GENERIC_DECLINE,
  do_not_honor: { response_code: '0500' },
  limit_exceeded: { response_code: '5710' },
  try_again_later: { response_code: '9100', payment_advice_code: '02' },
  issuer_unavailable: { response_code: '5910' },
  authentication_required: { response_code: '5650' },
  authentication_failed: { response_code: '7710' },
  incorrect_cvc: { response_code: '5110' },
  invalid_expiry: { response_code: '1380' },
  incorrect_pin: { response_code: '5500' },
  call_issuer: { response_code: '5930' },
  expired_card: { response_code: '5400' },
  transaction_not_allowed: { response_code: '5160' },
  invalid_number: { response_code: '1330' },
  invalid_account: { response_code: '1330' },
  lost_card: { response_code: '9520', payment_advice_code: '03' },
  stolen_card: { response_code: '9520', payment_advice_code: '03' },
  restricted_card: { response_code: '9540' },
  authorization_revoked: { response_code: '5100', payment_advice_code: '21' },
  fraud_suspected: { response_code: '9500' },
  processing_error: { response_code: '0960' },
  currency_not_supported: { response_code: '1320' },
  invalid_configuration: { response_code: '8020' },
};

export const processorResponse = (code: FailureCode): ProcessorResponse => RESPONSES[code] ?? GENERIC_DECLINE;

const ISSUE_DECLINES: ReadonlySet<FailureCode> = new Set([
  'card_not_supported',
  'invalid_payment_method',
  'customer_canceled',
]);

/** Whether PayPal can express this code, so that a test token may use it. */
export const isKnownDecline = (code: FailureCode): boolean => RESPONSES[code] !== undefined || ISSUE_DECLINES.has(code);

type Issue = { readonly issue: string; readonly description: string };

const DECLINED: Issue = {
  issue: 'INSTRUMENT_DECLINED',
  description:
    "The instrument presented was either declined by the processor or bank, or it can't be used for this payment.",
};

/** Declines that are an issue of the request also for cards. */
const CARD_ISSUES: Readonly<Partial<Record<FailureCode, Issue>>> = {
  card_not_supported: {
    issue: 'CARD_BRAND_NOT_SUPPORTED',
    description: 'Processing of this card brand is not supported.',
  },
  invalid_payment_method: {
    issue: 'PAYMENT_SOURCE_CANNOT_BE_USED',
    description: 'The provided payment source cannot be used to pay for the order.',
  },
};

/** The payer must return to PayPal. */
export const PAYER_ACTION_REQUIRED: Issue = {
  issue: 'PAYER_ACTION_REQUIRED',
  description: 'Transaction cannot complete successfully, instruct the buyer to return to PayPal.',
};

const WALLET_ISSUES: Readonly<Partial<Record<FailureCode, Issue>>> = {
  ...CARD_ISSUES,
  limit_exceeded: {
    issue: 'TRANSACTION_LIMIT_EXCEEDED',
    description: 'Total payment amount exceeded transaction limit.',
  },
  invalid_account: {
    issue: 'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
    description: 'The payer account cannot be used for this transaction.',
  },
  authentication_required: PAYER_ACTION_REQUIRED,
  authorization_revoked: {
    issue: 'AGREEMENT_ALREADY_CANCELLED',
    description: 'The requested agreement is already canceled.',
  },
  fraud_suspected: {
    issue: 'TRANSACTION_BLOCKED_BY_PAYEE',
    description: 'Transaction blocked by the fraud protection settings of the payee.',
  },
};

export const cardIssue = (code: FailureCode): Issue | undefined => CARD_ISSUES[code];
export const walletIssue = (code: FailureCode): Issue => WALLET_ISSUES[code] ?? DECLINED;

export const PAYER_CANNOT_PAY: Issue = {
  issue: 'PAYER_CANNOT_PAY',
  description: 'Payer cannot pay for this transaction.',
};
