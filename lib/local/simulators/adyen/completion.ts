import { expireLink, followed, linkOf, openPaymentOf, payLink } from '#lib/local/simulators/adyen/links.ts';
import { isLink, isName, isPayment, isRefund, type StoredLink, type StoredPayment } from '#lib/local/simulators/adyen/objects.ts';
import { authorise, refuse, tryToPay } from '#lib/local/simulators/adyen/outcomes.ts';
import { completeRefund } from '#lib/local/simulators/adyen/refunds.ts';
import type { Stored } from '#lib/local/simulators/frame/object-store.ts';
import type { Work } from '#lib/local/simulators/frame/provider.port.ts';

export type Ending = 'succeeded' | 'failed';

/** What the customer or the bank does, out of our sight. */
export function complete(candidates: readonly Stored[], outcome: Ending, work: Work): void {
  const target = candidates.length === 1 ? candidates[0] : choose(candidates);
  const meant = isName(target) ? work.objects.get(target?.parent ?? '') : target;
  if (isRefund(meant)) {
    work.sendBy(meant.notes.webhook);
    completeRefund(work, meant, outcome);
  } else if (isLink(meant)) settleLink(work, meant, outcome);
  else if (isPayment(meant)) settlePayment(work, meant, outcome);
}

const waits = (stored: Stored): boolean =>
  (isLink(stored) && stored.body.status === 'active') || (isPayment(stored) && (stored.body.status === 'waiting' || stored.body.status === 'pending'));

/** Of all that belongs to our payment, the newest that waits for somebody; else a refund on its way; else the newest try. */
function choose(candidates: readonly Stored[]): Stored | undefined {
  const newest = candidates.toReversed();
  return newest.find(waits) ?? newest.find((stored) => isRefund(stored) && stored.body.status === 'received') ?? newest.find((stored) => !isRefund(stored));
}

/** Money moves also where the payment was cancelled or refused meanwhile: the customer was quicker, or the bank changed its mind. */
export function settlePayment(work: Work, payment: StoredPayment, outcome: Ending): StoredPayment {
  work.sendBy(payment.notes.webhook);
  const after = outcome === 'succeeded' ? succeeded(work, payment) : failed(work, payment);
  const link = linkOf(work, after);
  return link ? followed(work, link, after) : after;
}

function succeeded(work: Work, payment: StoredPayment): StoredPayment {
  if (payment.body.status === 'authorised') return payment;
  return payment.body.status === 'waiting' ? tryToPay(work, payment, null, true) : authorise(work, payment);
}

function failed(work: Work, payment: StoredPayment): StoredPayment {
  if (payment.body.status === 'waiting') return refuse(work, payment, '11');
  return payment.body.status === 'pending' ? refuse(work, payment, '2') : payment;
}

function settleLink(work: Work, link: StoredLink, outcome: Ending): void {
  work.sendBy(link.notes.webhook);
  const open = openPaymentOf(work, link);
  if (open) settlePayment(work, open, outcome);
  else if (outcome === 'failed') expireLink(work, link);
  else if (link.body.status !== 'completed') payLink(work, link, link.notes.behaviour?.kind === 'requires_action' ? null : link.notes.behaviour);
}
