import { touched, withCurrentReview } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment, Refund, SendPhase } from '#shared/domain/payments/payment.model.ts';
import {
  canRevive,
  failUnmadeRefund,
  type RefundVerdict,
  settleRefund,
  wasMadeAfterAll,
} from '#shared/domain/payments/refund.machine.ts';
import {
  failedAutomaticRefund,
  type RefundableRest,
  refundableRest,
  refundRest,
} from '#shared/domain/payments/refund.rules.ts';

/**
 * A refund that a callback or a list of the PSP shows. `ourId`: our refund id in it; null if the PSP shows ids and this
 * refund has none of ours; undefined if the PSP shows no ids. `charge`: the reference of the refunded charge, if the
 * PSP names it.
 */
export type ReportedRefund = {
  readonly verdict: RefundVerdict;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly ourId?: string | null | undefined;
  readonly charge: string | null;
  readonly connection_id: string;
  /** The id that we give it if it was made at the PSP. */
  readonly newId: string;
};

/**
 * The result of a report. `recorded`: it was applied; `payment` is undefined if nothing changes. All others cannot be
 * applied now, and the report must come again. `unpaid`: no paid charge is known for it. `ambiguous`: it may be one of
 * our refunds whose send got no response. `exceeds_refundable`: our other refunds hold the amount.
 */
export type ReportResult =
  | { readonly kind: 'recorded'; readonly payment: Payment | undefined; readonly refundId: string }
  | { readonly kind: 'unpaid' | 'ambiguous' | 'exceeds_refundable' };

/**
 * The refund that a report is about: by the PSP's reference, or by our own id unless that refund has another reference.
 * Never by its amount: two refunds of one amount are two refunds.
 */
export const findReported = (
  { refunds }: Payment,
  { reference, ourId }: Pick<ReportedRefund, 'reference' | 'ourId'>,
): Refund | undefined =>
  refunds.find((r) => r.psp_reference === reference) ?? refunds.find((r) => r.id === ourId && r.psp_reference === null);

/** `displaces`: our own refunds in these phases fail if the reported refund does not fit beside them. */
export function recordReported(
  payment: Payment,
  report: ReportedRefund,
  displaces: ReadonlySet<SendPhase>,
  at: Date,
): ReportResult {
  const known = findReported(payment, report);
  if (known) return recordKnown(payment, known, report, displaces, at);
  const attempt = refundedAttempt(payment, report);
  if (!attempt) return { kind: 'unpaid' };
  if (mayBeOurs(payment, attempt, report)) return { kind: 'ambiguous' };
  const adopted = adoptRefund(payment, attempt, report, displaces, at);
  return adopted ? { kind: 'recorded', payment: adopted, refundId: report.newId } : { kind: 'exceeds_refundable' };
}

/** Refunds that were certainly not made fail at once. */
export const UNSENT: ReadonlySet<SendPhase> = new Set(['unsent']);

/**
 * For refunds whose outcome could not be found out. A PSP never refunds more than the charge: if it made the reported
 * refund, it did not make ours, which does not fit beside it.
 */
export const UNSENT_OR_UNKNOWN: ReadonlySet<SendPhase> = new Set(['unsent', 'unknown']);

/** For a reported success: what does not fit beside it can no longer succeed, even if the PSP has accepted it. */
export const NOT_SUCCEEDED: ReadonlySet<SendPhase> = new Set(['unsent', 'unknown', 'accepted']);

function recordKnown(
  payment: Payment,
  known: Refund,
  report: ReportedRefund,
  displaces: ReadonlySet<SendPhase>,
  at: Date,
): ReportResult {
  const attempt = payment.attempts.find(({ id }) => id === known.attempt_id);
  const revives = wasMadeAfterAll(known, report.verdict.kind);
  const freed = revives && attempt ? freeUpAmount(payment, attempt, known.amount, displaces, at) : payment;
  if (!freed || (revives && !canRevive(freed, known, report.verdict))) return { kind: 'exceeds_refundable' };
  return { kind: 'recorded', payment: settleRefund(freed, known.id, report.verdict, at), refundId: known.id };
}

/**
 * The attempt of the refunded charge, or the first paid one if the PSP names no charge that we know. A charge of a
 * wrong amount is under review, and can be refunded at the PSP meanwhile.
 */
function refundedAttempt({ attempts }: Payment, { charge, connection_id }: ReportedRefund): Attempt | undefined {
  const named = attempts.find((a) => a.psp_reference !== null && a.psp_reference === charge);
  const isPaid = (a: Attempt) => a.status === 'succeeded' || a.wrong_amount !== undefined;
  if (named) return isPaid(named) ? named : undefined;
  return attempts.find((a) => a.connection_id === connection_id && a.status === 'succeeded');
}

/**
 * Whether the report may be about a refund of ours: the PSP shows no ids, and a refund whose reference we do not know
 * has the same amount.
 */
const mayBeOurs = ({ refunds }: Payment, { id }: Attempt, { ourId, amount }: ReportedRefund): boolean =>
  ourId === undefined &&
  refunds.some(
    (r) =>
      r.attempt_id === id &&
      r.amount === amount &&
      r.status === 'pending' &&
      r.psp_reference === null &&
      r.phase !== 'unsent',
  );

/**
 * Records a refund that was made directly at the PSP. If an automatic refund of the charge has failed, it counts as
 * that refund, made by hand. A refund that failed at the PSP uses up no amount.
 */
function adoptRefund(
  payment: Payment,
  attempt: Attempt,
  report: ReportedRefund,
  displaces: ReadonlySet<SendPhase>,
  at: Date,
): Payment | undefined {
  const hasFailed = report.verdict.kind === 'failed';
  const freed = hasFailed ? payment : freeUpAmount(payment, attempt, report.amount, displaces, at);
  if (!freed) return undefined;
  const rest = refundableRest(freed, attempt);
  if (rest.automatic && !hasFailed && report.currency !== rest.currency) return undefined;
  const adopted = {
    ...touched(freed, at),
    refunds: [...freed.refunds, adoptedRefund(attempt, report, rest, at)],
  };
  const settled = settleRefund(adopted, report.newId, report.verdict, at) ?? adopted;
  // One of our automatic refunds may have been displaced by a smaller one.
  const displaced = freed === payment ? undefined : failedAutomaticRefund(settled, attempt.id);
  return withCurrentReview(displaced ? refundRest(settled, displaced, at) : settled, at);
}

const adoptedRefund = (
  { id }: Attempt,
  { newId, amount, currency, reference }: ReportedRefund,
  room: RefundableRest,
  at: Date,
): Refund => ({
  id: newId,
  amount,
  status: 'pending',
  reason: room.reason,
  failure: null,
  metadata: {},
  attempt_id: id,
  psp_reference: reference,
  created_at: at.toISOString(),
  phase: 'accepted',
  ...(room.automatic && { automatic: true, adopted: true, ...(room.isForeign && { currency }) }),
});

/**
 * Fails our own refunds of this charge, newest first, until `amount` can be refunded; undefined if that is not enough.
 */
function freeUpAmount(
  payment: Payment,
  attempt: Attempt,
  amount: number,
  displaces: ReadonlySet<SendPhase>,
  at: Date,
): Payment | undefined {
  let current = payment;
  for (const refund of payment.refunds.toReversed()) {
    if (refundableRest(current, attempt).amount >= amount) break;
    const isOpen = refund.attempt_id === attempt.id && refund.status === 'pending';
    if (isOpen && displaces.has(refund.phase)) current = failUnmadeRefund(current, refund, at);
  }
  return refundableRest(current, attempt).amount >= amount ? current : undefined;
}
