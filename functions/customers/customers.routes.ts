import { ByCustomer, CustomerReply } from '#functions/customers/customers.schema.ts';
import { eraseCustomer, getCustomer } from '#functions/customers/customers.usecase.ts';
import { del, get } from '#shared/http/route.ts';

export const customerRoutes = [
  get('/v1/customers/{customer_id}', {
    scope: 'payments:read',
    summary: 'Get what is kept of a customer',
    params: ByCustomer,
    reply: CustomerReply,
    run: getCustomer,
  }),
  del('/v1/customers/{customer_id}', {
    scope: 'payments:write',
    summary: 'Erase a customer',
    params: ByCustomer,
    reply: CustomerReply,
    status: 202,
    errors: ['customer_in_use', 'write_conflict'],
    run: eraseCustomer,
  }),
];
