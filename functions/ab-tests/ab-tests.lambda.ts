import { abTestRoutes } from '#functions/ab-tests/ab-tests.routes.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import { router } from '#shared/http/router.ts';

export const handler = lambdaHandler((deps) => router(abTestRoutes, deps));
