import type { Payment, PaymentStatus } from '#shared/domain/payments/payment.model.ts';
import { AppError, type ErrorCode } from '#shared/kernel/errors.ts';

export type PaymentStep =
  | 'start'
  | 'ask_customer'
  | 'resume'
  | 'succeed'
  | 'fail'
  | 'cancel'
  | 'retry'
  | 'refund_all'
  | 'refund_fails';

const NEXT: Record<PaymentStatus, Partial<Record<PaymentStep, PaymentStatus>>> = {
  created: { start: 'processing', fail: 'failed', cancel: 'canceled' },
  processing: { ask_customer: 'requires_action', succeed: 'succeeded', fail: 'failed', cancel: 'canceled' },
  requires_action: {
    ask_customer: 'requires_action',
    resume: 'processing',
    succeed: 'succeeded',
    fail: 'failed',
    cancel: 'canceled',
  },
  failed: { retry: 'processing', fail: 'failed', succeed: 'succeeded' },
  succeeded: { refund_all: 'refunded' },
  refunded: { refund_fails: 'succeeded' },
  canceled: {},
};

const REFUSAL: Partial<Record<PaymentStep, ErrorCode>> = {
  start: 'payment_not_confirmable',
  resume: 'payment_not_confirmable',
  cancel: 'payment_not_cancelable',
  retry: 'payment_not_retryable',
};

const WORDS: Partial<Record<PaymentStep, string>> = {
  start: 'confirmed',
  resume: 'confirmed',
  cancel: 'canceled',
  retry: 'retried',
};

export const allows = (payment: Payment, step: PaymentStep): boolean => NEXT[payment.status][step] !== undefined;

/** The only way a payment changes state. Throws for a step that the state does not allow. */
export function advance(payment: Payment, step: PaymentStep, at: Date): Payment {
  const status = NEXT[payment.status][step];
  if (!status)
    throw new AppError(
      REFUSAL[step] ?? 'internal_error',
      `A ${payment.status} payment can't be ${WORDS[step] ?? step}.`,
    );
  return { ...touched(payment, at), status, next_action: status === 'requires_action' ? payment.next_action : null };
}

export const touched = (payment: Payment, at: Date): Payment => ({ ...payment, updated_at: at.toISOString() });
