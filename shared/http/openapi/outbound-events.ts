import * as z from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import { RESPONSE_WINDOW, RETRY_AFTER } from '#shared/domain/webhooks/delivery.rules.ts';
import { HOUR, MINUTE, SECOND } from '#shared/kernel/clock.ts';

const EventPayload = z
  .object({
    id: z.string().meta({ description: 'The same at every try: what has been handled is known by it.' }),
    type: z.enum(EVENT_TYPES),
    org_id: z.string(),
    created_at: z.string(),
    data: z.looseObject({}).meta({ description: 'The resource as it was at that moment.' }),
    timestamp: z.int().meta({
      description: 'When this try was sent, in Unix seconds; refuse what is more than 300 seconds away from your time.',
    }),
  })
  .meta({ id: 'EventPayload' });

const inWords = (ms: number): string =>
  ms < MINUTE ? `${ms / SECOND} s` : ms < HOUR ? `${ms / MINUTE} m` : `${ms / HOUR} h`;

const header = (name: string, description: string) => ({
  in: 'header' as const,
  name,
  description,
  required: true,
  schema: { type: 'string' as const },
});

/** The webhooks that an organization's server receives. */
export const OUTBOUND_EVENTS: Readonly<Record<string, ZodOpenApiPathItemObject>> = {
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'An event, sent to the configured address',
      description: `Any 2xx within ${inWords(RESPONSE_WINDOW)} is success. 410 turns webhooks off. Else it is tried again after ${RETRY_AFTER.map(inWords).join(', ')}, a tenth more or less, and later where a \`Retry-After\` asks for it, up to a day; what somebody had sent again is not. Redirects are not followed.`,
      security: [],
      parameters: [
        header(
          'X-Service-Signature',
          '`sha256=` and the HMAC-SHA256 of the raw body in hex; its key is the whole `whsec_…` text.',
        ),
        header('X-Service-Event-Id', 'As `id`.'),
        header('webhook-id', 'As `id`, for libraries of Standard Webhooks.'),
        header('webhook-timestamp', 'As `timestamp`.'),
        header('webhook-signature', 'The signature of Standard Webhooks; its key is the base64 behind `whsec_`.'),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: EventPayload } } },
      responses: { '2XX': { description: 'Received.' } },
    },
  },
};
