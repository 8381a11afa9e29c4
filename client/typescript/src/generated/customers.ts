// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  Customer,
} from './schemas.ts';

export const customers = (call: Call) => ({
  /**
   * Get what is kept of a customer.
   * `GET /v1/customers/{customer_id}`: Requires the scope `payments:read`. Counts among the 500 reads a minute.
   */
  get: (customerId: string, input?: NoInput, options?: RequestOptions): Promise<Customer> =>
    call.get(path`/v1/customers/${customerId}`, input, options),

  /**
   * Erase a customer.
   * `DELETE /v1/customers/{customer_id}`: Requires the scope `payments:write`. Counts among the 100 other writes a
   * minute.
   */
  erase: (customerId: string, input?: NoInput, options?: RequestOptions): Promise<Customer> =>
    call.change('DELETE', path`/v1/customers/${customerId}`, input, options),
});
