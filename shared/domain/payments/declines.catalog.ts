import type { Failure, FailureCategory } from '#shared/domain/payments/payment.model.ts';

/**
 * Whether, where and with what a declined charge may be retried. `only_other_psp`: this PSP will always refuse the same
 * charge.
 */
export type DeclineClass =
  | 'retry_same_later'
  | 'retry_other_psp'
  | 'only_other_psp'
  | 'fix_input'
  | 'new_method'
  | 'never'
  | 'config';

type DeclineEntry = { readonly category: FailureCategory; readonly retry: DeclineClass; readonly message: string };

/**
 * One list of failure codes for all PSPs; an adapter maps its own words onto these. `retry` is the usual class, which a
 * PSP's advice may narrow.
 */
export const FAILURES = {
  insufficient_funds: {
    category: 'soft_decline',
    retry: 'retry_same_later',
    message: 'The account has insufficient funds.',
  },
  card_declined: {
    category: 'soft_decline',
    retry: 'retry_other_psp',
    message: 'The issuer declined without giving a reason.',
  },
  do_not_honor: {
    category: 'soft_decline',
    retry: 'retry_other_psp',
    message: 'The issuer declined without giving a reason.',
  },
  limit_exceeded: {
    category: 'soft_decline',
    retry: 'retry_same_later',
    message: 'A limit of the card or account is exceeded.',
  },
  try_again_later: {
    category: 'soft_decline',
    retry: 'retry_same_later',
    message: 'The issuer asks to try again later.',
  },
  issuer_unavailable: {
    category: 'soft_decline',
    retry: 'retry_other_psp',
    message: 'The issuer could not be reached.',
  },
  authentication_required: {
    category: 'soft_decline',
    retry: 'fix_input',
    message: 'The issuer requires the customer to authenticate.',
  },
  authentication_failed: {
    category: 'soft_decline',
    retry: 'fix_input',
    message: 'The customer could not be authenticated.',
  },
  incorrect_cvc: { category: 'soft_decline', retry: 'fix_input', message: 'The security code is wrong.' },
  invalid_expiry: { category: 'soft_decline', retry: 'fix_input', message: 'The expiry date is wrong.' },
  incorrect_pin: { category: 'soft_decline', retry: 'fix_input', message: 'The PIN or one-time code is wrong.' },
  call_issuer: { category: 'soft_decline', retry: 'new_method', message: 'The customer must contact the issuer.' },
  expired_card: { category: 'hard_decline', retry: 'new_method', message: 'The card has expired.' },
  card_not_supported: {
    category: 'hard_decline',
    retry: 'new_method',
    message: 'The card does not allow this kind of payment.',
  },
  transaction_not_allowed: {
    category: 'hard_decline',
    retry: 'new_method',
    message: 'The issuer does not allow this payment.',
  },
  invalid_payment_method: {
    category: 'hard_decline',
    retry: 'new_method',
    message: 'The payment method cannot be used.',
  },
  invalid_number: { category: 'hard_decline', retry: 'never', message: 'The card or account number is wrong.' },
  lost_card: { category: 'hard_decline', retry: 'never', message: 'The card is reported lost.' },
  stolen_card: { category: 'hard_decline', retry: 'never', message: 'The card is reported stolen.' },
  restricted_card: { category: 'hard_decline', retry: 'never', message: 'The card is blocked.' },
  invalid_account: { category: 'hard_decline', retry: 'never', message: 'The account is closed or does not exist.' },
  authorization_revoked: {
    category: 'hard_decline',
    retry: 'never',
    message: 'The customer has withdrawn the authorization.',
  },
  fraud_suspected: { category: 'fraud', retry: 'never', message: 'The payment is suspected of fraud.' },
  fraud_blocked: { category: 'fraud', retry: 'never', message: 'The fraud policy blocked the payment.' },
  customer_canceled: { category: 'soft_decline', retry: 'fix_input', message: 'The customer gave up the payment.' },
  processing_error: {
    category: 'provider_error',
    retry: 'retry_other_psp',
    message: 'The provider could not process the payment.',
  },
  provider_unavailable: {
    category: 'provider_error',
    retry: 'retry_other_psp',
    message: 'The provider could not be reached; nothing was charged.',
  },
  amount_not_supported: {
    category: 'configuration',
    retry: 'only_other_psp',
    message: 'The provider does not take this amount: it is too small, too large or too finely divided.',
  },
  method_not_supported: {
    category: 'configuration',
    retry: 'retry_other_psp',
    message: 'The provider account does not take this card or method.',
  },
  currency_not_supported: {
    category: 'configuration',
    retry: 'retry_other_psp',
    message: 'The provider account does not take this currency.',
  },
  invalid_configuration: {
    category: 'configuration',
    retry: 'config',
    message: 'The provider refused our request or its credentials.',
  },
  no_route: { category: 'configuration', retry: 'config', message: 'No connection can take this payment.' },
  retry_budget_exhausted: {
    category: 'soft_decline',
    retry: 'retry_same_later',
    message: 'The payment method was declined too often to be tried again now. Nothing was sent to the provider.',
  },
  capture_declined: {
    category: 'provider_error',
    retry: 'retry_same_later',
    message: 'The provider did not capture the amount.',
  },
  authorization_expired: {
    category: 'expired',
    retry: 'fix_input',
    message: 'The authorization ended before it was captured. Nothing was charged.',
  },
  expired: { category: 'expired', retry: 'fix_input', message: 'The customer did not finish in time.' },
} as const satisfies Record<string, DeclineEntry>;

export type FailureCode = keyof typeof FAILURES;

/**
 * Classes after which the merchant may call `/retry`: all except charges that will never be approved, or never at this
 * PSP.
 */
const RETRYABLE: ReadonlySet<DeclineClass> = new Set([
  'retry_same_later',
  'retry_other_psp',
  'fix_input',
  'new_method',
  'config',
]);

export type Decline = {
  readonly code: FailureCode;
  readonly retry: DeclineClass;
  readonly provider_code: string | null;
};

export const declineOf = (
  code: FailureCode,
  provider_code: string | null = null,
  retry: DeclineClass = FAILURES[code].retry,
): Decline => ({
  code,
  retry,
  provider_code,
});

/**
 * Classes of decline that allow failover to another PSP, and categories that never do, even if a PSP's table says
 * otherwise.
 */
const FAILOVER_CLASSES: ReadonlySet<DeclineClass> = new Set(['retry_other_psp', 'only_other_psp', 'config']);
const NO_FAILOVER_CATEGORIES: ReadonlySet<FailureCategory> = new Set(['hard_decline', 'fraud']);

export const mayFailOver = ({ code, retry }: Decline): boolean =>
  FAILOVER_CLASSES.has(retry) && !NO_FAILOVER_CATEGORIES.has(FAILURES[code].category);

/** Failures that the customer or time can remove: the same payment method may succeed later. */
const MAY_RECOVER: ReadonlySet<FailureCode> = new Set([
  'insufficient_funds',
  'limit_exceeded',
  'try_again_later',
  'issuer_unavailable',
  'incorrect_pin',
  'call_issuer',
  'customer_canceled',
  'authorization_expired',
  'expired',
]);

const callsForOtherMethod = (code: FailureCode, retry: DeclineClass): boolean =>
  retry === 'new_method' && !MAY_RECOVER.has(code);

export const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(FAILURES, code);

/** Whether only another payment method can succeed: sending the same one to the PSP again is useless. */
export const needsOtherMethod = ({ code, needs_other_method }: Failure): boolean =>
  needs_other_method ?? (isFailureCode(code) && callsForOtherMethod(code, FAILURES[code].retry));

/**
 * Whether the PSP asks for another method. Until somebody acts, the same one must not be charged again, though for some
 * codes the customer can make it work: by a call to the issuer, or with a new PIN.
 */
export const asksNewMethod = (failure: Failure): boolean =>
  failure.asks_new_method ??
  (needsOtherMethod(failure) || (isFailureCode(failure.code) && FAILURES[failure.code].retry === 'new_method'));

export function failureOf(decline: Decline): Failure {
  const { category, message, retry } = FAILURES[decline.code];
  const needsOther = callsForOtherMethod(decline.code, decline.retry);
  const asksNew = decline.retry === 'new_method';
  return {
    code: decline.code,
    category,
    message,
    provider_code: decline.provider_code,
    retryable: RETRYABLE.has(decline.retry),
    ...(needsOther !== callsForOtherMethod(decline.code, retry) && { needs_other_method: needsOther }),
    ...(asksNew !== (retry === 'new_method') && { asks_new_method: asksNew }),
  };
}

/** Codes hidden from customers, so that card testers don't learn why a card is refused; the merchant sees them all. */
const HIDDEN_FROM_CUSTOMERS: ReadonlySet<string> = new Set([
  'lost_card',
  'stolen_card',
  'fraud_suspected',
  'fraud_blocked',
] satisfies readonly FailureCode[]);

/**
 * A failure as the customer's browser sees it. A provider's own code may reveal the merchant's account or a hidden
 * reason.
 */
export const failureForCustomer = (failure: Failure): Failure =>
  HIDDEN_FROM_CUSTOMERS.has(failure.code) ? failureOf(declineOf('card_declined')) : { ...failure, provider_code: null };
