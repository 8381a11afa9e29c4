import { concludeAuthorization } from '#shared/domain/payments/authorization.machine.ts';
import {
  authorizedAttempt,
  capturesOf,
  pendingCaptures,
  releasedAmount,
  succeededAmount,
  sumOf,
} from '#shared/domain/payments/capture.rules.ts';
import { type Decline, declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import { addMarker, hasMarker } from '#shared/domain/payments/idempotency-markers.rules.ts';
import {
  advance,
  allows,
  announce,
  replaceAttempt,
  touched,
  withCurrentReview,
} from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Capture, Payment, RefundReason } from '#shared/domain/payments/payment.model.ts';
import { addAutomaticRefund, automaticRefunds, chargedAttempt } from '#shared/domain/payments/refund.rules.ts';
import type { SentVerdict } from '#shared/domain/payments/verdict.model.ts';

export type CaptureVerdict = SentVerdict<Decline>;

/**
 * Leases the sending of a capture to one worker. `undefined` if another worker has the lease, or if there is nothing to
 * send. A capture that another worker began to send may have reached the PSP, so its outcome is unknown.
 */
export function leaseCapture(payment: Payment, captureId: string, until: Date, at: Date): Payment | undefined {
  const capture = capturesOf(payment).find(({ id }) => id === captureId);
  const isFree = capture?.status === 'pending' && !(capture.sending_until && capture.sending_until > at.toISOString());
  if (!isFree) return undefined;
  const sending_until = until.toISOString();
  return replaceCapture(
    payment,
    capture.phase === 'unsent'
      ? { ...capture, phase: 'calling', sent_at: at.toISOString(), sending_until }
      : { ...capture, phase: capture.phase === 'calling' ? 'unknown' : capture.phase, sending_until },
  );
}

/**
 * Applies a verdict on a capture; `undefined` for no change. One that counts as failed may turn out to have been made,
 * unless the PSP itself has said that it failed: then its money was taken.
 */
export function settleCapture(
  payment: Payment,
  captureId: string,
  verdict: CaptureVerdict,
  at: Date,
): Payment | undefined {
  const capture = capturesOf(payment).find(({ id }) => id === captureId);
  if (!capture) return undefined;
  if (capture.status === 'failed' && (capture.denied || verdict.kind !== 'succeeded')) return undefined;
  switch (verdict.kind) {
    case 'not_sent':
      return capture.phase === 'calling' ? replaceCapture(payment, unsent(capture, at)) : undefined;
    case 'unknown':
      return capture.phase === 'calling'
        ? replaceCapture(payment, { ...withoutLease(capture), phase: 'unknown' })
        : undefined;
    case 'accepted':
      return capture.status === 'succeeded' || (capture.phase === 'accepted' && capture.psp_reference !== null)
        ? undefined
        : replaceCapture(touched(payment, at), accepted(capture, verdict.reference));
    case 'succeeded':
      return capture.status === 'succeeded' ? undefined : take(payment, capture, verdict.reference, at);
    case 'failed':
      // That a repeated send is refused does not undo what the PSP has reported.
      return capture.status === 'succeeded' && verdict.reference === null
        ? undefined
        : fail(payment, capture, verdict, at);
  }
}

const withoutLease = ({ sending_until: _, ...capture }: Capture): Capture => capture;

function unsent(capture: Capture, at: Date): Capture {
  const { sent_at: _, ...rest } = withoutLease(capture);
  return { ...rest, phase: 'unsent', asked_at: at.toISOString() };
}

const accepted = (capture: Capture, psp_reference: string): Capture => ({
  ...withoutLease(capture),
  status: 'pending',
  failure: null,
  phase: 'accepted',
  psp_reference,
});

function take(payment: Payment, before: Capture, reference: string, at: Date): Payment {
  const capture: Capture = { ...accepted(before, reference), status: 'succeeded', phase: 'final' };
  const known = withCurrentReview(replaceCapture(touched(payment, at), capture), at);
  const attempt = known.attempts.find(({ id }) => id === capture.attempt_id);
  if (!attempt) return known;
  const isOwn = authorizedAttempt(known)?.id === attempt.id || chargedAttempt(known)?.id === attempt.id;
  // A charge of a wrong amount is under review. If that ends with a cancel, what was captured is refunded.
  const isLate = !isOwn && !attempt.wrong_amount && capture.currency === undefined && allows(known, 'succeed');
  const counted = isOwn || isLate ? withCapturedAmount(known, attempt) : known;
  const announced = announce(counted, 'payment.captured', at, { capture: wasOf(capture) });
  if (isOwn) return takeOwn(announced, at);
  if (isLate) return succeedLate(announced, attempt, at);
  return attempt.wrong_amount ? announced : refundUnwanted(announced, attempt, at);
}

/** What was captured of an authorization that the payment may not keep goes back, once. */
export function refundUnwanted(payment: Payment, attempt: Attempt, at: Date): Payment {
  const owed = succeededAmount(payment, attempt) - sumOf(automaticRefunds(payment, attempt.id));
  if (owed <= 0) return payment;
  const currency = capturesOf(payment).find(({ attempt_id }) => attempt_id === attempt.id)?.currency;
  const paid = replaceAttempt(touched(payment, at), paidAttempt(attempt));
  return addAutomaticRefund(paid, attempt, owed, refundReasonOf(attempt), at, currency);
}

function paidAttempt({ release: _, ...attempt }: Attempt): Attempt {
  return { ...attempt, status: 'succeeded', failure: null, phase: 'final' };
}

const refundReasonOf = ({ release }: Attempt): RefundReason =>
  release === undefined || release.reason === 'cancel' || release.reason === 'expire' ? 'after_cancel' : release.reason;

const withCapturedAmount = (payment: Payment, attempt: Attempt): Payment => ({
  ...payment,
  captured_amount: succeededAmount(payment, attempt),
});

/** A payment that has succeeded already has got more of its authorization. */
function takeOwn(payment: Payment, at: Date): Payment {
  if (payment.status === 'authorized') return concludeAuthorization(payment, at);
  const reopened = payment.status === 'refunded' ? advance(payment, 'refund_fails', at) : payment;
  return { ...reopened, released_amount: releasedAmount(payment) };
}

/** Nobody expected this capture any more: the payment had no money, and is paid late. */
function succeedLate(payment: Payment, attempt: Attempt, at: Date): Payment {
  const { connection_id, provider, psp_reference } = attempt;
  const charged = {
    ...replaceAttempt(payment, paidAttempt(attempt)),
    connection_id,
    provider,
    psp_reference,
    failure: null,
    late_success: true,
  };
  const released_amount = releasedAmount(payment);
  return announce({ ...advance(charged, 'succeed', at), released_amount, alternatives: [] }, 'payment.succeeded', at);
}

type FailedVerdict = Extract<CaptureVerdict, { kind: 'failed' }>;

/** A capture that had succeeded may fail later. Then its money was not taken after all. */
function fail(payment: Payment, before: Capture, { reference, decline }: FailedVerdict, at: Date): Payment {
  const capture: Capture = {
    ...withoutLease(before),
    status: 'failed',
    failure: failureOf(decline),
    phase: 'final',
    psp_reference: reference ?? before.psp_reference,
    ...(reference !== null && { denied: true }),
  };
  const failed = withCurrentReview(replaceCapture(touched(payment, at), capture), at);
  const charged = chargedAttempt(payment) ?? authorizedAttempt(payment);
  const counted = charged?.id === capture.attempt_id ? withCapturedAmount(failed, charged) : failed;
  const reopened = before.status === 'succeeded' ? reopen(counted, capture, at) : counted;
  return concludeAuthorization(announce(reopened, 'payment.capture_failed', at, { capture: wasOf(capture) }), at);
}

/**
 * A payment that had succeeded can be captured again. Once a part of it was refunded it stays as it is: the provider's
 * refunds show what the customer has paid.
 */
function reopen(payment: Payment, { attempt_id }: Capture, at: Date): Payment {
  const charged = chargedAttempt(payment);
  const isRefunded = payment.refunds.some(({ status }) => status !== 'failed');
  if (payment.status !== 'succeeded' || charged?.id !== attempt_id || isRefunded) return payment;
  const authorized = replaceAttempt(payment, { ...charged, status: 'authorized' });
  return { ...advance(authorized, 'capture_fails', at), released_amount: 0 };
}

/** The fields of a capture that may differ by the time its event is delivered. */
const wasOf = ({ id, status, failure, psp_reference }: Capture) => ({ id, status, failure, psp_reference });

const replaceCapture = (payment: Payment, capture: Capture): Payment => ({
  ...payment,
  captures: capturesOf(payment).map((each) => (each.id === capture.id ? capture : each)),
});

type CaptureFailure = { readonly reference: string | null; readonly decline: Decline; readonly amount: number };

/**
 * Of a payment that is captured at once: the PSP reports afterwards that it did not get the money. The payment keeps its
 * status, as much has followed from it, and a person reviews it, also if it was refunded meanwhile. A repeated report
 * changes nothing.
 */
export function recordCaptureFailure(
  payment: Payment,
  { reference, decline, amount }: CaptureFailure,
  at: Date,
): Payment | undefined {
  const marker = `capture_failed ${reference ?? ''}`;
  const wasTaken = payment.status === 'succeeded' || payment.status === 'refunded';
  if (payment.capture || !wasTaken || hasMarker(payment, marker)) return undefined;
  const review = payment.review ?? { reason: 'capture_failed', at: at.toISOString(), code: decline.code };
  const reviewed: Payment = { ...addMarker(touched(payment, at), marker), review };
  const capture = { id: null, amount, status: 'failed', failure: failureOf(decline), psp_reference: reference };
  return announce(reviewed, 'payment.capture_failed', at, { capture });
}

/** Records that the timer has sent a capture again, or looked it up. */
export function recordCapturePoll(payment: Payment, captureId: string, at: Date): Payment | undefined {
  const capture = pendingCaptures(payment).find(({ id }) => id === captureId);
  return capture && replaceCapture(payment, { ...capture, asked_at: at.toISOString() });
}

/** Fails a capture that could not be sent before the authorization ended. */
export function giveUpUnsentCapture(payment: Payment, captureId: string, at: Date): Payment | undefined {
  const capture = pendingCaptures(payment).find(({ id, phase }) => id === captureId && phase === 'unsent');
  const decline = declineOf('provider_unavailable');
  return capture && settleCapture(payment, captureId, { kind: 'failed', reference: null, decline }, at);
}

/** Fails a capture that was not made: the PSP has ended the authorization, or a person has decided so. */
export const failUnmadeCapture = (payment: Payment, captureId: string, at: Date): Payment | undefined =>
  settleCapture(payment, captureId, { kind: 'failed', reference: null, decline: declineOf('capture_declined') }, at);
