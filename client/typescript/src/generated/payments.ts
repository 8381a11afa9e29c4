// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  CapturePayment,
  ConfirmIntent,
  ConfirmPayment,
  ConfirmedIntent,
  CreatePayment,
  Currency,
  Payment,
  PaymentIntent,
  PaymentList,
  PaymentStatus,
  RefundPayment,
  RetryPayment,
} from './schemas.ts';

export type ListPaymentsQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
  /** Only payments with this status. */
  status?: PaymentStatus;
  /** Only payments of this customer. */
  customer_id?: string;
  /** Only payments that this connection was charged for. */
  connection_id?: string;
  /** Only this currency: ISO 4217, in any case. */
  currency?: Currency;
  /** Inclusive: an object created at exactly this time is in the list. */
  created_after?: string;
  /**
   * Exclusive: an object created at exactly this time is not in the list, so adjoining time ranges neither overlap
   * nor leave a gap.
   */
  created_before?: string;
};

export const payments = (call: Call) => ({
  /**
   * List payments.
   * `GET /v1/payments`: Requires the scope `payments:read`.
   * With examples at `/docs/api/payments#listPayments`.
   */
  list: (input?: ListPaymentsQuery, options?: RequestOptions): List<Payment, PaymentList> =>
    call.list('/v1/payments', 'payments', input, options),

  /**
   * Create and process a payment.
   * `POST /v1/payments`: Requires the scope `payments:write`. Counts among the 100 payment creations a minute.
   * With examples at `/docs/api/payments#createPayment`.
   * @throws {PayforkError} `plan_limit_reached`, `approval_required`, `approval_rejected`,
   * `approval_limit_reached`, `write_conflict`, `record_full`, `events_waiting`
   */
  create: (input: CreatePayment, options?: RequestOptions): ApiPromise<Payment> =>
    call.change('POST', '/v1/payments', input, options),

  /**
   * Create a payment that is confirmed later.
   * `POST /v1/payments/intents`: Requires the scope `payments:write`. Counts among the 100 payment creations a
   * minute.
   * With examples at `/docs/api/payments#createPaymentIntent`.
   * @throws {PayforkError} `plan_limit_reached`, `approval_required`, `approval_rejected`, `approval_limit_reached`
   */
  createIntent: (input: CreatePayment, options?: RequestOptions): ApiPromise<PaymentIntent> =>
    call.change('POST', '/v1/payments/intents', input, options),

  /**
   * Get a payment.
   * `GET /v1/payments/{id}`: Requires the scope `payments:read`.
   * With examples at `/docs/api/payments#getPayment`.
   * @throws {PayforkError} `not_found`, `write_conflict`, `record_full`, `events_waiting`
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Payment> =>
    call.get(path`/v1/payments/${id}`, input, options),

  /**
   * Confirm a payment.
   * `POST /v1/payments/{id}/confirm`: Requires the scope `payments:write`.
   * With examples at `/docs/api/payments#confirmPayment`.
   * @throws {PayforkError} `approval_required`, `approval_rejected`, `not_found`, `outcome_unknown`,
   * `payment_not_confirmable`, `approval_limit_reached`, `write_conflict`, `record_full`, `events_waiting`
   */
  confirm: (id: string, input?: ConfirmPayment, options?: RequestOptions): ApiPromise<Payment> =>
    call.change('POST', path`/v1/payments/${id}/confirm`, input, options),

  /**
   * Confirm an intent in the customer's browser.
   * `POST /v1/payments/{id}/confirm-intent`: Takes every key of the organization, also a public one, and requires
   * no scope. Any web page may call it and read the response.
   * With examples at `/docs/api/payments#confirmPaymentIntent`.
   * @throws {PayforkError} `not_found`, `outcome_unknown`, `payment_not_confirmable`, `write_conflict`,
   * `record_full`, `events_waiting`
   */
  confirmIntent: (id: string, input: ConfirmIntent, options?: RequestOptions): ApiPromise<ConfirmedIntent> =>
    call.change('POST', path`/v1/payments/${id}/confirm-intent`, input, options),

  /**
   * Retry a failed payment.
   * `POST /v1/payments/{id}/retry`: Requires the scope `payments:write`.
   * With examples at `/docs/api/payments#retryPayment`.
   * @throws {PayforkError} `approval_required`, `approval_rejected`, `not_found`, `outcome_unknown`,
   * `payment_not_retryable`, `retry_budget_exhausted`, `approval_limit_reached`, `write_conflict`, `record_full`,
   * `events_waiting`
   */
  retry: (id: string, input?: RetryPayment, options?: RequestOptions): ApiPromise<Payment> =>
    call.change('POST', path`/v1/payments/${id}/retry`, input, options),

  /**
   * Capture an authorized payment.
   * `POST /v1/payments/{id}/capture`: Requires the scope `payments:write`.
   * With examples at `/docs/api/payments#capturePayment`.
   * @throws {PayforkError} `capture_exceeds_authorized`, `amount_not_supported`, `approval_required`,
   * `approval_rejected`, `not_found`, `outcome_unknown`, `payment_not_capturable`, `approval_limit_reached`,
   * `write_conflict`, `record_full`, `events_waiting`
   */
  capture: (id: string, input?: CapturePayment, options?: RequestOptions): ApiPromise<Payment> =>
    call.change('POST', path`/v1/payments/${id}/capture`, input, options),

  /**
   * Cancel a payment.
   * `POST /v1/payments/{id}/cancel`: Requires the scope `payments:write`.
   * With examples at `/docs/api/payments#cancelPayment`.
   * @throws {PayforkError} `not_found`, `outcome_unknown`, `payment_not_cancelable`, `write_conflict`,
   * `record_full`, `provider_error`, `events_waiting`
   */
  cancel: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Payment> =>
    call.change('POST', path`/v1/payments/${id}/cancel`, input, options),

  /**
   * Refund a payment.
   * `POST /v1/payments/{id}/refund`: Requires the scope `payments:write`.
   * With examples at `/docs/api/payments#refundPayment`.
   * @throws {PayforkError} `refund_exceeds_remaining`, `amount_not_supported`, `approval_required`,
   * `approval_rejected`, `not_found`, `outcome_unknown`, `payment_not_refundable`, `payment_disputed`,
   * `approval_limit_reached`, `write_conflict`, `record_full`, `events_waiting`
   */
  refund: (id: string, input?: RefundPayment, options?: RequestOptions): ApiPromise<Payment> =>
    call.change('POST', path`/v1/payments/${id}/refund`, input, options),
});
