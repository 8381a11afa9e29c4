import { paymentTimelineRoutes } from '#functions/payment-timeline/payment-timeline.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { disputes, events, executions, payments, workflows } from '#shared/container/store-parts.ts';

export const handler = apiLambda(paymentTimelineRoutes, { disputes, events, executions, payments, workflows });
