import { askAttempt } from '#functions/payments/ask-attempt.usecase.ts';
import { endAtPsp } from '#functions/payments/open-session.ts';
import { refuseUnknown } from '#functions/payments/refuse-unknown.ts';
import { sendOwedRefunds } from '#functions/payments/send-refund.usecase.ts';
import { settle } from '#shared/domain/attempt.machine.ts';
import { cancelHere, intend, withdraw } from '#shared/domain/attempt-ending.machine.ts';
import { currentAttempt, isOpen } from '#shared/domain/attempts.rules.ts';
import { advance } from '#shared/domain/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import type { Verdict } from '#shared/domain/verdict.model.ts';
import { AppError, need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Deadline } from '#shared/ports/psp.port.ts';
import { hearAnswer } from '#shared/psp/verdicts.ts';

/** Ends a payment that has taken no money. Where a PSP holds it, the PSP decides; what it says is what the payment becomes. */
export async function cancelPayment({ id }: { readonly id: string }, caller: Caller, deps: Deps): Promise<Payment> {
  const payment = need(await deps.payments.get(caller.orgId, id), 'There is no such payment.');
  const deadline = deps.pspDeadline();
  if (caller.operation.resumed && payment.status === 'canceled') return sendOwedRefunds(payment, deadline, deps);
  refuseUnknown(payment);
  advance(payment, 'cancel', deps.clock.now());
  const attempt = currentAttempt(payment);
  const { payment: canceled, accepted } =
    !attempt || payment.review
      ? { payment: await cancelWithoutPsp(payment, attempt, deadline, deps), accepted: false }
      : await cancelAtPsp(payment, attempt, deadline, deps);
  if (accepted) return canceled;
  if (canceled.status === 'canceled') return sendOwedRefunds(canceled, deadline, deps);
  refuseUnknown(canceled);
  throw new AppError('payment_not_cancelable', `The provider did not cancel the payment; it is ${canceled.status}.`);
}

async function cancelWithoutPsp(payment: Payment, attempt: Attempt | undefined, deadline: Deadline, deps: Deps): Promise<Payment> {
  const verdict = payment.review?.reason === 'no_verdict' && attempt && isOpen(attempt) ? await lastWord(payment, attempt, deadline, deps) : undefined;
  return deps.payments.change(payment, (p) => {
    // A confirmation that came first wins: its attempt is the PSP's business.
    if (p.attempts.length > payment.attempts.length) throw new AppError('payment_not_cancelable', 'The payment was confirmed meanwhile.');
    const canceled = cancelHere(p, deps.clock.now());
    return (attempt && verdict && settle(canceled, attempt.id, verdict, deps.clock.now())) ?? canceled;
  });
}

/** The PSP is asked once more before nobody asks again: money that it took goes back, and a charge that it still holds ends there. */
async function lastWord(payment: Payment, attempt: Attempt, deadline: Deadline, deps: Deps): Promise<Verdict> {
  // Asked as of a charge that is to end: what is only approved is not taken on the way.
  const { verdict } = await askAttempt(payment, { ...attempt, ending: 'cancel' }, deadline, deps);
  if (!('reference' in verdict) || verdict.reference === null || !GOES_ON.has(verdict.kind)) return verdict;
  const held = { ...attempt, psp_reference: verdict.reference };
  return (await hearAnswer(() => endAtPsp(payment, held, deadline, deps), deps.log)).verdict;
}

const GOES_ON: ReadonlySet<Verdict['kind']> = new Set(['processing', 'requires_action', 'waiting']);

/** `accepted`: the PSP ends it in its own time, and says so by a callback. */
async function cancelAtPsp(payment: Payment, attempt: Attempt, deadline: Deadline, deps: Deps): Promise<{ payment: Payment; accepted: boolean }> {
  const intended = await deps.payments.change(payment, (p) => intend(p, attempt.id, 'cancel'));
  const { verdict } = await hearAnswer(() => endAtPsp(payment, attempt, deadline, deps), deps.log);
  if (verdict.kind === 'unknown') throw new AppError('provider_error', 'The provider could not be asked to cancel this payment. Please try again.');
  const settled = await deps.payments.change(intended, (p) => {
    const known = settle(p, attempt.id, verdict, deps.clock.now());
    return GOES_ON.has(verdict.kind) ? (withdraw(known ?? p, attempt.id) ?? known) : known;
  });
  return { payment: settled, accepted: verdict.kind === 'accepted' && settled.attempts.some((a) => a.id === attempt.id && isOpen(a)) };
}
