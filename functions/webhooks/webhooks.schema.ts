import * as z from 'zod';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import { positionIn } from '#shared/domain/reference/list-position.rules.ts';
import { MOST_KEPT } from '#shared/domain/webhooks/delivery.rules.ts';
import { RECEIVER_ACTS } from '#shared/domain/webhooks/receiver-audit.rules.ts';
import { ANY_OFFSET, IdParam, ListQuery, Text, Timestamp } from '#shared/http/schema/common.schema.ts';

const EVENT_TYPE = `Must be "*" or one of ${EVENT_TYPES.join(', ')}.`;

/** Repeated ones among them. */
const MOST_TYPES_SENT = 100;

/** Replaces the whole configuration; only the secret stays. */
export const ConfigureWebhookBody = z
  .strictObject({
    url: Text(2_000, 1).meta({
      description:
        'An https address on port 443 or 8443 without user information, of a server that is reachable on the public internet.',
      example: 'https://shop.example/webhooks/payfork',
    }),
    events: z
      .array(z.enum([...EVENT_TYPES, '*'], EVENT_TYPE), 'Must be a list of event types.')
      .min(1, 'Must name at least one event type, or "*" for all.')
      .max(MOST_TYPES_SENT, `Must name at most ${MOST_TYPES_SENT} event types.`)
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
    disabled_at: z.string().nullable().meta({ description: 'Since when it is off; null where it is on.' }),
    disabled_reason: Reason.nullable().meta({
      description:
        'Why it was turned off by itself: the receiver answered 410 (`gone`), or has taken nothing for 5 days and failed an event for the fifth time or later (`failing`). Null where it is on, or people turned it off. Events that it misses this way are `failed`, and can be sent again once it is on.',
    }),
    signing_secret: z.string().meta({ description: 'Whole with the scope `webhooks:write`, masked otherwise.' }),
    previous_secret_expires_at: z.string().nullable().meta({
      description:
        'After a rotation: until then `webhook-signature` has a signature by each secret, the newest first, and `X-Service-Signature` is made with the oldest that is still valid. Null where the newest alone signs.',
    }),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'WebhookConfig' });

export const RotateSecretBody = z
  .strictObject({
    expire_previous: z.boolean('Must be true or false.').optional().meta({
      description:
        'For a secret that leaked: the new one alone signs from now on. Without this the one before goes on for 24 hours.',
    }),
  })
  .meta({ id: 'RotateWebhookSecret' });
export type RotateSecretInput = z.output<typeof RotateSecretBody>;

export const ListWebhookAuditQuery = ListQuery(
  {},
  { isPosition: (position) => /^[1-9]\d{0,9}$/.test(position), mostOffset: ANY_OFFSET },
);
export type ListWebhookAuditInput = z.output<typeof ListWebhookAuditQuery>;

const WebhookAuditReply = z
  .object({
    id: z.int().meta({ description: 'Counts 1, 2, 3 …' }),
    actor_id: z.string().meta({
      description: '`X-Actor-Id`, or the credential itself where that was not sent; `system` where the service did it.',
    }),
    action: z.enum(RECEIVER_ACTS),
    metadata: z.object({
      changes: z
        .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))
        .meta({ description: 'By field. Of secrets it says only that there is another.' }),
      credential_id: z.string().nullable().meta({ description: 'Null where the service did it.' }),
      reason: Reason.optional().meta({ description: 'Why the service turned webhooks off.' }),
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
  { isPosition: (position) => positionIn(position, 'event') !== undefined },
);
export type ListEventsInput = z.output<typeof ListEventsQuery>;

export const EventReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    type: z.enum(EVENT_TYPES),
    created_at: z.string(),
    data: z
      .looseObject({})
      .meta({ description: 'What it shows of the resource, as that was at that moment. Of a payment that is a part.' }),
    status: z.enum(STATUSES),
    attempts: z
      .array(
        z.object({
          at: z.string(),
          status_code: z.int().nullable(),
          duration_ms: z.number(),
          error: z.string().nullable(),
        }),
      )
      .readonly()
      .meta({ description: `Of more than ${MOST_KEPT} the first and the newest.` }),
    next_attempt_at: z.string().nullable(),
  })
  .meta({ id: 'Event' });

export const ReplayFailedBody = z
  .strictObject({
    since: Timestamp.meta({
      description:
        'Events that were created then or later. They may have failed two days after that: after an outage begin two days before it.',
    }),
    until: Timestamp.optional().meta({ description: 'Events that were created before; now, where it is left out.' }),
    type: z.enum(EVENT_TYPES, `Must be one of ${EVENT_TYPES.join(', ')}.`).optional(),
  })
  .meta({ id: 'ReplayFailedEvents' });
export type ReplayFailedInput = z.output<typeof ReplayFailedBody>;

export const ReplayFailedReply = z
  .object({
    since: z.string(),
    until: z.string(),
    type: z.enum(EVENT_TYPES).nullable(),
    accepted: z
      .literal(true)
      .meta({ description: 'They are sent from now on, the oldest first; turning webhooks off ends it.' }),
  })
  .meta({ id: 'ReplayOfFailedEvents' });

export const ListEventsReply = z
  .object({
    events: z.array(EventReply).readonly(),
    pagination: z.object({ limit: z.number(), offset: z.number(), has_more: z.boolean() }),
  })
  .meta({
    id: 'EventList',
    description:
      'Newest first. Where hits are rare or events large, a page holds fewer than `limit`, or none: while `has_more` is true, `Link` leads on.',
  });
