import { webhookRoutes } from '#functions/webhooks/webhooks.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { bus, queue, webhookHttp } from '#shared/container/aws-parts.ts';
import { events, webhookConfigs } from '#shared/container/store-parts.ts';

export const handler = apiLambda(webhookRoutes, { bus, events, queue, webhookConfigs, webhookHttp });
