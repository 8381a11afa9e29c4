// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  CancelSubscription,
  CreateSubscription,
  Subscription,
  UpcomingPeriods,
  UpdateSubscription,
} from './schemas.ts';

export type ListSubscriptionsQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
  /** Only subscriptions with this status. */
  status?: 'active' | 'paused' | 'canceled';
  /** Only subscriptions of this customer. */
  customer_id?: string;
  /** Only subscriptions of this plan. */
  plan_id?: string;
  /** Inclusive: an object created at exactly this time is in the list. */
  created_after?: string;
  /**
   * Exclusive: an object created at exactly this time is not in the list, so adjoining time ranges neither overlap
   * nor leave a gap.
   */
  created_before?: string;
};

export const subscriptions = (call: Call) => ({
  /**
   * List subscriptions.
   * `GET /v1/subscriptions`: Requires the scope `subscriptions:read`.
   * With examples at `/docs/api/subscriptions#listSubscriptions`.
   */
  list: (input?: ListSubscriptionsQuery, options?: RequestOptions): List<Subscription, readonly Subscription[]> =>
    call.list('/v1/subscriptions', null, input, options),

  /**
   * Create a subscription.
   * `POST /v1/subscriptions`: Requires the scope `subscriptions:write`.
   * With examples at `/docs/api/subscriptions#createSubscription`.
   * @throws {PayforkError} `approval_required`, `approval_rejected`, `approval_limit_reached`
   */
  create: (input: CreateSubscription, options?: RequestOptions): ApiPromise<Subscription> =>
    call.change('POST', '/v1/subscriptions', input, options),

  /**
   * Get a subscription.
   * `GET /v1/subscriptions/{id}`: Requires the scope `subscriptions:read`.
   * With examples at `/docs/api/subscriptions#getSubscription`.
   * @throws {PayforkError} `not_found`
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Subscription> =>
    call.get(path`/v1/subscriptions/${id}`, input, options),

  /**
   * Update a subscription.
   * `PATCH /v1/subscriptions/{id}`: Requires the scope `subscriptions:write`.
   * With examples at `/docs/api/subscriptions#updateSubscription`.
   * @throws {PayforkError} `approval_required`, `approval_rejected`, `not_found`, `subscription_canceled`,
   * `approval_limit_reached`, `write_conflict`, `record_full`, `events_waiting`
   */
  update: (id: string, input: UpdateSubscription, options?: RequestOptions): ApiPromise<Subscription> =>
    call.change('PATCH', path`/v1/subscriptions/${id}`, input, options),

  /**
   * Get the next periods of a subscription.
   * `GET /v1/subscriptions/{id}/upcoming`: Requires the scope `subscriptions:read`.
   * With examples at `/docs/api/subscriptions#getUpcomingPeriods`.
   * @throws {PayforkError} `not_found`
   */
  getUpcomingPeriods: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<UpcomingPeriods> =>
    call.get(path`/v1/subscriptions/${id}/upcoming`, input, options),

  /**
   * Cancel a subscription.
   * `POST /v1/subscriptions/{id}/cancel`: Requires the scope `subscriptions:write`.
   * With examples at `/docs/api/subscriptions#cancelSubscription`.
   * @throws {PayforkError} `not_found`, `subscription_canceled`, `write_conflict`, `record_full`, `events_waiting`
   */
  cancel: (id: string, input?: CancelSubscription, options?: RequestOptions): ApiPromise<Subscription> =>
    call.change('POST', path`/v1/subscriptions/${id}/cancel`, input, options),

  /**
   * Resume a paused subscription, or undo a scheduled cancel.
   * `POST /v1/subscriptions/{id}/resume`: Requires the scope `subscriptions:write`.
   * With examples at `/docs/api/subscriptions#resumeSubscription`.
   * @throws {PayforkError} `approval_required`, `approval_rejected`, `not_found`, `subscription_canceled`,
   * `subscription_not_resumable`, `approval_limit_reached`, `write_conflict`, `record_full`, `events_waiting`
   */
  resume: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Subscription> =>
    call.change('POST', path`/v1/subscriptions/${id}/resume`, input, options),
});
