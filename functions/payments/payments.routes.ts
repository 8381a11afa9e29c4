import { confirmIntent } from '#functions/payments/confirm-intent.usecase.ts';
import { confirmPayment } from '#functions/payments/confirm-payment.usecase.ts';
import { createIntent } from '#functions/payments/create-intent.usecase.ts';
import { createPayment } from '#functions/payments/create-payment.usecase.ts';
import { getPayment } from '#functions/payments/get-payment.usecase.ts';
import { getStats } from '#functions/payments/get-stats.usecase.ts';
import { listPayments } from '#functions/payments/list-payments.usecase.ts';
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
import { type AnyRoute, get, post } from '#shared/http/route.ts';
import { NoBody } from '#shared/http/schema/common.schema.ts';
import { cancelPayment } from '#shared/services/payments/cancel-payment.service.ts';
import { refundPayment } from '#shared/services/payments/refund-payment.service.ts';

const write = { scope: 'payments:write', params: ById, reply: PaymentReply, bodyOptional: true } as const;
const create = {
  scope: 'payments:write',
  rate: 'payments',
  idempotency: 'fused',
  status: 201,
  prefetch: true,
  body: CreatePaymentBody,
} as const;

export const paymentRoutes: readonly AnyRoute[] = [
  post('/v1/payments', { ...create, summary: 'Create and process a payment', reply: PaymentReply, run: createPayment }),
  post('/v1/payments/intents', {
    ...create,
    summary: 'Create a payment to be confirmed',
    reply: IntentReply,
    run: createIntent,
  }),
  get('/v1/payments', {
    scope: 'payments:read',
    summary: 'List payments',
    query: ListPaymentsQuery,
    reply: PaymentsReply,
    prefetch: true,
    run: listPayments,
  }),
  get('/v1/payments/stats', {
    scope: 'payments:read',
    summary: 'Payment statistics',
    query: StatsQuery,
    reply: StatsReply,
    run: getStats,
  }),
  get('/v1/payments/{id}', {
    scope: 'payments:read',
    summary: 'Get a payment',
    params: ById,
    reply: PaymentReply,
    run: getPayment,
  }),
  post('/v1/payments/{id}/confirm', {
    ...write,
    summary: 'Confirm a payment',
    body: ConfirmPaymentBody,
    run: confirmPayment,
  }),
  post('/v1/payments/{id}/confirm-intent', {
    access: 'public',
    summary: "Confirm an intent in the customer's browser",
    params: ById,
    body: ConfirmIntentBody,
    reply: ConfirmedIntentReply,
    run: confirmIntent,
  }),
  post('/v1/payments/{id}/retry', {
    ...write,
    summary: 'Retry a failed payment',
    body: RetryPaymentBody,
    run: retryPayment,
  }),
  post('/v1/payments/{id}/cancel', { ...write, summary: 'Cancel a payment', body: NoBody, run: cancelPayment }),
  post('/v1/payments/{id}/refund', {
    ...write,
    summary: 'Refund a payment',
    body: RefundPaymentBody,
    run: refundPayment,
  }),
];
