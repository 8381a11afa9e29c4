import { callbackRoutes } from '#functions/psp-webhooks/psp-webhooks.routes.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import { router } from '#shared/http/router.ts';

/** Behind the API and behind a function URL. */
export const handler = lambdaHandler((deps) => router(callbackRoutes, deps));
