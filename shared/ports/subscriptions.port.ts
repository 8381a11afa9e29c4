import type { Subscription, SubscriptionStatus } from '#shared/domain/billing/subscription.model.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { Item } from '#shared/ports/table.port.ts';

export type SubscriptionsWhere = {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string;
  readonly status?: SubscriptionStatus;
  readonly customer_id?: string;
  readonly plan_id?: string;
  readonly created_after?: string;
  readonly created_before?: string;
};

export interface SubscriptionsPort {
  /** This subscription, or the one that an earlier try of the same operation made. */
  create(subscription: Subscription): Promise<Subscription>;
  get(orgId: string, id: string): Promise<Subscription | undefined>;
  /** Without an organization: for callers that check it themselves (the relay, the sweeper). */
  byId(id: string): Promise<Subscription | undefined>;
  list(orgId: string, where: SubscriptionsWhere): Promise<ListPage<Subscription>>;
  /** Decides on the stored subscription and writes on its version; a lost race decides again on the newer one. */
  change(
    subscription: Subscription,
    decide: (subscription: Subscription) => Subscription | undefined,
  ): Promise<Subscription>;
  /** The subscription in an item of the change feed. */
  read(item: Item): Subscription;
}
