import {
  deletePaymentMethod,
  getPaymentMethod,
  listPaymentMethods,
} from '#functions/payment-methods/get-payment-methods.usecase.ts';
import {
  ById,
  CreatePaymentMethodBody,
  ListPaymentMethodsQuery,
  PaymentMethodReply,
  PaymentMethodsReply,
  UpdatePaymentMethodBody,
} from '#functions/payment-methods/payment-methods.schema.ts';
import { createPaymentMethod, updatePaymentMethod } from '#functions/payment-methods/save-payment-method.usecase.ts';
import { del, get, list, patch, post } from '#shared/http/route.ts';
import { DeletedReply } from '#shared/http/schema/common.schema.ts';

const write = { scope: 'payments:write', params: ById } as const;

export const paymentMethodRoutes = [
  post('/v1/payment-methods', {
    scope: 'payments:write',
    summary: 'Save a payment method of a customer',
    body: CreatePaymentMethodBody,
    reply: PaymentMethodReply,
    status: 201,
    location: '/v1/payment-methods/{id}',
    errors: ['payment_method_limit', 'customer_being_erased', 'write_conflict'],
    run: createPaymentMethod,
  }),
  list('/v1/payment-methods', {
    scope: 'payments:read',
    summary: 'List the payment methods of a customer',
    query: ListPaymentMethodsQuery,
    reply: PaymentMethodsReply,
    items: 'payment_methods',
    run: listPaymentMethods,
  }),
  get('/v1/payment-methods/{id}', {
    scope: 'payments:read',
    summary: 'Get a payment method',
    params: ById,
    reply: PaymentMethodReply,
    run: getPaymentMethod,
  }),
  patch('/v1/payment-methods/{id}', {
    ...write,
    summary: 'Update a payment method',
    body: UpdatePaymentMethodBody,
    reply: PaymentMethodReply,
    errors: ['write_conflict'],
    run: updatePaymentMethod,
  }),
  del('/v1/payment-methods/{id}', {
    ...write,
    summary: 'Delete a payment method',
    reply: DeletedReply,
    errors: ['payment_method_in_use', 'write_conflict'],
    run: deletePaymentMethod,
  }),
];
