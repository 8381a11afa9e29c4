import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import { MINUTE } from '#shared/kernel/clock.ts';

/** The queues that deliveries wait in: one for all, and one for endpoints that are known to be dead (ADR 24). */
export type DeliveryLane = 'webhook-delivery' | 'slow-deliveries';

/** After this long with nothing but failures, an attempt mostly waits for a timeout. */
const DEAD_AFTER = MINUTE;

/** The queue for deliveries to this endpoint. */
export function laneOf(
  { failing_since, replays_failing_since }: Pick<WebhookConfig, 'failing_since' | 'replays_failing_since'>,
  at: Date,
): DeliveryLane {
  const isDead = [failing_since, replays_failing_since].some(
    (since) => since !== undefined && at.getTime() - Date.parse(since) > DEAD_AFTER,
  );
  return isDead ? 'slow-deliveries' : 'webhook-delivery';
}
