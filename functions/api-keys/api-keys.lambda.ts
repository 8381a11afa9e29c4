import { apiKeyRoutes } from '#functions/api-keys/api-keys.routes.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import { router } from '#shared/http/router.ts';

export const handler = lambdaHandler((deps) => router(apiKeyRoutes, deps));
