import type { Payment } from '#shared/domain/payment.model.ts';
import type { ListWhere } from '#shared/ports/stores.port.ts';
import type { IndexName } from '#shared/ports/table.port.ts';
import { indexKeys, LIST_SHARDS, shards } from '#shared/store/keys.ts';

/** Where the entries of a list lie. `exact`: every entry is a hit, so an offset is skipped on keys alone. */
export type Source = { readonly index: IndexName; readonly partitions: readonly string[]; readonly exact: boolean };

/** The narrowest index that serves the filter. Nearly all payments succeed: those are looked for in the list itself. */
export function sourceOf(orgId: string, connectionIds: readonly string[], where: ListWhere): Source {
  const { customer_id, status, connection_id, currency } = where;
  const alone = currency === undefined && [customer_id, status, connection_id].filter((f) => f !== undefined).length <= 1;
  if (customer_id !== undefined) return { index: 'customer', partitions: [indexKeys.customer(orgId, customer_id)], exact: alone };
  if (status !== undefined && status !== 'succeeded') {
    return { index: 'status', partitions: shards(LIST_SHARDS).map((n) => indexKeys.status(orgId, status, n)), exact: alone };
  }
  const owners = connection_id === undefined ? [null, ...connectionIds] : [connection_id];
  return {
    index: 'list',
    partitions: owners.flatMap((owner) => shards(LIST_SHARDS).map((n) => indexKeys.list(orgId, owner, n))),
    exact: alone && status === undefined,
  };
}

const FIELDS = ['customer_id', 'status', 'connection_id', 'currency'] as const;

/** Entries are late: also what they say is looked at again on the payment. */
export const filterOf =
  (orgId: string, where: ListWhere) =>
  (payment: Payment): boolean =>
    payment.org_id === orgId && FIELDS.every((field) => where[field] === undefined || payment[field] === where[field]);
