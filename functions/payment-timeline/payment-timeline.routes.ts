import { getTimeline } from '#functions/payment-timeline/get-timeline.usecase.ts';
import { TimelineReply } from '#functions/payment-timeline/timeline.schema.ts';
import { get } from '#shared/http/route.ts';
import { PaymentById } from '#shared/http/schema/payment.schema.ts';

/** A function of its own: what charges starts faster without it. */
export const paymentTimelineRoutes = [
  get('/v1/payments/{id}/timeline', {
    scope: 'payments:read',
    summary: "Get a payment's timeline",
    params: PaymentById,
    reply: TimelineReply,
    operationId: 'getPaymentTimeline',
    run: getTimeline,
  }),
];
