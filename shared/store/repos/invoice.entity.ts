import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { invoiceDueAt } from '#shared/domain/billing/invoice.rules.ts';
import { hasNewAct } from '#shared/domain/payments/acts.rules.ts';
import { shardOf } from '#shared/kernel/ids.ts';
import type { Item } from '#shared/ports/table.port.ts';
import { indexKeys, keys, LIST_SHARDS } from '#shared/store/keys.ts';
import { recordIn } from '#shared/store/record-in.ts';
import { roomFor } from '#shared/store/room.ts';

export const invoiceEntity = {
  toItem: (invoice: Invoice): Item => ({
    ...(invoice as unknown as Item),
    ...keys.invoice(invoice.id),
    item_type: 'invoice',
    ...indexed(invoice),
  }),
  fromItem: (item: Item): Invoice => recordIn<Invoice>(item),
  needRoom: roomFor<Invoice>('invoice', hasNewAct),
};

function indexed(invoice: Invoice): Record<string, string> {
  const { id, org_id, customer_id, subscription_id, status } = invoice;
  const shard = shardOf(id, LIST_SHARDS);
  const due = invoiceDueAt(invoice);
  return {
    list_pk: indexKeys.invoices(org_id, shard),
    list_sk: id,
    customer_pk: indexKeys.invoicesOfCustomer(org_id, customer_id),
    customer_sk: id,
    reference_pk: indexKeys.invoicesOf(org_id, subscription_id),
    reference_sk: id,
    status_pk: indexKeys.invoicesBy(org_id, status, shard),
    status_sk: id,
    ...(due !== undefined && { due_pk: indexKeys.due(id), due_sk: `${due}#${id}#${org_id}` }),
  };
}
