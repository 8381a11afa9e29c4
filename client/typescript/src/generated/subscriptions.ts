// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  CancelSubscription,
  CreateSubscription,
  Subscription,
  SubscriptionStats,
  UpcomingPeriods,
  UpdateSubscription,
} from './schemas.ts';

export type ListSubscriptionsQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
  status?: 'active' | 'paused' | 'canceled';
  customer_id?: string;
  plan_id?: string;
  /** Inclusive: an object created at exactly this time is in the list. */
  created_after?: string;
  /**
   * Exclusive: an object created at exactly this time is not in the list, so adjoining time ranges neither overlap
   * nor leave a gap.
   */
  created_before?: string;
};

export type GetSubscriptionStatsQuery = {
  /** A day of UTC, included. A date-time stands for its day, and 1970-01-01 for all before it. */
  from?: string;
  /** A day of UTC, included. A date-time stands for its day, and 1970-01-01 for all before it. */
  to?: string;
  /** ISO 4217, in any case; returned in upper case. */
  currency?: string;
};

export const subscriptions = (call: Call) => ({
  /**
   * List subscriptions.
   * `GET /v1/subscriptions`: Requires the scope `subscriptions:read`. Counts among the 500 reads a minute.
   */
  list: (input?: ListSubscriptionsQuery, options?: RequestOptions): List<Subscription, readonly Subscription[]> =>
    call.list('/v1/subscriptions', null, input, options),

  /**
   * Create a subscription.
   * `POST /v1/subscriptions`: Requires the scope `subscriptions:write`. Counts among the 100 other writes a minute.
   */
  create: (input: CreateSubscription, options?: RequestOptions): Promise<Subscription> =>
    call.change('POST', '/v1/subscriptions', input, options),

  /**
   * Get a subscription.
   * `GET /v1/subscriptions/{id}`: Requires the scope `subscriptions:read`. Counts among the 500 reads a minute.
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): Promise<Subscription> =>
    call.get(path`/v1/subscriptions/${id}`, input, options),

  /**
   * Update a subscription.
   * `PATCH /v1/subscriptions/{id}`: Requires the scope `subscriptions:write`. Counts among the 100 other writes a
   * minute.
   */
  update: (id: string, input: UpdateSubscription, options?: RequestOptions): Promise<Subscription> =>
    call.change('PATCH', path`/v1/subscriptions/${id}`, input, options),

  /**
   * Get the next periods of a subscription.
   * `GET /v1/subscriptions/{id}/upcoming`: Requires the scope `subscriptions:read`. Counts among the 500 reads a
   * minute.
   */
  getUpcoming: (id: string, input?: NoInput, options?: RequestOptions): Promise<UpcomingPeriods> =>
    call.get(path`/v1/subscriptions/${id}/upcoming`, input, options),

  /**
   * Cancel a subscription.
   * `POST /v1/subscriptions/{id}/cancel`: Requires the scope `subscriptions:write`. Counts among the 100 other
   * writes a minute.
   */
  cancel: (id: string, input?: CancelSubscription, options?: RequestOptions): Promise<Subscription> =>
    call.change('POST', path`/v1/subscriptions/${id}/cancel`, input, options),

  /**
   * Resume a paused subscription, or undo a scheduled cancel.
   * `POST /v1/subscriptions/{id}/resume`: Requires the scope `subscriptions:write`. Counts among the 100 other
   * writes a minute.
   */
  resume: (id: string, input?: NoInput, options?: RequestOptions): Promise<Subscription> =>
    call.change('POST', path`/v1/subscriptions/${id}/resume`, input, options),

  /**
   * Get subscription statistics.
   * `GET /v1/subscriptions/stats`: Requires the scope `subscriptions:read`. Counts among the 500 reads a minute.
   */
  getStats: (input?: GetSubscriptionStatsQuery, options?: RequestOptions): Promise<SubscriptionStats> =>
    call.get('/v1/subscriptions/stats', input, options),
});
