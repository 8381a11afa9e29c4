import { currentAttempt, isOpen, replaceAttempt } from '#shared/domain/attempts.rules.ts';
import { advance, allows, touched } from '#shared/domain/payment.machine.ts';
import type { Payment } from '#shared/domain/payment.model.ts';

/**
 * A call that may take the money of this charge went out, and no answer could be read: from here on the PSP is asked, as after a
 * charge without an answer. What was taken for ended meanwhile is asked about as well, and stays ended.
 */
export function loseSight(payment: Payment, attemptId: string, at: Date, reference?: string): Payment | undefined {
  const attempt = payment.attempts.find((a) => a.id === attemptId);
  if (!attempt || attempt.status === 'succeeded' || attempt.phase === 'unknown') return undefined;
  const psp_reference = reference ?? attempt.psp_reference;
  const status = isOpen(attempt) ? 'processing' : attempt.status;
  const lost = replaceAttempt(touched(payment, at), { ...attempt, status, psp_reference, phase: 'unknown' });
  if (currentAttempt(payment)?.id !== attempt.id) return lost;
  return { ...(allows(payment, 'resume') ? advance(lost, 'resume', at) : lost), psp_reference };
}
