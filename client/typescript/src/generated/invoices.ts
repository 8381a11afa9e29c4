// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  Dunning,
  Invoice,
  InvoiceList,
  InvoiceStatus,
} from './schemas.ts';

export type ListInvoicesQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
  /** Only invoices with this status. */
  status?: InvoiceStatus;
  /** Only invoices of this customer. */
  customer_id?: string;
  /** Only invoices of this plan. */
  plan_id?: string;
  /** Only invoices of this subscription. */
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
   * `GET /v1/invoices`: Requires the scope `invoices:read`.
   * With examples at `/docs/api/invoices#listInvoices`.
   */
  list: (input?: ListInvoicesQuery, options?: RequestOptions): List<Invoice, InvoiceList> =>
    call.list('/v1/invoices', 'invoices', input, options),

  /**
   * Get an invoice.
   * `GET /v1/invoices/{id}`: Requires the scope `invoices:read`.
   * With examples at `/docs/api/invoices#getInvoice`.
   * @throws {PayforkError} `not_found`
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Invoice> =>
    call.get(path`/v1/invoices/${id}`, input, options),

  /**
   * Get an invoice's retries.
   * `GET /v1/invoices/{id}/dunning`: Requires the scope `invoices:read`.
   * With examples at `/docs/api/invoices#getInvoiceDunning`.
   * @throws {PayforkError} `not_found`
   */
  getDunning: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Dunning> =>
    call.get(path`/v1/invoices/${id}/dunning`, input, options),

  /**
   * Retry an invoice now.
   * `POST /v1/invoices/{id}/retry`: Requires the scope `invoices:write`.
   * With examples at `/docs/api/invoices#retryInvoice`.
   * @throws {PayforkError} `plan_limit_reached`, `approval_required`, `approval_rejected`, `not_found`,
   * `outcome_unknown`, `retry_budget_exhausted`, `invoice_not_retryable`, `approval_limit_reached`,
   * `write_conflict`, `record_full`, `events_waiting`
   */
  retry: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Invoice> =>
    call.change('POST', path`/v1/invoices/${id}/retry`, input, options),

  /**
   * Cancel an invoice.
   * `POST /v1/invoices/{id}/cancel`: Requires the scope `invoices:write`.
   * With examples at `/docs/api/invoices#cancelInvoice`.
   * @throws {PayforkError} `not_found`, `outcome_unknown`, `payment_not_cancelable`, `invoice_not_cancelable`,
   * `write_conflict`, `record_full`, `provider_error`, `events_waiting`
   */
  cancel: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Invoice> =>
    call.change('POST', path`/v1/invoices/${id}/cancel`, input, options),
});
