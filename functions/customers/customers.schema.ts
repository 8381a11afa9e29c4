import * as z from 'zod';

/** A merchant's own reference. Any text passes: of an unknown customer there is nothing. */
export const ByCustomer = z.object({
  customer_id: z.string().meta({ example: 'customer-81' }),
});

const ErasureReply = z.object({ id: z.string(), requested_at: z.string() }).meta({ id: 'CustomerErasure' });

export const CustomerReply = z
  .object({
    customer_id: z.string(),
    payment_methods: z.int(),
    default_payment_method_id: z.string().nullable(),
    payments: z.int(),
    payment_links: z.int(),
    invoices: z.int(),
    subscriptions: z.int(),
    erasure: ErasureReply.nullable(),
  })
  .meta({ id: 'Customer' });
