import type { Stored } from '#lib/local/simulators/frame/object-store.ts';
import type { Work } from '#lib/local/simulators/frame/provider.port.ts';
import { isAlias, isRefund, isTransaction, type StoredTransaction } from '#lib/local/simulators/paystack/objects.ts';
import { attempt, fail, succeed } from '#lib/local/simulators/paystack/outcomes.ts';
import { failRefund, processRefund } from '#lib/local/simulators/paystack/refunds.ts';
import { findTransaction } from '#lib/local/simulators/paystack/transactions.ts';

export type Ending = 'succeeded' | 'failed';

/** What the customer or the bank does, out of our sight. */
export function complete(candidates: readonly Stored[], outcome: Ending, work: Work): void {
  const target = candidates.length === 1 ? candidates[0] : choose(candidates);
  if (!target) return;
  if (isRefund(target)) {
    work.sendBy(target.notes.webhook);
    (outcome === 'succeeded' ? processRefund : failRefund)(work, target);
    return;
  }
  const transaction = isAlias(target) ? findTransaction(work, target.id) : target;
  if (transaction && isTransaction(transaction)) settle(work, transaction, outcome);
}

const isUndecided = ({ body }: StoredTransaction): boolean => body.status === 'abandoned' || body.status === 'ongoing' || body.status === 'pending';

/** Of all that belongs to a payment, the newest that waits for somebody; else a refund on its way; else the newest try. */
function choose(candidates: readonly Stored[]): Stored | undefined {
  const newest = candidates.toReversed();
  return (
    newest.find((stored) => isTransaction(stored) && isUndecided(stored)) ??
    newest.find((stored) => isRefund(stored) && stored.body.status === 'pending') ??
    newest.find(isTransaction)
  );
}

/** Whoever settles from outside has the customer's acts in mind, too. Money also moves where the try had failed: the bank changed its mind. */
export function settle(work: Work, transaction: StoredTransaction, outcome: Ending): StoredTransaction {
  work.sendBy(transaction.notes.webhook);
  if (outcome === 'failed') return isUndecided(transaction) ? fail(work, transaction, 'The transaction was not completed') : transaction;
  const { behaviour } = transaction.notes;
  const ordered = behaviour?.kind === 'wrong_amount' || behaviour?.kind === 'decline' ? behaviour : null;
  return ordered && isUndecided(transaction) ? attempt(work, transaction, ordered) : succeed(work, transaction);
}
