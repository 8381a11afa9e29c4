import * as z from 'zod';

/** A message of the renewals' queue: what is due. The sweep tells more of it. */
export const RenewalMessage = z.object({
  kind: z.enum(['subscription', 'invoice']),
  id: z.string(),
});
export type Renewal = z.output<typeof RenewalMessage>;
