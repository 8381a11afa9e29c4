// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  CreatePaymentLink,
  CreatedPaymentLink,
  PaymentLink,
  PaymentLinkList,
  PaymentLinkStatus,
} from './schemas.ts';

export type ListPaymentLinksQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
  /** Only links with this status. */
  status?: PaymentLinkStatus;
};

export const paymentLinks = (call: Call) => ({
  /**
   * List payment links.
   * `GET /v1/payment-links`: Requires the scope `payments:read`.
   * With examples at `/docs/api/payment-links#listPaymentLinks`.
   */
  list: (input?: ListPaymentLinksQuery, options?: RequestOptions): List<PaymentLink, PaymentLinkList> =>
    call.list('/v1/payment-links', 'payment_links', input, options),

  /**
   * Create a payment link.
   * `POST /v1/payment-links`: Requires the scope `payments:write`.
   * With examples at `/docs/api/payment-links#createPaymentLink`.
   * @throws {PayforkError} `approval_required`, `approval_rejected`, `approval_limit_reached`
   */
  create: (input: CreatePaymentLink, options?: RequestOptions): ApiPromise<CreatedPaymentLink> =>
    call.change('POST', '/v1/payment-links', input, options),

  /**
   * Get a payment link.
   * `GET /v1/payment-links/{id}`: Requires the scope `payments:read`.
   * With examples at `/docs/api/payment-links#getPaymentLink`.
   * @throws {PayforkError} `not_found`
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<PaymentLink> =>
    call.get(path`/v1/payment-links/${id}`, input, options),

  /**
   * Deactivate a payment link.
   * `POST /v1/payment-links/{id}/deactivate`: Requires the scope `payments:write`.
   * With examples at `/docs/api/payment-links#deactivatePaymentLink`.
   * @throws {PayforkError} `not_found`, `payment_link_not_active`, `write_conflict`, `record_full`,
   * `events_waiting`
   */
  deactivate: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<PaymentLink> =>
    call.change('POST', path`/v1/payment-links/${id}/deactivate`, input, options),
});
