// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  Attention,
  Currency,
  Payment,
  PaymentStats,
  PaymentTimeline,
  ReviewList,
  SubscriptionStats,
} from './schemas.ts';

export type GetPaymentStatsQuery = {
  /** A day of UTC, included. A date-time stands for its day, and 1970-01-01 for all before it. */
  from?: string;
  /** A day of UTC, included. A date-time stands for its day, and 1970-01-01 for all before it. */
  to?: string;
  /** Only this currency: ISO 4217, in any case. */
  currency?: Currency;
  /** Only payments that this connection was charged for. */
  connection_id?: string;
};

export type ListPaymentReviewsQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
};

export type GetSubscriptionStatsQuery = {
  /** A day of UTC, included. A date-time stands for its day, and 1970-01-01 for all before it. */
  from?: string;
  /** A day of UTC, included. A date-time stands for its day, and 1970-01-01 for all before it. */
  to?: string;
  /** Only this currency: ISO 4217, in any case. */
  currency?: Currency;
};

export const reports = (call: Call) => ({
  /**
   * Get payment statistics.
   * `GET /v1/payments/stats`: Requires the scope `payments:read`.
   * With examples at `/docs/api/reports#getPaymentStats`.
   */
  getPaymentStats: (input?: GetPaymentStatsQuery, options?: RequestOptions): ApiPromise<PaymentStats> =>
    call.get('/v1/payments/stats', input, options),

  /**
   * Get what needs attention.
   * `GET /v1/attention`: Requires the scope `payments:read`.
   * With examples at `/docs/api/reports#getAttention`.
   */
  getAttention: (input?: NoInput, options?: RequestOptions): ApiPromise<Attention> =>
    call.get('/v1/attention', input, options),

  /**
   * List payments under review.
   * `GET /v1/payments/reviews`: Requires the scope `payments:read`.
   * With examples at `/docs/api/reports#listPaymentReviews`.
   */
  listPaymentReviews: (input?: ListPaymentReviewsQuery, options?: RequestOptions): List<Payment, ReviewList> =>
    call.list('/v1/payments/reviews', 'payments', input, options),

  /**
   * Get a payment's timeline.
   * `GET /v1/payments/{id}/timeline`: Requires the scope `payments:read`.
   * With examples at `/docs/api/reports#getPaymentTimeline`.
   * @throws {PayforkError} `not_found`
   */
  getPaymentTimeline: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<PaymentTimeline> =>
    call.get(path`/v1/payments/${id}/timeline`, input, options),

  /**
   * Get subscription statistics.
   * `GET /v1/subscriptions/stats`: Requires the scope `subscriptions:read`.
   * With examples at `/docs/api/reports#getSubscriptionStats`.
   */
  getSubscriptionStats: (input?: GetSubscriptionStatsQuery, options?: RequestOptions): ApiPromise<SubscriptionStats> =>
    call.get('/v1/subscriptions/stats', input, options),
});
