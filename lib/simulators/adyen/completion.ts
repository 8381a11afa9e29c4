import { expireLink, followed, linkOf, openPaymentOf, payLink } from '#lib/simulators/adyen/links.ts';
import {
  isLink,
  isPayment,
  isRefund,
  named,
  type StoredLink,
  type StoredPayment,
} from '#lib/simulators/adyen/objects.ts';
import { authorise, refuse, tryToPay } from '#lib/simulators/adyen/outcomes.ts';
import { completeRefund } from '#lib/simulators/adyen/refunds.ts';
import { choose } from '#lib/simulators/frame/choosing.ts';
import { withoutQuestions } from '#lib/simulators/frame/following.ts';
import type { Stored } from '#lib/simulators/frame/object-store.ts';
import type { Ending, Work } from '#lib/simulators/frame/provider.port.ts';

/**
 * An act of the customer or the bank: applied to the newest object that waits for one; else to a pending refund; else
 * to the newest try.
 */
export function complete(candidates: readonly Stored[], outcome: Ending, work: Work): void {
  const target = choose(
    candidates,
    waits,
    (stored) => isRefund(stored) && stored.body.status === 'received',
    (stored) => !isRefund(stored),
  );
  const meant = target && (named(work.objects, target.id) ?? target);
  if (!meant) return;
  if (isRefund(meant)) {
    work.sendBy(meant.notes.webhook);
    completeRefund(work, meant, outcome);
  } else if (isLink(meant)) settleLink(work, meant, outcome);
  else if (isPayment(meant)) settlePayment(work, meant, outcome);
}

const waits = (stored: Stored): boolean =>
  (isLink(stored) && stored.body.status === 'active') ||
  (isPayment(stored) && (stored.body.status === 'waiting' || stored.body.status === 'pending'));

/** Money also moves after a cancel or refusal: the customer was quicker, or the bank changed its mind. */
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
  else if (link.body.status !== 'completed') payLink(work, link, withoutQuestions(link.notes.behaviour));
}
