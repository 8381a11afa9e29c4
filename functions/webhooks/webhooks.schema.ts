import * as z from 'zod';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import { parsePosition } from '#shared/domain/reference/page.rules.ts';
import { BULK_REPLAY_BUDGET, RESEND_AFTER } from '#shared/domain/webhooks/bulk-replay.rules.ts';
import { MAX_ATTEMPTS_KEPT } from '#shared/domain/webhooks/delivery.rules.ts';
import { MAX_RESPONSE_CHARACTERS } from '#shared/domain/webhooks/response-start.rules.ts';
import { WEBHOOK_AUDIT_ACTIONS } from '#shared/domain/webhooks/webhook-audit.rules.ts';
import { PREVIOUS_SECRET_VALID } from '#shared/domain/webhooks/webhook-config.rules.ts';
import { DISABLE_AFTER, DISABLE_FROM_ATTEMPT } from '#shared/domain/webhooks/webhook-health.rules.ts';
import { ANY_OFFSET, IdParam, ListQuery, Pagination, PastedUrl, Timestamp } from '#shared/http/schema/common.schema.ts';
import { DAY, HOUR, MINUTE } from '#shared/kernel/clock.ts';

const EVENT_TYPE = `Must be "*" or one of ${EVENT_TYPES.join(', ')}.`;

/** Event types in one request, repeated ones included. */
const MAX_EVENT_TYPES = 100;

/** Replaces the whole configuration. Only the signing secret stays. */
export const ConfigureWebhookBody = z
  .strictObject({
    url: PastedUrl.meta({
      description:
        'An https address on port 443 or 8443 without user information, of a server that is reachable on the ' +
        'public internet.',
      example: 'https://shop.example/webhooks/payfork',
    }),
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
    disabled_at: z
      .string()
      .nullable()
      .meta({ description: 'Since when webhooks are disabled; null while they are enabled.' }),
    disabled_reason: Reason.nullable().meta({
      description:
        `Why the service disabled webhooks: the endpoint responded with 410 (\`gone\`), or failed every delivery ` +
        `for ${DISABLE_AFTER / DAY} days and an event for the ${DISABLE_FROM_ATTEMPT}th time or later ` +
        `(\`failing\`). Null while webhooks are enabled, or where a person disabled them. Events of that time ` +
        `are \`failed\`, and can be replayed once webhooks are enabled.`,
    }),
    signing_secret: z.string().meta({ description: 'Complete with the scope `webhooks:write`, masked otherwise.' }),
    previous_secret_expires_at: z
      .string()
      .nullable()
      .meta({
        description:
          'After a rotation: until this time `webhook-signature` carries a signature by each valid secret, ' +
          'newest first, and `X-Service-Signature` is made with the oldest valid one. Null where only the newest ' +
          'secret signs.',
      }),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'WebhookConfig' });

export const RotateSecretBody = z
  .strictObject({
    expire_previous: z
      .boolean('Must be true or false.')
      .optional()
      .meta({
        description:
          'For a leaked secret: revokes all previous secrets now. Otherwise the previous secret signs for ' +
          `${PREVIOUS_SECRET_VALID / HOUR} more hours.`,
      }),
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
    id: z.int().meta({ description: 'Counts 1, 2, 3 …' }),
    actor_id: z.string().meta({
      description:
        '`X-Actor-Id`, or the credential where that was not sent; `system` where the service made the change.',
    }),
    actor_claimed: z.boolean().meta({
      description: 'Whether `actor_id` is what a caller with an API key claims in `X-Actor-Id`. It was not verified.',
    }),
    action: z.enum(WEBHOOK_AUDIT_ACTIONS),
    metadata: z.object({
      changes: z
        .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))
        .meta({ description: 'By field. Of secrets it says only that they changed.' }),
      credential_id: z.string().nullable().meta({ description: 'Null where the service made the change.' }),
      reason: Reason.optional().meta({ description: 'Why the service disabled webhooks.' }),
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
    data: z
      .looseObject({})
      .meta({ description: 'The resource as it was when the event occurred. Of a payment it holds the main fields.' }),
    status: z.enum(STATUSES),
    attempts: z
      .array(
        z.object({
          at: z.string(),
          status_code: z.int().nullable(),
          duration_ms: z.number(),
          error: z.string().nullable(),
          response: z
            .string()
            .optional()
            .meta({
              description:
                `The start of your endpoint's response, at most ${MAX_RESPONSE_CHARACTERS} characters, of the newest ` +
                'attempt that got one other than 2xx. Numbers like those of cards, tokens and signatures are left out.',
            }),
        }),
      )
      .readonly()
      .meta({ description: `At most ${MAX_ATTEMPTS_KEPT}: the first and the newest.` }),
    next_attempt_at: z.string().nullable(),
  })
  .meta({ id: 'Event' });

export const ReplayFailedBody = z
  .strictObject({
    since: Timestamp.meta({
      description:
        'Events created at this time or later. Attempts go on for two days, so after an outage begin two days ' +
        'before it.',
    }),
    until: Timestamp.optional().meta({ description: 'Events created before this time. Now, if omitted.' }),
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
      .meta({ description: 'Events are replayed from now on, oldest first. Disabling webhooks ends the replay.' }),
    joined: z
      .boolean()
      .optional()
      .meta({
        description:
          'True if a replay of the organization was still running. These events were added to it, and each event is ' +
          `sent once in it. An event that the replay before has sent is sent again ${RESEND_AFTER / MINUTE} minutes ` +
          `after that. A replay sends ${BULK_REPLAY_BUDGET.sends} events in ${BULK_REPLAY_BUDGET.window / MINUTE} ` +
          'minutes at most, and then pauses.',
      }),
  })
  .meta({ id: 'ReplayOfFailedEvents' });

export const ListEventsReply = z
  .object({
    events: z.array(EventReply).readonly(),
    pagination: Pagination,
  })
  .meta({
    id: 'EventList',
    description:
      'Newest first. A page may hold fewer than `limit` events, or none: while `has_more` is true, follow `Link`.',
  });
