import type { StoredRefund, StoredTransaction } from '#lib/simulators/flutterwave/objects.ts';
import type { ProviderSimulator, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';

const TYPES: Readonly<Record<string, string>> = {
  card: 'CARD_TRANSACTION',
  bank_transfer: 'BANK_TRANSFER_TRANSACTION',
  ussd: 'USSD_TRANSACTION',
};

/** Sent when a charge has ended. A pending charge sends nothing. */
export function announceCharge(work: UnitOfWork, { body }: StoredTransaction): void {
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

/** Not verified against the real API: neither the event nor its fields are documented. It has no metadata. */
export function announceRefund(work: UnitOfWork, { body }: StoredRefund): void {
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

/** Sends the secret hash of the dashboard as it is. The body is not signed. */
export const webhookHeaders: ProviderSimulator['webhookHeaders'] = (_, [hash = '']) => ({
  'verif-hash': hash,
  'content-type': 'application/json',
  'user-agent': 'Flutterwave/1.0',
});
