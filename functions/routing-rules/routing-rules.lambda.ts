import { routingRuleRoutes } from '#functions/routing-rules/routing-rules.routes.ts';
import { onAws } from '#shared/container/on-aws.ts';
import { apiGroup } from '#shared/http/api-group.ts';

export const handler = onAws((deps) => apiGroup(routingRuleRoutes, deps));
