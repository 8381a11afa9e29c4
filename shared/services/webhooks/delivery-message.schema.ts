import * as z from 'zod';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';

/**
 * A message about an event: the bus's message has its `id` and means the first try; ours carry the number of tries so
 * far, so that duplicates and late messages are recognized.
 */
export const DeliveryMessage = z.union([
  z.object({
    org_id: z.string(),
    event_id: z.string(),
    tries: z.int().default(0),
    replay: z.boolean().default(false),
    only_failed: z.boolean().default(false),
    subscribed_only: z.boolean().default(false),
  }),
  z.object({ org_id: z.string(), id: z.string() }).transform(({ org_id, id }) => ({
    org_id,
    event_id: id,
    tries: 0,
    replay: false,
    only_failed: false,
    subscribed_only: false,
  })),
]);
export type DeliveryMessage = z.output<typeof DeliveryMessage>;

/** A request to replay all failed events, from the one after `after` on. */
export const ReplayFailedMessage = z.object({
  org_id: z.string(),
  replay_failed: z.object({
    since: z.string(),
    until: z.string(),
    type: z.enum(EVENT_TYPES).optional(),
    after: z.string().optional(),
  }),
});
export type ReplayFailedMessage = z.output<typeof ReplayFailedMessage>;

/** A notice that this act was to turn a receiver off: for all people to notify, or, with `user_id`, for one of them. */
export const TurnedOffMessage = z.object({
  org_id: z.string(),
  turned_off: z.object({ audit: z.int(), act_id: z.string(), user_id: z.string().optional() }),
});
export type TurnedOffMessage = z.output<typeof TurnedOffMessage>;

/** Any message of these queues. */
export const WebhookMessage = z.union([ReplayFailedMessage, TurnedOffMessage, DeliveryMessage]);
