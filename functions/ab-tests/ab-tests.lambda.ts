import { abTestRoutes } from '#functions/ab-tests/ab-tests.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { abTests, routingRules } from '#shared/container/store-parts.ts';

export const handler = apiLambda(abTestRoutes, { abTests, routingRules });
