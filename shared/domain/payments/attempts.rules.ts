import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';

/** Whether the attempt still waits for the PSP's verdict or the customer. */
export const isOpen = (attempt: Attempt): boolean => attempt.phase !== 'final';

/** The call may have gone out, and its outcome is not known. */
export const isUnknown = (attempt: Attempt): boolean => attempt.phase === 'calling' || attempt.phase === 'unknown';

export const currentAttempt = (payment: Payment): Attempt | undefined => payment.attempts.at(-1);

/**
 * Whether this charge is counted already. A page's charge may have come under a reference that the page's attempt does
 * not have yet, and been assigned to a newer attempt: it is one charge.
 */
export const isCounted = ({ attempts }: Payment, { id, connection_id }: Attempt, reference: string): boolean =>
  attempts.some(
    (a) =>
      a.id !== id && a.connection_id === connection_id && a.status === 'succeeded' && a.psp_reference === reference,
  );

/** Replaces the attempt of the same id. */
export const replaceAttempt = (payment: Payment, attempt: Attempt): Payment => ({
  ...payment,
  attempts: payment.attempts.map((a) => (a.id === attempt.id ? attempt : a)),
});
