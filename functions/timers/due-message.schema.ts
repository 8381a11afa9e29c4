import * as z from 'zod';

/** A message of the timers' queue: one entry of the due index. */
export const DueMessage = z.object({
  kind: z.enum([
    'payment',
    'payment_link',
    'event',
    'connection',
    'ab_test',
    'held_totals',
    'dispute',
    'dispute_poll',
    'erasure',
  ]),
  id: z.string(),
  at: z.string(),
  org_id: z.string().optional(),
});
export type DueBody = z.output<typeof DueMessage>;
