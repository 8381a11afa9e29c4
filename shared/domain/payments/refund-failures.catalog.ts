import type { Failure, FailureCategory } from '#shared/domain/payments/payment.model.ts';

type RefundFailureEntry = { readonly category: FailureCategory; readonly retryable: boolean; readonly message: string };

/**
 * Refund failure codes for all PSPs; an adapter maps its own onto these. `retryable`: the same refund may succeed
 * later.
 */
export const REFUND_FAILURES = {
  refund_declined: {
    category: 'soft_decline',
    retryable: true,
    message: 'The provider or the bank declined the refund without a reason that is known here.',
  },
  insufficient_balance: {
    category: 'soft_decline',
    retryable: true,
    message: 'The account at the provider holds too little money for this refund.',
  },
  try_again_later: { category: 'soft_decline', retryable: true, message: 'The provider cannot refund the charge yet.' },
  refund_canceled: { category: 'soft_decline', retryable: true, message: 'The refund was canceled at the provider.' },
  already_refunded: {
    category: 'hard_decline',
    retryable: false,
    message: 'A part of this charge was already refunded at the provider. Less than this amount is left to refund.',
  },
  charge_disputed: {
    category: 'hard_decline',
    retryable: false,
    message: 'The charge is disputed, so the provider does not refund it.',
  },
  not_refundable: {
    category: 'hard_decline',
    retryable: false,
    message: 'The provider does not refund this charge, or not in part.',
  },
  invalid_account: {
    category: 'hard_decline',
    retryable: false,
    message: 'The card or account of the customer takes no refund any more.',
  },
  expired: { category: 'expired', retryable: false, message: 'The charge is too old for the provider to refund it.' },
  amount_not_supported: {
    category: 'configuration',
    retryable: false,
    message: 'The provider cannot refund exactly this amount.',
  },
  account_restricted: {
    category: 'configuration',
    retryable: true,
    message: 'The account at the provider may not refund at present.',
  },
  provider_unavailable: {
    category: 'provider_error',
    retryable: true,
    message: 'The provider could not be reached for 30 days, so the refund was not sent.',
  },
  no_verdict: {
    category: 'provider_error',
    retryable: true,
    message: 'The provider never confirmed the refund. A person closed it.',
  },
} as const satisfies Record<string, RefundFailureEntry>;

export type RefundFailureCode = keyof typeof REFUND_FAILURES;

/** A PSP's refusal of a refund. `provider_code`: only what looks like a code, never a sentence. */
export type RefundDecline = { readonly code: RefundFailureCode; readonly provider_code: string | null };

export const refundDecline = (code: RefundFailureCode, provider_code: string | null = null): RefundDecline => ({
  code,
  provider_code,
});

export function refundFailureOf({ code, provider_code }: RefundDecline): Failure {
  const { category, message, retryable } = REFUND_FAILURES[code];
  return { code, category, message, provider_code, retryable };
}
