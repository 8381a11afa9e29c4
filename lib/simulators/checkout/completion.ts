import { expirePage, follow, payOnPage, tryOf } from '#lib/simulators/checkout/hosted.ts';
import { isAction, isPage, isPayment, type StoredPage, type StoredPayment } from '#lib/simulators/checkout/objects.ts';
import { decline, end, succeed } from '#lib/simulators/checkout/outcomes.ts';
import { settleRefund } from '#lib/simulators/checkout/refunds.ts';
import { declineFor, NOT_AUTHENTICATED } from '#lib/simulators/checkout/response-codes.ts';
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
    (stored) => isPayment(stored) && stored.body.status === 'Pending',
    (stored) => isPage(stored) && stored.body.status === 'Payment Pending',
    (stored) => isAction(stored) && stored.body.type === 'Refund' && stored.body.approved === undefined,
    (stored) => isPayment(stored) || isPage(stored),
  );
  if (!target) return;
  if (isAction(target)) {
    work.sendBy(target.notes.webhook);
    const payment = work.objects.get(target.parent ?? '');
    if (target.body.type === 'Refund') settleRefund(work, target, outcome);
    else if (payment && isPayment(payment)) settlePayment(work, payment, outcome);
  } else if (isPage(target)) settlePage(work, target, outcome);
  else if (isPayment(target)) settlePayment(work, target, outcome);
}

const TAKEN: ReadonlySet<string> = new Set([
  'Authorized',
  'Partially Captured',
  'Captured',
  'Partially Refunded',
  'Refunded',
]);

/** Money also moves after the payment ended: the customer was quicker, or the bank changed its mind. */
export function settlePayment(work: Work, payment: StoredPayment, outcome: Ending): StoredPayment {
  work.sendBy(payment.notes.webhook);
  const after = outcome === 'succeeded' ? paid(work, payment) : unpaid(work, payment);
  follow(work, after);
  return after;
}

function paid(work: Work, payment: StoredPayment): StoredPayment {
  if (TAKEN.has(payment.body.status)) return payment;
  const more = payment.notes.behaviour?.kind === 'wrong_amount' ? 1 : 0;
  return succeed(work, payment, payment.body.amount + more).payment;
}

/** A card fails its authentication; at a bank's own page the customer turns away. */
function unpaid(work: Work, payment: StoredPayment): StoredPayment {
  if (payment.body.status !== 'Pending') return payment;
  if (payment.body.source.type !== 'card') return end(work, payment, 'Canceled').payment;
  return decline(work, payment, payment.notes.redirect ? NOT_AUTHENTICATED : declineFor('card_declined')).payment;
}

function settlePage(work: Work, page: StoredPage, outcome: Ending): void {
  work.sendBy(page.notes.webhook);
  const tried = tryOf(work, page);
  if (tried && (tried.body.status === 'Pending' || page.body.status === 'Payment Received'))
    settlePayment(work, tried, outcome);
  else if (outcome === 'succeeded') payOnPage(work, page, withoutQuestions(page.notes.behaviour));
  else expirePage(work, page);
}
