import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { notFound } from '#lib/simulators/paystack/answers.ts';
import { isAlias, isTransaction, type StoredTransaction } from '#lib/simulators/paystack/objects.ts';

/** By its reference, its number or its page's code; another account's is not there. */
export function findTransaction(work: Work, id: string): StoredTransaction | undefined {
  const found = work.objects.get(id);
  const stored = found && isAlias(found) ? work.objects.get(found.parent ?? '') : found;
  return stored && isTransaction(stored) && stored.account === work.account ? stored : undefined;
}

export function needTransaction(work: Work, id: string): StoredTransaction {
  const stored = findTransaction(work, id);
  if (!stored) throw notFound('Transaction reference not found.', 'transaction_not_found');
  return stored;
}
