import type { StoredRefund, StoredTransaction } from '#lib/simulators/flutterwave/objects.ts';
import type { ProviderSimulator, Work } from '#lib/simulators/frame/provider.port.ts';

const TYPES: Readonly<Record<string, string>> = {
  card: 'CARD_TRANSACTION',
  bank_transfer: 'BANK_TRANSFER_TRANSACTION',
  ussd: 'USSD_TRANSACTION',
};

/** A charge has come to its end, one way or the other. Nothing is sent of one that is pending. */
export function announceCharge(work: Work, { body }: StoredTransaction): void {
  const { meta, ...data } = body;
  work.emit(() =>
    JSON.stringify({
      event: 'charge.completed',
      data,
      meta_data: meta,
      'event.type': TYPES[body.payment_type] ?? 'MOBILEMONEY_TRANSACTION',
    }),
  );
}

/** Not verified against the real one: neither the event nor its spelling is documented. It carries no metadata. */
export function announceRefund(work: Work, { body }: StoredRefund): void {
  const { id, tx_id, status, amount_refunded, comments } = body;
  const data = {
    id,
    status,
    AmountRefunded: amount_refunded,
    TransactionId: tx_id,
    comments,
    createdAt: work.now.toISOString(),
  };
  work.emit(() => JSON.stringify({ event: 'refund.completed', data, 'event.type': 'REFUND' }));
}

/** The hash of the dashboard goes along as it is; nothing of the body is signed. */
export const signWebhook: ProviderSimulator['signWebhook'] = (_, [hash = '']) => ({
  'verif-hash': hash,
  'content-type': 'application/json',
  'user-agent': 'Flutterwave/1.0',
});
