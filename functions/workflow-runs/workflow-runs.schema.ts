import * as z from 'zod';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';

/**
 * A message in the queue `workflow-runs`: an event that may start executions, an execution that continues, or an event
 * whose executions could not be started before. The sweep also sends the last two.
 */
export const RunMessage = z.union([
  z.object({ kind: z.literal('execution'), id: z.string() }),
  z.object({ kind: z.literal('owed_start'), id: z.string(), at: z.string() }),
  z
    .object({
      id: z.string(),
      type: z.enum(EVENT_TYPES),
      org_id: z.string(),
      through: z.object({ connection_id: z.string(), workflow_id: z.string() }).optional(),
    })
    .transform((event) => ({ kind: 'event' as const, ...event })),
]);
export type RunMessage = z.output<typeof RunMessage>;
export type PendingStartMessage = Extract<RunMessage, { kind: 'owed_start' }>;
