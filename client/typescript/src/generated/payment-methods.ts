// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  CreatePaymentMethod,
  Deleted,
  SavedPaymentMethod,
  SavedPaymentMethodList,
  UpdatePaymentMethod,
} from './schemas.ts';

export type ListPaymentMethodsQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
  customer_id: string;
};

export const paymentMethods = (call: Call) => ({
  /**
   * List the payment methods of a customer.
   * `GET /v1/payment-methods`: Requires the scope `payments:read`. Counts among the 500 reads a minute.
   */
  list: (input: ListPaymentMethodsQuery, options?: RequestOptions): List<SavedPaymentMethod, SavedPaymentMethodList> =>
    call.list('/v1/payment-methods', 'payment_methods', input, options),

  /**
   * Save a payment method of a customer.
   * `POST /v1/payment-methods`: Requires the scope `payments:write`. Counts among the 100 other writes a minute.
   */
  create: (input: CreatePaymentMethod, options?: RequestOptions): Promise<SavedPaymentMethod> =>
    call.change('POST', '/v1/payment-methods', input, options),

  /**
   * Get a payment method.
   * `GET /v1/payment-methods/{id}`: Requires the scope `payments:read`. Counts among the 500 reads a minute.
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): Promise<SavedPaymentMethod> =>
    call.get(path`/v1/payment-methods/${id}`, input, options),

  /**
   * Update a payment method.
   * `PATCH /v1/payment-methods/{id}`: Requires the scope `payments:write`. Counts among the 100 other writes a
   * minute.
   */
  update: (id: string, input: UpdatePaymentMethod, options?: RequestOptions): Promise<SavedPaymentMethod> =>
    call.change('PATCH', path`/v1/payment-methods/${id}`, input, options),

  /**
   * Delete a payment method.
   * `DELETE /v1/payment-methods/{id}`: Requires the scope `payments:write`. Counts among the 100 other writes a
   * minute.
   */
  delete: (id: string, input?: NoInput, options?: RequestOptions): Promise<Deleted> =>
    call.change('DELETE', path`/v1/payment-methods/${id}`, input, options),
});
