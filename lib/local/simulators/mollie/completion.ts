import type { Stored } from '#lib/local/simulators/frame/object-store.ts';
import type { ProviderSimulator, Work } from '#lib/local/simulators/frame/provider.port.ts';
import { declineFor } from '#lib/local/simulators/mollie/declines.ts';
import { units } from '#lib/local/simulators/mollie/money.ts';
import { isPayment, isRefund, type StoredPayment } from '#lib/local/simulators/mollie/objects.ts';
import { attempt, capture, fail, pay, release } from '#lib/local/simulators/mollie/outcomes.ts';
import { completeRefund, failRefund } from '#lib/local/simulators/mollie/refunds.ts';

export type Ending = 'succeeded' | 'failed';

/** What the customer or the bank does, out of our sight. A refund that had gone out can still fail. */
export const complete: ProviderSimulator['complete'] = (candidates, outcome, work) => {
  const target = candidates.length === 1 ? candidates[0] : choose(candidates);
  if (!target) return;
  if (isRefund(target)) {
    work.sendBy(target.notes.webhook);
    if (outcome === 'succeeded') completeRefund(work, target);
    else failRefund(work, target);
  } else if (isPayment(target)) {
    settle(work, target, outcome);
  }
};

/** Of all that belongs to a payment, the newest that waits for somebody; else a refund on its way; else the newest try. */
function choose(candidates: readonly Stored[]): Stored | undefined {
  const newest = candidates.toReversed();
  return (
    newest.find((stored) => isPayment(stored) && ['open', 'pending', 'authorized'].includes(stored.body.status)) ??
    newest.find((stored) => isRefund(stored) && stored.body.status === 'pending') ??
    newest.find(isPayment)
  );
}

/** Money moves also where the payment was canceled, expired or declined meanwhile: the customer was quicker. */
export function settle(work: Work, payment: StoredPayment, outcome: Ending): StoredPayment {
  const { behaviour, asks, webhook } = payment.notes;
  const { status, amount, amountCaptured } = payment.body;
  work.sendBy(webhook);
  if (status === 'paid') return payment;
  if (status === 'authorized' && outcome === 'failed') return release(work, payment);
  if (status === 'authorized') return capture(work, payment, units(amount) - (amountCaptured ? units(amountCaptured) : 0));
  if (outcome === 'succeeded') return status === 'open' ? attempt(work, payment, { behaviour: settled(behaviour), authenticated: true }) : pay(work, payment);
  if (status !== 'open' && status !== 'pending') return payment;
  return fail(work, payment, declineFor(asks === 'authentication' ? 'authentication_failed' : 'card_declined'));
}

/** Whoever settles a payment from outside has the customer's authentication in mind, too. */
const settled = (behaviour: StoredPayment['notes']['behaviour']) => (behaviour?.kind === 'requires_action' ? null : behaviour);

/** A page that nobody paid in time, a refund that has reached the bank. */
export const fallDue: ProviderSimulator['fallDue'] = (stored, work) => {
  if (isPayment(stored) && stored.body.status === 'open') {
    work.sendBy(stored.notes.webhook);
    fail(work, stored, { status: 'expired' });
  } else if (isRefund(stored)) {
    work.sendBy(stored.notes.webhook);
    completeRefund(work, stored);
  }
};
