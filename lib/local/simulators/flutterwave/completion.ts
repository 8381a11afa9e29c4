import { closePage, payOn } from '#lib/local/simulators/flutterwave/hosted.ts';
import { bearing, isPage, isRefund, isTransaction, type StoredPage, type StoredTransaction } from '#lib/local/simulators/flutterwave/objects.ts';
import { settleRefund } from '#lib/local/simulators/flutterwave/refunds.ts';
import { fail, succeed } from '#lib/local/simulators/flutterwave/transactions.ts';
import type { Stored } from '#lib/local/simulators/frame/object-store.ts';
import type { Work } from '#lib/local/simulators/frame/provider.port.ts';
import type { FailureCode } from '#shared/domain/declines.catalog.ts';

type Ending = 'succeeded' | 'failed';

/** What the customer or the bank does, out of our sight. */
export function complete(candidates: readonly Stored[], outcome: Ending, work: Work): void {
  const named = candidates.flatMap((each) => (each.kind === 'reference' ? bearing(work, each.id) : [each]));
  const target = named.length === 1 ? named[0] : choose(named);
  if (!target) return;
  if (isRefund(target)) {
    work.sendBy(target.notes.webhook);
    settleRefund(work, target, outcome === 'succeeded' ? 'completed' : 'failed');
  } else if (isPage(target)) settlePage(work, target, outcome);
  else if (isTransaction(target)) settleTransaction(work, target, outcome);
}

/** The newest that waits for somebody; else a refund on its way; else the newest try, and a page only where nobody tried. */
function choose(candidates: readonly Stored[]): Stored | undefined {
  const newest = candidates.toReversed();
  const waits = (each: Stored) => (isTransaction(each) && each.body.status === 'pending') || (isPage(each) && each.body.status === 'open');
  return newest.find(waits) ?? newest.find((each) => isRefund(each) && each.body.status === 'pending') ?? newest.find(isTransaction) ?? newest.find(isPage);
}

/** Money moves also where the charge was called failed before: the network changed its mind. */
export function settleTransaction(work: Work, stored: StoredTransaction, outcome: Ending, reason: FailureCode = 'card_declined'): StoredTransaction {
  work.sendBy(stored.notes.webhook);
  const { status } = stored.body;
  if (outcome === 'succeeded') return status === 'successful' ? stored : succeed(work, stored, stored.notes.behaviour?.kind === 'wrong_amount' ? 1 : 0);
  return status === 'pending' ? fail(work, stored, reason) : stored;
}

/** A page that closes without money tells nobody. One that had closed can still turn out to have been paid. */
function settlePage(work: Work, page: StoredPage, outcome: Ending): void {
  work.sendBy(page.notes.webhook);
  const { behaviour } = page.notes;
  if (outcome === 'failed') closePage(work, page);
  else if (page.body.status !== 'paid') payOn(work, page, behaviour?.kind === 'requires_action' ? null : behaviour);
}
