import { type Subscription, subscriptionDueAt } from '#shared/domain/billing/subscription.model.ts';
import { hasNewMarker } from '#shared/domain/payments/idempotency-markers.rules.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { SubscriptionsPort, SubscriptionsQuery } from '#shared/ports/subscriptions.port.ts';
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

export class SubscriptionRepo extends VersionedRepo<Subscription> implements SubscriptionsPort {
  readonly #lists: ListShards;
  constructor(table: TablePort, clock: Clock) {
    super(table, subscriptionEntity);
    this.#lists = new ListShards(table, clock);
  }

  override async create(subscription: Subscription): Promise<Subscription> {
    return super.create(await this.#lists.place(subscription));
  }

  async list(orgId: string, query: SubscriptionsQuery): Promise<ListPage<Subscription>> {
    return listSubscriptions(this.table, orgId, query, { shards: await this.#lists.all(orgId) });
  }
}

export const subscriptionEntity = {
  name: 'subscription',
  idKind: 'subscription',
  key: keys.subscription,
  toItem: (subscription: Subscription): Item => ({
    ...(subscription as unknown as Item),
    ...keys.subscription(subscription.id),
    item_type: 'subscription',
    ...indexAttributes(subscription),
  }),
  fromItem: fromItem<Subscription>,
  assertFits: itemSizeGuard<Subscription>('subscription', hasNewMarker),
} as const;

function indexAttributes(subscription: Subscription): Record<string, string> {
  const { id, org_id, customer_id, plan_id, status } = subscription;
  const shard = listShardOf(subscription);
  const due = subscriptionDueAt(subscription);
  return {
    list_pk: indexKeys.subscriptions(org_id, shard),
    list_sk: id,
    customer_pk: indexKeys.subscriptionsOfCustomer(org_id, customer_id),
    customer_sk: id,
    lookup_pk: indexKeys.subscriptionsOfPlan(org_id, plan_id, shard),
    lookup_sk: id,
    status_pk: indexKeys.subscriptionsByStatus(org_id, status, shard),
    status_sk: id,
    ...dueEntry(due, id, org_id),
  };
}

const FILTERS = ['customer_id', 'status', 'plan_id'] as const;

export function listSubscriptions(
  table: TablePort,
  orgId: string,
  query: SubscriptionsQuery,
  { shards = LIST_SHARDS, ...limits }: ListOptions = {},
): Promise<ListPage<Subscription>> {
  const source = sourceOf(orgId, query, shards);
  const matches = matchesFilters(FILTERS, orgId, query);
  return listRecords(
    table,
    { source, matches, read: subscriptionEntity.fromItem, idKind: 'subscription' },
    query,
    limits,
  );
}

/**
 * The narrowest index for the filter. Few subscriptions are paused, so `paused` comes before the plan; each other
 * status usually has more subscriptions than one plan.
 */
function sourceOf(orgId: string, query: SubscriptionsQuery, shards: number): ListSource {
  const { customer_id, status, plan_id } = query;
  const exact = countFilters(FILTERS, query) <= 1;
  if (customer_id !== undefined)
    return { index: 'customer', partitions: [indexKeys.subscriptionsOfCustomer(orgId, customer_id)], exact };
  if (plan_id !== undefined && status !== 'paused') {
    return {
      index: 'lookup',
      partitions: inShards(shards, (n) => indexKeys.subscriptionsOfPlan(orgId, plan_id, n)),
      exact,
    };
  }
  if (status !== undefined)
    return {
      index: 'status',
      partitions: inShards(shards, (n) => indexKeys.subscriptionsByStatus(orgId, status, n)),
      exact,
    };
  return { index: 'list', partitions: inShards(shards, (n) => indexKeys.subscriptions(orgId, n)), exact };
}
