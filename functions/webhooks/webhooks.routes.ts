import { configureWebhook } from '#functions/webhooks/configure-webhook.usecase.ts';
import { getEvent } from '#functions/webhooks/get-event.usecase.ts';
import { getWebhookConfig } from '#functions/webhooks/get-webhook-config.usecase.ts';
import { listEvents } from '#functions/webhooks/list-events.usecase.ts';
import { replayEvent } from '#functions/webhooks/replay-event.usecase.ts';
import { sendTestEvent } from '#functions/webhooks/send-test-event.usecase.ts';
import { ConfigureWebhookBody, EventById, EventReply, ListEventsQuery, ListEventsReply, WebhookConfigReply } from '#functions/webhooks/webhooks.schema.ts';
import { get, post } from '#shared/http/route.ts';

export const webhookRoutes = [
  get('/v1/webhooks/config', { scope: 'webhooks:read', summary: 'Get the webhook configuration', reply: WebhookConfigReply, run: getWebhookConfig }),
  post('/v1/webhooks/config', {
    scope: 'webhooks:write',
    summary: 'Configure webhooks',
    body: ConfigureWebhookBody,
    reply: WebhookConfigReply,
    secretAnswer: true,
    run: configureWebhook,
  }),
  get('/v1/webhooks/events', { scope: 'webhooks:read', summary: 'List events', query: ListEventsQuery, reply: ListEventsReply, run: listEvents }),
  get('/v1/webhooks/events/{id}', { scope: 'webhooks:read', summary: 'Get an event', params: EventById, reply: EventReply, run: getEvent }),
  post('/v1/webhooks/events/{id}/replay', {
    scope: 'webhooks:write',
    summary: 'Send an event again',
    params: EventById,
    reply: EventReply,
    run: replayEvent,
  }),
  post('/v1/webhooks/test', { scope: 'webhooks:write', summary: 'Send a test event', reply: EventReply, run: sendTestEvent }),
];
