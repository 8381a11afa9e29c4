import { attentionRoutes } from '#functions/attention/attention.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import {
  connections,
  disputes,
  events,
  invoices,
  payments,
  reviews,
  storedTotals,
  webhookConfigs,
} from '#shared/container/store-parts.ts';

export const handler = apiLambda(attentionRoutes, {
  connections,
  disputes,
  events,
  invoices,
  payments,
  reviews,
  storedTotals,
  webhookConfigs,
});
