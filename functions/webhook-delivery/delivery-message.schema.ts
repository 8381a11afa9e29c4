import * as z from 'zod';

/**
 * A message about an event: the bus's own names it `id` and is about the first try; ours say how many tries there have
 * been when the next is due, so that one which came twice or too late is known.
 */
export const DeliveryMessage = z.union([
  z.object({ org_id: z.string(), event_id: z.string(), tries: z.int().default(0), replay: z.boolean().default(false) }),
  z.object({ org_id: z.string(), id: z.string() }).transform(({ org_id, id }) => ({ org_id, event_id: id, tries: 0, replay: false })),
]);
export type DeliveryMessage = z.output<typeof DeliveryMessage>;
