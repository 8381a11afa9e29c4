// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  Customer,
} from './schemas.ts';

export const customers = (call: Call) => ({
  /**
   * Get what is kept of a customer.
   * `GET /v1/customers/{customer_id}`: Requires the scope `payments:read`.
   * With examples at `/docs/api/customers#getCustomer`.
   * @throws {PayforkError} `not_found`
   */
  get: (customerId: string, input?: NoInput, options?: RequestOptions): ApiPromise<Customer> =>
    call.get(path`/v1/customers/${customerId}`, input, options),

  /**
   * Erase a customer.
   * `DELETE /v1/customers/{customer_id}`: Requires the scope `payments:write`.
   * With examples at `/docs/api/customers#eraseCustomer`.
   * @throws {PayforkError} `not_found`, `customer_in_use`, `write_conflict`
   */
  erase: (customerId: string, input?: NoInput, options?: RequestOptions): ApiPromise<Customer> =>
    call.change('DELETE', path`/v1/customers/${customerId}`, input, options),
});
