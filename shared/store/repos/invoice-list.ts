import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import type { InvoicesWhere } from '#shared/ports/invoices.port.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { TablePort } from '#shared/ports/table.port.ts';
import { indexKeys } from '#shared/store/keys.ts';
import { listRecords, type Most } from '#shared/store/record-list.ts';
import { countFilters, fitting, inShards, type Source } from '#shared/store/record-list-source.ts';
import { invoiceEntity } from '#shared/store/repos/invoice.entity.ts';

const FILTERS = ['subscription_id', 'customer_id', 'status', 'plan_id'] as const;

export function listInvoices(
  table: TablePort,
  orgId: string,
  where: InvoicesWhere,
  most?: Most,
): Promise<ListPage<Invoice>> {
  const [source, fits] = [sourceOf(orgId, where), fitting(FILTERS, orgId, where)];
  return listRecords(table, { source, fits, read: invoiceEntity.fromItem, idKind: 'invoice' }, where, most);
}

/** The narrowest index that serves the filter; there is none by plan. */
function sourceOf(orgId: string, where: InvoicesWhere): Source {
  const { subscription_id, customer_id, status, plan_id } = where;
  const exact = plan_id === undefined && countFilters(FILTERS, where) <= 1;
  if (subscription_id !== undefined)
    return { index: 'reference', partitions: [indexKeys.invoicesOf(orgId, subscription_id)], exact };
  if (customer_id !== undefined)
    return { index: 'customer', partitions: [indexKeys.invoicesOfCustomer(orgId, customer_id)], exact };
  if (status !== undefined)
    return { index: 'status', partitions: inShards((n) => indexKeys.invoicesBy(orgId, status, n)), exact };
  return { index: 'list', partitions: inShards((n) => indexKeys.invoices(orgId, n)), exact };
}
