import { api, missing } from '#lib/simulators/flutterwave/answers.ts';
import { bearing, isTransaction, type StoredTransaction } from '#lib/simulators/flutterwave/objects.ts';
import { withToken } from '#lib/simulators/flutterwave/tokens.ts';
import { ownOf } from '#lib/simulators/frame/own.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';

export function findTransaction(work: Work, id: string): StoredTransaction {
  const stored = ownOf(work, id, isTransaction);
  if (!stored) throw missing('transaction');
  return stored;
}

/** Of several with one reference the newest is shown, unless one of them has taken money. */
function findByReference(work: Work, txRef: string): StoredTransaction {
  const newest = bearing(work, txRef).filter(isTransaction).toReversed();
  const found = newest.find(({ body }) => body.status === 'successful') ?? newest[0];
  if (!found) throw missing('transaction');
  return found;
}

export const lookupRoutes = [
  api('GET', '/v3/transactions/{id}/verify', 'fetch', ({ params }, work) => {
    return { message: 'Transaction fetched successfully', data: withToken(findTransaction(work, params.id ?? '')) };
  }),
  api('GET', '/v3/transactions/verify_by_reference', 'find', ({ request }, work) => {
    return {
      message: 'Transaction fetched successfully',
      data: withToken(findByReference(work, request.query.get('tx_ref') ?? '')),
    };
  }),
  api('GET', '/v3/balances', 'ping', () => ({
    message: 'Wallet balances fetched',
    data: ['NGN', 'USD', 'EUR'].map((currency) => ({
      currency,
      available_balance: 12_345.67,
      ledger_balance: 12_345.67,
    })),
  })),
];
