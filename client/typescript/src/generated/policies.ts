// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import type {
  FraudPolicy,
  RetryPolicy,
  SaveFraudPolicy,
  SaveRetryPolicy,
} from './schemas.ts';

export type GetRetryPolicyQuery = {
  /** The policy of this plan; the organization's default if left out or empty. */
  plan_id?: string;
};

export type ListRetryPoliciesQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
};

export const policies = (call: Call) => ({
  /**
   * Get the fraud policy.
   * `GET /v1/policies/fraud`: Requires the scope `fraud:read`.
   * With examples at `/docs/api/policies#getFraudPolicy`.
   */
  getFraudPolicy: (input?: NoInput, options?: RequestOptions): ApiPromise<FraudPolicy> =>
    call.get('/v1/policies/fraud', input, options),

  /**
   * Update the fraud policy.
   * `POST /v1/policies/fraud`: Requires the scope `fraud:write`.
   * With examples at `/docs/api/policies#saveFraudPolicy`.
   * @throws {PayforkError} `setup_limit_reached`, `write_conflict`
   */
  saveFraudPolicy: (input: SaveFraudPolicy, options?: RequestOptions): ApiPromise<FraudPolicy> =>
    call.change('POST', '/v1/policies/fraud', input, options),

  /**
   * Get a retry policy.
   * `GET /v1/policies/retry`: Requires the scope `subscriptions:read`.
   * With examples at `/docs/api/policies#getRetryPolicy`.
   * @throws {PayforkError} `not_found`
   */
  getRetryPolicy: (input?: GetRetryPolicyQuery, options?: RequestOptions): ApiPromise<RetryPolicy> =>
    call.get('/v1/policies/retry', input, options),

  /**
   * Update a retry policy.
   * `POST /v1/policies/retry`: Requires the scope `subscriptions:write`.
   * With examples at `/docs/api/policies#saveRetryPolicy`.
   * @throws {PayforkError} `write_conflict`
   */
  saveRetryPolicy: (input: SaveRetryPolicy, options?: RequestOptions): ApiPromise<RetryPolicy> =>
    call.change('POST', '/v1/policies/retry', input, options),

  /**
   * List retry policies.
   * `GET /v1/policies/retry/list`: Requires the scope `subscriptions:read`.
   * With examples at `/docs/api/policies#listRetryPolicies`.
   */
  listRetryPolicies: (
    input?: ListRetryPoliciesQuery,
    options?: RequestOptions,
  ): List<RetryPolicy, readonly RetryPolicy[]> =>
    call.list('/v1/policies/retry/list', null, input, options),
});
