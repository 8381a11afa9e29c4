import { confirmIntent, confirmPayment } from '#functions/payments/confirm-payment.usecase.ts';
import { createIntent, createPayment } from '#functions/payments/create-payment.usecase.ts';
import { getPayment, listPayments } from '#functions/payments/get-payments.usecase.ts';
import { getStats } from '#functions/payments/get-stats.usecase.ts';
import {
  ById,
  ConfirmedIntentReply,
  ConfirmIntentBody,
  ConfirmPaymentBody,
  CreatePaymentBody,
  IntentReply,
  ListPaymentsQuery,
  PaymentReply,
  PaymentsReply,
  RefundPaymentBody,
  RetryPaymentBody,
} from '#functions/payments/payments.schema.ts';
import { retryPayment } from '#functions/payments/retry-payment.usecase.ts';
import { StatsQuery, StatsReply } from '#functions/payments/stats.schema.ts';
import { CHANGE_ERRORS, get, list, post } from '#shared/http/route.ts';
import { NoBody } from '#shared/http/schema/common.schema.ts';
import { cancelPayment } from '#shared/services/payments/cancel-payment.service.ts';
import { refundPayment } from '#shared/services/payments/refund-payment.service.ts';

const write = { scope: 'payments:write', params: ById, reply: PaymentReply, bodyOptional: true } as const;
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
    summary: 'Create and process a payment',
    reply: PaymentReply,
    errors: ['plan_limit_reached', ...CHANGE_ERRORS],
    run: createPayment,
  }),
  post('/v1/payments/intents', {
    ...create,
    summary: 'Create a payment that is confirmed later',
    reply: IntentReply,
    errors: ['plan_limit_reached'],
    run: createIntent,
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
  get('/v1/payments/stats', {
    scope: 'payments:read',
    summary: 'Get payment statistics',
    query: StatsQuery,
    reply: StatsReply,
    run: getStats,
  }),
  get('/v1/payments/{id}', {
    scope: 'payments:read',
    summary: 'Get a payment',
    params: ById,
    reply: PaymentReply,
    errors: [...CHANGE_ERRORS],
    run: getPayment,
  }),
  post('/v1/payments/{id}/confirm', {
    ...write,
    summary: 'Confirm a payment',
    body: ConfirmPaymentBody,
    errors: ['outcome_unknown', 'payment_not_confirmable', ...CHANGE_ERRORS],
    run: confirmPayment,
  }),
  post('/v1/payments/{id}/confirm-intent', {
    access: 'public',
    summary: "Confirm an intent in the customer's browser",
    params: ById,
    body: ConfirmIntentBody,
    reply: ConfirmedIntentReply,
    errors: ['outcome_unknown', 'payment_not_confirmable', ...CHANGE_ERRORS],
    run: confirmIntent,
  }),
  post('/v1/payments/{id}/retry', {
    ...write,
    summary: 'Retry a failed payment',
    body: RetryPaymentBody,
    errors: ['outcome_unknown', 'payment_not_retryable', 'retry_budget_exhausted', ...CHANGE_ERRORS],
    run: retryPayment,
  }),
  post('/v1/payments/{id}/cancel', {
    ...write,
    summary: 'Cancel a payment',
    body: NoBody,
    errors: ['outcome_unknown', 'payment_not_cancelable', ...CHANGE_ERRORS, 'provider_error'],
    run: cancelPayment,
  }),
  post('/v1/payments/{id}/refund', {
    ...write,
    summary: 'Refund a payment',
    body: RefundPaymentBody,
    errors: [
      'outcome_unknown',
      'payment_not_refundable',
      'refund_exceeds_remaining',
      'amount_not_supported',
      ...CHANGE_ERRORS,
    ],
    run: refundPayment,
  }),
];
