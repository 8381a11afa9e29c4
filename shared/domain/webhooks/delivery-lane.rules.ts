import type { ReceiverConfig } from '#shared/domain/webhooks/receiver-config.model.ts';
import { MINUTE } from '#shared/kernel/clock.ts';

/** The queues that deliveries wait in: one for all, and one for receivers that are known to be dead (ADR 24). */
export type DeliveryLane = 'webhook-delivery' | 'slow-deliveries';

/** After this long with nothing but failures, waiting for the receiver is mostly in vain. */
const DEAD_AFTER = MINUTE;

/** Where a delivery to this receiver belongs. */
export function laneOf(
  { failing_since, replays_failing_since }: Pick<ReceiverConfig, 'failing_since' | 'replays_failing_since'>,
  at: Date,
): DeliveryLane {
  const isDead = [failing_since, replays_failing_since].some(
    (since) => since !== undefined && at.getTime() - Date.parse(since) > DEAD_AFTER,
  );
  return isDead ? 'slow-deliveries' : 'webhook-delivery';
}
