// Written by `npm run client` from the route table. Do not edit.
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
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export const routingRules = (call: Call) => ({
  /**
   * List routing rules.
   * `GET /v1/routing-rules`: Requires the scope `connections:read`. Counts among the 500 reads a minute.
   */
  list: (input?: ListRoutingRulesQuery, options?: RequestOptions): List<RoutingRule, readonly RoutingRule[]> =>
    call.list('/v1/routing-rules', null, input, options),

  /**
   * Create a routing rule.
   * `POST /v1/routing-rules`: Requires the scope `connections:write`. Counts among the 100 other writes a minute.
   */
  create: (input: CreateRoutingRule, options?: RequestOptions): Promise<RoutingRule> =>
    call.change('POST', '/v1/routing-rules', input, options),

  /**
   * Change the order of routing rules.
   * `POST /v1/routing-rules/order`: Requires the scope `connections:write`. Counts among the 100 other writes a
   * minute.
   */
  order: (input: OrderRoutingRules, options?: RequestOptions): Promise<RoutingRuleOrder> =>
    call.change('POST', '/v1/routing-rules/order', input, options),

  /**
   * Get a routing rule.
   * `GET /v1/routing-rules/{id}`: Requires the scope `connections:read`. Counts among the 500 reads a minute.
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): Promise<RoutingRule> =>
    call.get(path`/v1/routing-rules/${id}`, input, options),

  /**
   * Update a routing rule.
   * `PATCH /v1/routing-rules/{id}`: Requires the scope `connections:write`. Counts among the 100 other writes a
   * minute.
   */
  update: (id: string, input: UpdateRoutingRule, options?: RequestOptions): Promise<RoutingRule> =>
    call.change('PATCH', path`/v1/routing-rules/${id}`, input, options),

  /**
   * Delete a routing rule.
   * `DELETE /v1/routing-rules/{id}`: Requires the scope `connections:write`. Counts among the 100 other writes a
   * minute.
   */
  delete: (id: string, input?: NoInput, options?: RequestOptions): Promise<Deleted> =>
    call.change('DELETE', path`/v1/routing-rules/${id}`, input, options),
});
