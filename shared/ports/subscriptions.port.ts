import type { Subscription, SubscriptionStatus } from '#shared/domain/subscription.model.ts';
import type { ListPage } from '#shared/ports/stores.port.ts';
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
  /** The given one, or what an earlier try of the same operation has made. */
  create(subscription: Subscription): Promise<Subscription>;
  get(orgId: string, id: string): Promise<Subscription | undefined>;
  /** Without knowing the organization: for callers that check it themselves (the relay, the sweeper). */
  byId(id: string): Promise<Subscription | undefined>;
  list(orgId: string, where: SubscriptionsWhere): Promise<ListPage<Subscription>>;
  /** Decides on the subscription at hand and writes on its version; a lost race decides again on what won. */
  change(subscription: Subscription, decide: (subscription: Subscription) => Subscription | undefined): Promise<Subscription>;
  /** The subscription in an item of the change feed. */
  read(item: Item): Subscription;
}
