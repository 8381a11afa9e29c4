import { agentRoutes } from '#functions/agents/agents.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';

export const handler = apiLambda(agentRoutes, {});
