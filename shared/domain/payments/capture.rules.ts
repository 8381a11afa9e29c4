import type { Attempt, Capture, Payment } from '#shared/domain/payments/payment.model.ts';
import { plus } from '#shared/kernel/clock.ts';

/** What the customer has paid: the amount, or what was captured of it. */
export const paidAmount = ({ capture, amount, captured_amount = 0 }: Payment): number =>
  capture ? captured_amount : amount;

export const capturesOf = ({ captures = [] }: Payment): readonly Capture[] => captures;

/** The attempt of this charge. Where a PSP refunds captures and not charges, its events name one of the captures. */
export function chargeOf(payment: Payment, reference: string | null): Attempt | undefined {
  if (reference === null) return undefined;
  const capture = capturesOf(payment).find(({ psp_reference }) => psp_reference === reference);
  return (
    payment.attempts.find(({ psp_reference }) => psp_reference === reference) ??
    payment.attempts.find(({ id }) => id === capture?.attempt_id)
  );
}

/** Captures with a reference of their own, which finds the payment. */
export const namedCaptures = (payment: Payment): readonly NamedCapture[] =>
  capturesOf(payment).flatMap(({ id, psp_reference, attempt_id }) => {
    const attempt = payment.attempts.find((each) => each.id === attempt_id);
    const isNamed = attempt && psp_reference !== null && psp_reference !== attempt.psp_reference;
    return isNamed ? [{ id, provider: attempt.provider, psp_reference }] : [];
  });

type NamedCapture = Pick<Attempt, 'id' | 'provider' | 'psp_reference'>;

/** The attempt whose authorization the payment may capture. Any other authorization is released. */
export const authorizedAttempt = ({ status, attempts, connection_id, psp_reference }: Payment): Attempt | undefined =>
  status === 'authorized'
    ? attempts.find(
        (a) => a.status === 'authorized' && a.connection_id === connection_id && a.psp_reference === psp_reference,
      )
    : undefined;

/** What the captures of this authorization take together, if the pending ones succeed. */
const capturedOrPending = (payment: Payment, { id }: Attempt): number =>
  sumOf(capturesOf(payment).filter(({ attempt_id, status }) => attempt_id === id && status !== 'failed'));

export const capturableRest = (payment: Payment, attempt: Attempt): number =>
  (payment.authorized_amount ?? 0) - capturedOrPending(payment, attempt);

export const pendingCaptures = (payment: Payment): readonly Capture[] =>
  capturesOf(payment).filter(({ status }) => status === 'pending');

export const succeededAmount = (payment: Payment, { id }: Attempt): number =>
  sumOf(capturesOf(payment).filter(({ attempt_id, status }) => attempt_id === id && status === 'succeeded'));

/** Of an authorization that has ended: what was not captured. */
export const releasedAmount = ({ authorized_amount, captured_amount = 0 }: Payment): number =>
  Math.max(0, (authorized_amount ?? 0) - captured_amount);

export const sumOf = (parts: readonly { readonly amount: number }[]): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0);

/** An authorization of a PSP that does not tell how long it lasts lasts as long as the PSP documents. */
export const withEnd = <O extends { readonly kind: string; readonly capturable_until?: string }>(
  outcome: O,
  manualCapture: { readonly validityMs: number } | undefined,
  at: Date,
): O =>
  outcome.kind === 'authorized' && outcome.capturable_until === undefined && manualCapture
    ? { ...outcome, capturable_until: plus(at, manualCapture.validityMs).toISOString() }
    : outcome;
