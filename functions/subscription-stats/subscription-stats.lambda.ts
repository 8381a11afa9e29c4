import { subscriptionStatsRoutes } from '#functions/subscription-stats/subscription-stats.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { subscriptionTotals } from '#shared/container/store-parts.ts';

export const handler = apiLambda(subscriptionStatsRoutes, { subscriptionTotals });
