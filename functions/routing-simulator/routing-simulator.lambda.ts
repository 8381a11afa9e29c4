import { routingSimulatorRoutes } from '#functions/routing-simulator/routing-simulator.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { psp } from '#shared/container/aws-psp-parts.ts';
import { payments, routingRules } from '#shared/container/store-parts.ts';

export const handler = apiLambda(routingSimulatorRoutes, { payments, psp, routingRules });
