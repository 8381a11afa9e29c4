// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  Dunning,
  Invoice,
  InvoiceList,
} from './schemas.ts';

export type ListInvoicesQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
  status?: 'open' | 'paid' | 'failed' | 'canceled';
  customer_id?: string;
  plan_id?: string;
  subscription_id?: string;
  /** Inclusive: an object created at exactly this time is in the list. */
  created_after?: string;
  /**
   * Exclusive: an object created at exactly this time is not in the list, so adjoining time ranges neither overlap
   * nor leave a gap.
   */
  created_before?: string;
};

export const invoices = (call: Call) => ({
  /**
   * List invoices.
   * `GET /v1/invoices`: Requires the scope `invoices:read`. Counts among the 500 reads a minute.
   */
  list: (input?: ListInvoicesQuery, options?: RequestOptions): List<Invoice, InvoiceList> =>
    call.list('/v1/invoices', 'invoices', input, options),

  /**
   * Get an invoice.
   * `GET /v1/invoices/{id}`: Requires the scope `invoices:read`. Counts among the 500 reads a minute.
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): Promise<Invoice> =>
    call.get(path`/v1/invoices/${id}`, input, options),

  /**
   * Get an invoice's retries.
   * `GET /v1/invoices/{id}/dunning`: Requires the scope `invoices:read`. Counts among the 500 reads a minute.
   */
  getDunning: (id: string, input?: NoInput, options?: RequestOptions): Promise<Dunning> =>
    call.get(path`/v1/invoices/${id}/dunning`, input, options),

  /**
   * Retry an invoice now.
   * `POST /v1/invoices/{id}/retry`: Requires the scope `invoices:write`. Counts among the 100 other writes a
   * minute.
   */
  retry: (id: string, input?: NoInput, options?: RequestOptions): Promise<Invoice> =>
    call.change('POST', path`/v1/invoices/${id}/retry`, input, options),

  /**
   * Cancel an invoice.
   * `POST /v1/invoices/{id}/cancel`: Requires the scope `invoices:write`. Counts among the 100 other writes a
   * minute.
   */
  cancel: (id: string, input?: NoInput, options?: RequestOptions): Promise<Invoice> =>
    call.change('POST', path`/v1/invoices/${id}/cancel`, input, options),
});
