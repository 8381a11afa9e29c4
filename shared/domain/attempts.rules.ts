import type { Attempt, Payment } from '#shared/domain/payment.model.ts';

/** Whether we wait for the PSP's word on this attempt, or for the customer's act. */
export const isOpen = (attempt: Attempt): boolean => attempt.phase !== 'final';

/** The call may have gone out and we don't know what became of it. */
export const isUnknown = (attempt: Attempt): boolean => attempt.phase === 'calling' || attempt.phase === 'unknown';

export const currentAttempt = (payment: Payment): Attempt | undefined => payment.attempts.at(-1);

/** A page's charge may be told of by a name that the page's attempt doesn't bear yet, and so have been taken for a newer attempt's. It is one charge. */
export const isCounted = ({ attempts }: Payment, { id, connection_id }: Attempt, reference: string): boolean =>
  attempts.some((a) => a.id !== id && a.connection_id === connection_id && a.status === 'succeeded' && a.psp_reference === reference);

/** The payment with this attempt in the place of the one of the same id. */
export const replaceAttempt = (payment: Payment, attempt: Attempt): Payment => ({
  ...payment,
  attempts: payment.attempts.map((a) => (a.id === attempt.id ? attempt : a)),
});
