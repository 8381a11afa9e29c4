import { isOpen, isPaid } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { AttemptConnection } from '#shared/domain/payments/verdict.model.ts';
import { derivedId } from '#shared/kernel/ids.ts';

/**
 * Finds the attempt that a callback is about, by its PSP reference or our own id. A callback may come before our call
 * returns with the reference, and the reference may change (the session of a hosted page becomes a charge). Then it is
 * the newest unpaid attempt at this connection; open attempts and those with the same credentials come first. Undefined
 * for our id of an attempt that another charge has paid: this is a second charge.
 */
export function findReportedAttempt(
  payment: Payment,
  { connection_id, credentials_mark }: Pick<AttemptConnection, 'connection_id' | 'credentials_mark'>,
  references: readonly (string | null | undefined)[],
): Attempt | undefined {
  const referenced = payment.attempts.find((a) => a.psp_reference !== null && references.includes(a.psp_reference));
  if (referenced) return referenced;
  const byOurId = payment.attempts.find((a) => references.includes(a.id));
  if (byOurId) return isPaid(byOurId) ? undefined : byOurId;
  const unpaid = payment.attempts.filter((a) => a.connection_id === connection_id && !isPaid(a)).reverse();
  const sameAccount = unpaid.filter((a) => a.credentials_mark === credentials_mark);
  const candidates = sameAccount.length > 0 ? sameAccount : unpaid;
  return candidates.find(isOpen) ?? candidates.find((a) => a.psp_reference === null) ?? candidates[0];
}

/** Records a charge that matches no attempt of the payment as a new attempt, so that its money is not lost. */
export function adoptCharge(
  payment: Payment,
  attemptConnection: AttemptConnection,
  reference: string,
  at: Date,
): { readonly payment: Payment; readonly attemptId: string } {
  const attempt: Attempt = {
    id: derivedId('attempt', at, payment.id, reference),
    ...attemptConnection,
    status: 'processing',
    failure: null,
    psp_reference: reference,
    latency_ms: null,
    started_at: at.toISOString(),
    phase: 'accepted',
  };
  return { payment: { ...payment, attempts: [...payment.attempts, attempt] }, attemptId: attempt.id };
}
