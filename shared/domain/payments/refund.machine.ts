import { paidAmount } from '#shared/domain/payments/capture.rules.ts';
import { advance, announce, nameOf, touched, withCurrentReview } from '#shared/domain/payments/payment.machine.ts';
import type { Metadata, Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import { chargedAttempt, markUnreadRefunds, refundableAmount } from '#shared/domain/payments/refund.rules.ts';
import { type RefundDecline, refundDecline, refundFailureOf } from '#shared/domain/payments/refund-failures.catalog.ts';
import type { SentVerdict } from '#shared/domain/payments/verdict.model.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';

export type RefundVerdict = SentVerdict<RefundDecline>;

type RefundInput = {
  readonly id: string;
  readonly amount?: number;
  readonly reason?: string;
  readonly metadata?: Metadata;
  /** Refund it although a dispute withholds money of the payment. */
  readonly force?: boolean;
  /** Only this worker may send it until then. */
  readonly leaseUntil?: Date;
};

/** Reserves a refund on the payment before money moves, so that a crash in between is found by the timer. */
export function reserveRefund(payment: Payment, input: RefundInput, at: Date): Payment {
  if (payment.status !== 'succeeded') throw new AppError('payment_not_refundable', whyNotRefundable(payment));
  if (!input.force) assertNotDisputed(payment);
  const rest = refundableAmount(payment);
  const amount = input.amount ?? rest;
  // A capture that fails after a refund leaves less than nothing.
  if (amount > rest || rest <= 0) {
    const remaining = Math.max(0, rest);
    throw new AppError('refund_exceeds_remaining', `At most ${remaining} of this payment can still be refunded.`, {
      details: { remaining },
    });
  }
  const attempt = orNotFound(chargedAttempt(payment), 'The charge of this payment is not known.');
  const refund: Refund = {
    id: input.id,
    amount,
    status: 'pending',
    reason: input.reason ?? null,
    failure: null,
    metadata: input.metadata ?? {},
    attempt_id: attempt.id,
    psp_reference: null,
    created_at: at.toISOString(),
    phase: 'calling',
    sent_at: at.toISOString(),
    ...(input.leaseUntil && { sending_until: input.leaseUntil.toISOString() }),
  };
  return { ...touched(payment, at), refunds: [...payment.refunds, refund] };
}

/** The customer may get the money from the dispute as well: only the merchant can want that. */
function assertNotDisputed({ amount_disputed = 0 }: Payment): void {
  if (amount_disputed > 0)
    throw new AppError(
      'payment_disputed',
      'The customer disputes this payment, and the provider withholds its money. Answer the dispute ' +
        '(GET /v1/disputes?payment_id=…), or send "force": true to refund it all the same.',
      { details: { amount_disputed } },
    );
}

function whyNotRefundable(payment: Payment): string {
  const remedy =
    payment.status === 'authorized'
      ? ' Capture the rest with final: true, or cancel it: what was captured can be refunded then.'
      : '';
  return `${nameOf(payment)} can't be refunded.${remedy}`;
}

/**
 * Leases the sending of a refund to one worker. `undefined` if another worker has the lease, or if there is nothing to
 * send. A refund that another worker began to send may have reached the PSP, so its outcome is unknown.
 */
export function leaseSending(payment: Payment, refundId: string, until: Date, at: Date): Payment | undefined {
  const refund = payment.refunds.find((r) => r.id === refundId);
  const isFree =
    refund &&
    refund.phase !== 'final' &&
    refund.psp_reference === null &&
    !(refund.sending_until && refund.sending_until > at.toISOString());
  if (!isFree) return undefined;
  const sending_until = until.toISOString();
  return refund.phase === 'unsent'
    ? replaceRefund(payment, { ...refund, phase: 'calling', sent_at: at.toISOString(), sending_until })
    : replaceRefund(payment, { ...refund, phase: 'unknown', sending_until });
}

/**
 * Applies a verdict on a refund; `undefined` for no change. A succeeded refund may still fail later. A refund that
 * failed before we knew its PSP reference (given up, or taken as refused) may turn out to have been made.
 */
export function settleRefund(
  payment: Payment,
  refundId: string,
  reported: RefundVerdict,
  at: Date,
): Payment | undefined {
  const refund = payment.refunds.find((r) => r.id === refundId);
  const verdict = withOwnReference(payment, refundId, reported);
  if (!refund || (refund.status === 'failed' && !canRevive(payment, refund, verdict))) return undefined;
  switch (verdict.kind) {
    case 'not_sent':
      return refund.phase === 'calling' ? replaceRefund(payment, unsentRefund(refund, at)) : undefined;
    case 'unknown':
      return refund.phase === 'calling' ? replaceRefund(payment, { ...refund, phase: 'unknown' }) : undefined;
    case 'accepted':
      return isAccepted(refund) ? undefined : replaceRefund(payment, acceptedRefund(refund, verdict.reference));
    case 'succeeded':
      return refund.status === 'succeeded' ? undefined : completeRefund(payment, refund, verdict.reference, at);
    case 'failed':
      return failRefund(payment, refund, verdict, at);
  }
}

const ALREADY_REFUNDED = refundDecline('already_refunded');

/** A PSP reference belongs to one refund. If another refund of ours has this reference, this refund was not made. */
function withOwnReference({ refunds }: Payment, refundId: string, verdict: RefundVerdict): RefundVerdict {
  const reference = 'reference' in verdict ? verdict.reference : null;
  const isTaken = reference !== null && refunds.some((r) => r.id !== refundId && r.psp_reference === reference);
  return isTaken ? { kind: 'failed', reference: null, decline: ALREADY_REFUNDED } : verdict;
}

const isAccepted = ({ phase, status }: Refund): boolean => phase === 'accepted' || status === 'succeeded';

/** Whether a refund that counts as failed was made after all, and its amount still fits. */
export const canRevive = (payment: Payment, refund: Refund, { kind }: RefundVerdict): boolean =>
  wasMadeAfterAll(refund, kind) && (refund.automatic === true || refund.amount <= refundableAmount(payment));

/**
 * Whether the verdict shows that a failed refund was made after all. The failure of a refund with a PSP reference is
 * final: an old report of its success may come late.
 */
export const wasMadeAfterAll = (refund: Refund, kind: RefundVerdict['kind']): boolean =>
  refund.status === 'failed' && refund.psp_reference === null && (kind === 'succeeded' || kind === 'accepted');

const withoutLease = ({ sending_until: _, ...refund }: Refund): Refund => refund;

function unsentRefund(refund: Refund, at: Date): Refund {
  const { sent_at: _, ...unsent } = withoutLease(refund);
  return { ...unsent, phase: 'unsent', asked_at: at.toISOString() };
}

const acceptedRefund = (refund: Refund, psp_reference: string): Refund => ({
  ...withoutLease(refund),
  status: 'pending',
  failure: null,
  phase: 'accepted',
  psp_reference,
});

function completeRefund(payment: Payment, before: Refund, psp_reference: string, at: Date): Payment {
  const refund: Refund = { ...acceptedRefund(before, psp_reference), status: 'succeeded', phase: 'final' };
  const known = withCurrentReview(replaceRefund(touched(payment, at), refund), at);
  if (refund.automatic) return known;
  const refunded = { ...known, amount_refunded: known.amount_refunded + refund.amount };
  const moved =
    refunded.amount_refunded === paidAmount(refunded) && refunded.status === 'succeeded'
      ? advance(refunded, 'refund_all', at)
      : refunded;
  const { id, status, failure } = refund;
  return announce(moved, 'payment.refunded', at, { refund: { id, status, failure, psp_reference } });
}

type FailedVerdict = Extract<RefundVerdict, { kind: 'failed' }>;

/**
 * Fails a refund. `already_refunded` means that the PSP has refunds of the charge that we do not know: they are read
 * next.
 */
function failRefund(payment: Payment, before: Refund, verdict: FailedVerdict, at: Date): Payment {
  const failed = failedRefund(payment, before, verdict, at);
  return verdict.decline.code === 'already_refunded' ? markUnreadRefunds(failed, before.attempt_id, at) : failed;
}

function failedRefund(payment: Payment, before: Refund, { reference, decline }: FailedVerdict, at: Date): Payment {
  const failed: Refund = {
    ...withoutLease(before),
    status: 'failed',
    failure: refundFailureOf(decline),
    phase: 'final',
    psp_reference: reference ?? before.psp_reference,
  };
  const known = withCurrentReview(replaceRefund(touched(payment, at), failed), at);
  if (before.automatic || before.status !== 'succeeded') return known;
  const lowered = { ...known, amount_refunded: known.amount_refunded - before.amount };
  return lowered.status === 'refunded' ? advance(lowered, 'refund_fails', at) : lowered;
}

/** Fails a refund that was not made, because the money of its charge was, or may be, returned in another way. */
export const failUnmadeRefund = (payment: Payment, refund: Refund, at: Date, decline = ALREADY_REFUNDED): Payment =>
  failedRefund(payment, refund, { kind: 'failed', reference: null, decline }, at);

/**
 * Fails a refund that could not be sent for so long that nobody expects it any more. Its amount can be refunded again.
 */
export function giveUpUnsent(payment: Payment, refundId: string, at: Date): Payment | undefined {
  const refund = payment.refunds.find((r) => r.id === refundId && r.phase === 'unsent');
  const decline = refundDecline('provider_unavailable');
  return refund && failedRefund(payment, refund, { kind: 'failed', reference: null, decline }, at);
}

const replaceRefund = (payment: Payment, refund: Refund): Payment => ({
  ...payment,
  refunds: payment.refunds.map((r) => (r.id === refund.id ? refund : r)),
});
