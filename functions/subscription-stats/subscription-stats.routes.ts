import { getSubscriptionStats } from '#functions/subscription-stats/get-subscription-stats.usecase.ts';
import {
  SubscriptionStatsQuery,
  SubscriptionStatsReply,
} from '#functions/subscription-stats/subscription-stats.schema.ts';
import { get } from '#shared/http/route.ts';

/** A function of its own: what charges starts faster without it. */
export const subscriptionStatsRoutes = [
  get('/v1/subscriptions/stats', {
    scope: 'subscriptions:read',
    summary: 'Get subscription statistics',
    query: SubscriptionStatsQuery,
    reply: SubscriptionStatsReply,
    run: getSubscriptionStats,
  }),
];
