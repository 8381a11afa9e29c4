import { subscriptionRoutes } from '#functions/subscriptions/subscriptions.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { queue } from '#shared/container/aws-parts.ts';
import { psp, pspDeadline } from '#shared/container/aws-psp-parts.ts';
import {
  connections,
  invoices,
  paymentMethods,
  payments,
  retryBudget,
  subscriptions,
} from '#shared/container/store-parts.ts';

export const handler = apiLambda(subscriptionRoutes, {
  connections,
  invoices,
  paymentMethods,
  payments,
  psp,
  pspDeadline,
  queue,
  retryBudget,
  subscriptions,
});
