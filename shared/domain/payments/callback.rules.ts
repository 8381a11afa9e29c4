import { isOpen } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { AttemptConnection } from '#shared/domain/payments/verdict.model.ts';
import { derivedId } from '#shared/kernel/ids.ts';

/**
 * The attempt that a callback is about: by its reference or our own id. The reference may come before our own call
 * returns with it, or change on the way (a hosted page's session becomes a charge); then it is the newest unsuccessful
 * attempt at this connection, open ones and ones of the same account first. Undefined for our id of an attempt that
 * another charge has paid: this one is a second charge.
 */
export function attemptFor(
  payment: Payment,
  { connection_id, credentials_mark }: Pick<AttemptConnection, 'connection_id' | 'credentials_mark'>,
  references: readonly (string | null | undefined)[],
): Attempt | undefined {
  const referenced = payment.attempts.find((a) => a.psp_reference !== null && references.includes(a.psp_reference));
  if (referenced) return referenced;
  const byOurId = payment.attempts.find((a) => references.includes(a.id));
  if (byOurId) return byOurId.status === 'succeeded' ? undefined : byOurId;
  const all = payment.attempts.filter((a) => a.connection_id === connection_id && a.status !== 'succeeded').reverse();
  const sameAccount = all.filter((a) => a.credentials_mark === credentials_mark);
  const there = sameAccount.length > 0 ? sameAccount : all;
  return there.find(isOpen) ?? there.find((a) => a.psp_reference === null) ?? there[0];
}

/** A charge for this payment that matches none of its attempts: recorded as one, so that its money is not forgotten. */
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
