import { choose } from '#lib/simulators/frame/choosing.ts';
import { withoutQuestions } from '#lib/simulators/frame/following.ts';
import type { Ending, ProviderSimulator, Work } from '#lib/simulators/frame/provider.port.ts';
import { declineFor } from '#lib/simulators/mollie/declines.ts';
import { units } from '#lib/simulators/mollie/money.ts';
import { isPayment, isRefund, type StoredPayment } from '#lib/simulators/mollie/objects.ts';
import { attempt, capture, fail, pay, release } from '#lib/simulators/mollie/outcomes.ts';
import { completeRefund, failRefund } from '#lib/simulators/mollie/refunds.ts';

/**
 * An act of the customer or the bank: applied to the newest object that waits for one; else to a pending refund; else
 * to the newest try. A refund that was sent can still fail.
 */
export const complete: ProviderSimulator['complete'] = (candidates, outcome, work) => {
  const target = choose(
    candidates,
    (stored) => isPayment(stored) && ['open', 'pending', 'authorized'].includes(stored.body.status),
    (stored) => isRefund(stored) && stored.body.status === 'pending',
    isPayment,
  );
  if (!target) return;
  if (isRefund(target)) {
    work.sendBy(target.notes.webhook);
    if (outcome === 'succeeded') completeRefund(work, target);
    else failRefund(work, target);
  } else if (isPayment(target)) {
    settle(work, target, outcome);
  }
};

/** Money also moves after a cancel, expiry or decline: the customer was quicker. */
export function settle(work: Work, payment: StoredPayment, outcome: Ending): StoredPayment {
  const { behaviour, asks, webhook } = payment.notes;
  const { status, amount, amountCaptured } = payment.body;
  work.sendBy(webhook);
  if (status === 'paid') return payment;
  if (status === 'authorized' && outcome === 'failed') return release(work, payment);
  if (status === 'authorized')
    return capture(work, payment, units(amount) - (amountCaptured ? units(amountCaptured) : 0));
  if (outcome === 'succeeded')
    return status === 'open'
      ? attempt(work, payment, { behaviour: withoutQuestions(behaviour), authenticated: true })
      : pay(work, payment);
  if (status !== 'open' && status !== 'pending') return payment;
  return fail(work, payment, declineFor(asks === 'authentication' ? 'authentication_failed' : 'card_declined'));
}

/** A page that was not paid in time, or a refund that has reached the bank. */
export const fallDue: ProviderSimulator['fallDue'] = (stored, work) => {
  if (isPayment(stored) && stored.body.status === 'open') {
    work.sendBy(stored.notes.webhook);
    fail(work, stored, { status: 'expired' });
  } else if (isRefund(stored)) {
    work.sendBy(stored.notes.webhook);
    completeRefund(work, stored);
  }
};
