import * as z from 'zod';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';

/**
 * A message of the renewals queue: a subscription with a due period, or an invoice with a due retry. The due sweep
 * sends more fields, which nobody needs.
 */
export const RenewalMessage = z.object({
  kind: z.enum(['subscription', 'invoice']),
  id: z.string(),
});
export type RenewalBody = z.output<typeof RenewalMessage>;

/** Renews a subscription that is due now, without waiting for the sweep. */
export const renewalMessage = ({ id, org_id }: Subscription) => ({
  body: { kind: 'subscription', id } satisfies RenewalBody,
  group: org_id,
});
