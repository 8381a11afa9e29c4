import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { subscriptionDueAt } from '#shared/domain/billing/subscription.rules.ts';
import { hasNewAct } from '#shared/domain/payments/acts.rules.ts';
import { shardOf } from '#shared/kernel/ids.ts';
import type { Item } from '#shared/ports/table.port.ts';
import { indexKeys, keys, LIST_SHARDS } from '#shared/store/keys.ts';
import { recordIn } from '#shared/store/record-in.ts';
import { roomFor } from '#shared/store/room.ts';

export const subscriptionEntity = {
  toItem: (subscription: Subscription): Item => ({
    ...(subscription as unknown as Item),
    ...keys.subscription(subscription.id),
    item_type: 'subscription',
    ...indexed(subscription),
  }),
  fromItem: (item: Item): Subscription => recordIn<Subscription>(item),
  needRoom: roomFor<Subscription>('subscription', hasNewAct),
};

function indexed(subscription: Subscription): Record<string, string> {
  const { id, org_id, customer_id, plan_id, status } = subscription;
  const shard = shardOf(id, LIST_SHARDS);
  const due = subscriptionDueAt(subscription);
  return {
    list_pk: indexKeys.subscriptions(org_id, shard),
    list_sk: id,
    customer_pk: indexKeys.subscriptionsOfCustomer(org_id, customer_id),
    customer_sk: id,
    reference_pk: indexKeys.subscriptionsOfPlan(org_id, plan_id, shard),
    reference_sk: id,
    status_pk: indexKeys.subscriptionsBy(org_id, status, shard),
    status_sk: id,
    ...(due !== undefined && { due_pk: indexKeys.due(id), due_sk: `${due}#${id}#${org_id}` }),
  };
}
