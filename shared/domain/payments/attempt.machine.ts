import { isDeepStrictEqual } from 'node:util';
import { endAttempt } from '#shared/domain/payments/attempt-ending.machine.ts';
import { accept } from '#shared/domain/payments/attempt-waiting.machine.ts';
import { becomeAuthorized, settleAuthorized } from '#shared/domain/payments/authorization.machine.ts';
import {
  NETWORK_REPORT,
  NETWORK_REPORT_FORMS,
  type NetworkReport,
} from '#shared/domain/payments/network-report.model.ts';
import {
  advance,
  allows,
  announce,
  answeredClaim,
  currentAttempt,
  isChargeCounted,
  isOpen,
  isPaid,
  refundMismatchedAmounts,
  replaceAttempt,
  reviewAfterVerdict,
  scheduleRelease,
  touched,
  withCurrentReview,
  withoutMismatchedAmount,
} from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment, RefundReason } from '#shared/domain/payments/payment.model.ts';
import { addAutomaticRefund, markUnreadRefunds } from '#shared/domain/payments/refund.rules.ts';
import type { NewAttempt, SettleOptions, Verdict, VerdictOf } from '#shared/domain/payments/verdict.model.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import { withoutFields } from '#shared/kernel/without-fields.ts';

/**
 * Applies a verdict on an attempt, from whichever source comes first: our own call, a callback or a poll. The result is
 * the same in any order and after repeats; `undefined` means no change. With `next`, a failure that allows failover
 * starts this attempt in the same write.
 */
export function settle(
  payment: Payment,
  attemptId: string,
  verdict: Verdict,
  at: Date,
  options: SettleOptions = {},
): Payment | undefined {
  const decided = applyVerdict(payment, attemptId, verdict, at, options.next);
  const settled = verdict.network ? withNetworkReport(payment, decided, attemptId, verdict, at) : decided;
  if (!settled) return undefined;
  const timed = options.latencyMs === undefined ? settled : withLatency(settled, attemptId, options.latencyMs);
  return withCompletedClaim(withUnreadRefunds(payment, timed, attemptId, at));
}

/**
 * The merchant may refund a charge at the PSP before we know that it is paid. Within this time we assume that nobody
 * has.
 */
const MIN_TIME_TO_REFUND = 10 * MINUTE;

/** If we learn late that a charge is paid, it may have been refunded at the PSP meanwhile: its refunds are read. */
function withUnreadRefunds(before: Payment, settled: Payment, attemptId: string, at: Date): Payment {
  const isPaid = ({ attempts }: Payment) => attempts.some((a) => a.id === attemptId && a.status === 'succeeded');
  const attempt = settled.attempts.find((a) => a.id === attemptId);
  const isLate = attempt !== undefined && at.getTime() - Date.parse(attempt.started_at) >= MIN_TIME_TO_REFUND;
  return isLate && isPaid(settled) && !isPaid(before) ? markUnreadRefunds(settled, attemptId, at) : settled;
}

/**
 * Adds what the network said to the attempt that the verdict is about. A later report of the same card adds fields and
 * replaces them, and takes none away.
 */
function withNetworkReport(
  before: Payment,
  decided: Payment | undefined,
  attemptId: string,
  verdict: Verdict,
  at: Date,
): Payment | undefined {
  const attempt = (decided ?? before).attempts.find(({ id }) => id === attemptId);
  const reference = 'reference' in verdict ? verdict.reference : null;
  // A charge that counts for another attempt.
  if (!attempt || (reference !== null && reference !== attempt.psp_reference)) return decided;
  // Another try, which does not describe the charge.
  if (isPaid(attempt) && verdict.kind === 'failed') return decided;
  const reported = withReport(attempt, reportToKeep(before, verdict.network ?? {}));
  return reported === attempt ? decided : replaceAttempt(decided ?? touched(before, at), reported);
}

/** A report that comes after the customer was erased brings their card back no more. */
function reportToKeep({ erased }: Payment, report: NetworkReport): NetworkReport {
  if (!erased) return report;
  const { card: _, avs: __, ...rest } = report;
  return rest;
}

/** The same attempt if the report tells nothing new. What was said of another card is dropped. */
export function withReport(attempt: Attempt, report: NetworkReport): Attempt {
  const after = validReport(report);
  const known: Attempt = isOfOtherCard(attempt, after) ? withoutFields(attempt, NETWORK_REPORT) : attempt;
  const merged: Attempt = { ...known, ...mergedReport(known, after) };
  const reported = isPaid(attempt) ? withoutDeclineCodes(merged) : merged;
  return isDeepStrictEqual(reported, attempt) ? attempt : reported;
}

const mergedReport = (before: NetworkReport, after: NetworkReport): NetworkReport => ({
  ...after,
  ...(after.avs && { avs: { ...before.avs, ...after.avs } }),
  ...(after.card && { card: { ...before.card, ...after.card } }),
});

/** A customer may be declined on the provider's page, and pay there with another card. */
const isOfOtherCard = ({ card: before }: NetworkReport, { card: after }: NetworkReport): boolean =>
  before?.last4 !== undefined && after?.last4 !== undefined && before.last4 !== after.last4;

function validReport({ avs, card, ...report }: NetworkReport): NetworkReport {
  const parts = { ...(avs && { avs: validFields(avs) }), ...(card && { card: validFields(card) }) };
  const filled = Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0);
  return { ...validFields(report), ...Object.fromEntries(filled) };
}

/** A field of another form is left out: the record stays small, and a program can rely on what it reads. */
function validFields<T extends object>(fields: T): Partial<T> {
  const valid: Partial<T> = { ...fields };
  for (const name in valid) if (!NETWORK_REPORT_FORMS[name]?.test(String(valid[name]))) delete valid[name];
  return valid;
}

/** A wrong security code was that of a declined try, unless the charge itself reports it. */
const withoutDeclinedTry = ({ cvc, ...attempt }: Attempt): Attempt =>
  withoutDeclineCodes({ ...attempt, ...(cvc !== undefined && cvc !== 'mismatch' && { cvc }) });

/** A customer may be declined on the provider's page, and pay there after all. */
const withoutDeclineCodes = ({ network_decline_code: _, advice_code: __, ...attempt }: Attempt): Attempt => attempt;

/** The response to the create request is final once no call to a PSP is left to make. */
const withCompletedClaim = (payment: Payment): Payment =>
  payment.claim && !payment.claim.answered && currentAttempt(payment)?.phase !== 'calling'
    ? { ...payment, claim: answeredClaim(payment.claim) }
    : payment;

const withLatency = (payment: Payment, attemptId: string, latency_ms: number): Payment => ({
  ...payment,
  attempts: payment.attempts.map((a) => (a.id === attemptId ? { ...a, latency_ms } : a)),
});

function applyVerdict(
  payment: Payment,
  attemptId: string,
  verdict: Verdict,
  at: Date,
  next: NewAttempt | undefined,
): Payment | undefined {
  const attempt = payment.attempts.find((a) => a.id === attemptId);
  if (!attempt || attempt.status === 'succeeded') return undefined;
  if (attempt.status === 'authorized') return settleAuthorized(payment, attempt, verdict, at);
  // A late or repeated report of an authorization that is released. What was captured of it is reported otherwise.
  if (attempt.release?.done) return undefined;
  // The customer may pay again on the same page. The verdict on that try does not undo this charge.
  if (attempt.wrong_amount && !isCharge(verdict)) return undefined;
  switch (verdict.kind) {
    case 'succeeded':
      return succeed(payment, attempt, verdict, at);
    case 'authorized':
      // Without manual capture the PSP still has to capture it: the adapter or the account's settings see to that.
      return payment.capture
        ? succeed(payment, attempt, verdict, at)
        : applyVerdict(payment, attemptId, { kind: 'processing', reference: verdict.reference }, at, next);
    case 'unknown':
      return attempt.phase === 'calling'
        ? replaceAttempt(touched(payment, at), { ...attempt, phase: 'unknown' })
        : undefined;
    case 'accepted':
      return undefined;
    case 'processing':
    case 'requires_action':
      if (verdict.kind === 'processing' && verdict.captureUnknown)
        return markOutcomeUnknown(payment, attemptId, at, verdict.reference);
      return isOpen(attempt) ? accept(payment, attempt, verdict, at) : undefined;
    case 'waiting':
      return isOpen(attempt) && attempt.status !== 'requires_action'
        ? accept(payment, attempt, waitingVerdict(attempt, verdict), at)
        : undefined;
    case 'failed':
    case 'canceled':
      return isOpen(attempt) ? endAttempt(payment, attempt, verdict, at, next) : undefined;
  }
}

/**
 * An attempt with an unknown outcome may still wait for the customer. The action is not shown again, but it expires.
 */
const waitingVerdict = (
  { phase, handed_out }: Attempt,
  { reference }: VerdictOf<'waiting'>,
): VerdictOf<'processing' | 'requires_action'> =>
  phase === 'unknown' && handed_out
    ? { kind: 'requires_action', reference, action: { type: 'await' } }
    : { kind: 'processing', reference };

/**
 * The charge belongs to another attempt. If this one has failed or was canceled, it needs no more polling. Otherwise
 * its own outcome is still unknown.
 */
function closeAttemptOfCountedCharge(payment: Payment, attempt: Attempt, at: Date): Payment | undefined {
  const hasEnded = attempt.status === 'failed' || attempt.status === 'canceled';
  return hasEnded && isOpen(attempt) ? replaceAttempt(touched(payment, at), { ...attempt, phase: 'final' }) : undefined;
}

type ChargeVerdict = VerdictOf<'succeeded' | 'authorized'>;

const isCharge = ({ kind }: Verdict): boolean => kind === 'succeeded' || kind === 'authorized';

/** The PSP has charged, or with manual capture authorized. */
function succeed(payment: Payment, attempt: Attempt, verdict: ChargeVerdict, at: Date): Payment | undefined {
  if (isChargeCounted(payment, attempt, verdict.reference)) return closeAttemptOfCountedCharge(payment, attempt, at);
  const paid: Attempt = {
    ...withoutDeclinedTry(withoutMismatchedAmount(attempt)),
    status: payment.capture ? 'authorized' : 'succeeded',
    failure: null,
    phase: 'final',
    psp_reference: verdict.reference,
  };
  const updated = replaceAttempt(touched(payment, at), paid);
  // A refund returns what was charged, so the amount need not match the payment.
  const unwanted = unwantedReason(payment);
  if (unwanted && payment.capture) return scheduleRelease(updated, paid, unwanted, at);
  if (unwanted) return addAutomaticRefund(updated, paid, verdict.amount, unwanted, at, verdict.currency);
  if (!isAmountOf(payment, verdict)) return recordMismatch(payment, attempt, verdict, at);
  const isLate = payment.status === 'failed' || currentAttempt(payment)?.id !== attempt.id;
  const refunding = refundMismatchedAmounts(
    { ...updated, review: reviewAfterVerdict(updated) },
    'duplicate_charge',
    at,
  );
  const charged: Payment = {
    ...withCurrentReview(refunding, at),
    failure: null,
    late_success: payment.late_success || isLate,
    connection_id: attempt.connection_id,
    provider: attempt.provider,
    psp_reference: verdict.reference,
    sealed_method: null,
    alternatives: [],
  };
  return payment.capture
    ? becomeAuthorized(charged, verdict, at)
    : announce(advance(charged, 'succeed', at), 'payment.succeeded', at);
}

/** An issuer may authorize a part of the amount. */
const isAmountOf = ({ capture, amount, currency }: Payment, verdict: ChargeVerdict): boolean =>
  verdict.currency === currency &&
  (capture ? verdict.amount > 0 && verdict.amount <= amount : verdict.amount === amount);

/** Why the payment may not take money now; undefined if it may. */
function unwantedReason(payment: Payment): RefundReason | undefined {
  if (payment.status === 'canceled') return 'after_cancel';
  return allows(payment, payment.capture ? 'authorize' : 'succeed') ? undefined : 'duplicate_charge';
}

/** A charge of another amount is never a success. In a review a person accepts it, or cancels the payment. */
function recordMismatch(payment: Payment, attempt: Attempt, verdict: ChargeVerdict, at: Date): Payment | undefined {
  if (attempt.wrong_amount) return undefined;
  const wrong_amount = { amount: verdict.amount, currency: verdict.currency };
  const mismatched: Attempt = { ...attempt, phase: 'accepted', psp_reference: verdict.reference, wrong_amount };
  const updated = withCurrentReview(
    { ...replaceAttempt(touched(payment, at), mismatched), review: reviewAfterVerdict(payment) },
    at,
  );
  return {
    // The customer has nothing left to do.
    ...(allows(payment, 'resume') ? advance(updated, 'resume', at) : updated),
    psp_reference: allows(payment, 'succeed') ? verdict.reference : payment.psp_reference,
  };
}

/**
 * A call that may take this charge's money got no readable response, so the PSP is polled until the outcome is known.
 * An attempt that had ended is polled too, and stays ended.
 */
export function markOutcomeUnknown(
  payment: Payment,
  attemptId: string,
  at: Date,
  reference?: string,
): Payment | undefined {
  const attempt = payment.attempts.find((a) => a.id === attemptId);
  if (!attempt || isPaid(attempt) || attempt.wrong_amount || attempt.phase === 'unknown') return undefined;
  const psp_reference = reference ?? attempt.psp_reference;
  const status = isOpen(attempt) ? 'processing' : attempt.status;
  const pending = replaceAttempt(touched(payment, at), { ...attempt, status, psp_reference, phase: 'unknown' });
  if (currentAttempt(payment)?.id !== attempt.id || !allows(payment, 'succeed')) return pending;
  return { ...(allows(payment, 'resume') ? advance(pending, 'resume', at) : pending), psp_reference };
}
