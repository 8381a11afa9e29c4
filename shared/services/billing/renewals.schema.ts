import * as z from 'zod';

/**
 * A message of the renewals queue: a subscription whose period is due, or an invoice whose next try is. The sweep adds
 * more fields.
 */
export const RenewalMessage = z.object({
  kind: z.enum(['subscription', 'invoice']),
  id: z.string(),
});
export type Renewal = z.output<typeof RenewalMessage>;
