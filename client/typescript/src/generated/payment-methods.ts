// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
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
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
  /** Only payment methods of this customer. */
  customer_id: string;
};

export const paymentMethods = (call: Call) => ({
  /**
   * List the payment methods of a customer.
   * `GET /v1/payment-methods`: Requires the scope `payments:read`.
   * With examples at `/docs/api/payment-methods#listPaymentMethods`.
   */
  list: (input: ListPaymentMethodsQuery, options?: RequestOptions): List<SavedPaymentMethod, SavedPaymentMethodList> =>
    call.list('/v1/payment-methods', 'payment_methods', input, options),

  /**
   * Save a payment method of a customer.
   * `POST /v1/payment-methods`: Requires the scope `payments:write`.
   * With examples at `/docs/api/payment-methods#createPaymentMethod`.
   * @throws {PayforkError} `payment_method_limit`, `customer_being_erased`, `write_conflict`
   */
  create: (input: CreatePaymentMethod, options?: RequestOptions): ApiPromise<SavedPaymentMethod> =>
    call.change('POST', '/v1/payment-methods', input, options),

  /**
   * Get a payment method.
   * `GET /v1/payment-methods/{id}`: Requires the scope `payments:read`.
   * With examples at `/docs/api/payment-methods#getPaymentMethod`.
   * @throws {PayforkError} `not_found`
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<SavedPaymentMethod> =>
    call.get(path`/v1/payment-methods/${id}`, input, options),

  /**
   * Update a payment method.
   * `PATCH /v1/payment-methods/{id}`: Requires the scope `payments:write`.
   * With examples at `/docs/api/payment-methods#updatePaymentMethod`.
   * @throws {PayforkError} `not_found`, `write_conflict`
   */
  update: (id: string, input: UpdatePaymentMethod, options?: RequestOptions): ApiPromise<SavedPaymentMethod> =>
    call.change('PATCH', path`/v1/payment-methods/${id}`, input, options),

  /**
   * Delete a payment method.
   * `DELETE /v1/payment-methods/{id}`: Requires the scope `payments:write`.
   * With examples at `/docs/api/payment-methods#deletePaymentMethod`.
   * @throws {PayforkError} `not_found`, `payment_method_in_use`, `write_conflict`
   */
  delete: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Deleted> =>
    call.change('DELETE', path`/v1/payment-methods/${id}`, input, options),
});
