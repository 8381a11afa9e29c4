// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type {
  SearchResults,
} from './schemas.ts';

export type FindRecordsQuery = {
  /**
   * An id of this API, a provider's reference of a charge or a dispute, a `customer_id`, or a customer's email
   * address. It must be whole: parts of words are not found.
   */
  q: string;
};

export const search = (call: Call) => ({
  /**
   * Find records by an id, a reference or a customer.
   * `GET /v1/search`: Requires the scope `payments:read`.
   * With examples at `/docs/api/search#findRecords`.
   */
  findRecords: (input: FindRecordsQuery, options?: RequestOptions): ApiPromise<SearchResults> =>
    call.get('/v1/search', input, options),
});
