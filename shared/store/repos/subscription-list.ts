import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { SubscriptionsWhere } from '#shared/ports/subscriptions.port.ts';
import type { TablePort } from '#shared/ports/table.port.ts';
import { indexKeys } from '#shared/store/keys.ts';
import { listRecords, type Most } from '#shared/store/record-list.ts';
import { countFilters, fitting, inShards, type Source } from '#shared/store/record-list-source.ts';
import { subscriptionEntity } from '#shared/store/repos/subscription.entity.ts';

const FILTERS = ['customer_id', 'status', 'plan_id'] as const;

export function listSubscriptions(
  table: TablePort,
  orgId: string,
  where: SubscriptionsWhere,
  most?: Most,
): Promise<ListPage<Subscription>> {
  const [source, fits] = [sourceOf(orgId, where), fitting(FILTERS, orgId, where)];
  return listRecords(table, { source, fits, read: subscriptionEntity.fromItem, idKind: 'subscription' }, where, most);
}

/**
 * The narrowest index that serves the filter. Few are paused; active and canceled ones outnumber those of most plans.
 */
function sourceOf(orgId: string, where: SubscriptionsWhere): Source {
  const { customer_id, status, plan_id } = where;
  const exact = countFilters(FILTERS, where) <= 1;
  if (customer_id !== undefined)
    return { index: 'customer', partitions: [indexKeys.subscriptionsOfCustomer(orgId, customer_id)], exact };
  if (plan_id !== undefined && status !== 'paused') {
    return { index: 'reference', partitions: inShards((n) => indexKeys.subscriptionsOfPlan(orgId, plan_id, n)), exact };
  }
  if (status !== undefined)
    return { index: 'status', partitions: inShards((n) => indexKeys.subscriptionsBy(orgId, status, n)), exact };
  return { index: 'list', partitions: inShards((n) => indexKeys.subscriptions(orgId, n)), exact };
}
