import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import { choose } from '#lib/simulators/frame/choosing.ts';
import type { Stored } from '#lib/simulators/frame/object-store.ts';
import type { Ending, Work } from '#lib/simulators/frame/provider.port.ts';
import { declineFor } from '#lib/simulators/razorpay/declines.ts';
import { expireLink, payLink } from '#lib/simulators/razorpay/links.ts';
import {
  isLink,
  isOrder,
  isPayment,
  isRefund,
  linkOf,
  paymentsOf,
  type StoredLink,
  type StoredPayment,
} from '#lib/simulators/razorpay/objects.ts';
import { attempt, fail, succeed } from '#lib/simulators/razorpay/outcomes.ts';
import { completeRefund, failRefund } from '#lib/simulators/razorpay/refunds.ts';

/**
 * An act of the customer or the bank: applied to the newest object that waits for one; else to a pending refund; else
 * to the newest try. A processed refund can still fail.
 */
export function complete(candidates: readonly Stored[], outcome: Ending, work: Work): void {
  const chosen = choose(
    candidates,
    (stored) => (isPayment(stored) || isLink(stored)) && stored.body.status === 'created',
    (stored) => isRefund(stored) && stored.body.status === 'pending',
    (stored) => isPayment(stored) || isLink(stored),
  );
  const target = chosen && behind(chosen, work);
  if (!target) return;
  if (isRefund(target)) {
    work.sendBy(target.notes.webhook);
    if (outcome === 'succeeded') completeRefund(work, target);
    else failRefund(work, target);
  } else if (isLink(target)) settleLink(work, target, outcome);
  else if (isPayment(target)) settlePayment(work, target, outcome);
}

/** An order stands for its newest payment. */
const behind = (stored: Stored, work: Work): Stored | undefined =>
  isOrder(stored) ? paymentsOf(work.objects, stored.id).at(-1) : stored;

/** A bank may approve what it declined, for days. */
export function settlePayment(work: Work, payment: StoredPayment, outcome: Ending): StoredPayment {
  work.sendBy(payment.notes.webhook);
  const { status } = payment.body;
  if (outcome === 'failed')
    return status === 'created'
      ? fail(work, payment, declineFor(payment.notes.method.asks ? 'authentication_failed' : 'card_declined'))
      : payment;
  if (status === 'created') return attempt(work, payment, null, true).payment;
  return status === 'failed' ? succeed(work, payment) : payment;
}

/** A completion from outside includes the customer's authentication. */
const withoutQuestions = (behaviour: Behaviour | null): Behaviour | null =>
  behaviour?.kind === 'requires_action' ? { kind: 'approve' } : behaviour;

/** Money also moves after a link was canceled or expired: the customer was quicker. */
function settleLink(work: Work, link: StoredLink, outcome: Ending): void {
  work.sendBy(link.notes.webhook);
  const trying =
    link.body.order_id === undefined
      ? undefined
      : paymentsOf(work.objects, link.body.order_id).findLast(({ body }) => body.status === 'created');
  if (outcome === 'failed') {
    if (trying) settlePayment(work, trying, 'failed');
    const now = trying ? (linkOf(work.objects, trying) ?? link) : link;
    if (now.body.status === 'created') expireLink(work, now);
  } else if (trying) settlePayment(work, trying, 'succeeded');
  else if (link.body.status !== 'paid') payLink(work, link, withoutQuestions(link.notes.behaviour));
}
