import { describe, expect, it } from 'vitest';
import { eventId } from '#shared/domain/outbox.rules.ts';
import { announce, snapshot } from '#shared/domain/payment.events.ts';
import { isId } from '#shared/kernel/ids.ts';
import { aFailure, announced, aPayment, paymentId } from '#test/support/payment.builder.ts';
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
    expect(snapshot(now, failed.outbox[0]!)).toMatchObject({ status: 'failed', provider: 'stripe', failure: { code: 'lost_card' } });
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

  it.each(['sealed_method', 'claim', 'return_url', 'customer_email', 'customer_ip', 'attempts'])('never shows %s', (field) => {
    const payment = announce(aPayment({ sealed_method: 's', return_url: 'https://r', customer_email: 'e@x', customer_ip: '1.1.1.1' }), 'payment.failed', START);
    expect(snapshot(payment, payment.outbox[0]!)).not.toHaveProperty(field);
  });
});
