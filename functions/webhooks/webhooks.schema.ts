import * as z from 'zod';
import { EVENT_TYPES } from '#shared/domain/events.catalog.ts';
import { IdParam, ListQuery, Text, Timestamp } from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

const EVENT_TYPE = `Must be "*" or one of ${EVENT_TYPES.join(', ')}.`;

/** The whole configuration each time; only the secret stays. */
export const ConfigureWebhookBody = z
  .strictObject({
    url: Text(2_000, 1),
    events: z
      .array(z.enum([...EVENT_TYPES, '*'], EVENT_TYPE), 'Must be a list of event types.')
      .min(1, 'Must name at least one event type, or "*" for all.')
      .transform((events) => [...new Set(events)]),
    enabled: z.boolean('Must be true or false.').default(true),
  })
  .meta({ id: 'ConfigureWebhook' });
export type ConfigureWebhookInput = z.output<typeof ConfigureWebhookBody>;

export const WebhookConfigReply = z
  .object({
    url: z.string(),
    events: z.array(z.string()).readonly(),
    enabled: z.boolean(),
    signing_secret: z.string().meta({ description: 'Whole with the scope `webhooks:write`, masked otherwise.' }),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'WebhookConfig' });

export const EventById = IdParam('event');

const STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const;

export const ListEventsQuery = ListQuery(
  {
    type: z.enum(EVENT_TYPES, `Must be one of ${EVENT_TYPES.join(', ')}.`).optional(),
    status: z.enum(STATUSES, `Must be one of ${STATUSES.join(', ')}.`).optional(),
    created_after: Timestamp.optional(),
    created_before: Timestamp.optional(),
  },
  { isPosition: (position) => isId('event', position) },
);
export type ListEventsInput = z.output<typeof ListEventsQuery>;

export const EventReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    type: z.enum(EVENT_TYPES),
    created_at: z.string(),
    data: z.looseObject({}).meta({ description: 'The resource as it was at that moment.' }),
    status: z.enum(STATUSES),
    attempts: z.array(z.object({ at: z.string(), status_code: z.int().nullable(), duration_ms: z.number(), error: z.string().nullable() })).readonly(),
    next_attempt_at: z.string().nullable(),
  })
  .meta({ id: 'Event' });

export const ListEventsReply = z
  .object({
    events: z.array(EventReply).readonly(),
    pagination: z.object({ limit: z.number(), offset: z.number(), has_more: z.boolean() }),
  })
  .meta({ id: 'EventList' });
