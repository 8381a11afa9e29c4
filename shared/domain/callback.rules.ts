import { isOpen } from '#shared/domain/attempts.rules.ts';
import type { SentThrough } from '#shared/domain/connection-credentials.rules.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import { derivedId } from '#shared/kernel/ids.ts';

/**
 * Which attempt a PSP speaks of. By its reference, or our own id; else, as the reference may come before our own call has returned with
 * it or change on the way (a hosted page's session becomes a charge), the newest attempt there that has not succeeded,
 * open ones first, of the account that speaks if any. None, where our id is that of an attempt which another charge has paid: this one is a second.
 */
export function attemptFor(
  payment: Payment,
  { connection_id, credentials_mark }: Pick<SentThrough, 'connection_id' | 'credentials_mark'>,
  references: readonly (string | null | undefined)[],
): Attempt | undefined {
  const referenced = payment.attempts.find((a) => a.psp_reference !== null && references.includes(a.psp_reference));
  if (referenced) return referenced;
  const ours = payment.attempts.find((a) => references.includes(a.id));
  if (ours) return ours.status === 'succeeded' ? undefined : ours;
  const all = payment.attempts.filter((a) => a.connection_id === connection_id && a.status !== 'succeeded').reverse();
  const sameAccount = all.filter((a) => a.credentials_mark === credentials_mark);
  const there = sameAccount.length > 0 ? sameAccount : all;
  return there.find(isOpen) ?? there.find((a) => a.psp_reference === null) ?? there[0];
}

/** A charge for this payment that none of its attempts accounts for: recorded as one, so that its money is not forgotten. */
export function adoptCharge(payment: Payment, through: SentThrough, reference: string, at: Date): { readonly payment: Payment; readonly attemptId: string } {
  const attempt: Attempt = {
    id: derivedId('attempt', at, payment.id, reference),
    ...through,
    status: 'processing',
    failure: null,
    psp_reference: reference,
    latency_ms: null,
    started_at: at.toISOString(),
    phase: 'accepted',
  };
  return { payment: { ...payment, attempts: [...payment.attempts, attempt] }, attemptId: attempt.id };
}
