import { type Invoice, invoiceDueAt } from '#shared/domain/billing/invoice.model.ts';
import { hasNewMarker } from '#shared/domain/payments/idempotency-markers.rules.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { InvoicesPort, InvoicesQuery } from '#shared/ports/invoices.port.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { itemSizeGuard } from '#shared/store/item-size-guard.ts';
import { dueEntry, indexKeys, keys, LIST_SHARDS, listShardOf } from '#shared/store/keys.ts';
import {
  countFilters,
  inShards,
  type ListOptions,
  type ListSource,
  listRecords,
  matchesFilters,
} from '#shared/store/list-records.ts';
import { ListShards } from '#shared/store/list-shards.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';
import { VersionedRepo } from '#shared/store/versioned-repo.ts';

export class InvoiceRepo extends VersionedRepo<Invoice> implements InvoicesPort {
  readonly #lists: ListShards;
  constructor(table: TablePort, clock: Clock) {
    super(table, invoiceEntity);
    this.#lists = new ListShards(table, clock);
  }

  async list(orgId: string, query: InvoicesQuery): Promise<ListPage<Invoice>> {
    return listInvoices(this.table, orgId, query, { shards: await this.#lists.all(orgId) });
  }
}

export const invoiceEntity = {
  name: 'invoice',
  idKind: 'invoice',
  key: keys.invoice,
  toItem: (invoice: Invoice): Item => ({
    ...(invoice as unknown as Item),
    ...keys.invoice(invoice.id),
    item_type: 'invoice',
    ...indexAttributes(invoice),
  }),
  fromItem: fromItem<Invoice>,
  assertFits: itemSizeGuard<Invoice>('invoice', hasNewMarker),
} as const;

function indexAttributes(invoice: Invoice): Record<string, string> {
  const { id, org_id, customer_id, subscription_id, status } = invoice;
  const shard = listShardOf(invoice);
  const due = invoiceDueAt(invoice);
  return {
    list_pk: indexKeys.invoices(org_id, shard),
    list_sk: id,
    customer_pk: indexKeys.invoicesOfCustomer(org_id, customer_id),
    customer_sk: id,
    lookup_pk: indexKeys.invoicesOfSubscription(org_id, subscription_id),
    lookup_sk: id,
    status_pk: indexKeys.invoicesByStatus(org_id, status, shard),
    status_sk: id,
    ...dueEntry(due, id, org_id),
  };
}

const FILTERS = ['subscription_id', 'customer_id', 'status', 'plan_id'] as const;

export function listInvoices(
  table: TablePort,
  orgId: string,
  query: InvoicesQuery,
  { shards = LIST_SHARDS, ...limits }: ListOptions = {},
): Promise<ListPage<Invoice>> {
  const [source, matches] = [sourceOf(orgId, query, shards), matchesFilters(FILTERS, orgId, query)];
  return listRecords(table, { source, matches, read: invoiceEntity.fromItem, idKind: 'invoice' }, query, limits);
}

/** The narrowest index for the filter. There is no index by plan. */
function sourceOf(orgId: string, query: InvoicesQuery, shards: number): ListSource {
  const { subscription_id, customer_id, status, plan_id } = query;
  const exact = plan_id === undefined && countFilters(FILTERS, query) <= 1;
  if (subscription_id !== undefined)
    return { index: 'lookup', partitions: [indexKeys.invoicesOfSubscription(orgId, subscription_id)], exact };
  if (customer_id !== undefined)
    return { index: 'customer', partitions: [indexKeys.invoicesOfCustomer(orgId, customer_id)], exact };
  if (status !== undefined)
    return {
      index: 'status',
      partitions: inShards(shards, (n) => indexKeys.invoicesByStatus(orgId, status, n)),
      exact,
    };
  return { index: 'list', partitions: inShards(shards, (n) => indexKeys.invoices(orgId, n)), exact };
}
