import * as z from 'zod';

/** A merchant's own reference. Any text passes: of an unknown customer there is nothing. */
export const ByCustomer = z.object({
  customer_id: z.string().meta({ example: 'customer-81', description: "The shop's reference, percent-encoded." }),
});

const ErasureReply = z
  .object({ id: z.string(), requested_at: z.string() })
  .meta({ id: 'CustomerErasure', description: 'Runs until nothing is left that names the customer.' });

export const CustomerReply = z
  .object({
    customer_id: z.string(),
    payment_methods: z.int().meta({ description: 'See `GET /v1/payment-methods?customer_id=`.' }),
    default_payment_method_id: z.string().nullable(),
    payments: z.int().meta({ description: 'That name the customer. Recent ones may not be counted yet.' }),
    payment_links: z.int(),
    invoices: z.int(),
    subscriptions: z.int().meta({ description: 'Open and closed ones.' }),
    erasure: ErasureReply.nullable(),
  })
  .meta({ id: 'Customer', description: 'What is kept of a customer.' });
