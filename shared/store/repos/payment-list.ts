import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { ListWhere } from '#shared/ports/payments.port.ts';
import type { TablePort } from '#shared/ports/table.port.ts';
import { listRecords, type Most } from '#shared/store/record-list.ts';
import { fitting } from '#shared/store/record-list-source.ts';
import { paymentEntity } from '#shared/store/repos/payment.entity.ts';
import { PAYMENT_FILTERS, sourceOf } from '#shared/store/repos/payment-list-source.ts';

/** Over all connections that ever existed: each has its own partitions. */
export function listPayments(
  table: TablePort,
  orgId: string,
  connectionIds: readonly string[],
  where: ListWhere,
  most?: Most,
): Promise<ListPage<Payment>> {
  const source = sourceOf(orgId, connectionIds, where);
  const fits = fitting(PAYMENT_FILTERS, orgId, where);
  return listRecords(table, { source, fits, read: paymentEntity.fromItem, idKind: 'payment' }, where, most);
}
