import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { SubscriptionsPort, SubscriptionsWhere } from '#shared/ports/subscriptions.port.ts';
import type { Item, TablePort } from '#shared/ports/table.port.ts';
import { keys } from '#shared/store/keys.ts';
import { subscriptionEntity } from '#shared/store/repos/subscription.entity.ts';
import { listSubscriptions } from '#shared/store/repos/subscription-list.ts';
import { changeVersioned, createOnce } from '#shared/store/versioned.ts';

export class SubscriptionRepo implements SubscriptionsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  create(subscription: Subscription): Promise<Subscription> {
    return createOnce(this.#table, subscriptionEntity, subscription);
  }

  async get(orgId: string, id: string): Promise<Subscription | undefined> {
    const subscription = await this.byId(id);
    return subscription?.org_id === orgId ? subscription : undefined;
  }

  async byId(id: string): Promise<Subscription | undefined> {
    const item = isId('subscription', id)
      ? await this.#table.get(keys.subscription(id), { consistent: true })
      : undefined;
    return item && subscriptionEntity.fromItem(item);
  }

  list(orgId: string, where: SubscriptionsWhere): Promise<ListPage<Subscription>> {
    return listSubscriptions(this.#table, orgId, where);
  }

  change(
    subscription: Subscription,
    decide: (subscription: Subscription) => Subscription | undefined,
  ): Promise<Subscription> {
    return changeVersioned(this.#table, subscriptionEntity, subscription, decide, 'subscription');
  }

  read(item: Item): Subscription {
    return subscriptionEntity.fromItem(item);
  }
}
