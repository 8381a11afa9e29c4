import { currentAttempt, isOpen, replaceAttempt } from '#shared/domain/payments/attempts.rules.ts';
import { advance, allows, touched } from '#shared/domain/payments/payment.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';

/**
 * A call that may take this charge's money went out, and its answer was unreadable: from here on the PSP is polled, as
 * for a charge without an answer. An attempt that counted as ended is polled too, and stays ended.
 */
export function markOutcomeUnknown(
  payment: Payment,
  attemptId: string,
  at: Date,
  reference?: string,
): Payment | undefined {
  const attempt = payment.attempts.find((a) => a.id === attemptId);
  if (!attempt || attempt.status === 'succeeded' || attempt.wrong_amount || attempt.phase === 'unknown')
    return undefined;
  const psp_reference = reference ?? attempt.psp_reference;
  const status = isOpen(attempt) ? 'processing' : attempt.status;
  const lost = replaceAttempt(touched(payment, at), { ...attempt, status, psp_reference, phase: 'unknown' });
  if (currentAttempt(payment)?.id !== attempt.id || !allows(payment, 'succeed')) return lost;
  return { ...(allows(payment, 'resume') ? advance(lost, 'resume', at) : lost), psp_reference };
}
