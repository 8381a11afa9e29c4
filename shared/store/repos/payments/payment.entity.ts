import { addsToPayment } from '#shared/domain/payments/idempotency-markers.rules.ts';
import type { Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import { nextDueAt } from '#shared/domain/payments/reconciliation.rules.ts';
import { randomBits, shardOf } from '#shared/kernel/ids.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { itemSizeGuard } from '#shared/store/item-size-guard.ts';
import { DUE_SHARDS, dueEntry, indexKeys, keys, LIST_SHARDS } from '#shared/store/keys.ts';
import type { Item } from '#shared/store/table/table.port.ts';

export const paymentEntity = {
  name: 'payment',
  idKind: 'payment',
  key: keys.payment,
  toItem: (payment: Payment, at: Date): Item => {
    const now = at.toISOString();
    const bits = randomBits(payment.id);
    const { list_shards = LIST_SHARDS } = payment;
    const shards = { list: shardOf(payment.id, list_shards), due: shardOf(payment.id, DUE_SHARDS) };
    const due = nextDueAt(payment, payment.due_at !== undefined && payment.due_at > now ? payment.due_at : undefined);
    const { due_at: _, refunds_loaded, ...rest } = payment;
    const own = refunds_loaded ? { ...rest, refunds: inlineRefunds(payment) } : rest;
    const record = due === undefined ? own : { ...own, due_at: due };
    return {
      ...(record as unknown as Item),
      ...keys.payment(payment.id, bits),
      item_type: 'payment',
      ...indexAttributes(payment, due, shards),
    };
  },
  fromItem: fromItem<Payment>,
  assertFits: itemSizeGuard<Payment>('payment', addsToPayment),
} as const;

type Shards = { readonly list: number; readonly due: number };

function indexAttributes(payment: Payment, due: string | undefined, shards: Shards): Record<string, string> {
  const { id, org_id, connection_id, customer_id, provider, psp_reference, status } = payment;
  return {
    list_pk: indexKeys.payments(org_id, connection_id, shards.list),
    list_sk: id,
    ...(customer_id && { customer_pk: indexKeys.paymentsOfCustomer(org_id, customer_id), customer_sk: id }),
    ...pspReferenceEntry(id, { provider, psp_reference }),
    ...(isListedByStatus(payment) && {
      status_pk: indexKeys.paymentsByStatus(org_id, status, shards.list),
      status_sk: id,
    }),
    ...dueEntry(due, id, undefined, shards.due),
  };
}

/** The refunds that stay in the payment's item: see `refund-pages.ts`. */
function inlineRefunds({ refunds, refund_pages = [], refunds_loaded }: Payment): readonly Refund[] {
  if (!refunds_loaded) return refunds;
  const beside = new Set(refund_pages.flatMap(({ positions }) => positions));
  return refunds.filter((_, position) => !beside.has(position));
}

export const pspReferenceEntry = (
  id: string,
  { provider, psp_reference }: Pick<Payment, 'provider' | 'psp_reference'>,
): Record<string, string> =>
  provider && psp_reference ? { lookup_pk: indexKeys.pspReference(provider, psp_reference), lookup_sk: id } : {};

/**
 * Nearly all payments succeed within seconds. Those have no entry in the status index, and are read from the full list.
 */
function isListedByStatus(payment: Payment): boolean {
  if (payment.status === 'succeeded') return false;
  return !(payment.status === 'processing' && payment.attempts.at(-1)?.phase === 'calling');
}
