import { describe, expect, it } from 'vitest';
import type { Attempt, Payment, Review } from '#shared/domain/payments/payment.model.ts';
import { metricsOf } from '#shared/domain/payments/payment-metrics.rules.ts';
import { METRICS } from '#shared/domain/reference/metrics.catalog.ts';
import { anAttempt, aPayment, ORG, paymentId } from '#test/support/payment.builder.ts';
import { START } from '#test/support/stopped-clock.ts';

const calling = aPayment();
const became = (attempt: Partial<Attempt>, more: Partial<Payment> = {}) =>
  aPayment({ attempts: [anAttempt({ latency_ms: 80, ...attempt })], ...more });
const reviewed = (reason: Review['reason'], minute = 0) =>
  became({ phase: 'unknown' }, { review: { reason, at: new Date(START.getTime() + minute * 60_000).toISOString() } });

const resource_id = paymentId(1);
const settled = (outcome: string, provider = 'stripe') => ({
  event: 'payment_settled',
  fields: { provider, outcome, resource_id },
});
const call = (verdict: string, more = {}) => ({
  event: 'psp_called',
  fields: { provider: 'stripe', verdict, resource_id, ...more },
});
const review = (reason: Review['reason']) => ({
  event: 'review_begun',
  fields: { reason, payment_id: paymentId(1), org_id: ORG },
});

describe('a change of a payment', () => {
  it.each<[string, Payment | undefined, Payment | undefined, readonly unknown[]]>([
    ['is not counted while the call is running', undefined, calling, []],
    [
      'is counted by its call alone while the customer has to act',
      calling,
      became({ status: 'requires_action' }),
      [call('given', { psp_latency_ms: 80 })],
    ],
    [
      'is counted by its outcome and its call',
      calling,
      became({ status: 'succeeded' }, { status: 'succeeded' }),
      [call('given', { psp_latency_ms: 80 }), settled('succeeded')],
    ],
    [
      'is counted by a call without a verdict',
      calling,
      became({ phase: 'unknown' }),
      [call('none', { psp_latency_ms: 80 })],
    ],
    [
      'is counted by its outcome alone if the call had ended before',
      became({ phase: 'unknown' }),
      became({ status: 'failed' }, { status: 'failed' }),
      [settled('failed')],
    ],
    ['is counted without an unknown latency', calling, became({ phase: 'unknown', latency_ms: null }), [call('none')]],
    [
      'is counted without a provider if there was none',
      aPayment({ status: 'created' }),
      aPayment({ status: 'canceled', attempts: [] }),
      [settled('canceled', 'none')],
    ],
    ['is counted once', aPayment({ status: 'succeeded' }), aPayment({ status: 'succeeded', version: 9 }), []],
    [
      'is counted by a review that starts',
      became({ phase: 'unknown' }),
      reviewed('no_verdict'),
      [review('no_verdict')],
    ],
    ['is not counted by a review that continues', reviewed('no_verdict'), reviewed('no_verdict'), []],
    ['is counted by a second review', reviewed('no_verdict'), reviewed('refund_failed', 1), [review('refund_failed')]],
    ['is not counted when the payment is deleted', calling, undefined, []],
  ])('%s', (_, old, next, expected) => expect(metricsOf(old, next)).toEqual(expected));

  it('has all dimensions of its metrics', () => {
    const all = [
      ...metricsOf(calling, became({ status: 'succeeded' }, { status: 'succeeded' })),
      ...metricsOf(undefined, reviewed('no_verdict')),
    ];
    for (const { event, fields } of all)
      expect(Object.keys(fields)).toEqual(expect.arrayContaining([...METRICS[event].by]));
  });
});
