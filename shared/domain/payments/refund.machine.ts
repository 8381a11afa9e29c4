import { advance, announce, touched, withCurrentReview } from '#shared/domain/payments/payment.machine.ts';
import type { Metadata, Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import {
  amountStillOwed,
  chargedAttempt,
  failedAutomaticRefund,
  refundableAmount,
} from '#shared/domain/payments/refund.rules.ts';
import { type RefundDecline, refundFailureOf } from '#shared/domain/payments/refund-failures.catalog.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';

export type RefundVerdict =
  | { readonly kind: 'succeeded'; readonly reference: string }
  | { readonly kind: 'accepted'; readonly reference: string }
  | { readonly kind: 'failed'; readonly reference: string | null; readonly decline: RefundDecline }
  | { readonly kind: 'unknown' };

/** Reserves a refund on the payment before money moves, so that a crash in between is found by the timer. */
export function reserveRefund(
  payment: Payment,
  wanted: { readonly id: string; readonly amount?: number; readonly reason?: string; readonly metadata?: Metadata },
  at: Date,
): Payment {
  if (payment.status !== 'succeeded')
    throw new AppError('payment_not_refundable', `A ${payment.status} payment can't be refunded.`);
  const rest = refundableAmount(payment);
  const amount = wanted.amount ?? rest;
  if (amount > rest || rest === 0) {
    throw new AppError('refund_exceeds_remaining', `At most ${rest} of this payment can still be refunded.`, {
      details: { remaining: rest },
    });
  }
  const attempt = orNotFound(chargedAttempt(payment), 'The charge of this payment is not known.');
  const refund: Refund = {
    id: wanted.id,
    amount,
    status: 'pending',
    reason: wanted.reason ?? null,
    failure: null,
    metadata: wanted.metadata ?? {},
    attempt_id: attempt.id,
    psp_reference: null,
    created_at: at.toISOString(),
    phase: 'calling',
  };
  return { ...touched(payment, at), refunds: [...payment.refunds, refund] };
}

type FoundRefund = {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly reference: string;
  readonly attempt_id: string;
};

/**
 * Records a refund that was made directly at the PSP. Where an automatic refund of the charge has failed, it counts as
 * that refund, made by hand.
 */
export function adoptRefund(payment: Payment, found: FoundRefund, at: Date): Payment | undefined {
  if (payment.refunds.some((r) => r.psp_reference === found.reference)) return undefined;
  const failedRefund = failedAutomaticRefund(payment, found.attempt_id);
  const isOwnCharge = found.attempt_id === chargedAttempt(payment)?.id;
  const refundableOfCharge = isOwnCharge ? refundableAmount(payment) : 0;
  if (
    found.amount > (failedRefund ? amountStillOwed(payment, failedRefund) : refundableOfCharge) ||
    (failedRefund && found.currency !== (failedRefund.currency ?? payment.currency))
  )
    return undefined;
  const refund: Refund = {
    id: found.id,
    amount: found.amount,
    status: 'pending',
    reason: failedRefund?.reason ?? 'made_at_provider',
    failure: null,
    metadata: {},
    attempt_id: found.attempt_id,
    psp_reference: found.reference,
    created_at: at.toISOString(),
    phase: 'accepted',
    ...(failedRefund && { automatic: true }),
    ...(failedRefund?.currency !== undefined && { currency: failedRefund.currency }),
  };
  return withCurrentReview({ ...touched(payment, at), refunds: [...payment.refunds, refund] }, at);
}

/** Leases the sending of a refund to one worker; `undefined` while another holds it, or where nothing is to be sent. */
export function leaseSending(payment: Payment, refundId: string, until: Date, at: Date): Payment | undefined {
  const refund = payment.refunds.find((r) => r.id === refundId);
  const isFree =
    refund &&
    refund.phase !== 'final' &&
    refund.psp_reference === null &&
    !(refund.sending_until && refund.sending_until > at.toISOString());
  return isFree ? replace(payment, { ...refund, sending_until: until.toISOString() }) : undefined;
}

/**
 * Applies a verdict on a refund; `undefined` for no change. A succeeded refund may still fail later; one that a person
 * gave up may succeed after all, and counts while its amount is still refundable.
 */
export function settleRefund(
  payment: Payment,
  refundId: string,
  verdict: RefundVerdict,
  at: Date,
): Payment | undefined {
  const refund = payment.refunds.find((r) => r.id === refundId);
  const wasGivenUp =
    refund?.given_up &&
    verdict.kind === 'succeeded' &&
    (refund.automatic || refund.amount <= refundableAmount(payment));
  if (!refund || (refund.status === 'failed' && !wasGivenUp)) return undefined;
  switch (verdict.kind) {
    case 'unknown':
      return refund.phase === 'calling' ? replace(payment, { ...refund, phase: 'unknown' }) : undefined;
    case 'accepted':
      return refund.phase === 'accepted' || refund.phase === 'final'
        ? undefined
        : replace(payment, { ...refund, phase: 'accepted', psp_reference: verdict.reference });
    case 'succeeded':
      return refund.status === 'succeeded'
        ? undefined
        : completeRefund(
            payment,
            { ...refund, status: 'succeeded', failure: null, phase: 'final', psp_reference: verdict.reference },
            at,
          );
    case 'failed':
      return failRefund(payment, refund, failedBy(refund, verdict), at);
  }
}

function failedBy(refund: Refund, { reference, decline }: Extract<RefundVerdict, { kind: 'failed' }>): Refund {
  return {
    ...refund,
    status: 'failed',
    failure: refundFailureOf(decline),
    phase: 'final',
    psp_reference: reference ?? refund.psp_reference,
  };
}

function completeRefund(payment: Payment, refund: Refund, at: Date): Payment {
  const known = withCurrentReview(replace(touched(payment, at), refund), at);
  if (refund.automatic) return known;
  const refunded = { ...known, amount_refunded: known.amount_refunded + refund.amount };
  const moved =
    refunded.amount_refunded === refunded.amount && refunded.status === 'succeeded'
      ? advance(refunded, 'refund_all', at)
      : refunded;
  const { id, status, failure, psp_reference } = refund;
  return announce(moved, 'payment.refunded', at, { refund: { id, status, failure, psp_reference } });
}

function failRefund(payment: Payment, before: Refund, failed: Refund, at: Date): Payment {
  const known = withCurrentReview(replace(touched(payment, at), failed), at);
  if (before.automatic || before.status !== 'succeeded') return known;
  const lowered = { ...known, amount_refunded: known.amount_refunded - before.amount };
  return lowered.status === 'refunded' ? advance(lowered, 'refund_fails', at) : lowered;
}

const replace = (payment: Payment, refund: Refund): Payment => ({
  ...payment,
  refunds: payment.refunds.map((r) => (r.id === refund.id ? refund : r)),
});
