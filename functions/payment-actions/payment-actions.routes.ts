import {
  CapturePaymentBody,
  RefundPaymentBody,
  RetryPaymentBody,
} from '#functions/payment-actions/payment-actions.schema.ts';
import { retryPayment } from '#functions/payment-actions/retry-payment.usecase.ts';
import { CHANGE_ERRORS, post } from '#shared/http/route.ts';
import { NoBody } from '#shared/http/schema/common.schema.ts';
import { PaymentById, PaymentReply } from '#shared/http/schema/payment.schema.ts';
import { cancelPayment } from '#shared/services/payments/cancel-payment.service.ts';
import { capturePayment } from '#shared/services/payments/capture-payment.service.ts';
import { notingWho } from '#shared/services/payments/noting-who.service.ts';
import { refundPayment } from '#shared/services/payments/refund-payment.service.ts';

const write = { scope: 'payments:write', params: PaymentById, reply: PaymentReply, bodyOptional: true } as const;

/** What is done with a payment that a provider has. A function of its own: it starts slower than what charges. */
export const paymentActionRoutes = [
  post('/v1/payments/{id}/retry', {
    ...write,
    agents: 'ask',
    summary: 'Retry a failed payment',
    body: RetryPaymentBody,
    errors: ['outcome_unknown', 'payment_not_retryable', 'retry_budget_exhausted', ...CHANGE_ERRORS],
    operationId: 'retryPayment',
    run: notingWho('retry', retryPayment),
  }),
  post('/v1/payments/{id}/capture', {
    ...write,
    agents: 'ask',
    summary: 'Capture an authorized payment',
    body: CapturePaymentBody,
    errors: [
      'outcome_unknown',
      'payment_not_capturable',
      'capture_exceeds_authorized',
      'amount_not_supported',
      ...CHANGE_ERRORS,
    ],
    operationId: 'capturePayment',
    run: notingWho('capture', capturePayment),
  }),
  post('/v1/payments/{id}/cancel', {
    ...write,
    agents: 'may',
    summary: 'Cancel a payment',
    body: NoBody,
    errors: ['outcome_unknown', 'payment_not_cancelable', ...CHANGE_ERRORS, 'provider_error'],
    operationId: 'cancelPayment',
    run: notingWho('cancel', cancelPayment),
  }),
  post('/v1/payments/{id}/refund', {
    ...write,
    agents: 'ask',
    summary: 'Refund a payment',
    body: RefundPaymentBody,
    errors: [
      'outcome_unknown',
      'payment_not_refundable',
      'payment_disputed',
      'refund_exceeds_remaining',
      'amount_not_supported',
      ...CHANGE_ERRORS,
    ],
    operationId: 'refundPayment',
    run: notingWho('refund', refundPayment),
  }),
];
