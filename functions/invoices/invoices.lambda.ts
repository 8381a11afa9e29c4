import { invoiceRoutes } from '#functions/invoices/invoices.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { psp, pspDeadline } from '#shared/container/aws-psp-parts.ts';
import {
  billing,
  connections,
  invoices,
  paymentMethods,
  payments,
  retryBudget,
  retryPolicies,
  subscriptions,
  velocity,
} from '#shared/container/store-parts.ts';

export const handler = apiLambda(invoiceRoutes, {
  billing,
  connections,
  invoices,
  paymentMethods,
  payments,
  psp,
  pspDeadline,
  retryBudget,
  retryPolicies,
  subscriptions,
  velocity,
});
