import { connectionRoutes } from '#functions/connections/connections.routes.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import { router } from '#shared/http/router.ts';

export const handler = lambdaHandler((deps) => router(connectionRoutes, deps));
