import { isDeepStrictEqual } from 'node:util';
import { endAttempt } from '#shared/domain/attempt-ending.machine.ts';
import { loseSight } from '#shared/domain/attempt-lost.machine.ts';
import { currentAttempt, isCounted, isOpen, replaceAttempt } from '#shared/domain/attempts.rules.ts';
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
      if (verdict.kind === 'processing' && verdict.taking) return loseSight(payment, attemptId, at, verdict.reference);
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

/** The charge is another attempt's. About one that had ended nothing is left to ask; what became of one on its way is still not known. */
function leave(payment: Payment, attempt: Attempt, at: Date): Payment | undefined {
  const hasEnded = attempt.status === 'failed' || attempt.status === 'canceled';
  return hasEnded && isOpen(attempt) ? replaceAttempt(touched(payment, at), { ...attempt, phase: 'final' }) : undefined;
}

function succeed(payment: Payment, attempt: Attempt, verdict: VerdictOf<'succeeded'>, at: Date): Payment | undefined {
  if (isCounted(payment, attempt, verdict.reference)) return leave(payment, attempt, at);
  const paid: Attempt = { ...attempt, status: 'succeeded', failure: null, phase: 'final', psp_reference: verdict.reference };
  const known = replaceAttempt(touched(payment, at), paid);
  // What goes back is what was taken; only a success has to fit the payment.
  if (payment.status === 'canceled') return oweRefund(known, paid, verdict.amount, 'after_cancel', at, verdict.currency);
  if (!allows(payment, 'succeed')) return oweRefund(known, paid, verdict.amount, 'duplicate_charge', at, verdict.currency);
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
  const known = replaceAttempt(touched(payment, at), seen);
  return {
    // Its customer has nothing left to do.
    ...(allows(payment, 'resume') ? advance(known, 'resume', at) : known),
    psp_reference: allows(payment, 'succeed') ? verdict.reference : payment.psp_reference,
    review: { reason: 'amount_mismatch', at: at.toISOString(), attempt_id: attempt.id, psp_amount: verdict.amount, psp_currency: verdict.currency },
  };
}

/** The page's own end, or that of a payment link's patience, whichever comes first; the usual time where there is neither. */
function endOf(pageEnds: string | undefined, holdEnds: string | undefined): Pick<Attempt, 'expires_at'> {
  const ends = [pageEnds, holdEnds].filter((end) => end !== undefined).sort((a, b) => Date.parse(a) - Date.parse(b));
  return ends[0] === undefined ? {} : { expires_at: ends[0] };
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
    ...(verdict.kind === 'requires_action' && endOf(verdict.expires_at, payment.link_hold?.until)),
  };
  const known = replaceAttempt(touched(payment, at), seen);
  if (!leads) return known;
  const referenced = { ...known, psp_reference: verdict.reference };
  if (verdict.kind === 'requires_action' && allows(payment, 'ask_customer')) return { ...advance(referenced, 'ask_customer', at), next_action: verdict.action };
  return verdict.kind === 'processing' && allows(payment, 'resume') ? advance(referenced, 'resume', at) : referenced;
}
