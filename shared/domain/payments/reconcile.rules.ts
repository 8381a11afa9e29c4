import { isOpen } from '#shared/domain/payments/attempts.rules.ts';
import { touched } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment, Refund } from '#shared/domain/payments/payment.model.ts';

/** Records a poll, so that the next one comes at its time. Only the timer's polls advance the schedule. */
export function noteAsked(payment: Payment, attemptId: string, by: 'timer' | 'reader', at: Date): Payment {
  const noted = (attempt: Attempt): Attempt => ({
    ...attempt,
    asked_at: at.toISOString(),
    ...(by === 'timer' && isOpen(attempt) && { asks: (attempt.asks ?? 0) + 1 }),
  });
  return { ...payment, attempts: payment.attempts.map((a) => (a.id === attemptId ? noted(a) : a)) };
}

export function noteRefundAsked(payment: Payment, refundId: string, at: Date): Payment | undefined {
  const noted = (refund: Refund): Refund => ({ ...refund, asked_at: at.toISOString(), asks: (refund.asks ?? 0) + 1 });
  return payment.refunds.some((r) => r.id === refundId && r.phase !== 'final')
    ? { ...payment, refunds: payment.refunds.map((r) => (r.id === refundId ? noted(r) : r)) }
    : undefined;
}

/** No verdict came: from here on a person decides. */
export function giveUp(payment: Payment, refundId: string | undefined, at: Date): Payment | undefined {
  if (payment.review) return undefined;
  return {
    ...touched(payment, at),
    review: { reason: 'no_verdict', at: at.toISOString(), ...(refundId !== undefined && { refund_id: refundId }) },
  };
}

/** The PSP could not be told to expire its page: tried again then. */
export function postponeExpiry(payment: Payment, attemptId: string, until: Date): Payment | undefined {
  const open = payment.attempts.some((a) => a.id === attemptId && isOpen(a));
  return open
    ? {
        ...payment,
        attempts: payment.attempts.map((a) => (a.id === attemptId ? { ...a, expires_at: until.toISOString() } : a)),
      }
    : undefined;
}
