import { configureWebhook, rotateSecret } from '#functions/webhooks/configure-webhook.usecase.ts';
import { getEvent, listEvents } from '#functions/webhooks/get-events.usecase.ts';
import { getWebhookConfig, listWebhookAudit } from '#functions/webhooks/get-webhook-config.usecase.ts';
import { replayEvent, replayFailedEvents } from '#functions/webhooks/replay-events.usecase.ts';
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
import { get, list, post } from '#shared/http/route.ts';

export const webhookRoutes = [
  get('/v1/webhooks/config', {
    scope: 'webhooks:read',
    summary: 'Get the webhook configuration',
    reply: WebhookConfigReply,
    errors: ['not_found'],
    run: getWebhookConfig,
  }),
  post('/v1/webhooks/config', {
    scope: 'webhooks:write',
    summary: 'Configure webhooks',
    body: ConfigureWebhookBody,
    reply: WebhookConfigReply,
    secretResponse: true,
    errors: ['url_not_allowed', 'write_conflict'],
    operationId: 'saveWebhookConfig',
    run: configureWebhook,
  }),
  post('/v1/webhooks/config/rotate-secret', {
    scope: 'webhooks:write',
    summary: 'Replace the signing secret',
    body: RotateSecretBody,
    bodyOptional: true,
    reply: WebhookConfigReply,
    secretResponse: true,
    errors: ['not_found', 'secret_rotation_limit', 'write_conflict'],
    operationId: 'rotateWebhookSecret',
    run: rotateSecret,
  }),
  list('/v1/webhooks/config/audit', {
    scope: 'webhooks:read',
    summary: "List the webhook configuration's changes",
    query: ListWebhookAuditQuery,
    reply: ListWebhookAuditReply,
    errors: ['not_found'],
    run: listWebhookAudit,
  }),
  list('/v1/webhooks/events', {
    scope: 'webhooks:read',
    summary: 'List events',
    query: ListEventsQuery,
    reply: ListEventsReply,
    items: 'events',
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
    agents: 'may',
    summary: 'Replay the failed events of a period',
    body: ReplayFailedBody,
    reply: ReplayFailedReply,
    errors: ['not_found', 'webhooks_disabled', 'write_conflict'],
    run: replayFailedEvents,
  }),
  post('/v1/webhooks/events/{id}/replay', {
    scope: 'webhooks:write',
    agents: 'may',
    summary: 'Replay an event',
    params: EventById,
    reply: EventReply,
    errors: ['webhooks_disabled'],
    run: replayEvent,
  }),
  post('/v1/webhooks/test', {
    scope: 'webhooks:write',
    agents: 'may',
    summary: 'Send a test event',
    reply: EventReply,
    errors: ['not_found', 'webhooks_disabled'],
    run: sendTestEvent,
  }),
];
