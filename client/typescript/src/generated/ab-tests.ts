// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  AbTest,
  AbTestComparison,
  AbTestList,
  AbTestResults,
  AbTestStatus,
  CreateAbTest,
  UpdateAbTest,
} from './schemas.ts';

export type ListAbTestsQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
  status?: 'draft' | 'running' | 'paused' | 'completed';
};

export const abTests = (call: Call) => ({
  /**
   * List A/B tests.
   * `GET /v1/routing/ab-tests`: Requires the scope `connections:read`. Counts among the 500 reads a minute.
   */
  list: (input?: ListAbTestsQuery, options?: RequestOptions): List<AbTest, AbTestList> =>
    call.list('/v1/routing/ab-tests', 'ab_tests', input, options),

  /**
   * Create an A/B test.
   * `POST /v1/routing/ab-tests`: Requires the scope `connections:write`. Counts among the 100 other writes a
   * minute.
   */
  create: (input: CreateAbTest, options?: RequestOptions): Promise<AbTest> =>
    call.change('POST', '/v1/routing/ab-tests', input, options),

  /**
   * Get an A/B test.
   * `GET /v1/routing/ab-tests/{id}`: Requires the scope `connections:read`. Counts among the 500 reads a minute.
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): Promise<AbTest> =>
    call.get(path`/v1/routing/ab-tests/${id}`, input, options),

  /**
   * Update an A/B test.
   * `PATCH /v1/routing/ab-tests/{id}`: Requires the scope `connections:write`. Counts among the 100 other writes a
   * minute.
   */
  update: (id: string, input: UpdateAbTest, options?: RequestOptions): Promise<AbTest> =>
    call.change('PATCH', path`/v1/routing/ab-tests/${id}`, input, options),

  /**
   * Get an A/B test's results.
   * `GET /v1/routing/ab-tests/{id}/results`: Requires the scope `connections:read`. Counts among the 500 reads a
   * minute.
   */
  getResults: (id: string, input?: NoInput, options?: RequestOptions): Promise<AbTestResults> =>
    call.get(path`/v1/routing/ab-tests/${id}/results`, input, options),

  /**
   * Compare an A/B test's variants.
   * `GET /v1/routing/ab-tests/{id}/comparison`: Requires the scope `connections:read`. Counts among the 500 reads a
   * minute.
   */
  compare: (id: string, input?: NoInput, options?: RequestOptions): Promise<AbTestComparison> =>
    call.get(path`/v1/routing/ab-tests/${id}/comparison`, input, options),

  /**
   * Start an A/B test.
   * `POST /v1/routing/ab-tests/{id}/start`: Requires the scope `connections:write`. Counts among the 100 other
   * writes a minute.
   */
  start: (id: string, input?: NoInput, options?: RequestOptions): Promise<AbTestStatus> =>
    call.change('POST', path`/v1/routing/ab-tests/${id}/start`, input, options),

  /**
   * Pause an A/B test.
   * `POST /v1/routing/ab-tests/{id}/pause`: Requires the scope `connections:write`. Counts among the 100 other
   * writes a minute.
   */
  pause: (id: string, input?: NoInput, options?: RequestOptions): Promise<AbTestStatus> =>
    call.change('POST', path`/v1/routing/ab-tests/${id}/pause`, input, options),

  /**
   * Complete an A/B test.
   * `POST /v1/routing/ab-tests/{id}/complete`: Requires the scope `connections:write`. Counts among the 100 other
   * writes a minute.
   */
  complete: (id: string, input?: NoInput, options?: RequestOptions): Promise<AbTestStatus> =>
    call.change('POST', path`/v1/routing/ab-tests/${id}/complete`, input, options),
});
