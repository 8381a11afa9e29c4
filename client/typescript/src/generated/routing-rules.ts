// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  CreateRoutingRule,
  Deleted,
  OrderRoutingRules,
  RoutingRule,
  RoutingRuleOrder,
  UpdateRoutingRule,
} from './schemas.ts';

export type ListRoutingRulesQuery = {
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

export const routingRules = (call: Call) => ({
  /**
   * List routing rules.
   * `GET /v1/routing-rules`: Requires the scope `connections:read`.
   * With examples at `/docs/api/routing-rules#listRoutingRules`.
   */
  list: (input?: ListRoutingRulesQuery, options?: RequestOptions): List<RoutingRule, readonly RoutingRule[]> =>
    call.list('/v1/routing-rules', null, input, options),

  /**
   * Create a routing rule.
   * `POST /v1/routing-rules`: Requires the scope `connections:write`.
   * With examples at `/docs/api/routing-rules#createRoutingRule`.
   * @throws {PayforkError} `setup_limit_reached`, `write_conflict`
   */
  create: (input: CreateRoutingRule, options?: RequestOptions): ApiPromise<RoutingRule> =>
    call.change('POST', '/v1/routing-rules', input, options),

  /**
   * Change the order of routing rules.
   * `POST /v1/routing-rules/order`: Requires the scope `connections:write`.
   * With examples at `/docs/api/routing-rules#reorderRoutingRules`.
   * @throws {PayforkError} `setup_limit_reached`, `write_conflict`
   */
  reorder: (input: OrderRoutingRules, options?: RequestOptions): ApiPromise<RoutingRuleOrder> =>
    call.change('POST', '/v1/routing-rules/order', input, options),

  /**
   * Get a routing rule.
   * `GET /v1/routing-rules/{id}`: Requires the scope `connections:read`.
   * With examples at `/docs/api/routing-rules#getRoutingRule`.
   * @throws {PayforkError} `not_found`
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<RoutingRule> =>
    call.get(path`/v1/routing-rules/${id}`, input, options),

  /**
   * Update a routing rule.
   * `PATCH /v1/routing-rules/{id}`: Requires the scope `connections:write`.
   * With examples at `/docs/api/routing-rules#updateRoutingRule`.
   * @throws {PayforkError} `not_found`, `setup_limit_reached`, `write_conflict`
   */
  update: (id: string, input: UpdateRoutingRule, options?: RequestOptions): ApiPromise<RoutingRule> =>
    call.change('PATCH', path`/v1/routing-rules/${id}`, input, options),

  /**
   * Delete a routing rule.
   * `DELETE /v1/routing-rules/{id}`: Requires the scope `connections:write`.
   * With examples at `/docs/api/routing-rules#deleteRoutingRule`.
   * @throws {PayforkError} `not_found`, `routing_rule_in_use`, `write_conflict`
   */
  delete: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Deleted> =>
    call.change('DELETE', path`/v1/routing-rules/${id}`, input, options),
});
