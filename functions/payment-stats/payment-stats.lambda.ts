import { paymentStatsRoutes } from '#functions/payment-stats/payment-stats.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { storedTotals } from '#shared/container/store-parts.ts';

export const handler = apiLambda(paymentStatsRoutes, { storedTotals });
