import { routingRuleRoutes } from '#functions/routing-rules/routing-rules.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { routingRules } from '#shared/container/store-parts.ts';

export const handler = apiLambda(routingRuleRoutes, { routingRules });
