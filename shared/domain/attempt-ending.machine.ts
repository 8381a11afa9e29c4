import { withAttempt } from '#shared/domain/attempt-start.machine.ts';
import { currentAttempt, isOpen, replaceAttempt } from '#shared/domain/attempts.rules.ts';
import { declineOf, failureOf } from '#shared/domain/declines.catalog.ts';
import { oweRefund } from '#shared/domain/owed-refund.rules.ts';
import { announce } from '#shared/domain/payment.events.ts';
import { advance, allows, touched } from '#shared/domain/payment.machine.ts';
import type { Attempt, Ending, Payment, Review } from '#shared/domain/payment.model.ts';
import type { AttemptSeed, VerdictOf } from '#shared/domain/verdict.model.ts';
import { derivedId } from '#shared/kernel/ids.ts';

/** Written before a PSP is asked to end the attempt. What the merchant has canceled does not expire any more. */
export function intend(payment: Payment, attemptId: string, ending: Ending): Payment | undefined {
  const attempt = payment.attempts.find((a) => a.id === attemptId);
  return attempt && isOpen(attempt) && attempt.ending !== ending && attempt.ending !== 'cancel' ? replaceAttempt(payment, { ...attempt, ending }) : undefined;
}

/** The PSP did not end it: what becomes of it later is no cancel of the merchant's. */
export function withdraw(payment: Payment, attemptId: string): Payment | undefined {
  const attempt = payment.attempts.find((a) => a.id === attemptId && isOpen(a) && a.ending !== undefined);
  if (!attempt) return undefined;
  const { ending: _, ...going } = attempt;
  return replaceAttempt(payment, going);
}

/** A PSP words the end of a page in its own way, whoever ended it; what we meant by it stands on the attempt. */
export function endAttempt(payment: Payment, attempt: Attempt, verdict: VerdictOf<'failed' | 'canceled'>, at: Date, next?: AttemptSeed): Payment {
  const reference = verdict.reference ?? attempt.psp_reference;
  if (attempt.ending === 'cancel') return cancel(payment, attempt, reference, at);
  if (verdict.kind === 'failed') return fail(payment, attempt, verdict, at, next);
  return attempt.ending === 'expire' ? fail(payment, attempt, expired(reference), at) : cancel(payment, attempt, reference, at);
}

/** The customer's time is over. */
export const expired = (reference: string | null): VerdictOf<'failed'> => ({
  kind: 'failed',
  reference,
  failure: failureOf(declineOf('expired')),
  elsewhere: false,
});

function fail(payment: Payment, attempt: Attempt, verdict: VerdictOf<'failed'>, at: Date, next?: AttemptSeed): Payment {
  const failed: Attempt = {
    ...attempt,
    status: 'failed',
    phase: 'final',
    failure: verdict.failure,
    psp_reference: verdict.reference ?? attempt.psp_reference,
    ...(verdict.call && { call: verdict.call }),
  };
  const known = replaceAttempt(touched(payment, at), failed);
  const current = currentAttempt(payment)?.id === attempt.id;
  if (!current || !(payment.status === 'processing' || payment.status === 'requires_action')) return known;
  const asking = payment.status === 'processing' && !attempt.handed_out ? askingSeed(payment, attempt, verdict, at) : undefined;
  if (asking) return withAttempt(replaceAttempt(known, withoutTrial(failed)), asking, at);
  // Once the customer was sent somewhere, another PSP could take the money twice.
  if (next && verdict.elsewhere && payment.status === 'processing' && !attempt.handed_out) return withAttempt(known, next, at);
  const ended = { ...advance(known, 'fail', at), failure: verdict.failure, review: null, psp_reference: failed.psp_reference, alternatives: [] };
  return announce(ended, 'payment.failed', at);
}

/** What becomes of the trial is told by the attempt that goes on with it. */
const withoutTrial = ({ ab_test: _, ...attempt }: Attempt): Attempt => attempt;

const WANTS_CUSTOMER: ReadonlySet<string> = new Set(['authentication_required', 'authentication_failed']);

/**
 * Charged while she is away, and her issuer wants the customer: another attempt, at the same account, gives what she is asked.
 * It begins with the word of the first one's end, whoever brings it.
 */
function askingSeed({ off_session }: Payment, attempt: Attempt, { failure }: VerdictOf<'failed'>, at: Date): AttemptSeed | undefined {
  const { id, connection_id, provider, credentials_mark, generation, workflow_id, on_session, ab_test } = attempt;
  if (!off_session || on_session || !WANTS_CUSTOMER.has(failure.code)) return undefined;
  const through = {
    connection_id,
    provider,
    ...(credentials_mark !== undefined && { credentials_mark }),
    ...(generation !== undefined && { generation }),
    ...(workflow_id !== undefined && { workflow_id }),
  };
  return { id: derivedId('attempt', at, id, 'on_session'), ...through, ...(ab_test && { ab_test }), alternatives: [], on_session: true };
}

function cancel(payment: Payment, attempt: Attempt, reference: string | null, at: Date): Payment {
  const ended: Attempt = { ...attempt, status: 'canceled', phase: 'final', psp_reference: reference };
  const known = replaceAttempt(touched(payment, at), ended);
  const current = currentAttempt(payment)?.id === attempt.id;
  return current && allows(payment, 'cancel')
    ? announce({ ...advance(known, 'cancel', at), psp_reference: reference, sealed_method: null }, 'payment.canceled', at)
    : known;
}

/** Ends a payment that nobody at a PSP knows of, or whose review a person ends; money the PSP took goes back once. */
export function cancelHere(payment: Payment, at: Date): Payment {
  const canceled = announce({ ...advance(payment, 'cancel', at), review: null, sealed_method: null }, 'payment.canceled', at);
  return giveBackWrongAmount(closeAttempts(canceled), payment.review, at);
}

export const closeAttempts = (payment: Payment): Payment =>
  payment.attempts.reduce((p, a) => (isOpen(a) ? replaceAttempt(p, { ...a, status: 'canceled', phase: 'final' }) : p), payment);

/** What a PSP took that does not fit the payment. Once owed back it is accounted for: whoever tells of it again tells nothing new. */
export function giveBackWrongAmount(payment: Payment, review: Review | null, at: Date): Payment {
  const charged = review?.reason === 'amount_mismatch' ? payment.attempts.find((a) => a.id === review.attempt_id) : undefined;
  if (!review || !charged) return payment;
  const known = replaceAttempt(payment, { ...charged, status: 'succeeded', failure: null, phase: 'final' });
  return oweRefund(known, charged, Number(review.psp_amount), 'after_cancel', at, String(review.psp_currency));
}
