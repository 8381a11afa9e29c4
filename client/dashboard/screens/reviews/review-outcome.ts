import type { ReviewMessages, ReviewReason } from '#client/dashboard/screens/reviews/reviews-messages.ts';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';

type Money = (amount: number, currency: string) => string;

/** Statuses that a payment leaves when its review ends: it is canceled. */
const CANCELABLE: ReadonlySet<Payment['status']> = new Set(['created', 'processing', 'requires_action']);

/** What ending this review will do, in sentences. */
export function reviewOutcome(payment: Payment, texts: ReviewMessages, money: Money): readonly string[] {
  const provider = providerName(payment.provider ?? payment.attempts.at(-1)?.provider ?? '');
  const refund = payment.refunds.find(({ id }) => id === payment.review?.refund_id);
  const capture = payment.captures?.find(({ id }) => id === payment.review?.capture_id);
  const parts = [
    refund && refundOutcome(refund, texts, money(refund.amount, payment.currency)),
    capture && texts.willFailCapture(money(capture.amount, payment.currency)),
    CANCELABLE.has(payment.status) && texts.willCancel(provider),
    !CANCELABLE.has(payment.status) && !refund && !capture && texts.willStay(provider),
  ];
  return [texts.checkFirst(provider), ...parts.filter((part) => typeof part === 'string')];
}

type Refund = Payment['refunds'][number];

/** One that the provider has named is not changed. */
const refundOutcome = ({ psp_reference }: Refund, texts: ReviewMessages, amount: string): string =>
  psp_reference === null ? texts.willFailRefund(amount) : texts.willLeaveRefund(amount);

export const isReviewReason = (reason: string, texts: ReviewMessages): reason is ReviewReason =>
  Object.hasOwn(texts.reasons, reason);
