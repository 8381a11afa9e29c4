import { succeededAmount } from '#shared/domain/payments/capture.rules.ts';
import { withEvent } from '#shared/domain/payments/outbox.rules.ts';
import type {
  Attempt,
  CreateClaim,
  Failure,
  Payment,
  PaymentStatus,
  RefundReason,
  ReleaseReason,
  Review,
} from '#shared/domain/payments/payment.model.ts';
import { addAutomaticRefund, failedAutomaticRefund, mismatchedRest } from '#shared/domain/payments/refund.rules.ts';
import type { AttemptConnection, NewAttempt } from '#shared/domain/payments/verdict.model.ts';
import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import type { RoutedConnection } from '#shared/domain/routing/connection.model.ts';
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
  | 'refund_fails'
  | 'authorize'
  | 'capture_all'
  | 'capture_fails'
  | 'void'
  | 'lapse';

const TRANSITIONS: Record<PaymentStatus, Partial<Record<PaymentStep, PaymentStatus>>> = {
  created: { start: 'processing', fail: 'failed', cancel: 'canceled' },
  processing: {
    ask_customer: 'requires_action',
    authorize: 'authorized',
    succeed: 'succeeded',
    fail: 'failed',
    cancel: 'canceled',
  },
  requires_action: {
    ask_customer: 'requires_action',
    resume: 'processing',
    authorize: 'authorized',
    succeed: 'succeeded',
    fail: 'failed',
    cancel: 'canceled',
  },
  // Steps of their own: what moves a payment that has no money yet must not move one that is authorized.
  authorized: { capture_all: 'succeeded', void: 'canceled', lapse: 'failed' },
  failed: { retry: 'processing', fail: 'failed', authorize: 'authorized', succeed: 'succeeded' },
  succeeded: { refund_all: 'refunded', capture_fails: 'authorized' },
  refunded: { refund_fails: 'succeeded' },
  canceled: {},
};

const STEP_ERRORS: Partial<Record<PaymentStep, ErrorCode>> = {
  start: 'payment_not_confirmable',
  resume: 'payment_not_confirmable',
  cancel: 'payment_not_cancelable',
  retry: 'payment_not_retryable',
};

const PARTICIPLES: Partial<Record<PaymentStep, string>> = {
  start: 'confirmed',
  resume: 'confirmed',
  cancel: 'canceled',
  retry: 'retried',
};

export const allows = (payment: Payment, step: PaymentStep): boolean => TRANSITIONS[payment.status][step] !== undefined;

/** The only way a payment changes state. Throws for a step that the state does not allow. */
export function advance(payment: Payment, step: PaymentStep, at: Date): Payment {
  const status = TRANSITIONS[payment.status][step];
  if (!status)
    throw new AppError(
      STEP_ERRORS[step] ?? 'internal_error',
      `${nameOf(payment)} can't be ${PARTICIPLES[step] ?? step}.`,
    );
  return { ...touched(payment, at), status, next_action: status === 'requires_action' ? payment.next_action : null };
}

/** The payment as the subject of an error message. */
export const nameOf = ({ status }: Pick<Payment, 'status'>): string =>
  `${status === 'authorized' ? 'An' : 'A'} ${status} payment`;

export const touched = (payment: Payment, at: Date): Payment => ({ ...payment, updated_at: at.toISOString() });

/** Whether the attempt still waits for the PSP's verdict or the customer. */
export const isOpen = (attempt: Attempt): boolean => attempt.phase !== 'final';

/** The call may have been sent, and its outcome is unknown. */
export const isUnknown = (attempt: Attempt): boolean => attempt.phase === 'calling' || attempt.phase === 'unknown';

/** Whether the attempt's charge has taken money, or reserved it. */
export const isPaid = ({ status }: Attempt): boolean => status === 'succeeded' || status === 'authorized';

export const currentAttempt = (payment: Payment): Attempt | undefined => payment.attempts.at(-1);

/**
 * Whether another attempt has this charge already. A PSP may report the charge of a page under a reference that the
 * attempt of the page does not have yet. The charge is then assigned to a newer attempt, and must be counted once.
 */
export const isChargeCounted = ({ attempts }: Payment, { id, connection_id }: Attempt, reference: string): boolean =>
  attempts.some((a) => a.id !== id && a.connection_id === connection_id && isPaid(a) && a.psp_reference === reference);

/** Replaces the attempt of the same id. */
export const replaceAttempt = (payment: Payment, attempt: Attempt): Payment => ({
  ...payment,
  attempts: payment.attempts.map((a) => (a.id === attempt.id ? attempt : a)),
});

/** A new attempt, written before the PSP is called. */
export function startAttempt(payment: Payment, newAttempt: NewAttempt, step: 'start' | 'retry', at: Date): Payment {
  return withAttempt({ ...advance(payment, step, at), failure: null }, newAttempt, at);
}

/** Adds an attempt, which becomes the current one. */
export function withAttempt(payment: Payment, newAttempt: NewAttempt, at: Date): Payment {
  const { alternatives, ...rest } = newAttempt;
  const attempt: Attempt = {
    ...rest,
    status: 'processing',
    failure: null,
    psp_reference: null,
    latency_ms: null,
    started_at: at.toISOString(),
    phase: 'calling',
  };
  return {
    ...payment,
    connection_id: newAttempt.connection_id,
    provider: newAttempt.provider,
    psp_reference: null,
    alternatives,
    attempts: [...payment.attempts, attempt],
  };
}

/** Fails a payment that was not sent to a PSP: no connection can take it, or the fraud policy blocked it. */
export function failUnsent(payment: Payment, failure: Failure, at: Date): Payment {
  return announce({ ...advance(payment, 'fail', at), failure }, 'payment.failed', at);
}

/**
 * Blocks a payment whose attempt is stored but not sent. The velocity rules run only after the payment is stored: they
 * count it under its stored id, so a repeat counts once.
 */
export const blockBeforeSending = (payment: Payment, reasons: readonly string[], failure: Failure, at: Date): Payment =>
  failPlannedAttempt({ ...payment, fraud: { decision: 'blocked', reasons } }, failure, at);

/** Drops the planned attempt: another attempt has paid the payment. */
export const withoutPlannedAttempt = (payment: Payment): Payment => ({
  ...payment,
  attempts: payment.attempts.slice(0, -1),
  ...unsentAttemptMark(payment),
});

/** Without the lease, for which nobody waits any more: each kilobyte of a payment costs units. */
export const answeredClaim = ({
  lease_until: _,
  ...claim
}: CreateClaim & { readonly lease_until?: string }): CreateClaim => ({ ...claim, answered: true });

/** Fails the payment and drops its planned attempt, which is never sent. */
export function failPlannedAttempt(payment: Payment, failure: Failure, at: Date): Payment {
  const { unscreened: _, ...rest } = payment;
  const attempts = payment.attempts.slice(0, -1);
  const { connection_id = null, provider = null, psp_reference = null } = attempts.at(-1) ?? {};
  const unsent: Payment = {
    ...rest,
    attempts,
    connection_id,
    provider,
    psp_reference,
    alternatives: [],
    ...unsentAttemptMark(payment),
  };
  const failed = failUnsent(unsent, failure, at);
  return { ...failed, claim: failed.claim && answeredClaim(failed.claim) };
}

function unsentAttemptMark(payment: Payment): Pick<Payment, 'unsent'> {
  const last = payment.attempts.at(-1);
  return last ? { unsent: last.id } : {};
}

/**
 * Keeps the open review, or starts the next one that the payment needs. A payment has one review at a time, so that
 * none is lost (docs/adr/0013).
 */
export const withCurrentReview = (payment: Payment, at: Date): Payment =>
  payment.review && isReviewOpen(payment, payment.review) ? payment : { ...payment, review: nextReview(payment, at) };

/** A verdict on the current charge ends the review that waited for one. A review about anything else stays. */
export const reviewAfterVerdict = ({ review }: Payment): Review | null =>
  review && isAboutCharge(review) ? null : review;

const isAboutCharge = ({ reason, refund_id, capture_id }: Review): boolean =>
  reason === 'no_verdict' && refund_id === undefined && capture_id === undefined;

function isReviewOpen(payment: Payment, review: Review): boolean {
  if (review.reason === 'amount_mismatch')
    return payment.attempts.some(({ id, wrong_amount }) => id === review.attempt_id && wrong_amount !== undefined);
  if (isAboutCharge(review) || review.reason === 'capture_failed') return true;
  if (review.capture_id !== undefined)
    return payment.captures?.some(({ id, status }) => id === review.capture_id && status === 'pending') ?? false;
  const refund = payment.refunds.find(({ id }) => id === review.refund_id);
  if (!refund) return false;
  return review.reason === 'no_verdict'
    ? refund.phase !== 'final' && !refund.given_up
    : failedAutomaticRefund(payment, refund.attempt_id) !== undefined;
}

/** The next review that the payment needs. A missing verdict is not found here: the timer starts that review. */
function nextReview(payment: Payment, time: Date): Review | null {
  const at = time.toISOString();
  for (const { id, wrong_amount } of payment.attempts) {
    if (wrong_amount)
      return {
        reason: 'amount_mismatch',
        at,
        attempt_id: id,
        psp_amount: wrong_amount.amount,
        psp_currency: wrong_amount.currency,
      };
    const failedRefund = failedAutomaticRefund(payment, id);
    if (failedRefund) return { reason: 'refund_failed', at, refund_id: failedRefund.id };
  }
  return null;
}

/** Adds an event to the outbox. The write that stores the payment also stores the event. */
export function announce(
  payment: Payment,
  type: EventType,
  at: Date,
  extra: Readonly<Record<string, unknown>> = {},
): Payment {
  const values: Record<string, unknown> = { ...extra };
  for (const field of payment.capture ? MANUAL_SNAPSHOT_FIELDS : SNAPSHOT_FIELDS) values[field] = payment[field];
  return withEvent(payment, type, at, values);
}

/**
 * Fields of the payment in an event that may change before the event is delivered. The stub of the event keeps their
 * values.
 */
const SNAPSHOT_FIELDS = ['status', 'provider', 'failure', 'amount_refunded'] as const;
const MANUAL_SNAPSHOT_FIELDS = [
  ...SNAPSHOT_FIELDS,
  'authorized_amount',
  'captured_amount',
  'released_amount',
  'capturable_until',
] as const;

/** Marks an authorization that is to be released. A cancel, `sendAutomaticRefunds` or the timer asks the PSP to. */
export const scheduleRelease = (payment: Payment, attempt: Attempt, reason: ReleaseReason, at: Date): Payment =>
  replaceAttempt(payment, { ...attempt, release: { reason, since: at.toISOString() } });

/**
 * Refunds every charge whose amount does not match the payment. Its attempt then counts as settled, so a repeated
 * report changes nothing.
 */
export const refundMismatchedAmounts = (payment: Payment, reason: RefundReason, at: Date): Payment =>
  payment.attempts.reduce((p, { wrong_amount, ...attempt }) => {
    if (!wrong_amount) return p;
    const ended = { ...attempt, failure: null, phase: 'final' } as const;
    const captured = p.capture ? succeededAmount(p, attempt) : 0;
    if (p.capture && captured === 0) return scheduleRelease(p, { ...ended, status: 'authorized' }, reason, at);
    const updated = replaceAttempt(p, { ...ended, status: 'succeeded' });
    // A part of it may have been refunded at the PSP.
    const charged = p.capture ? { ...wrong_amount, amount: captured } : wrong_amount;
    const rest = mismatchedRest(p, { ...attempt, wrong_amount: charged });
    return rest > 0 ? addAutomaticRefund(updated, attempt, rest, reason, at, wrong_amount.currency) : updated;
  }, payment);

export const withoutMismatchedAmount = ({ wrong_amount: _, ...attempt }: Attempt): Attempt => attempt;

/** Removes the mark once the velocity rules were applied: the payment is not screened again. */
export function withoutScreeningMark(payment: Payment | undefined): Payment | undefined {
  if (!payment?.unscreened) return payment;
  const { unscreened: _, ...rest } = payment;
  return rest;
}

export const attemptConnectionOf = ({
  id,
  provider,
  credentials_mark,
  generation,
  workflow_id,
}: RoutedConnection): AttemptConnection => ({
  connection_id: id,
  provider,
  ...(credentials_mark !== undefined && { credentials_mark }),
  ...(generation > 1 && { generation }),
  ...(workflow_id !== null && { workflow_id }),
});
