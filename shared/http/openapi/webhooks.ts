import * as z from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import { JITTER, MAX_RETRY_AFTER, RESPONSE_WINDOW, RETRY_DELAYS } from '#shared/domain/webhooks/delivery.rules.ts';
import { HOUR, MINUTE, SECOND } from '#shared/kernel/clock.ts';

const EventPayload = z
  .object({
    id: z.string().meta({ description: 'The same at every attempt: use it to recognize repeats.' }),
    type: z.enum(EVENT_TYPES),
    org_id: z.string(),
    created_at: z.string(),
    data: z.looseObject({}).meta({ description: 'The resource as it was when the event happened.' }),
    timestamp: z.int().meta({
      description:
        'When this attempt was sent, in Unix seconds. Reject what differs from your time by more than 300 seconds.',
    }),
  })
  .meta({ id: 'EventPayload' });

function formatDuration(ms: number): string {
  if (ms < MINUTE) return `${ms / SECOND} s`;
  return ms < HOUR ? `${ms / MINUTE} m` : `${ms / HOUR} h`;
}

const header = (name: string, description: string) => ({
  in: 'header' as const,
  name,
  description,
  required: true,
  schema: { type: 'string' as const },
});

const DELIVERY = [
  `Any 2xx within ${formatDuration(RESPONSE_WINDOW)} is a success. 410 disables webhooks.`,
  `Anything else is retried after ${RETRY_DELAYS.map(formatDuration).join(', ')}, each ${JITTER * 100} % more or less,`,
  `and later where \`Retry-After\` says so, up to ${formatDuration(MAX_RETRY_AFTER)}. A replay is not retried.`,
  'Redirects are not followed.',
].join(' ');

/** The webhooks that an organization's server receives. */
export const WEBHOOKS: Readonly<Record<string, ZodOpenApiPathItemObject>> = {
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'An event, sent to your webhook endpoint',
      description: DELIVERY,
      security: [],
      parameters: [
        header(
          'X-Service-Signature',
          '`sha256=` and the HMAC-SHA256 of the raw body in hex; its key is the whole `whsec_…` text.',
        ),
        header('X-Service-Event-Id', 'The same as `id`.'),
        header('webhook-id', 'The same as `id`, for libraries of Standard Webhooks.'),
        header('webhook-timestamp', 'The same as `timestamp`.'),
        header('webhook-signature', 'The signature of Standard Webhooks; its key is the base64 behind `whsec_`.'),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: EventPayload } } },
      responses: { '2XX': { description: 'Received.' } },
    },
  },
};
