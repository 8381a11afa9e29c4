import {
  authorizedAttempt,
  capturesOf,
  pendingCaptures,
  releasedAmount,
  succeededAmount,
} from '#shared/domain/payments/capture.rules.ts';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import {
  advance,
  announce,
  nameOf,
  replaceAttempt,
  scheduleRelease,
  touched,
} from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment, ReleaseReason } from '#shared/domain/payments/payment.model.ts';
import { addAutomaticRefund } from '#shared/domain/payments/refund.rules.ts';
import type { Verdict, VerdictOf } from '#shared/domain/payments/verdict.model.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** The payment follows this authorization from now on. `payment` has the attempt already. */
export function becomeAuthorized(
  payment: Payment,
  { amount, ...verdict }: VerdictOf<'succeeded' | 'authorized'>,
  at: Date,
): Payment {
  const capturable_until = ('capturable_until' in verdict && verdict.capturable_until) || null;
  const authorized: Payment = {
    ...advance(payment, 'authorize', at),
    authorized_amount: amount,
    ...(amount < payment.amount && { partially_approved: true }),
    captured_amount: 0,
    released_amount: 0,
    capturable_until,
  };
  return announce(authorized, 'payment.authorized', at);
}

/**
 * Marks that the authorization of the payment is to be released, before the PSP is called. From then on nothing is
 * captured. Undefined if that is marked already.
 */
export function beginRelease(payment: Payment, reason: ReleaseReason, at: Date): Payment | undefined {
  const attempt = authorizedAttempt(payment);
  if (!attempt) throw new AppError('payment_not_cancelable', `${nameOf(payment)} can't be canceled.`);
  if (attempt.release) return undefined;
  if (pendingCaptures(payment).length > 0)
    throw new AppError(
      'payment_not_cancelable',
      'A capture of this payment is pending. Cancel the payment once it has succeeded or failed, or refund it then.',
    );
  return scheduleRelease(touched(payment, at), attempt, reason, at);
}

/** The PSP releases nothing, and has released nothing: the payment can be captured again. */
export function clearRelease(payment: Payment, attemptId: string): Payment | undefined {
  const attempt = payment.attempts.find((a) => a.id === attemptId && a.status === 'authorized');
  if (!attempt?.release || attempt.release.done) return undefined;
  const { release: _, ...rest } = attempt;
  return replaceAttempt(payment, rest);
}

/** Records that the PSP was called about a release. */
export function recordReleaseCall(payment: Payment, attemptId: string, at: Date): Payment | undefined {
  const attempt = payment.attempts.find((a) => a.id === attemptId && a.status === 'authorized');
  if (!attempt?.release) return undefined;
  return replaceAttempt(payment, { ...attempt, release: { ...attempt.release, asked_at: at.toISOString() } });
}

/** What a report says about a charge that is authorized already: whether the authorization has ended. */
export function settleAuthorized(payment: Payment, attempt: Attempt, verdict: Verdict, at: Date): Payment | undefined {
  if (verdict.kind === 'canceled') return markReleased(payment, attempt.id, verdict.expired ? 'expire' : 'cancel', at);
  // The PSP has refused what it had accepted before: it has not released the authorization.
  if (verdict.kind === 'processing' && attempt.release?.reason === 'cancel') return clearRelease(payment, attempt.id);
  const hasExpired = verdict.kind === 'failed' && ENDS_AUTHORIZATION.has(verdict.failure.code);
  return hasExpired ? markReleased(payment, attempt.id, 'expire', at) : undefined;
}

/** A late report of a declined try ends nothing. */
const ENDS_AUTHORIZATION: ReadonlySet<string> = new Set(['authorization_expired', 'expired']);

/**
 * The PSP has ended the authorization: nothing more can be captured. Why we wanted it, if we did, decides how the
 * payment ends.
 */
export function markReleased(
  payment: Payment,
  attemptId: string,
  by: 'cancel' | 'expire',
  at: Date,
): Payment | undefined {
  const attempt = payment.attempts.find((a) => a.id === attemptId && a.status === 'authorized');
  if (!attempt || attempt.release?.done) return undefined;
  const { reason = by, since = at.toISOString() } = attempt.release ?? {};
  if (attempt.id !== authorizedAttempt(payment)?.id) return closeUnwanted(payment, attempt, at);
  const released: Attempt = { ...attempt, release: { reason, since, done: true } };
  return concludeAuthorization(replaceAttempt(touched(payment, at), released), at);
}

/** The mark of the release stays: a late report of the same authorization must not bring it back. */
function closeUnwanted(payment: Payment, attempt: Attempt, at: Date): Payment {
  const release = attempt.release && { ...attempt.release, done: true as const };
  return replaceAttempt(touched(payment, at), { ...attempt, status: 'canceled', ...(release && { release }) });
}

/**
 * Ends an authorized payment once nothing more will be captured: after its final capture, or after the release. While a
 * capture is pending nobody knows yet what was captured.
 */
export function concludeAuthorization(payment: Payment, at: Date): Payment {
  const attempt = authorizedAttempt(payment);
  if (!attempt || pendingCaptures(payment).length > 0) return payment;
  const captured = succeededAmount(payment, attempt);
  const wasFinal = capturesOf(payment).some(
    ({ attempt_id, status, final }) => attempt_id === attempt.id && status === 'succeeded' && final,
  );
  const isOver = attempt.release?.done || wasFinal || captured >= (payment.authorized_amount ?? 0);
  if (!isOver) return payment;
  return captured > 0 ? complete(payment, attempt, at) : endUncaptured(payment, attempt, at);
}

/** A capture may have been sent before we learned that the payment's link was paid already: its money goes back. */
function complete(payment: Payment, { release, ...attempt }: Attempt, at: Date): Payment {
  const now = at.toISOString();
  // Nobody could read the refunds of its captures before.
  const unread = attempt.unread_refunds && { unread_refunds: { since: now, next: now } };
  const paid = replaceAttempt(payment, { ...attempt, status: 'succeeded', ...unread });
  const released_amount = releasedAmount(payment);
  const ended = announce({ ...advance(paid, 'capture_all', at), released_amount }, 'payment.succeeded', at);
  return release?.reason === 'link_overpaid'
    ? addAutomaticRefund(ended, attempt, succeededAmount(payment, attempt), release.reason, at)
    : ended;
}

function endUncaptured(payment: Payment, attempt: Attempt, at: Date): Payment {
  const released = { ...payment, released_amount: payment.authorized_amount ?? 0 };
  if (attempt.release?.reason !== 'expire') {
    const canceled = replaceAttempt(released, { ...attempt, status: 'canceled' });
    return announce(advance(canceled, 'void', at), 'payment.canceled', at);
  }
  const failure = failureOf(declineOf('authorization_expired'));
  const expired = replaceAttempt(released, { ...attempt, status: 'failed', failure });
  return announce({ ...advance(expired, 'lapse', at), failure }, 'payment.failed', at);
}

/** How long before its end an authorization is announced as expiring. */
const EXPIRY_NOTICE = DAY;

export const expiryNoticeAt = (capturable_until: string): number => Date.parse(capturable_until) - EXPIRY_NOTICE;

/** Announces once that the authorization ends soon. */
export function announceExpiry(payment: Payment, at: Date): Payment | undefined {
  const { capturable_until: until } = payment;
  if (!until || !authorizedAttempt(payment) || payment.expiry_announced === until) return undefined;
  return announce({ ...payment, expiry_announced: until }, 'payment.authorization_expiring', at);
}
