// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  ConfigureWebhook,
  Event,
  EventList,
  ReplayFailedEvents,
  ReplayOfFailedEvents,
  RotateWebhookSecret,
  WebhookAudit,
  WebhookConfig,
} from './schemas.ts';

export type ListWebhookAuditQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export type ListEventsQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
  type?:
    | 'payment.created'
    | 'payment.authorized'
    | 'payment.authorization_expiring'
    | 'payment.captured'
    | 'payment.capture_failed'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.refunded'
    | 'subscription.created'
    | 'subscription.updated'
    | 'subscription.canceled'
    | 'subscription.paused'
    | 'subscription.resumed'
    | 'subscription.renewed'
    | 'invoice.created'
    | 'invoice.paid'
    | 'invoice.failed'
    | 'invoice.canceled'
    | 'payment_link.paid'
    | 'dispute.created'
    | 'dispute.updated'
    | 'dispute.response_due'
    | 'dispute.closed'
    | 'service.webhook.test';
  status?: 'pending' | 'delivered' | 'failed' | 'skipped';
  created_after?: string;
  created_before?: string;
};

export const webhooks = (call: Call) => ({
  /**
   * Get the webhook configuration.
   * `GET /v1/webhooks/config`: Requires the scope `webhooks:read`. Counts among the 500 reads a minute.
   */
  getConfig: (input?: NoInput, options?: RequestOptions): Promise<WebhookConfig> =>
    call.get('/v1/webhooks/config', input, options),

  /**
   * Configure webhooks.
   * `POST /v1/webhooks/config`: Requires the scope `webhooks:write`. Counts among the 100 other writes a minute.
   * The response holds a secret: it is replayed only to the credential that made the request.
   */
  configure: (input: ConfigureWebhook, options?: RequestOptions): Promise<WebhookConfig> =>
    call.change('POST', '/v1/webhooks/config', input, options),

  /**
   * Replace the signing secret.
   * `POST /v1/webhooks/config/rotate-secret`: Requires the scope `webhooks:write`. Counts among the 100 other
   * writes a minute. The response holds a secret: it is replayed only to the credential that made the request.
   */
  rotateSecret: (input?: RotateWebhookSecret, options?: RequestOptions): Promise<WebhookConfig> =>
    call.change('POST', '/v1/webhooks/config/rotate-secret', input, options),

  /**
   * List the webhook configuration's changes.
   * `GET /v1/webhooks/config/audit`: Requires the scope `webhooks:read`. Counts among the 500 reads a minute.
   */
  listAudit: (input?: ListWebhookAuditQuery, options?: RequestOptions): List<WebhookAudit, readonly WebhookAudit[]> =>
    call.list('/v1/webhooks/config/audit', null, input, options),

  /**
   * List events.
   * `GET /v1/webhooks/events`: Requires the scope `webhooks:read`. Counts among the 500 reads a minute.
   */
  listEvents: (input?: ListEventsQuery, options?: RequestOptions): List<Event, EventList> =>
    call.list('/v1/webhooks/events', 'events', input, options),

  /**
   * Get an event.
   * `GET /v1/webhooks/events/{id}`: Requires the scope `webhooks:read`. Counts among the 500 reads a minute.
   */
  getEvent: (id: string, input?: NoInput, options?: RequestOptions): Promise<Event> =>
    call.get(path`/v1/webhooks/events/${id}`, input, options),

  /**
   * Replay the failed events of a period.
   * `POST /v1/webhooks/events/replay`: Requires the scope `webhooks:write`. Counts among the 100 other writes a
   * minute.
   */
  replayFailedEvents: (input: ReplayFailedEvents, options?: RequestOptions): Promise<ReplayOfFailedEvents> =>
    call.change('POST', '/v1/webhooks/events/replay', input, options),

  /**
   * Replay an event.
   * `POST /v1/webhooks/events/{id}/replay`: Requires the scope `webhooks:write`. Counts among the 100 other writes
   * a minute.
   */
  replayEvent: (id: string, input?: NoInput, options?: RequestOptions): Promise<Event> =>
    call.change('POST', path`/v1/webhooks/events/${id}/replay`, input, options),

  /**
   * Send a test event.
   * `POST /v1/webhooks/test`: Requires the scope `webhooks:write`. Counts among the 100 other writes a minute.
   */
  sendTestEvent: (input?: NoInput, options?: RequestOptions): Promise<Event> =>
    call.change('POST', '/v1/webhooks/test', input, options),
});
