import { getStats } from '#functions/payment-stats/get-payment-stats.usecase.ts';
import { StatsQuery, StatsReply } from '#functions/payment-stats/payment-stats.schema.ts';
import { get } from '#shared/http/route.ts';

/** A function of its own: what charges starts faster without it. */
export const paymentStatsRoutes = [
  get('/v1/payments/stats', {
    scope: 'payments:read',
    summary: 'Get payment statistics',
    query: StatsQuery,
    reply: StatsReply,
    operationId: 'getPaymentStats',
    run: getStats,
  }),
];
