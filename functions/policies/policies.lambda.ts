import { policyRoutes } from '#functions/policies/policies.routes.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import { router } from '#shared/http/router.ts';

export const handler = lambdaHandler((deps) => router(policyRoutes, deps));
