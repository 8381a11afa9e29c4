import { closePage, payOn } from '#lib/simulators/flutterwave/hosted.ts';
import {
  bearing,
  isPage,
  isRefund,
  isTransaction,
  type StoredPage,
  type StoredTransaction,
} from '#lib/simulators/flutterwave/objects.ts';
import { settleRefund } from '#lib/simulators/flutterwave/refunds.ts';
import { fail, succeed } from '#lib/simulators/flutterwave/transactions.ts';
import { choose } from '#lib/simulators/frame/choosing.ts';
import { withoutQuestions } from '#lib/simulators/frame/following.ts';
import type { Stored } from '#lib/simulators/frame/object-store.ts';
import type { Ending, Work } from '#lib/simulators/frame/provider.port.ts';
import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/**
 * An act of the customer or the bank: applied to the newest object that waits for one; else to a pending refund; else
 * to the newest try.
 */
export function complete(candidates: readonly Stored[], outcome: Ending, work: Work): void {
  const named = candidates.flatMap((each) => (each.kind === 'reference' ? bearing(work, each.id) : [each]));
  const target = choose(
    named,
    (each) => (isTransaction(each) && each.body.status === 'pending') || (isPage(each) && each.body.status === 'open'),
    (each) => isRefund(each) && each.body.status === 'pending',
    isTransaction,
    isPage,
  );
  if (!target) return;
  if (isRefund(target)) {
    work.sendBy(target.notes.webhook);
    settleRefund(work, target, outcome === 'succeeded' ? 'completed' : 'failed');
  } else if (isPage(target)) settlePage(work, target, outcome);
  else if (isTransaction(target)) settleTransaction(work, target, outcome);
}

/** Money also moves after the charge was reported as failed: the network changed its mind. */
export function settleTransaction(
  work: Work,
  stored: StoredTransaction,
  outcome: Ending,
  reason: FailureCode = 'card_declined',
): StoredTransaction {
  work.sendBy(stored.notes.webhook);
  const { status } = stored.body;
  if (outcome === 'succeeded')
    return status === 'successful'
      ? stored
      : succeed(work, stored, stored.notes.behaviour?.kind === 'wrong_amount' ? 1 : 0);
  return status === 'pending' ? fail(work, stored, reason) : stored;
}

/** A page that closes unpaid sends no event. A closed one may still turn out to be paid. */
function settlePage(work: Work, page: StoredPage, outcome: Ending): void {
  work.sendBy(page.notes.webhook);
  const { behaviour } = page.notes;
  if (outcome === 'failed') closePage(work, page);
  else if (page.body.status !== 'paid') payOn(work, page, withoutQuestions(behaviour));
}
