import { confirmPayment, confirmPaymentIntent } from '#functions/payments/confirm-payment.usecase.ts';
import { createPayment, createPaymentIntent } from '#functions/payments/create-payment.usecase.ts';
import { getPayment, listPayments } from '#functions/payments/get-payments.usecase.ts';
import {
  ConfirmedIntentReply,
  ConfirmIntentBody,
  ConfirmPaymentBody,
  CreatePaymentBody,
  IntentReply,
  ListPaymentsQuery,
  PaymentsReply,
} from '#functions/payments/payments.schema.ts';
import { CHANGE_ERRORS, get, list, post } from '#shared/http/route.ts';
import { PaymentById, PaymentReply } from '#shared/http/schema/payment.schema.ts';

const write = { scope: 'payments:write', params: PaymentById, reply: PaymentReply, bodyOptional: true } as const;
const create = {
  scope: 'payments:write',
  rate: 'payments',
  idempotency: 'in_record',
  location: '/v1/payments/{id}',
  status: 201,
  prefetch: true,
  body: CreatePaymentBody,
} as const;

export const paymentRoutes = [
  post('/v1/payments', {
    ...create,
    agents: 'ask',
    summary: 'Create and process a payment',
    reply: PaymentReply,
    errors: ['plan_limit_reached', ...CHANGE_ERRORS],
    run: createPayment,
  }),
  post('/v1/payments/intents', {
    ...create,
    agents: 'ask',
    summary: 'Create a payment that is confirmed later',
    reply: IntentReply,
    errors: ['plan_limit_reached'],
    run: createPaymentIntent,
  }),
  list('/v1/payments', {
    scope: 'payments:read',
    summary: 'List payments',
    query: ListPaymentsQuery,
    reply: PaymentsReply,
    prefetch: true,
    items: 'payments',
    run: listPayments,
  }),
  get('/v1/payments/{id}', {
    scope: 'payments:read',
    summary: 'Get a payment',
    params: PaymentById,
    reply: PaymentReply,
    errors: [...CHANGE_ERRORS],
    run: getPayment,
  }),
  post('/v1/payments/{id}/confirm', {
    ...write,
    agents: 'ask',
    summary: 'Confirm a payment',
    body: ConfirmPaymentBody,
    errors: ['outcome_unknown', 'payment_not_confirmable', ...CHANGE_ERRORS],
    run: confirmPayment,
  }),
  post('/v1/payments/{id}/confirm-intent', {
    access: 'public',
    summary: "Confirm an intent in the customer's browser",
    params: PaymentById,
    body: ConfirmIntentBody,
    reply: ConfirmedIntentReply,
    errors: ['outcome_unknown', 'payment_not_confirmable', ...CHANGE_ERRORS],
    run: confirmPaymentIntent,
  }),
];
