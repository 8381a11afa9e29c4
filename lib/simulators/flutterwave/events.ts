import type { StoredRefund, StoredTransaction, Transaction } from '#lib/simulators/flutterwave/objects.ts';
import type { ProviderSimulator, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';

const TYPES: Readonly<Record<string, string>> = {
  card: 'CARD_TRANSACTION',
  bank_transfer: 'BANK_TRANSFER_TRANSACTION',
  ussd: 'USSD_TRANSACTION',
};

/** Sent when a charge has ended. A pending charge sends nothing. */
export function announceCharge(work: UnitOfWork, { body }: StoredTransaction): void {
  const type = TYPES[body.payment_type] ?? 'MOBILEMONEY_TRANSACTION';
  const event = body.customer.email.includes('+flat@') ? flatEvent(body, type) : chargeEvent(body, type);
  work.emit(() => JSON.stringify(event));
}

function chargeEvent({ meta, ...data }: Transaction, type: string): object {
  return { event: 'charge.completed', data, meta_data: meta, 'event.type': type };
}

/** The form of older accounts; here of customers whose address has the tag `+flat`. It has no metadata. */
function flatEvent({ id, tx_ref: txRef, flw_ref: flwRef, customer, ...body }: Transaction, type: string): object {
  const { amount, charged_amount, status, currency, created_at: createdAt, card } = body;
  return {
    id,
    txRef,
    flwRef,
    orderRef: `URF_${id}`,
    paymentPlan: null,
    createdAt,
    amount,
    charged_amount,
    status,
    IP: '192.0.2.1',
    currency,
    appfee: body.app_fee,
    merchantfee: 0,
    merchantbearsfee: charged_amount > amount ? 0 : 1,
    customer: { id: customer.id, fullName: customer.name, email: customer.email, createdAt },
    entity: card ? entityOf(card) : { id: 'NO-ENTITY' },
    'event.type': type,
  };
}

const entityOf = ({ first_6digits: card6, last_4digits: card_last4 }: NonNullable<Transaction['card']>): object => ({
  card6,
  card_last4,
});

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
