import * as z from 'zod';
import { EVENT_TYPES } from '#shared/domain/events.catalog.ts';

/**
 * A message about an event: the bus's own names it `id` and is about the first try; ours say how many tries there have
 * been when the next is due, so that one which came twice or too late is known.
 */
export const DeliveryMessage = z.union([
  z.object({
    org_id: z.string(),
    event_id: z.string(),
    tries: z.int().default(0),
    replay: z.boolean().default(false),
    only_failed: z.boolean().default(false),
  }),
  z.object({ org_id: z.string(), id: z.string() }).transform(({ org_id, id }) => ({ org_id, event_id: id, tries: 0, replay: false, only_failed: false })),
]);
export type DeliveryMessage = z.output<typeof DeliveryMessage>;

/** One about all events that had failed when somebody asked for them, from the one behind `after` on. */
export const ReplayFailedMessage = z.object({
  org_id: z.string(),
  replay_failed: z.object({ since: z.string(), until: z.string(), type: z.enum(EVENT_TYPES).optional(), after: z.string().optional() }),
});
export type ReplayFailedMessage = z.output<typeof ReplayFailedMessage>;

/** One about a receiver that this act was to turn off: for whoever has to be told of it, or, with `user_id`, for one of them. */
export const TurnedOffMessage = z.object({
  org_id: z.string(),
  turned_off: z.object({ audit: z.int(), act_id: z.string(), user_id: z.string().optional() }),
});
export type TurnedOffMessage = z.output<typeof TurnedOffMessage>;

/** Whatever may lie in the queues. */
export const WebhookMessage = z.union([ReplayFailedMessage, TurnedOffMessage, DeliveryMessage]);
