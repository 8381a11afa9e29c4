import {
  createRoutingRule,
  deleteRoutingRule,
  updateRoutingRule,
} from '#functions/routing-rules/change-routing-rules.usecase.ts';
import { getRoutingRule, listRoutingRules } from '#functions/routing-rules/get-routing-rules.usecase.ts';
import { orderRoutingRules } from '#functions/routing-rules/order-routing-rules.usecase.ts';
import {
  ById,
  CreateRoutingRuleBody,
  ListRoutingRulesQuery,
  OrderRoutingRulesBody,
  RoutingRuleOrderReply,
  RoutingRuleReply,
  RoutingRulesReply,
  UpdateRoutingRuleBody,
} from '#functions/routing-rules/routing-rules.schema.ts';
import { del, get, list, patch, post } from '#shared/http/route.ts';
import { DeletedReply } from '#shared/http/schema/common.schema.ts';

export const routingRuleRoutes = [
  post('/v1/routing-rules', {
    scope: 'connections:write',
    summary: 'Create a routing rule',
    idempotency: 'optional',
    body: CreateRoutingRuleBody,
    reply: RoutingRuleReply,
    status: 201,
    location: '/v1/routing-rules/{id}',
    errors: ['setup_limit_reached', 'write_conflict'],
    run: createRoutingRule,
  }),
  post('/v1/routing-rules/order', {
    scope: 'connections:write',
    summary: 'Change the order of routing rules',
    idempotency: 'optional',
    body: OrderRoutingRulesBody,
    reply: RoutingRuleOrderReply,
    errors: ['setup_limit_reached', 'write_conflict'],
    operationId: 'reorderRoutingRules',
    run: orderRoutingRules,
  }),
  list('/v1/routing-rules', {
    scope: 'connections:read',
    summary: 'List routing rules',
    query: ListRoutingRulesQuery,
    reply: RoutingRulesReply,
    run: listRoutingRules,
  }),
  get('/v1/routing-rules/{id}', {
    scope: 'connections:read',
    summary: 'Get a routing rule',
    params: ById,
    reply: RoutingRuleReply,
    run: getRoutingRule,
  }),
  patch('/v1/routing-rules/{id}', {
    scope: 'connections:write',
    summary: 'Update a routing rule',
    idempotency: 'optional',
    params: ById,
    body: UpdateRoutingRuleBody,
    reply: RoutingRuleReply,
    errors: ['setup_limit_reached', 'write_conflict'],
    run: updateRoutingRule,
  }),
  del('/v1/routing-rules/{id}', {
    scope: 'connections:write',
    summary: 'Delete a routing rule',
    idempotency: 'optional',
    params: ById,
    reply: DeletedReply,
    errors: ['routing_rule_in_use', 'write_conflict'],
    run: deleteRoutingRule,
  }),
];
