import { paidAmount, sumOf } from '#shared/domain/payments/capture.rules.ts';
import type { Attempt, DisputedMoney, Payment, Refund, RefundReason } from '#shared/domain/payments/payment.model.ts';
import { derivedId } from '#shared/kernel/ids.ts';

/**
 * The amount that can still be refunded: pending and succeeded refunds together never exceed the payment's amount. An
 * automatic refund only counts if it refunds the payment's own charge.
 */
export function refundableAmount(payment: Payment): number {
  const chargedId = chargedAttempt(payment)?.id;
  const counts = ({ automatic, attempt_id, status }: Refund) =>
    status !== 'failed' && (!automatic || attempt_id === chargedId);
  return paidAmount(payment) - sumOf(payment.refunds.filter(counts));
}

/**
 * The attempt whose charge paid the payment. Other charges, and all charges of an unpaid payment, are not part of the
 * payment's amount.
 */
export const chargedAttempt = ({ status, attempts, connection_id, psp_reference }: Payment): Attempt | undefined =>
  status === 'succeeded' || status === 'refunded'
    ? attempts.find(
        (a) => a.status === 'succeeded' && a.connection_id === connection_id && a.psp_reference === psp_reference,
      )
    : undefined;

/** The part of this automatic refund's amount that no pending or succeeded refund returns. */
function amountStillOwed(payment: Payment, { attempt_id }: Refund): number {
  const ofCharge = automaticRefunds(payment, attempt_id);
  // Refunds made at the PSP before our first automatic refund are not part of its amount.
  const firstOfOurs = ofCharge.findIndex(({ adopted }) => !adopted);
  const later = firstOfOurs < 0 ? [] : ofCharge.slice(firstOfOurs);
  const rest = (later[0]?.amount ?? 0) - sumOf(later.filter(({ status }) => status !== 'failed'));
  // A part of the charge of the payment may have been refunded otherwise.
  return Math.max(0, attempt_id === chargedAttempt(payment)?.id ? Math.min(rest, refundableAmount(payment)) : rest);
}

/** What we have to return of it: what the customer's bank takes, or may take, comes back from the bank. */
export const amountToReturn = (payment: Payment, refund: Refund): number =>
  Math.max(0, amountStillOwed(payment, refund) - disputedAmount(payment, refund));

/** What disputes withhold or have taken of the refund's charge. In another currency, that is all of it. */
export function disputedAmount(payment: Payment, { attempt_id, currency = payment.currency }: Refund): number {
  const claims = disputesOf(payment, attempt_id).filter(({ claimed = 0 }) => claimed > 0);
  const isElsewhere = claims.some((each) => (each.currency ?? payment.currency) !== currency);
  return isElsewhere ? Number.POSITIVE_INFINITY : claims.reduce((sum, { claimed = 0 }) => sum + claimed, 0);
}

const disputesOf = ({ disputes = [] }: Payment, attemptId: string): readonly DisputedMoney[] =>
  disputes.filter(({ attempt_id }) => attempt_id === attemptId);

/** The bank has not decided yet whether it keeps the money of this charge. */
export const hasOpenDispute = (payment: Payment, attemptId: string): boolean =>
  disputesOf(payment, attemptId).some(({ open }) => open === true);

/** It failed because of a dispute. What is to be returned is known when the dispute has ended. */
export const waitsForDispute = (payment: Payment, { failure, attempt_id }: Refund): boolean =>
  failure?.code === 'charge_disputed' && hasOpenDispute(payment, attempt_id);

/**
 * The latest automatic refund of this charge that failed, unless its money was returned since, a person gave it up, or
 * a dispute decides about it first.
 */
export function failedAutomaticRefund(payment: Payment, attemptId: string): Refund | undefined {
  const failed = unreturnedRefund(payment, attemptId);
  const isSettled = !failed || failed.given_up || waitsForDispute(payment, failed);
  return isSettled || amountToReturn(payment, failed) === 0 ? undefined : failed;
}

/** The same, also if a person gave it up: the PSP may have returned that money without us. */
function unreturnedRefund(payment: Payment, attemptId: string): Refund | undefined {
  const failed = payment.refunds.findLast((r) => r.automatic && r.attempt_id === attemptId && r.status === 'failed');
  return failed && amountStillOwed(payment, failed) > 0 ? failed : undefined;
}

/** The reason of a refund that was made directly at the PSP. */
const MADE_AT_PROVIDER = 'made_at_provider';

export const automaticRefunds = ({ refunds }: Payment, attemptId: string): readonly Refund[] =>
  refunds.filter((r) => r.automatic && r.attempt_id === attemptId);

/** The part of a charge of a wrong amount that no refund returns yet. */
export const mismatchedRest = (payment: Payment, { id, wrong_amount }: Attempt): number =>
  (wrong_amount?.amount ?? 0) - sumOf(automaticRefunds(payment, id).filter(({ status }) => status !== 'failed'));

/**
 * How much a refund made at the PSP can return, and as what it counts. `isForeign`: in another currency than the
 * payment.
 */
export type RefundableRest = {
  readonly amount: number;
  readonly currency: string;
  readonly automatic: boolean;
  readonly reason: string;
  readonly isForeign: boolean;
};

/**
 * How much of this charge can still be refunded at the PSP: what a failed automatic refund still owes, the rest of a
 * charge of a wrong amount, or the rest of the charge of the payment. Only the last one counts as a refund of the
 * payment.
 */
export function refundableRest(payment: Payment, attempt: Attempt): RefundableRest {
  const owed = unreturnedRefund(payment, attempt.id);
  const currency = owed?.currency ?? attempt.wrong_amount?.currency ?? payment.currency;
  const automatic = { currency, automatic: true, isForeign: currency !== payment.currency };
  if (owed) return { ...automatic, amount: amountStillOwed(payment, owed), reason: owed.reason ?? MADE_AT_PROVIDER };
  if (attempt.wrong_amount) return { ...automatic, amount: mismatchedRest(payment, attempt), reason: 'after_cancel' };
  const amount = attempt.id === chargedAttempt(payment)?.id ? refundableAmount(payment) : 0;
  return { amount, currency, automatic: false, reason: MADE_AT_PROVIDER, isForeign: false };
}

/** Marks that the PSP may have refunds of this charge that we do not know. The timer reads them at once. */
export const markUnreadRefunds = (payment: Payment, attemptId: string, at: Date): Payment => {
  const now = at.toISOString();
  const marked = (a: Attempt): Attempt => ({
    ...a,
    unread_refunds: { since: a.unread_refunds?.since ?? now, next: now },
  });
  return { ...payment, attempts: payment.attempts.map((a) => (a.id === attemptId ? marked(a) : a)) };
};

/**
 * The automatically refunded or released charges whose PSP reference is not the one that the payment shows. They get
 * index entries of their own. A failed payment counts with all its charges, because a retry replaces its reference.
 */
export const secondaryCharges = ({ refunds, attempts, status, provider, psp_reference }: Payment): readonly Attempt[] =>
  attempts.filter((a) => {
    const isFoundByReference = status !== 'failed' && a.provider === provider && a.psp_reference === psp_reference;
    const isReleasing = a.release !== undefined && !a.release.done;
    const isUnwanted = isReleasing || refunds.some((r) => r.automatic && r.attempt_id === a.id);
    return !isFoundByReference && a.psp_reference !== null && isUnwanted;
  });

/** Adds an automatic refund, which `sendAutomaticRefunds` sends. If an earlier one failed, the new one gets another id. */
export function addAutomaticRefund(
  payment: Payment,
  attempt: Attempt,
  amount: number,
  reason: RefundReason,
  at: Date,
  currency: string = payment.currency,
): Payment {
  const earlier = payment.refunds.filter(
    (r) => r.attempt_id === attempt.id && r.automatic && r.reason === reason,
  ).length;
  const refund: Refund = {
    id: derivedId('refund', at, attempt.id, reason, ...(earlier > 0 ? [String(earlier)] : [])),
    amount,
    status: 'pending',
    reason,
    failure: null,
    metadata: {},
    attempt_id: attempt.id,
    psp_reference: null,
    created_at: at.toISOString(),
    phase: 'unsent',
    automatic: true,
    ...(currency !== payment.currency && { currency }),
  };
  return { ...payment, refunds: [...payment.refunds, refund] };
}

/** Adds another automatic refund of what one that has failed still owes. */
export function refundRest(payment: Payment, failed: Refund, at: Date): Payment {
  const attempt = payment.attempts.find(({ id }) => id === failed.attempt_id);
  const amount = amountToReturn(payment, failed);
  if (!attempt || amount === 0) return payment;
  return addAutomaticRefund(payment, attempt, amount, failed.reason as RefundReason, at, failed.currency);
}
