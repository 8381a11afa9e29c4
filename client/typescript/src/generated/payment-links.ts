// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  CreatePaymentLink,
  CreatedPaymentLink,
  PaymentLink,
  PaymentLinkList,
} from './schemas.ts';

export type ListPaymentLinksQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
  status?: 'active' | 'completed' | 'expired' | 'inactive';
};

export const paymentLinks = (call: Call) => ({
  /**
   * List payment links.
   * `GET /v1/payment-links`: Requires the scope `payments:read`. Counts among the 500 reads a minute.
   */
  list: (input?: ListPaymentLinksQuery, options?: RequestOptions): List<PaymentLink, PaymentLinkList> =>
    call.list('/v1/payment-links', 'payment_links', input, options),

  /**
   * Create a payment link.
   * `POST /v1/payment-links`: Requires the scope `payments:write`. Counts among the 100 other writes a minute.
   */
  create: (input: CreatePaymentLink, options?: RequestOptions): Promise<CreatedPaymentLink> =>
    call.change('POST', '/v1/payment-links', input, options),

  /**
   * Get a payment link.
   * `GET /v1/payment-links/{id}`: Requires the scope `payments:read`. Counts among the 500 reads a minute.
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): Promise<PaymentLink> =>
    call.get(path`/v1/payment-links/${id}`, input, options),

  /**
   * Deactivate a payment link.
   * `POST /v1/payment-links/{id}/deactivate`: Requires the scope `payments:write`. Counts among the 100 other
   * writes a minute.
   */
  deactivate: (id: string, input?: NoInput, options?: RequestOptions): Promise<PaymentLink> =>
    call.change('POST', path`/v1/payment-links/${id}/deactivate`, input, options),
});
