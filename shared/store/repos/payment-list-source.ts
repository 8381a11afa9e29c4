import type { ListWhere } from '#shared/ports/payments.port.ts';
import { indexKeys } from '#shared/store/keys.ts';
import { countFilters, inShards, type Source } from '#shared/store/record-list-source.ts';

export const PAYMENT_FILTERS = ['customer_id', 'status', 'connection_id', 'currency'] as const;

/** The narrowest index that serves the filter. Nearly all payments succeed: those are found in the full list. */
export function sourceOf(orgId: string, connectionIds: readonly string[], where: ListWhere): Source {
  const { customer_id, status, connection_id, currency } = where;
  const alone = currency === undefined && countFilters(PAYMENT_FILTERS, where) <= 1;
  if (customer_id !== undefined)
    return { index: 'customer', partitions: [indexKeys.customer(orgId, customer_id)], exact: alone };
  if (status !== undefined && status !== 'succeeded') {
    return { index: 'status', partitions: inShards((n) => indexKeys.status(orgId, status, n)), exact: alone };
  }
  const owners = connection_id === undefined ? [null, ...connectionIds] : [connection_id];
  return {
    index: 'list',
    partitions: owners.flatMap((owner) => inShards((n) => indexKeys.list(orgId, owner, n))),
    exact: alone && status === undefined,
  };
}
