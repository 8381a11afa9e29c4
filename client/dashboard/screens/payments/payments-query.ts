import { createdRange, RANGES } from '#client/dashboard/screens/payments/created-range.ts';
import type { ListPaymentsQuery } from '#client/typescript/src/generated/payments.ts';

/** What stands in the address of the list. */
export const FILTERS = [
  'search',
  'status',
  'created',
  'from',
  'to',
  'connection_id',
  'currency',
  'customer_id',
] as const;
export type FilterName = (typeof FILTERS)[number];
export type FilterValues = { readonly [name in FilterName]?: string };

export const STATUSES = [
  'succeeded',
  'failed',
  'processing',
  'requires_action',
  'authorized',
  'refunded',
  'canceled',
  'created',
] as const satisfies readonly NonNullable<ListPaymentsQuery['status']>[];

export const CHOICES = { status: STATUSES, created: [...Object.keys(RANGES), 'dates'] };

/** The filters as the API takes them. */
export function paymentsQuery(values: FilterValues, now: Date): ListPaymentsQuery {
  const { connection_id, currency, customer_id } = values;
  const status = STATUSES.find((each) => each === values.status);
  return {
    ...createdRange(values, now),
    ...(status && { status }),
    ...(connection_id && { connection_id }),
    ...(currency && { currency }),
    ...(customer_id && { customer_id }),
  };
}
