// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  Attention,
  CapturePayment,
  ConfirmIntent,
  ConfirmPayment,
  ConfirmedIntent,
  CreatePayment,
  Payment,
  PaymentIntent,
  PaymentList,
  PaymentStats,
  PaymentTimeline,
  RefundPayment,
  RetryPayment,
  ReviewList,
} from './schemas.ts';

export type ListPaymentsQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
  status?:
    | 'created'
    | 'processing'
    | 'requires_action'
    | 'authorized'
    | 'succeeded'
    | 'failed'
    | 'canceled'
    | 'refunded';
  customer_id?: string;
  connection_id?: string;
  /** ISO 4217, in any case; returned in upper case. */
  currency?: string;
  /** Inclusive: an object created at exactly this time is in the list. */
  created_after?: string;
  /**
   * Exclusive: an object created at exactly this time is not in the list, so adjoining time ranges neither overlap
   * nor leave a gap.
   */
  created_before?: string;
};

export type GetStatsQuery = {
  /** A day of UTC, included. A date-time stands for its day, and 1970-01-01 for all before it. */
  from?: string;
  /** A day of UTC, included. A date-time stands for its day, and 1970-01-01 for all before it. */
  to?: string;
  /** ISO 4217, in any case; returned in upper case. */
  currency?: string;
  connection_id?: string;
};

export type ListReviewsQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export const payments = (call: Call) => ({
  /**
   * List payments.
   * `GET /v1/payments`: Requires the scope `payments:read`. Counts among the 500 reads a minute.
   */
  list: (input?: ListPaymentsQuery, options?: RequestOptions): List<Payment, PaymentList> =>
    call.list('/v1/payments', 'payments', input, options),

  /**
   * Create and process a payment.
   * `POST /v1/payments`: Requires the scope `payments:write`. Counts among the 100 payment creations a minute.
   */
  create: (input: CreatePayment, options?: RequestOptions): Promise<Payment> =>
    call.change('POST', '/v1/payments', input, options),

  /**
   * Create a payment that is confirmed later.
   * `POST /v1/payments/intents`: Requires the scope `payments:write`. Counts among the 100 payment creations a
   * minute.
   */
  createIntent: (input: CreatePayment, options?: RequestOptions): Promise<PaymentIntent> =>
    call.change('POST', '/v1/payments/intents', input, options),

  /**
   * Get a payment.
   * `GET /v1/payments/{id}`: Requires the scope `payments:read`. Counts among the 500 reads a minute.
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): Promise<Payment> =>
    call.get(path`/v1/payments/${id}`, input, options),

  /**
   * Confirm a payment.
   * `POST /v1/payments/{id}/confirm`: Requires the scope `payments:write`. Counts among the 100 other writes a
   * minute.
   */
  confirm: (id: string, input?: ConfirmPayment, options?: RequestOptions): Promise<Payment> =>
    call.change('POST', path`/v1/payments/${id}/confirm`, input, options),

  /**
   * Confirm an intent in the customer's browser.
   * `POST /v1/payments/{id}/confirm-intent`: Takes every key of the organization, also a public one, and requires
   * no scope. Any web page may call it and read the response. Counts among the 100 other writes a minute; with a
   * public key, each address is counted by itself.
   */
  confirmIntent: (id: string, input: ConfirmIntent, options?: RequestOptions): Promise<ConfirmedIntent> =>
    call.change('POST', path`/v1/payments/${id}/confirm-intent`, input, options),

  /**
   * Retry a failed payment.
   * `POST /v1/payments/{id}/retry`: Requires the scope `payments:write`. Counts among the 100 other writes a
   * minute.
   */
  retry: (id: string, input?: RetryPayment, options?: RequestOptions): Promise<Payment> =>
    call.change('POST', path`/v1/payments/${id}/retry`, input, options),

  /**
   * Capture an authorized payment.
   * `POST /v1/payments/{id}/capture`: Requires the scope `payments:write`. Counts among the 100 other writes a
   * minute.
   */
  capture: (id: string, input?: CapturePayment, options?: RequestOptions): Promise<Payment> =>
    call.change('POST', path`/v1/payments/${id}/capture`, input, options),

  /**
   * Cancel a payment.
   * `POST /v1/payments/{id}/cancel`: Requires the scope `payments:write`. Counts among the 100 other writes a
   * minute.
   */
  cancel: (id: string, input?: NoInput, options?: RequestOptions): Promise<Payment> =>
    call.change('POST', path`/v1/payments/${id}/cancel`, input, options),

  /**
   * Refund a payment.
   * `POST /v1/payments/{id}/refund`: Requires the scope `payments:write`. Counts among the 100 other writes a
   * minute.
   */
  refund: (id: string, input?: RefundPayment, options?: RequestOptions): Promise<Payment> =>
    call.change('POST', path`/v1/payments/${id}/refund`, input, options),

  /**
   * Get payment statistics.
   * `GET /v1/payments/stats`: Requires the scope `payments:read`. Counts among the 500 reads a minute.
   */
  getStats: (input?: GetStatsQuery, options?: RequestOptions): Promise<PaymentStats> =>
    call.get('/v1/payments/stats', input, options),

  /**
   * Get what needs attention.
   * `GET /v1/attention`: Requires the scope `payments:read`. Counts among the 500 reads a minute.
   */
  getAttention: (input?: NoInput, options?: RequestOptions): Promise<Attention> =>
    call.get('/v1/attention', input, options),

  /**
   * List payments under review.
   * `GET /v1/payments/reviews`: Requires the scope `payments:read`. Counts among the 500 reads a minute.
   */
  listReviews: (input?: ListReviewsQuery, options?: RequestOptions): List<Payment, ReviewList> =>
    call.list('/v1/payments/reviews', 'payments', input, options),

  /**
   * Get a payment's timeline.
   * `GET /v1/payments/{id}/timeline`: Requires the scope `payments:read`. Counts among the 500 reads a minute.
   */
  getTimeline: (id: string, input?: NoInput, options?: RequestOptions): Promise<PaymentTimeline> =>
    call.get(path`/v1/payments/${id}/timeline`, input, options),
});
