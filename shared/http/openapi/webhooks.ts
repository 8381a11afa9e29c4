import type { oas31, ZodOpenApiPathItemObject } from 'zod-openapi';
import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import { JITTER, MAX_RETRY_AFTER, RESPONSE_WINDOW, RETRY_DELAYS } from '#shared/domain/webhooks/delivery.rules.ts';
import { HOUR, MINUTE, SECOND } from '#shared/kernel/clock.ts';

function formatDuration(ms: number): string {
  if (ms < MINUTE) return `${ms / SECOND} s`;
  return ms < HOUR ? `${ms / MINUTE} m` : `${ms / HOUR} h`;
}

const DELIVERY = [
  `Any 2xx within ${formatDuration(RESPONSE_WINDOW)} is a success. 410 disables webhooks.`,
  `Anything else is retried after ${RETRY_DELAYS.map(formatDuration).join(', ')}, each ${JITTER * 100} % more or less,`,
  `and later where \`Retry-After\` says so, up to ${formatDuration(MAX_RETRY_AFTER)}. A replay is not retried.`,
  'Redirects are not followed.',
].join(' ');

const header = (name: string, description: string): oas31.ParameterObject => ({
  in: 'header',
  name,
  description,
  required: true,
  schema: { type: 'string' },
});

/** Headers that each delivery has. */
export const DELIVERY_PARAMETERS = {
  ServiceSignature: header(
    'X-Service-Signature',
    '`sha256=` and the HMAC-SHA256 of the raw body in hex; its key is the whole `whsec_…` text.',
  ),
  ServiceEventId: header('X-Service-Event-Id', 'The same as `id`.'),
  WebhookId: header('webhook-id', 'The same as `id`, for libraries of Standard Webhooks.'),
  WebhookTimestamp: header('webhook-timestamp', 'The same as `timestamp`.'),
  WebhookSignature: header(
    'webhook-signature',
    'The signature of Standard Webhooks; its key is the base64 behind `whsec_`.',
  ),
} as const satisfies Readonly<Record<string, oas31.ParameterObject>>;

/** What an endpoint responds with, whichever the event is. */
export const DELIVERY_RESPONSES = { Received: { description: DELIVERY } } as const;

/** The component of an event type: `payment_link.paid` is `PaymentLinkPaidEvent`. */
export const eventName = (type: EventType): string =>
  `${(type.match(/[a-z]+/g) ?? []).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Event`;

/** The one webhook of an organization's server: events of all types come to the same address. */
export const WEBHOOKS: Readonly<Record<string, ZodOpenApiPathItemObject>> = {
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'Receive an event',
      tags: ['webhooks'],
      security: [],
      parameters: Object.keys(DELIVERY_PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/EventPayload' } } },
      },
      responses: { '2XX': { $ref: '#/components/responses/Received' } },
    },
  },
};
