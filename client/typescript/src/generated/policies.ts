// Written by `npm run client` from the route table. Do not edit.
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
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export const policies = (call: Call) => ({
  /**
   * Get the fraud policy.
   * `GET /v1/policies/fraud`: Requires the scope `fraud:read`. Counts among the 500 reads a minute.
   */
  getFraudPolicy: (input?: NoInput, options?: RequestOptions): Promise<FraudPolicy> =>
    call.get('/v1/policies/fraud', input, options),

  /**
   * Update the fraud policy.
   * `POST /v1/policies/fraud`: Requires the scope `fraud:write`. Counts among the 100 other writes a minute.
   */
  saveFraudPolicy: (input: SaveFraudPolicy, options?: RequestOptions): Promise<FraudPolicy> =>
    call.change('POST', '/v1/policies/fraud', input, options),

  /**
   * Get a retry policy.
   * `GET /v1/policies/retry`: Requires the scope `subscriptions:read`. Counts among the 500 reads a minute.
   */
  getRetryPolicy: (input?: GetRetryPolicyQuery, options?: RequestOptions): Promise<RetryPolicy> =>
    call.get('/v1/policies/retry', input, options),

  /**
   * Update a retry policy.
   * `POST /v1/policies/retry`: Requires the scope `subscriptions:write`. Counts among the 100 other writes a
   * minute.
   */
  saveRetryPolicy: (input: SaveRetryPolicy, options?: RequestOptions): Promise<RetryPolicy> =>
    call.change('POST', '/v1/policies/retry', input, options),

  /**
   * List retry policies.
   * `GET /v1/policies/retry/list`: Requires the scope `subscriptions:read`. Counts among the 500 reads a minute.
   */
  listRetryPolicies: (
    input?: ListRetryPoliciesQuery,
    options?: RequestOptions,
  ): List<RetryPolicy, readonly RetryPolicy[]> =>
    call.list('/v1/policies/retry/list', null, input, options),
});
