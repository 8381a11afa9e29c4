// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  AbTest,
  AbTestComparison,
  AbTestList,
  AbTestResults,
  AbTestState,
  AbTestStatus,
  CreateAbTest,
  UpdateAbTest,
} from './schemas.ts';

export type ListAbTestsQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
  /** Only tests with this status. */
  status?: AbTestState;
};

export const abTests = (call: Call) => ({
  /**
   * List A/B tests.
   * `GET /v1/routing/ab-tests`: Requires the scope `connections:read`.
   * With examples at `/docs/api/ab-tests#listAbTests`.
   */
  list: (input?: ListAbTestsQuery, options?: RequestOptions): List<AbTest, AbTestList> =>
    call.list('/v1/routing/ab-tests', 'ab_tests', input, options),

  /**
   * Create an A/B test.
   * `POST /v1/routing/ab-tests`: Requires the scope `connections:write`.
   * With examples at `/docs/api/ab-tests#createAbTest`.
   * @throws {PayforkError} `feature_not_in_plan`
   */
  create: (input: CreateAbTest, options?: RequestOptions): ApiPromise<AbTest> =>
    call.change('POST', '/v1/routing/ab-tests', input, options),

  /**
   * Update an A/B test.
   * `PATCH /v1/routing/ab-tests/{id}`: Requires the scope `connections:write`.
   * With examples at `/docs/api/ab-tests#updateAbTest`.
   * @throws {PayforkError} `not_found`, `setup_limit_reached`, `ab_test_not_editable`, `ab_test_has_run`,
   * `ab_test_overlap`, `ab_test_limit`, `write_conflict`
   */
  update: (id: string, input: UpdateAbTest, options?: RequestOptions): ApiPromise<AbTest> =>
    call.change('PATCH', path`/v1/routing/ab-tests/${id}`, input, options),

  /**
   * Get an A/B test's results.
   * `GET /v1/routing/ab-tests/{id}/results`: Requires the scope `connections:read`.
   * With examples at `/docs/api/ab-tests#getAbTestResults`.
   * @throws {PayforkError} `not_found`
   */
  getResults: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<AbTestResults> =>
    call.get(path`/v1/routing/ab-tests/${id}/results`, input, options),

  /**
   * Compare an A/B test's variants.
   * `GET /v1/routing/ab-tests/{id}/comparison`: Requires the scope `connections:read`.
   * With examples at `/docs/api/ab-tests#getAbTestComparison`.
   * @throws {PayforkError} `not_found`
   */
  getComparison: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<AbTestComparison> =>
    call.get(path`/v1/routing/ab-tests/${id}/comparison`, input, options),

  /**
   * Start an A/B test.
   * `POST /v1/routing/ab-tests/{id}/start`: Requires the scope `connections:write`.
   * With examples at `/docs/api/ab-tests#startAbTest`.
   * @throws {PayforkError} `not_found`, `setup_limit_reached`, `ab_test_not_startable`, `ab_test_overlap`,
   * `ab_test_limit`, `ab_test_rule_missing`, `write_conflict`
   */
  start: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<AbTestStatus> =>
    call.change('POST', path`/v1/routing/ab-tests/${id}/start`, input, options),

  /**
   * Get an A/B test.
   * `GET /v1/routing-ab-tests/{id}`: Requires the scope `connections:read`.
   * With examples at `/docs/api/ab-tests#getAbTest`.
   * @throws {PayforkError} `not_found`
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<AbTest> =>
    call.get(path`/v1/routing-ab-tests/${id}`, input, options),

  /**
   * Pause an A/B test.
   * `POST /v1/routing-ab-tests/{id}/pause`: Requires the scope `connections:write`.
   * With examples at `/docs/api/ab-tests#pauseAbTest`.
   * @throws {PayforkError} `not_found`, `ab_test_not_pausable`, `write_conflict`
   */
  pause: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<AbTestStatus> =>
    call.change('POST', path`/v1/routing-ab-tests/${id}/pause`, input, options),

  /**
   * Complete an A/B test.
   * `POST /v1/routing-ab-tests/{id}/complete`: Requires the scope `connections:write`.
   * With examples at `/docs/api/ab-tests#completeAbTest`.
   * @throws {PayforkError} `not_found`, `ab_test_not_completable`, `write_conflict`
   */
  complete: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<AbTestStatus> =>
    call.change('POST', path`/v1/routing-ab-tests/${id}/complete`, input, options),
});
