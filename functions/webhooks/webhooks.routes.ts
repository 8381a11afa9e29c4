import { configureWebhook } from '#functions/webhooks/configure-webhook.usecase.ts';
import { getEvent } from '#functions/webhooks/get-event.usecase.ts';
import { getWebhookConfig } from '#functions/webhooks/get-webhook-config.usecase.ts';
import { listEvents } from '#functions/webhooks/list-events.usecase.ts';
import { listWebhookAudit } from '#functions/webhooks/list-webhook-audit.usecase.ts';
import { replayEvent } from '#functions/webhooks/replay-event.usecase.ts';
import { replayFailedEvents } from '#functions/webhooks/replay-failed-events.usecase.ts';
import { rotateSecret } from '#functions/webhooks/rotate-secret.usecase.ts';
import { sendTestEvent } from '#functions/webhooks/send-test-event.usecase.ts';
import {
  ConfigureWebhookBody,
  EventById,
  EventReply,
  ListEventsQuery,
  ListEventsReply,
  ListWebhookAuditQuery,
  ListWebhookAuditReply,
  ReplayFailedBody,
  ReplayFailedReply,
  RotateSecretBody,
  WebhookConfigReply,
} from '#functions/webhooks/webhooks.schema.ts';
import { get, post } from '#shared/http/route.ts';

export const webhookRoutes = [
  get('/v1/webhooks/config', {
    scope: 'webhooks:read',
    summary: 'Get the webhook configuration',
    reply: WebhookConfigReply,
    run: getWebhookConfig,
  }),
  post('/v1/webhooks/config', {
    scope: 'webhooks:write',
    summary: 'Configure webhooks',
    body: ConfigureWebhookBody,
    reply: WebhookConfigReply,
    secretAnswer: true,
    run: configureWebhook,
  }),
  post('/v1/webhooks/config/rotate-secret', {
    scope: 'webhooks:write',
    summary: 'Replace the signing secret',
    body: RotateSecretBody,
    bodyOptional: true,
    reply: WebhookConfigReply,
    secretAnswer: true,
    run: rotateSecret,
  }),
  get('/v1/webhooks/config/audit', {
    scope: 'webhooks:read',
    summary: "List the webhook configuration's changes",
    query: ListWebhookAuditQuery,
    reply: ListWebhookAuditReply,
    run: listWebhookAudit,
  }),
  get('/v1/webhooks/events', {
    scope: 'webhooks:read',
    summary: 'List events',
    query: ListEventsQuery,
    reply: ListEventsReply,
    run: listEvents,
  }),
  get('/v1/webhooks/events/{id}', {
    scope: 'webhooks:read',
    summary: 'Get an event',
    params: EventById,
    reply: EventReply,
    run: getEvent,
  }),
  post('/v1/webhooks/events/replay', {
    scope: 'webhooks:write',
    summary: 'Send all events again that failed in some time',
    body: ReplayFailedBody,
    reply: ReplayFailedReply,
    run: replayFailedEvents,
  }),
  post('/v1/webhooks/events/{id}/replay', {
    scope: 'webhooks:write',
    summary: 'Send an event again',
    params: EventById,
    reply: EventReply,
    run: replayEvent,
  }),
  post('/v1/webhooks/test', {
    scope: 'webhooks:write',
    summary: 'Send a test event',
    reply: EventReply,
    run: sendTestEvent,
  }),
];
