import { describe, expect, it } from 'vitest';
import { eventId } from '#shared/domain/payments/outbox.rules.ts';
import { snapshot, workflowAt } from '#shared/domain/payments/payment.events.ts';
import { announce } from '#shared/domain/payments/payment.machine.ts';
import { isId } from '#shared/kernel/ids.ts';
import { aFailure, anAttempt, announced, aPayment, paymentId } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

describe('an announcement', () => {
  it('is appended to those that are pending', () => {
    const twice = announce(announce(aPayment(), 'payment.created', START), 'payment.failed', later(1));
    expect(announced(twice)).toEqual(['payment.created', 'payment.failed']);
    expect(twice.announced).toBe(2);
  });

  it('is numbered on after earlier ones were published', () => {
    const first = announce(aPayment(), 'payment.failed', START);
    const second = announce({ ...first, outbox: [] }, 'payment.failed', START);
    expect(second.outbox[0]?.id).not.toBe(first.outbox[0]?.id);
  });

  it('has the same event id however often it is computed', () => {
    expect(eventId(paymentId(1), 0, START)).toBe(eventId(paymentId(1), 0, START));
    expect(isId('event', eventId(paymentId(1), 0, START))).toBe(true);
  });

  it.each([
    ['another payment', paymentId(2), 0],
    ['another number', paymentId(1), 1],
  ])('has another id for %s', (_, id, n) => expect(eventId(id, n, START)).not.toBe(eventId(paymentId(1), 0, START)));
});

describe('a snapshot', () => {
  it('shows the payment at the time of the event', () => {
    const failed = announce(aPayment({ status: 'failed', failure: aFailure('lost_card') }), 'payment.failed', START);
    const now = { ...failed, status: 'succeeded', provider: 'adyen', failure: null, amount_refunded: 5_000 } as const;
    expect(snapshot(now, failed.outbox[0]!)).toMatchObject({
      status: 'failed',
      provider: 'stripe',
      failure: { code: 'lost_card' },
    });
  });

  it.each([
    ['payment.created', []],
    ['payment.succeeded', []],
    ['payment.canceled', []],
    ['payment.failed', ['failure']],
    ['payment.refunded', ['amount_refunded', 'refund']],
  ] as const)('of %s has besides the usual fields %j', (type, more) => {
    const payment = announce(aPayment(), type, START, { refund: { id: 're_1' } });
    const usual = ['id', 'amount', 'currency', 'status', 'provider', 'customer_id', 'metadata'];
    expect(Object.keys(snapshot(payment, payment.outbox[0]!)).sort()).toEqual([...usual, ...more].sort());
  });

  it('names the payment link if there is one', () => {
    const payment = announce(aPayment({ payment_link_id: 'plink_1' }), 'payment.created', START);
    expect(snapshot(payment, payment.outbox[0]!)).toMatchObject({ payment_link_id: 'plink_1' });
  });

  it.each(['sealed_method', 'claim', 'return_url', 'customer_email', 'customer_ip', 'attempts'])(
    'never shows %s',
    (field) => {
      const payment = announce(
        aPayment({ sealed_method: 's', return_url: 'https://r', customer_email: 'e@x', customer_ip: '1.1.1.1' }),
        'payment.failed',
        START,
      );
      expect(snapshot(payment, payment.outbox[0]!)).not.toHaveProperty(field);
    },
  );
});

describe("the workflow of a payment's connection", () => {
  const at = (type: string, ms = 0) => ({ id: 'evt_1', type, at: later(ms).toISOString(), was: {} });
  const [first, second] = [
    anAttempt({ id: 'att_1', connection_id: 'conn_a', workflow_id: 'wft_1', status: 'failed' }),
    anAttempt({ id: 'att_2', connection_id: 'conn_b', workflow_id: 'wft_2', started_at: later(10).toISOString() }),
  ];
  const retried = aPayment({ attempts: [first, second], connection_id: 'conn_b' });

  it.each([
    ['for a new payment is that of its first connection', retried, at('payment.created'), 'conn_a'],
    [
      'for a new payment that started later is that of its connection',
      aPayment({ attempts: [second] }),
      at('payment.created'),
      'conn_b',
    ],
    [
      'for an intent does not exist when it is created, even if it was confirmed since',
      { ...retried, intent: true },
      at('payment.created'),
      undefined,
    ],
    [
      'for a payment without a connection does not exist',
      aPayment({ status: 'failed', attempts: [] }),
      at('payment.failed'),
      undefined,
    ],
    [
      'for a failed payment is that of the connection at which it failed, even if it was retried since',
      retried,
      at('payment.failed', 9),
      'conn_a',
    ],
    ['for a payment that failed again is that of the last connection', retried, at('payment.failed', 20), 'conn_b'],
    [
      'for a late success is that of the connection with the money',
      { ...retried, connection_id: 'conn_a' },
      at('payment.succeeded', 20),
      'conn_a',
    ],
    [
      'for a connection without a workflow does not exist',
      aPayment({ attempts: [anAttempt({ id: 'att_1', connection_id: 'conn_a' })] }),
      at('payment.created'),
      undefined,
    ],
    [
      'for an intent that was canceled does not exist',
      aPayment({ status: 'canceled', attempts: [], intent: true }),
      at('payment.canceled'),
      undefined,
    ],
  ])('%s', (_, payment, stub, expected) => expect(workflowAt(payment, stub)?.connection_id).toBe(expected));
});
