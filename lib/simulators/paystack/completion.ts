import { choose } from '#lib/simulators/frame/choosing.ts';
import type { Stored } from '#lib/simulators/frame/object-store.ts';
import type { Ending, Work } from '#lib/simulators/frame/provider.port.ts';
import { findTransaction } from '#lib/simulators/paystack/finding.ts';
import { isAlias, isRefund, isTransaction, type StoredTransaction } from '#lib/simulators/paystack/objects.ts';
import { attempt, fail, succeed } from '#lib/simulators/paystack/outcomes.ts';
import { failRefund, processRefund } from '#lib/simulators/paystack/refunds.ts';

/**
 * An act of the customer or the bank: applied to the newest object that waits for one; else to a pending refund; else
 * to the newest try.
 */
export function complete(candidates: readonly Stored[], outcome: Ending, work: Work): void {
  const target = choose(
    candidates,
    (stored) => isTransaction(stored) && isUndecided(stored),
    (stored) => isRefund(stored) && stored.body.status === 'pending',
    isTransaction,
  );
  if (!target) return;
  if (isRefund(target)) {
    work.sendBy(target.notes.webhook);
    (outcome === 'succeeded' ? processRefund : failRefund)(work, target);
    return;
  }
  const transaction = isAlias(target) ? findTransaction(work, target.id) : target;
  if (transaction && isTransaction(transaction)) settle(work, transaction, outcome);
}

const isUndecided = ({ body }: StoredTransaction): boolean =>
  body.status === 'abandoned' || body.status === 'ongoing' || body.status === 'pending';

/**
 * A completion from outside includes the customer's acts. Money also moves after a failed try: the bank changed its
 * mind.
 */
function settle(work: Work, transaction: StoredTransaction, outcome: Ending): StoredTransaction {
  work.sendBy(transaction.notes.webhook);
  if (outcome === 'failed')
    return isUndecided(transaction) ? fail(work, transaction, 'The transaction was not completed') : transaction;
  const { behaviour } = transaction.notes;
  const ordered = behaviour?.kind === 'wrong_amount' || behaviour?.kind === 'decline' ? behaviour : null;
  return ordered && isUndecided(transaction) ? attempt(work, transaction, ordered) : succeed(work, transaction);
}
