import { describe, expect, it } from 'vitest';
import { eventId } from '#shared/domain/payments/outbox.rules.ts';
import { snapshot, workflowAt } from '#shared/domain/payments/payment.events.ts';
import { announce } from '#shared/domain/payments/payment.machine.ts';
import { isId } from '#shared/kernel/ids.ts';
import { aFailure, anAttempt, announced, aPayment, paymentId } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

describe('an announcement', () => {
  it('joins those that wait, in order', () => {
    const twice = announce(announce(aPayment(), 'payment.created', START), 'payment.failed', later(1));
    expect(announced(twice)).toEqual(['payment.created', 'payment.failed']);
    expect(twice.announced).toBe(2);
  });

  it('counts on when the earlier ones have been passed on', () => {
    const first = announce(aPayment(), 'payment.failed', START);
    const second = announce({ ...first, outbox: [] }, 'payment.failed', START);
    expect(second.outbox[0]?.id).not.toBe(first.outbox[0]?.id);
  });

  it('has the same id however often it is made, and it is an event’s', () => {
    expect(eventId(paymentId(1), 0, START)).toBe(eventId(paymentId(1), 0, START));
    expect(isId('event', eventId(paymentId(1), 0, START))).toBe(true);
  });

  it.each([
    ['another payment', paymentId(2), 0],
    ['another number', paymentId(1), 1],
  ])('has another id for %s', (_, id, n) => expect(eventId(id, n, START)).not.toBe(eventId(paymentId(1), 0, START)));
});

describe('a snapshot', () => {
  it('shows the payment as it was, whatever it is by now', () => {
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
  ] as const)('of %s shows beside the usual fields %j', (type, more) => {
    const payment = announce(aPayment(), type, START, { refund: { id: 're_1' } });
    const usual = ['id', 'amount', 'currency', 'status', 'provider', 'customer_id', 'metadata'];
    expect(Object.keys(snapshot(payment, payment.outbox[0]!)).sort()).toEqual([...usual, ...more].sort());
  });

  it('names the payment link where there is one', () => {
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

describe('the workflow of the connection that a payment went through', () => {
  const at = (type: string, ms = 0) => ({ id: 'evt_1', type, at: later(ms).toISOString(), was: {} });
  const [first, second] = [
    anAttempt({ id: 'att_1', connection_id: 'conn_a', workflow_id: 'wft_1', status: 'failed' }),
    anAttempt({ id: 'att_2', connection_id: 'conn_b', workflow_id: 'wft_2', started_at: later(10).toISOString() }),
  ];
  const retried = aPayment({ attempts: [first, second], connection_id: 'conn_b' });

  it.each([
    ['of a new payment is its first', retried, at('payment.created'), 'conn_a'],
    [
      'of a new payment that began later is that one too',
      aPayment({ attempts: [second] }),
      at('payment.created'),
      'conn_b',
    ],
    [
      'of an intent is none when it is made, also if it has been confirmed by now',
      { ...retried, intent: true },
      at('payment.created'),
      undefined,
    ],
    [
      'of a payment that no connection would take is none',
      aPayment({ status: 'failed', attempts: [] }),
      at('payment.failed'),
      undefined,
    ],
    [
      'of one that failed is the one at which it did, also if it has been retried by now',
      retried,
      at('payment.failed', 9),
      'conn_a',
    ],
    ['of one that failed again is the last', retried, at('payment.failed', 20), 'conn_b'],
    [
      'of one that succeeded late is the one that took the money',
      { ...retried, connection_id: 'conn_a' },
      at('payment.succeeded', 20),
      'conn_a',
    ],
    [
      'of a connection without one is none',
      aPayment({ attempts: [anAttempt({ id: 'att_1', connection_id: 'conn_a' })] }),
      at('payment.created'),
      undefined,
    ],
    [
      'of an intent that was canceled is none',
      aPayment({ status: 'canceled', attempts: [], intent: true }),
      at('payment.canceled'),
      undefined,
    ],
  ])('%s', (_, payment, stub, expected) => expect(workflowAt(payment, stub)?.connection_id).toBe(expected));
});
