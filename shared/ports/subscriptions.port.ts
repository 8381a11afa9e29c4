import type { Subscription, SubscriptionStatus } from '#shared/domain/billing/subscription.model.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';

export type SubscriptionsQuery = {
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
  /** This subscription, or the one that an earlier try of the same request created. */
  create(subscription: Subscription): Promise<Subscription>;
  get(orgId: string, id: string): Promise<Subscription | undefined>;
  /** Without an organization: for callers that check it themselves (the relay, the sweeper). */
  byId(id: string): Promise<Subscription | undefined>;
  list(orgId: string, where: SubscriptionsQuery): Promise<ListPage<Subscription>>;
  /**
   * Decides on the stored subscription and writes on its version; after a conflict it decides again, on the newer one.
   */
  change(
    subscription: Subscription,
    decide: (subscription: Subscription) => Subscription | undefined,
  ): Promise<Subscription>;
}
