import type { Payment } from '#client/typescript/src/generated/schemas.ts';

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** What can still be refunded: what was taken, without what is refunded or on its way. The API decides. */
export function leftToRefund({ status, capture, captured_amount, amount, refunds, attempts }: Payment): number {
  if (status !== 'succeeded') return 0;
  const taken = capture === 'manual' ? (captured_amount ?? 0) : amount;
  const charged = attempts.findLast((attempt) => attempt.status === 'succeeded')?.id;
  const given = refunds.filter((refund) => refund.attempt_id === charged && refund.status !== 'failed');
  return Math.max(0, taken - sum(given.map((refund) => refund.amount)));
}

/** What of an authorization can still be captured. */
export function leftToCapture({ status, authorized_amount, captures = [] }: Payment): number {
  if (status !== 'authorized') return 0;
  const taken = captures.filter((capture) => capture.status !== 'failed').map(({ amount }) => amount);
  return Math.max(0, (authorized_amount ?? 0) - sum(taken));
}

const CANCELABLE: readonly Payment['status'][] = ['created', 'processing', 'requires_action', 'authorized'];

export const canCancel = ({ status, review }: Payment): boolean => !review && CANCELABLE.includes(status);

export const canRetry = ({ status, failure, review }: Payment): boolean =>
  status === 'failed' && !review && failure?.retryable === true;

/** Something will happen to it by itself within seconds: it is worth to look again. */
export const isMoving = ({ status, refunds, captures = [] }: Payment): boolean =>
  status === 'processing' || [...refunds, ...captures].some((part) => part.status === 'pending');
