import type { ReceiverConfig } from '#shared/domain/receiver-config.model.ts';
import { MINUTE } from '#shared/kernel/clock.ts';

/** The queues that deliveries wait in: one for all, and one for receivers that are known to be dead (ADR 24). */
export type DeliveryLane = 'webhook-delivery' | 'slow-deliveries';

/** After so long with nothing but failure whoever waits for the receiver mostly waits in vain. */
const DEAD_AFTER = MINUTE;

/** Where a delivery to this receiver belongs. */
export const laneOf = ({ failing_since }: Pick<ReceiverConfig, 'failing_since'>, at: Date): DeliveryLane =>
  failing_since !== undefined && at.getTime() - Date.parse(failing_since) > DEAD_AFTER ? 'slow-deliveries' : 'webhook-delivery';
