import { paymentRoutes } from '#functions/payments/payments.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { psp, pspDeadline } from '#shared/container/aws-psp-parts.ts';
import { connections, paymentMethods, payments, retryBudget, velocity } from '#shared/container/store-parts.ts';

export const handler = apiLambda(paymentRoutes, {
  connections,
  paymentMethods,
  payments,
  psp,
  pspDeadline,
  retryBudget,
  velocity,
});
