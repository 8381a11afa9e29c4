import { searchRoutes } from '#functions/search/search.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import {
  connections,
  disputes,
  events,
  executions,
  invoices,
  paymentLinks,
  paymentMails,
  paymentMethods,
  payments,
  refundIndex,
  subscriptions,
} from '#shared/container/store-parts.ts';

export const handler = apiLambda(searchRoutes, {
  connections,
  disputes,
  events,
  executions,
  invoices,
  paymentLinks,
  paymentMails,
  paymentMethods,
  payments,
  refundIndex,
  subscriptions,
});
