import * as z from 'zod';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import { parsePosition } from '#shared/domain/reference/page.rules.ts';
import { WEBHOOK_AUDIT_ACTIONS } from '#shared/domain/webhooks/webhook-audit.rules.ts';
import { ANY_OFFSET, IdParam, ListQuery, Pagination, PastedUrl, Timestamp } from '#shared/http/schema/common.schema.ts';

const EVENT_TYPE = `Must be "*" or one of ${EVENT_TYPES.join(', ')}.`;

/** Event types in one request, repeated ones included. */
const MAX_EVENT_TYPES = 100;

/** Replaces the whole configuration. Only the signing secret stays. */
export const ConfigureWebhookBody = z
  .strictObject({
    url: PastedUrl.meta({ example: 'https://shop.example/webhooks/payfork' }),
    events: z
      .array(z.enum([...EVENT_TYPES, '*'], EVENT_TYPE), 'Must be a list of event types.')
      .min(1, 'Must name at least one event type, or "*" for all.')
      .max(MAX_EVENT_TYPES, `Must have at most ${MAX_EVENT_TYPES} event types.`)
      .transform((events) => [...new Set(events)]),
    enabled: z.boolean('Must be true or false.').default(true),
  })
  .meta({ id: 'ConfigureWebhook' });
export type ConfigureWebhookInput = z.output<typeof ConfigureWebhookBody>;

const Reason = z.enum(['gone', 'failing']);

export const WebhookConfigReply = z
  .object({
    url: z.string(),
    events: z.array(z.string()).readonly(),
    enabled: z.boolean(),
    disabled_at: z.string().nullable(),
    disabled_reason: Reason.nullable(),
    signing_secret: z.string(),
    previous_secret_expires_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'WebhookConfig' });

export const RotateSecretBody = z
  .strictObject({
    expire_previous: z.boolean('Must be true or false.').optional(),
  })
  .meta({ id: 'RotateWebhookSecret' });
export type RotateSecretInput = z.output<typeof RotateSecretBody>;

export const ListWebhookAuditQuery = ListQuery(
  {},
  { isPosition: (position) => /^[1-9]\d{0,9}$/.test(position), maxOffset: ANY_OFFSET },
);
export type ListWebhookAuditInput = z.output<typeof ListWebhookAuditQuery>;

const WebhookAuditReply = z
  .object({
    id: z.int(),
    actor_id: z.string(),
    actor_claimed: z.boolean(),
    action: z.enum(WEBHOOK_AUDIT_ACTIONS),
    metadata: z.object({
      changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
      credential_id: z.string().nullable(),
      reason: Reason.optional(),
    }),
    created_at: z.string(),
  })
  .meta({ id: 'WebhookAudit' });
export const ListWebhookAuditReply = z.array(WebhookAuditReply);

export const EventById = IdParam('event');

const STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const;

export const ListEventsQuery = ListQuery(
  {
    type: z.enum(EVENT_TYPES, `Must be one of ${EVENT_TYPES.join(', ')}.`).optional(),
    status: z.enum(STATUSES, `Must be one of ${STATUSES.join(', ')}.`).optional(),
    created_after: Timestamp.optional(),
    created_before: Timestamp.optional(),
  },
  { isPosition: (position) => parsePosition(position, 'event') !== undefined },
);
export type ListEventsInput = z.output<typeof ListEventsQuery>;

export const EventReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    type: z.enum(EVENT_TYPES),
    created_at: z.string(),
    data: z.looseObject({}),
    status: z.enum(STATUSES),
    attempts: z
      .array(
        z.object({
          at: z.string(),
          status_code: z.int().nullable(),
          duration_ms: z.number(),
          error: z.string().nullable(),
          response: z.string().optional(),
        }),
      )
      .readonly(),
    next_attempt_at: z.string().nullable(),
  })
  .meta({ id: 'Event' });

export const ReplayFailedBody = z
  .strictObject({
    since: Timestamp,
    until: Timestamp.optional(),
    type: z.enum(EVENT_TYPES, `Must be one of ${EVENT_TYPES.join(', ')}.`).optional(),
  })
  .meta({ id: 'ReplayFailedEvents' });
export type ReplayFailedInput = z.output<typeof ReplayFailedBody>;

export const ReplayFailedReply = z
  .object({
    since: z.string(),
    until: z.string(),
    type: z.enum(EVENT_TYPES).nullable(),
    accepted: z.literal(true),
    joined: z.boolean().optional(),
  })
  .meta({ id: 'ReplayOfFailedEvents' });

export const ListEventsReply = z
  .object({
    events: z.array(EventReply).readonly(),
    pagination: Pagination,
  })
  .meta({ id: 'EventList' });
