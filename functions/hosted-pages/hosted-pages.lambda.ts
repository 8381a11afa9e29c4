import { hostedPageRoutes } from '#functions/hosted-pages/hosted-pages.routes.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import { router } from '#shared/http/router.ts';

export const handler = lambdaHandler((deps) => router(hostedPageRoutes, deps));
