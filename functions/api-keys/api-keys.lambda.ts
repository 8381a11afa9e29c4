import { apiKeyRoutes } from '#functions/api-keys/api-keys.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { failedRequests } from '#shared/container/store-parts.ts';

export const handler = apiLambda(apiKeyRoutes, { failedRequests });
