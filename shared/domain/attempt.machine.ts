import { isDeepStrictEqual } from 'node:util';
import { declineOf, failureOf } from '#shared/domain/declines.catalog.ts';
import { announce } from '#shared/domain/payment.events.ts';
import { advance, allows, touched } from '#shared/domain/payment.machine.ts';
import type { Attempt, Ending, Failure, NextAction, Payment, Refund, RefundReason } from '#shared/domain/payment.model.ts';
import type { Provider } from '#shared/domain/providers.catalog.ts';
import { derivedId } from '#shared/kernel/ids.ts';

/** What one call to a PSP, or one look at it, says of an attempt. */
export type Verdict =
  | { readonly kind: 'succeeded'; readonly reference: string; readonly amount: number; readonly currency: string }
  | { readonly kind: 'requires_action'; readonly reference: string; readonly action: NextAction; readonly expires_at?: string }
  | { readonly kind: 'processing'; readonly reference: string }
  | { readonly kind: 'failed'; readonly reference: string | null; readonly failure: Failure; readonly elsewhere: boolean }
  | { readonly kind: 'canceled'; readonly reference: string }
  | { readonly kind: 'unknown' };

export type SettleExtra = { readonly next?: AttemptSeed; readonly latencyMs?: number };

export type AttemptSeed = { readonly id: string; readonly connection_id: string; readonly provider: Provider; readonly alternatives: readonly string[] };

/** Whether we wait for the PSP's word on this attempt, or for the customer's act. */
export const isOpen = (attempt: Attempt): boolean => attempt.phase !== 'final';

/** The call may have gone out and we don't know what became of it. */
export const isUnknown = (attempt: Attempt): boolean => attempt.phase === 'calling' || attempt.phase === 'unknown';

export const currentAttempt = (payment: Payment): Attempt | undefined => payment.attempts.at(-1);

/** A new attempt, written before the PSP hears of it. */
export function startAttempt(payment: Payment, seed: AttemptSeed, step: 'start' | 'retry', at: Date): Payment {
  return withAttempt({ ...advance(payment, step, at), failure: null }, seed, at);
}

function withAttempt(payment: Payment, seed: AttemptSeed, at: Date): Payment {
  const attempt: Attempt = {
    id: seed.id,
    connection_id: seed.connection_id,
    provider: seed.provider,
    status: 'processing',
    failure: null,
    psp_reference: null,
    latency_ms: null,
    started_at: at.toISOString(),
    phase: 'calling',
  };
  return {
    ...payment,
    connection_id: seed.connection_id,
    provider: seed.provider,
    psp_reference: null,
    // A review was about an earlier attempt; this one is asked about like any other.
    review: null,
    alternatives: seed.alternatives,
    attempts: [...payment.attempts, attempt],
  };
}

/** A payment that no PSP was asked about: no route, or the fraud policy stopped it. */
export function failUnsent(payment: Payment, failure: Failure, at: Date): Payment {
  return announce({ ...advance(payment, 'fail', at), failure }, 'payment.failed', at);
}

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
      return attempt.phase === 'calling' ? replace(touched(payment, at), { ...attempt, phase: 'unknown' }) : undefined;
    case 'processing':
    case 'requires_action':
      return isOpen(attempt) ? accept(payment, attempt, verdict, at) : undefined;
    case 'failed':
    case 'canceled':
      return isOpen(attempt) ? end(payment, attempt, verdict, at, next) : undefined;
  }
}

type Of<K extends Verdict['kind']> = Extract<Verdict, { kind: K }>;

function succeed(payment: Payment, attempt: Attempt, verdict: Of<'succeeded'>, at: Date): Payment | undefined {
  const paid: Attempt = { ...attempt, status: 'succeeded', failure: null, phase: 'final', psp_reference: verdict.reference };
  const known = replace(touched(payment, at), paid);
  // What goes back is what was taken; only a success has to fit the payment.
  if (payment.status === 'canceled') return giveBack(known, paid, verdict.amount, 'after_cancel', at);
  if (!allows(payment, 'succeed')) return giveBack(known, paid, verdict.amount, 'duplicate_charge', at);
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
function mismatch(payment: Payment, attempt: Attempt, verdict: Of<'succeeded'>, at: Date): Payment | undefined {
  if (payment.review?.reason === 'amount_mismatch' && payment.review.attempt_id === attempt.id) return undefined;
  const seen: Attempt = { ...attempt, phase: 'accepted', psp_reference: verdict.reference };
  return {
    ...replace(touched(payment, at), seen),
    psp_reference: allows(payment, 'succeed') ? verdict.reference : payment.psp_reference,
    review: { reason: 'amount_mismatch', at: at.toISOString(), attempt_id: attempt.id, psp_amount: verdict.amount, psp_currency: verdict.currency },
  };
}

function accept(payment: Payment, attempt: Attempt, verdict: Of<'processing' | 'requires_action'>, at: Date): Payment | undefined {
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
  const known = replace(touched(payment, at), seen);
  if (!leads) return known;
  const referenced = { ...known, psp_reference: verdict.reference };
  if (verdict.kind === 'requires_action' && allows(payment, 'ask_customer')) return { ...advance(referenced, 'ask_customer', at), next_action: verdict.action };
  return verdict.kind === 'processing' && allows(payment, 'resume') ? advance(referenced, 'resume', at) : referenced;
}

/** Written before a PSP is asked to end the attempt. What the merchant has canceled does not expire any more. */
export function intend(payment: Payment, attemptId: string, ending: Ending): Payment | undefined {
  const attempt = payment.attempts.find((a) => a.id === attemptId);
  return attempt && isOpen(attempt) && attempt.ending !== ending && attempt.ending !== 'cancel' ? replace(payment, { ...attempt, ending }) : undefined;
}

/** A PSP words the end of a page in its own way, whoever ended it; what we meant by it stands on the attempt. */
function end(payment: Payment, attempt: Attempt, verdict: Of<'failed' | 'canceled'>, at: Date, next?: AttemptSeed): Payment {
  const reference = verdict.reference ?? attempt.psp_reference;
  if (attempt.ending === 'cancel') return cancel(payment, attempt, reference, at);
  if (verdict.kind === 'failed') return fail(payment, attempt, verdict, at, next);
  return attempt.ending === 'expire' ? fail(payment, attempt, expired(reference), at) : cancel(payment, attempt, reference, at);
}

/** The customer's time is over. */
export const expired = (reference: string | null): Of<'failed'> => ({
  kind: 'failed',
  reference,
  failure: failureOf(declineOf('expired')),
  elsewhere: false,
});

function fail(payment: Payment, attempt: Attempt, verdict: Of<'failed'>, at: Date, next?: AttemptSeed): Payment {
  const failed: Attempt = {
    ...attempt,
    status: 'failed',
    phase: 'final',
    failure: verdict.failure,
    psp_reference: verdict.reference ?? attempt.psp_reference,
  };
  const known = replace(touched(payment, at), failed);
  const current = currentAttempt(payment)?.id === attempt.id;
  if (!current || !(payment.status === 'processing' || payment.status === 'requires_action')) return known;
  // Once the customer was sent somewhere, another PSP could take the money twice.
  if (next && verdict.elsewhere && payment.status === 'processing' && !attempt.handed_out) return withAttempt(known, next, at);
  const ended = { ...advance(known, 'fail', at), failure: verdict.failure, review: null, psp_reference: failed.psp_reference, alternatives: [] };
  return announce(ended, 'payment.failed', at);
}

function cancel(payment: Payment, attempt: Attempt, reference: string | null, at: Date): Payment {
  const ended: Attempt = { ...attempt, status: 'canceled', phase: 'final', psp_reference: reference };
  const known = replace(touched(payment, at), ended);
  const current = currentAttempt(payment)?.id === attempt.id;
  return current && allows(payment, 'cancel')
    ? announce({ ...advance(known, 'cancel', at), psp_reference: reference, sealed_method: null }, 'payment.canceled', at)
    : known;
}

/** Ends a payment that nobody at a PSP knows of, or whose review a person ends; money the PSP took goes back once. */
export function cancelHere(payment: Payment, at: Date): Payment {
  const review = payment.review?.reason === 'amount_mismatch' ? payment.review : undefined;
  const canceled = announce({ ...advance(payment, 'cancel', at), review: null, sealed_method: null }, 'payment.canceled', at);
  const charged = canceled.attempts.find((a) => a.id === review?.attempt_id);
  const closed = canceled.attempts.reduce((p, a) => (isOpen(a) ? replace(p, { ...a, status: 'canceled', phase: 'final' }) : p), canceled);
  if (!review || !charged) return closed;
  // Its money is accounted for: whoever tells of it again tells nothing new.
  const known = replace(closed, { ...charged, status: 'succeeded', failure: null, phase: 'final' });
  return giveBack(known, charged, Number(review.psp_amount), 'after_cancel', at);
}

/** A refund that we make by ourselves: reserved here, sent by whoever reads it next, once. */
function giveBack(payment: Payment, attempt: Attempt, amount: number, reason: RefundReason, at: Date): Payment {
  const refund: Refund = {
    id: derivedId('refund', at, attempt.id, reason),
    amount,
    status: 'pending',
    reason,
    metadata: {},
    attempt_id: attempt.id,
    psp_reference: null,
    created_at: at.toISOString(),
    phase: 'calling',
    automatic: true,
  };
  return { ...payment, refunds: [...payment.refunds, refund] };
}

const replace = (payment: Payment, attempt: Attempt): Payment => ({
  ...payment,
  attempts: payment.attempts.map((a) => (a.id === attempt.id ? attempt : a)),
});
