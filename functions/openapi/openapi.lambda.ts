import { openApiRoutes } from '#functions/openapi/openapi.routes.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import { router } from '#shared/http/router.ts';

export const handler = lambdaHandler((deps) => router(openApiRoutes, deps));
