import * as z from 'zod';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';

const Carried = z.object({
  type: z.enum(EVENT_TYPES),
  created_at: z.string(),
  data: z.record(z.string(), z.unknown()),
  list_shards: z.int().optional(),
});

const OwnDeliveryMessage = z.object({
  org_id: z.string(),
  event_id: z.string(),
  tries: z.int().default(0),
  replay: z.boolean().default(false),
  only_failed: z.boolean().default(false),
  subscribed_only: z.boolean().default(false),
  attempted_before: z.string().optional(),
  bulk_step: z.string().optional(),
  carried: Carried.optional(),
  trace: z.string().optional(),
});

/** The bus's message: the first attempt of an event, which it may carry. */
const NewEventMessage = z.object({
  org_id: z.string(),
  id: z.string(),
  type: z.string().optional(),
  event: z.record(z.string(), z.unknown()).optional(),
  trace: z.string().optional(),
});

/**
 * Deliver an event. The bus's message has the event's `id` and means the first attempt. Messages that we send carry the
 * number of attempts so far, so that duplicates and late ones are recognized. `attempted_before`: a bulk replay sends an
 * event only if it was not attempted since; `bulk_step` is the page that has sent it. `carried`: the event, as it was stored without an attempt.
 */
export const DeliveryMessage = z.union([
  OwnDeliveryMessage,
  NewEventMessage.transform(({ org_id, id, type, event, trace }) => {
    const carried = Carried.safeParse({ type, ...event });
    const own = { org_id, event_id: id, ...(trace !== undefined && { trace }) };
    return OwnDeliveryMessage.parse({ ...own, ...(carried.success && { carried: carried.data }) });
  }),
]);
export type DeliveryMessage = z.output<typeof DeliveryMessage>;

/**
 * A request to replay all failed events, from the one after `after` on; and then, as `unattempted`, all those that are
 * pending because the message of their first attempt was lost. `bulk`: the replay that it belongs to, and the number of
 * this message in it; messages of earlier releases have none. `again_at`: when events that must wait can be sent.
 */
export const ReplayFailedMessage = z.object({
  org_id: z.string(),
  replay_failed: z.object({
    since: z.string(),
    until: z.string(),
    type: z.enum(EVENT_TYPES).optional(),
    after: z.string().optional(),
    phase: z.enum(['failed', 'unattempted']).default('failed'),
    bulk: z.object({ id: z.string(), step: z.int(), again_at: z.string().optional() }).optional(),
  }),
});
export type ReplayFailedMessage = z.output<typeof ReplayFailedMessage>;

/** Webhooks may have been disabled by this audit entry: notify all members, or the one that `user_id` names. */
export const WebhookDisabledMessage = z.object({
  org_id: z.string(),
  turned_off: z.object({ audit: z.int(), act_id: z.string(), user_id: z.string().optional() }),
});
export type WebhookDisabledMessage = z.output<typeof WebhookDisabledMessage>;

/** Any message of these queues. */
export const WebhookMessage = z.union([ReplayFailedMessage, WebhookDisabledMessage, DeliveryMessage]);
