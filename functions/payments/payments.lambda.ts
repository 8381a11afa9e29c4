import { paymentRoutes } from '#functions/payments/payments.routes.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import { router } from '#shared/http/router.ts';

export const handler = lambdaHandler((deps) => router(paymentRoutes, deps));
