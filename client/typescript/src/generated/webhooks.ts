// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  ConfigureWebhook,
  Event,
  EventList,
  EventType,
  ReplayFailedEvents,
  ReplayOfFailedEvents,
  RotateWebhookSecret,
  WebhookConfig,
} from './schemas.ts';

export type ListEventsQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
  /** Only events of this type. */
  type?: EventType;
  /** Only events with this delivery status. */
  status?: 'pending' | 'delivered' | 'failed' | 'skipped';
  /** Inclusive: an object created at exactly this time is in the list. */
  created_after?: string;
  /**
   * Exclusive: an object created at exactly this time is not in the list, so adjoining time ranges neither overlap
   * nor leave a gap.
   */
  created_before?: string;
};

export const webhooks = (call: Call) => ({
  /**
   * Get the webhook configuration.
   * `GET /v1/webhooks/config`: Requires the scope `webhooks:read`.
   * With examples at `/docs/api/webhooks#getWebhookConfig`.
   * @throws {PayforkError} `not_found`
   */
  getConfig: (input?: NoInput, options?: RequestOptions): ApiPromise<WebhookConfig> =>
    call.get('/v1/webhooks/config', input, options),

  /**
   * Configure webhooks.
   * `POST /v1/webhooks/config`: Requires the scope `webhooks:write`. The response holds a secret: it is replayed
   * only to the credential that made the request.
   * With examples at `/docs/api/webhooks#saveWebhookConfig`.
   * @throws {PayforkError} `url_not_allowed`, `write_conflict`
   */
  saveConfig: (input: ConfigureWebhook, options?: RequestOptions): ApiPromise<WebhookConfig> =>
    call.change('POST', '/v1/webhooks/config', input, options),

  /**
   * Replace the signing secret.
   * `POST /v1/webhooks/config/rotate-secret`: Requires the scope `webhooks:write`. The response holds a secret: it
   * is replayed only to the credential that made the request.
   * With examples at `/docs/api/webhooks#rotateWebhookSecret`.
   * @throws {PayforkError} `not_found`, `secret_rotation_limit`, `write_conflict`
   */
  rotateSecret: (input?: RotateWebhookSecret, options?: RequestOptions): ApiPromise<WebhookConfig> =>
    call.change('POST', '/v1/webhooks/config/rotate-secret', input, options),

  /**
   * List events.
   * `GET /v1/webhooks/events`: Requires the scope `webhooks:read`.
   * With examples at `/docs/api/webhooks#listEvents`.
   */
  listEvents: (input?: ListEventsQuery, options?: RequestOptions): List<Event, EventList> =>
    call.list('/v1/webhooks/events', 'events', input, options),

  /**
   * Get an event.
   * `GET /v1/webhooks/events/{id}`: Requires the scope `webhooks:read`.
   * With examples at `/docs/api/webhooks#getEvent`.
   * @throws {PayforkError} `not_found`
   */
  getEvent: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Event> =>
    call.get(path`/v1/webhooks/events/${id}`, input, options),

  /**
   * Replay the failed events of a period.
   * `POST /v1/webhooks/events/replay`: Requires the scope `webhooks:write`.
   * With examples at `/docs/api/webhooks#replayFailedEvents`.
   * @throws {PayforkError} `not_found`, `webhooks_disabled`, `write_conflict`
   */
  replayFailedEvents: (input: ReplayFailedEvents, options?: RequestOptions): ApiPromise<ReplayOfFailedEvents> =>
    call.change('POST', '/v1/webhooks/events/replay', input, options),

  /**
   * Replay an event.
   * `POST /v1/webhooks/events/{id}/replay`: Requires the scope `webhooks:write`.
   * With examples at `/docs/api/webhooks#replayEvent`.
   * @throws {PayforkError} `not_found`, `webhooks_disabled`
   */
  replayEvent: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Event> =>
    call.change('POST', path`/v1/webhooks/events/${id}/replay`, input, options),

  /**
   * Send a test event.
   * `POST /v1/webhooks/test`: Requires the scope `webhooks:write`.
   * With examples at `/docs/api/webhooks#sendTestEvent`.
   * @throws {PayforkError} `not_found`, `webhooks_disabled`
   */
  sendTestEvent: (input?: NoInput, options?: RequestOptions): ApiPromise<Event> =>
    call.change('POST', '/v1/webhooks/test', input, options),
});
