import type { Behaviour } from '#lib/local/simulators/frame/behaviour.ts';
import { choose } from '#lib/local/simulators/frame/choosing.ts';
import type { Stored } from '#lib/local/simulators/frame/object-store.ts';
import type { Ending, Work } from '#lib/local/simulators/frame/provider.port.ts';
import { declineFor } from '#lib/local/simulators/razorpay/declines.ts';
import { expireLink, payLink } from '#lib/local/simulators/razorpay/links.ts';
import { isLink, isOrder, isPayment, isRefund, linkOf, paymentsOf, type StoredLink, type StoredPayment } from '#lib/local/simulators/razorpay/objects.ts';
import { attempt, fail, succeed } from '#lib/local/simulators/razorpay/outcomes.ts';
import { completeRefund, failRefund } from '#lib/local/simulators/razorpay/refunds.ts';

/**
 * What the customer or the bank does, out of our sight: to the newest that waits for somebody; else to a refund on its way;
 * else to the newest try. A refund that was processed can still fail.
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
const behind = (stored: Stored, work: Work): Stored | undefined => (isOrder(stored) ? paymentsOf(work.objects, stored.id).at(-1) : stored);

/** A bank may change its mind about what it had declined, for days. */
export function settlePayment(work: Work, payment: StoredPayment, outcome: Ending): StoredPayment {
  work.sendBy(payment.notes.webhook);
  const { status } = payment.body;
  if (outcome === 'failed')
    return status === 'created' ? fail(work, payment, declineFor(payment.notes.method.asks ? 'authentication_failed' : 'card_declined')) : payment;
  if (status === 'created') return attempt(work, payment, null, true).payment;
  return status === 'failed' ? succeed(work, payment) : payment;
}

/** Whoever settles a page from outside has the customer's authentication in mind, too. */
const withoutQuestions = (behaviour: Behaviour | null): Behaviour | null => (behaviour?.kind === 'requires_action' ? { kind: 'approve' } : behaviour);

/** Money moves also where the link was canceled or has expired meanwhile: the customer was quicker. */
function settleLink(work: Work, link: StoredLink, outcome: Ending): void {
  work.sendBy(link.notes.webhook);
  const trying = link.body.order_id === undefined ? undefined : paymentsOf(work.objects, link.body.order_id).findLast(({ body }) => body.status === 'created');
  if (outcome === 'failed') {
    if (trying) settlePayment(work, trying, 'failed');
    const now = trying ? (linkOf(work.objects, trying) ?? link) : link;
    if (now.body.status === 'created') expireLink(work, now);
  } else if (trying) settlePayment(work, trying, 'succeeded');
  else if (link.body.status !== 'paid') payLink(work, link, withoutQuestions(link.notes.behaviour));
}
