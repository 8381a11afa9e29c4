import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** The processor's codes of an attempt to charge a card, and the network's advice if there is one. */
export type ProcessorResponse = {
  readonly response_code: string;
  readonly payment_advice_code?: string;
  readonly avs_code?: string;
  readonly cvv_code?: string;
};

export const APPROVED_RESPONSE: ProcessorResponse = { avs_code: 'Y', cvv_code: 'M', response_code: '0000' };

/** As PayPal's sandbox was seen to decline: address and security code are not checked. */
const declined = (response_code: string, payment_advice_code?: string): ProcessorResponse => ({
  avs_code: 'G',
  cvv_code: 'P',
  response_code,
  ...(payment_advice_code !== undefined && { payment_advice_code }),
});

const GENERIC_DECLINE = declined('5100');

/** The control port's failure codes as the processor's codes. Others become the generic decline. */
const RESPONSES: Readonly<Partial<Record<FailureCode, ProcessorResponse>>> = {
  insufficient_funds: declined('5120'),
  card_declined: GENERIC_DECLINE,
  do_not_honor: declined('0500'),
  limit_exceeded: declined('5710'),
  try_again_later: declined('9100', '24'),
  issuer_unavailable: declined('5920'),
  authentication_required: declined('5650'),
  authentication_failed: declined('7710'),
  incorrect_cvc: declined('5110'),
  invalid_expiry: declined('1380'),
  incorrect_pin: declined('5500'),
  call_issuer: declined('5930'),
  expired_card: declined('5400'),
  transaction_not_allowed: declined('5160'),
  invalid_number: declined('1330'),
  invalid_account: declined('1330'),
  lost_card: declined('9520', '03'),
  stolen_card: declined('9520', '03'),
  restricted_card: declined('9540'),
  authorization_revoked: declined('5100', '21'),
  fraud_suspected: declined('9500'),
  processing_error: declined('0960'),
  amount_not_supported: declined('1310'),
  method_not_supported: declined('8030'),
  currency_not_supported: declined('1320'),
  invalid_configuration: declined('8020'),
};

export const processorResponse = (code: FailureCode): ProcessorResponse => RESPONSES[code] ?? GENERIC_DECLINE;

/** Any code that a test asks for by itself, documented or not. */
export const processorCode = declined;

/** Rejection triggers of PayPal's sandbox in the holder's name, with the code that the sandbox was seen to give. */
const REJECTION_TRIGGERS: Readonly<Record<string, string>> = {
  REFUSED: '0500',
  SF: '9500',
  EC: '5400',
  IRC: '5180',
  IF: '5120',
  LS: '9520',
  IA: '1330',
  BANK_ERROR: '5100',
  CVV_F: '00N7',
};

/** The response that the holder's name asks for; undefined for an ordinary name. An unknown trigger is refused. */
export function triggeredResponse(name: string | null): ProcessorResponse | undefined {
  const trigger = /^CCREJECT-(\w+)$/.exec(name ?? '')?.[1];
  return trigger === undefined ? undefined : declined(REJECTION_TRIGGERS[trigger] ?? '0500');
}

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
