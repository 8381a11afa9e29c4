import { askAttempt } from '#functions/payments/ask-attempt.usecase.ts';
import { endAtPsp } from '#functions/payments/open-session.ts';
import { outcomeUnknown } from '#functions/payments/refuse-unknown.ts';
import { sendOwedRefunds, sendRefund } from '#functions/payments/send-refund.usecase.ts';
import { settlePayment } from '#functions/payments/settle-payment.ts';
import { settle } from '#shared/domain/attempt.machine.ts';
import { isOpen } from '#shared/domain/attempts.rules.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import { endReview as ended } from '#shared/domain/review.machine.ts';
import type { Verdict } from '#shared/domain/verdict.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Deadline } from '#shared/ports/psp.port.ts';
import { hearAnswer } from '#shared/psp/verdicts.ts';

/** Ends a review for a person: each PSP is asked a last time, before nobody asks again, and what was taken goes back once. */
export async function endReview(seen: Payment, operation: string, deadline: Deadline, deps: Deps): Promise<Payment> {
  const isAboutRefund = seen.review?.refund_id !== undefined;
  const payment = await askForRefund(seen, deadline, deps);
  const heard = await lastWords(payment, deadline, deps);
  const at = deps.clock.now();
  const decide = (p: Payment) => {
    const end = ended(p, operation, at) ?? (isAboutRefund ? { ...p, ended_review: operation } : undefined);
    return end && heard.reduce((known, { attempt, verdict }) => settle(known, attempt.id, verdict, at) ?? known, end);
  };
  const closed = await settlePayment(payment, decide, deps);
  if (closed.ended_review === operation) return sendOwedRefunds(closed, deadline, deps);
  throw new AppError('payment_not_cancelable', `The provider has spoken meanwhile; the payment is ${closed.status}.`);
}

/** A refund without a verdict may have one by now. */
async function askForRefund(payment: Payment, deadline: Deadline, deps: Deps): Promise<Payment> {
  const refund = payment.review?.reason === 'no_verdict' && payment.refunds.find((r) => r.id === payment.review?.refund_id);
  return refund ? sendRefund(payment, refund.id, deadline, deps) : payment;
}

type LastWord = { readonly attempt: Attempt; readonly verdict: Verdict };

/** Of each charge that nobody has settled. Only the one that the review is about may be closed without a word. */
async function lastWords(payment: Payment, deadline: Deadline, deps: Deps): Promise<readonly LastWord[]> {
  const { review } = payment;
  const heard: LastWord[] = [];
  for (const attempt of payment.attempts.filter((a) => isOpen(a) && a.id !== review?.attempt_id)) {
    const verdict = await lastWord(payment, attempt, deadline, deps);
    if (verdict.kind === 'unknown' && review?.reason !== 'no_verdict') throw outcomeUnknown();
    heard.push({ attempt, verdict });
  }
  return heard;
}

/** Money that it took goes back, and a charge that it still holds ends there. */
async function lastWord(payment: Payment, attempt: Attempt, deadline: Deadline, deps: Deps): Promise<Verdict> {
  // Asked as of a charge that is to end: what is only approved is not taken on the way.
  const { verdict } = await askAttempt(payment, { ...attempt, ending: 'cancel' }, deadline, deps);
  if (!('reference' in verdict) || verdict.reference === null || !GOES_ON.has(verdict.kind)) return verdict;
  const held = { ...attempt, psp_reference: verdict.reference };
  return (await hearAnswer(() => endAtPsp(payment, held, deadline, deps), deps.log)).verdict;
}

/** The PSP has not ended it. */
export const GOES_ON: ReadonlySet<Verdict['kind']> = new Set(['processing', 'requires_action', 'waiting']);
