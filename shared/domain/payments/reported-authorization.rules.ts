import { markReleased } from '#shared/domain/payments/authorization.machine.ts';
import { failUnmadeCapture, refundUnwanted, settleCapture } from '#shared/domain/payments/capture.machine.ts';
import {
  authorizedAttempt,
  capturesOf,
  pendingCaptures,
  succeededAmount,
  sumOf,
} from '#shared/domain/payments/capture.rules.ts';
import type { Decline } from '#shared/domain/payments/declines.catalog.ts';
import type { Attempt, Capture, Payment } from '#shared/domain/payments/payment.model.ts';
import type { SentOutcome } from '#shared/domain/payments/verdict.model.ts';
import { derivedId } from '#shared/kernel/ids.ts';

/** A capture as the PSP reports it. `ourId`: null if it is none of ours, undefined if the PSP returns no ids. */
export type ReportedCapture = SentOutcome<Decline> & {
  readonly amount: number;
  readonly currency: string;
  readonly ourId?: string | null | undefined;
  /** The rest was released with it. Counts for captures that are none of ours. */
  readonly final?: true;
};

/** An authorized charge as the PSP reports it. Amounts in our minor units. */
export type ReportedAuthorization = {
  readonly reference: string;
  readonly authorized: number;
  readonly captured: number;
  readonly currency: string;
  /**
   * `open`: more can be captured. `closed`: something was captured, and nothing more can be. `canceled` and `expired`:
   * the rest was released; what was captured before stays captured.
   */
  readonly state: 'open' | 'closed' | 'canceled' | 'expired';
  readonly capturable_until?: string;
  /** All captures, if the PSP lists them. */
  readonly captures?: readonly ReportedCapture[];
};

/** Brings the payment to what the PSP says of this charge; undefined for no change. */
export function applyAuthorization(
  payment: Payment,
  attemptId: string,
  report: ReportedAuthorization,
  at: Date,
): Payment | undefined {
  const attempt = payment.attempts.find(({ id }) => id === attemptId);
  if (!attempt || !payment.capture) return undefined;
  const own = authorizedAttempt(payment)?.id === attemptId;
  if (attempt.status === 'authorized' && !own) return applyToUnwanted(payment, attempt, report, at);
  if (!isItsCurrency(payment, attempt, report.currency)) return undefined;
  const known = withTotal(withListed(payment, attempt, report, at), attempt, report, at);
  const dated = own ? withEnd(known, report) : known;
  const ended = report.state === 'open' || !own ? dated : withoutPossible(dated, attempt, report, at);
  return ended === payment ? undefined : ended;
}

const isItsCurrency = (payment: Payment, { wrong_amount }: Attempt, currency: string): boolean =>
  currency === payment.currency || currency === wrong_amount?.currency;

/** The PSP may extend an authorization. */
function withEnd(payment: Payment, { capturable_until }: ReportedAuthorization): Payment {
  return capturable_until === undefined || capturable_until === payment.capturable_until
    ? payment
    : { ...payment, capturable_until };
}

/** An authorization that the payment may not keep. What somebody has captured of it at the PSP is refunded. */
function applyToUnwanted(
  payment: Payment,
  attempt: Attempt,
  report: ReportedAuthorization,
  at: Date,
): Payment | undefined {
  const { captured, state } = report;
  if (state === 'open') return undefined;
  if (captured === 0) return markReleased(payment, attempt.id, state === 'expired' ? 'expire' : 'cancel', at);
  return refundUnwanted(withTotal(withListed(payment, attempt, report, at), attempt, report, at), attempt, at);
}

/**
 * Captures that the PSP lists: ours by our ids, and those of others that we know. All others are found by what they add
 * to the sum.
 */
const withListed = (payment: Payment, attempt: Attempt, { captures = [] }: ReportedAuthorization, at: Date): Payment =>
  captures.reduce((known, each) => {
    const adopted = each.reference === null ? undefined : adoptedId(payment, attempt, each.reference);
    const own = capturesOf(known).find(
      ({ id, attempt_id }) => attempt_id === attempt.id && (id === each.ourId || id === adopted),
    );
    return (own && settleCapture(known, own.id, each, at)) ?? known;
  }, payment);

/**
 * Each capture of others is recorded by itself where the PSP lists it with a reference of its own: later events may name
 * that. One that shares its reference with others is found by what it adds to the sum.
 */
const withForeign = (payment: Payment, attempt: Attempt, report: ReportedAuthorization, at: Date): Payment =>
  (report.captures ?? []).reduce((known, { kind, reference, ourId, amount, currency, final = false }) => {
    const isKnown = ({ id, psp_reference }: Capture) => id === ourId || psp_reference === reference;
    const isShared = reference === null || reference === report.reference || ourId === undefined;
    const isLeft = amount <= report.captured - succeededAmount(known, attempt);
    return kind !== 'succeeded' || isShared || !isLeft || capturesOf(known).some(isKnown)
      ? known
      : adoptCapture(known, attempt, amount, { key: reference, final, currency }, reference, at);
  }, payment);

/**
 * The PSP tells how much was captured. What our captures do not explain was captured there. Where its list shows no ids,
 * our pending captures may be the explanation: the one of exactly this amount, or all of them together.
 */
function withTotal(payment: Payment, attempt: Attempt, report: ReportedAuthorization, at: Date): Payment {
  const { captured, reference, captures, currency } = report;
  const unexplained = captured - succeededAmount(payment, attempt);
  if (unexplained <= 0) return payment;
  const foreign = withForeign(payment, attempt, report, at);
  if (foreign !== payment) return withTotal(foreign, attempt, report, at);
  const namesOurs = captures?.every(({ ourId }) => ourId !== undefined) ?? false;
  const pending = namesOurs ? [] : pendingOf(payment, attempt);
  const single = pending.find(({ amount }) => amount === unexplained);
  const all = sumOf(pending) === unexplained ? pending : [];
  const made = single ? [single] : all;
  if (made.length > 0) return made.reduce((known, capture) => succeed(known, capture, reference, at), payment);
  // Captures that are pending may be a part of it, so their verdicts are awaited first.
  return pending.length > 0
    ? payment
    : adoptCapture(payment, attempt, unexplained, { key: `${reference} ${captured}`, currency }, reference, at);
}

const pendingOf = (payment: Payment, { id }: Attempt): readonly Capture[] =>
  pendingCaptures(payment).filter(({ attempt_id }) => attempt_id === id);

const succeed = (payment: Payment, { id, psp_reference }: Capture, reference: string, at: Date): Payment =>
  settleCapture(payment, id, { kind: 'succeeded', reference: psp_reference ?? reference }, at) ?? payment;

const adoptedId = (payment: Payment, { started_at }: Attempt, key: string): string =>
  derivedId('capture', new Date(started_at), payment.id, key);

/** Records a capture that was made at the PSP. `key` tells it from others, so that a repeated report finds it. */
function adoptCapture(
  payment: Payment,
  attempt: Attempt,
  amount: number,
  { key, final = false, currency }: { readonly key: string; readonly final?: boolean; readonly currency: string },
  reference: string,
  at: Date,
): Payment {
  const id = adoptedId(payment, attempt, key);
  if (capturesOf(payment).some((each) => each.id === id)) return payment;
  const capture: Capture = {
    id,
    amount,
    status: 'pending',
    failure: null,
    final,
    attempt_id: attempt.id,
    psp_reference: null,
    created_at: at.toISOString(),
    phase: 'accepted',
    ...(currency !== payment.currency && { currency }),
  };
  const adopted = { ...payment, captures: [...capturesOf(payment), capture] };
  return succeed(adopted, capture, reference, at);
}

/** Applies a capture that an event reports: one of ours, or one that was made at the PSP. */
export function applyReportedCapture(
  payment: Payment,
  attemptId: string,
  reported: ReportedCapture,
  at: Date,
): Payment | undefined {
  const attempt = payment.attempts.find(({ id }) => id === attemptId);
  const own = findCapture(payment, attemptId, reported);
  if (own) return settleCapture(payment, own.id, reported, at);
  const { reference, kind, amount, currency, final } = reported;
  if (!attempt || reference === null || kind !== 'succeeded' || !isItsCurrency(payment, attempt, currency))
    return undefined;
  const adopted = adoptCapture(
    payment,
    attempt,
    amount,
    { key: reference, final: final === true, currency },
    reference,
    at,
  );
  return adopted === payment ? undefined : adopted;
}

/**
 * The capture that an event is about: by our id, or by the PSP's reference. A PSP that returns no ids may report one
 * whose send got no response: it is the oldest of this amount.
 */
function findCapture(
  payment: Payment,
  attemptId: string,
  { reference, ourId, amount }: ReportedCapture,
): Capture | undefined {
  const captures = capturesOf(payment).filter(({ attempt_id }) => attempt_id === attemptId);
  const named =
    captures.find(({ id }) => id === ourId) ??
    captures.find(({ psp_reference }) => reference !== null && psp_reference === reference);
  if (named || ourId !== undefined) return named;
  return captures.find((c) => c.status === 'pending' && c.psp_reference === null && c.amount === amount);
}

/**
 * Nothing more can be captured. Captures of ours that the PSP does not have were not made. One that it has accepted is
 * still awaited.
 */
function withoutPossible(payment: Payment, attempt: Attempt, { state }: ReportedAuthorization, at: Date): Payment {
  const marked = markReleased(payment, attempt.id, state === 'expired' ? 'expire' : 'cancel', at) ?? payment;
  const unmade = pendingOf(marked, attempt).filter(({ phase }) => phase !== 'accepted');
  return unmade.reduce((known, { id }) => failUnmadeCapture(known, id, at) ?? known, marked);
}
