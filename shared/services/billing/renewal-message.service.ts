import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import type { QueueMessage } from '#shared/ports/queue.port.ts';
import type { Renewal } from '#shared/services/billing/renewals.schema.ts';

/** For a subscription that is due now, sent without waiting for the sweep. */
export const renewalMessage = ({ id, org_id }: Subscription): QueueMessage => ({
  body: { kind: 'subscription', id } satisfies Renewal,
  group: org_id,
});
