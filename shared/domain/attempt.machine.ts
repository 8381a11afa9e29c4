import { isDeepStrictEqual } from 'node:util';
import { endAttempt } from '#shared/domain/attempt-ending.machine.ts';
import { currentAttempt, isOpen, replaceAttempt } from '#shared/domain/attempts.rules.ts';
import { oweRefund } from '#shared/domain/owed-refund.rules.ts';
import { announce } from '#shared/domain/payment.events.ts';
import { advance, allows, touched } from '#shared/domain/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import type { AttemptSeed, SettleExtra, Verdict, VerdictOf } from '#shared/domain/verdict.model.ts';

/**
 * Applies what was learnt of an attempt, from whoever learnt it first: our own call, a callback, the reconciler.
 * Whatever the order and however often, the result is the same; `undefined` means that it changes nothing.
 * With `next`, a failure that allows another connection goes on there in the same write.
 */
export function settle(payment: Payment, attemptId: string, verdict: Verdict, at: Date, extra: SettleExtra = {}): Payment | undefined {
  const settled = apply(payment, attemptId, verdict, at, extra.next);
  if (!settled) return undefined;
  const timed = extra.latencyMs === undefined ? settled : withLatency(settled, attemptId, extra.latencyMs);
  return answered(timed);
}

/** With no call left to make, what the create request is answered is decided. */
const answered = (payment: Payment): Payment =>
  payment.claim && !payment.claim.answered && currentAttempt(payment)?.phase !== 'calling'
    ? { ...payment, claim: { ...payment.claim, answered: true } }
    : payment;

/** The customer's act was passed on, and no answer could be read: from here on the PSP is asked, as after a charge without an answer. */
export function loseSight(payment: Payment, attemptId: string, at: Date): Payment | undefined {
  const attempt = payment.attempts.find((a) => a.id === attemptId);
  if (!attempt || !isOpen(attempt) || attempt.phase === 'unknown') return undefined;
  const lost = replaceAttempt(touched(payment, at), { ...attempt, status: 'processing', phase: 'unknown' });
  return currentAttempt(payment)?.id === attempt.id && allows(payment, 'resume') ? advance(lost, 'resume', at) : lost;
}

const withLatency = (payment: Payment, attemptId: string, latency_ms: number): Payment => ({
  ...payment,
  attempts: payment.attempts.map((a) => (a.id === attemptId ? { ...a, latency_ms } : a)),
});

function apply(payment: Payment, attemptId: string, verdict: Verdict, at: Date, next: AttemptSeed | undefined): Payment | undefined {
  const attempt = payment.attempts.find((a) => a.id === attemptId);
  if (!attempt || attempt.status === 'succeeded') return undefined;
  switch (verdict.kind) {
    case 'succeeded':
      return succeed(payment, attempt, verdict, at);
    case 'unknown':
      return attempt.phase === 'calling' ? replaceAttempt(touched(payment, at), { ...attempt, phase: 'unknown' }) : undefined;
    case 'accepted':
      return undefined;
    case 'processing':
    case 'requires_action':
      return isOpen(attempt) ? accept(payment, attempt, verdict, at) : undefined;
    case 'waiting':
      return isOpen(attempt) && attempt.status !== 'requires_action' ? accept(payment, attempt, stillWaiting(attempt, verdict), at) : undefined;
    case 'failed':
    case 'canceled':
      return isOpen(attempt) ? endAttempt(payment, attempt, verdict, at, next) : undefined;
  }
}

/** Lost sight of, and the customer's turn still: what was shown to them is not shown again, but their time ends. */
const stillWaiting = ({ phase, handed_out }: Attempt, { reference }: VerdictOf<'waiting'>): VerdictOf<'processing' | 'requires_action'> =>
  phase === 'unknown' && handed_out ? { kind: 'requires_action', reference, action: { type: 'await' } } : { kind: 'processing', reference };

function succeed(payment: Payment, attempt: Attempt, verdict: VerdictOf<'succeeded'>, at: Date): Payment | undefined {
  const paid: Attempt = { ...attempt, status: 'succeeded', failure: null, phase: 'final', psp_reference: verdict.reference };
  const known = replaceAttempt(touched(payment, at), paid);
  // What goes back is what was taken; only a success has to fit the payment.
  if (payment.status === 'canceled') return oweRefund(known, paid, verdict.amount, 'after_cancel', at);
  if (!allows(payment, 'succeed')) return oweRefund(known, paid, verdict.amount, 'duplicate_charge', at);
  if (verdict.amount !== payment.amount || verdict.currency !== payment.currency) return mismatch(payment, attempt, verdict, at);
  const late = payment.status === 'failed' || currentAttempt(payment)?.id !== attempt.id;
  return announce(
    {
      ...advance(known, 'succeed', at),
      failure: null,
      review: null,
      late_success: payment.late_success || late,
      connection_id: attempt.connection_id,
      provider: attempt.provider,
      psp_reference: verdict.reference,
      sealed_method: null,
      alternatives: [],
    },
    'payment.succeeded',
    at,
  );
}

/** Money that does not fit the payment is never a success; a person decides, or cancels. */
function mismatch(payment: Payment, attempt: Attempt, verdict: VerdictOf<'succeeded'>, at: Date): Payment | undefined {
  if (payment.review?.reason === 'amount_mismatch' && payment.review.attempt_id === attempt.id) return undefined;
  const seen: Attempt = { ...attempt, phase: 'accepted', psp_reference: verdict.reference };
  return {
    ...replaceAttempt(touched(payment, at), seen),
    psp_reference: allows(payment, 'succeed') ? verdict.reference : payment.psp_reference,
    review: { reason: 'amount_mismatch', at: at.toISOString(), attempt_id: attempt.id, psp_amount: verdict.amount, psp_currency: verdict.currency },
  };
}

function accept(payment: Payment, attempt: Attempt, verdict: VerdictOf<'processing' | 'requires_action'>, at: Date): Payment | undefined {
  const status = verdict.kind;
  const leads = currentAttempt(payment)?.id === attempt.id && allows(payment, 'cancel');
  const asksAnew = leads && verdict.kind === 'requires_action' && !isDeepStrictEqual(payment.next_action, verdict.action);
  if (attempt.phase === 'accepted' && attempt.status === status && attempt.psp_reference === verdict.reference && !asksAnew) return undefined;
  const seen: Attempt = {
    ...attempt,
    status,
    phase: 'accepted',
    psp_reference: verdict.reference,
    ...(verdict.kind === 'requires_action' && { handed_out: true }),
    ...(verdict.kind === 'requires_action' && verdict.expires_at ? { expires_at: verdict.expires_at } : {}),
  };
  const known = replaceAttempt(touched(payment, at), seen);
  if (!leads) return known;
  const referenced = { ...known, psp_reference: verdict.reference };
  if (verdict.kind === 'requires_action' && allows(payment, 'ask_customer')) return { ...advance(referenced, 'ask_customer', at), next_action: verdict.action };
  return verdict.kind === 'processing' && allows(payment, 'resume') ? advance(referenced, 'resume', at) : referenced;
}
