import { paymentActionRoutes } from '#functions/payment-actions/payment-actions.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { psp, pspDeadline } from '#shared/container/aws-psp-parts.ts';
import {
  connections,
  invoices,
  paymentMethods,
  payments,
  retryBudget,
  velocity,
} from '#shared/container/store-parts.ts';

export const handler = apiLambda(paymentActionRoutes, {
  connections,
  invoices,
  paymentMethods,
  payments,
  psp,
  pspDeadline,
  retryBudget,
  velocity,
});
