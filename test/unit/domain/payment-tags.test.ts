import { describe, expect, it } from 'vitest';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { tagOnce } from '#shared/domain/payments/payment-tags.rules.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { aPayment } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';

const tag = (payment: Payment, stage: string, act: string): Payment =>
  tagOnce(payment, { stage }, act, later(1)) ?? payment;
/** Kept for a week. */
const NOTED = `act_1|${later(7 * DAY + 1).toISOString()}`;

describe('a payment that workflows tag', () => {
  it('gets metadata once for each action', () => {
    const tagged = tag(aPayment({ metadata: { tier: 'gold' } }), 'new', 'act_1');
    expect(tagged).toMatchObject({
      metadata: { tier: 'gold', stage: 'new' },
      last_acts: [NOTED],
      updated_at: later(1).toISOString(),
    });
    expect(tagOnce(tagged, { stage: 'new' }, 'act_1', later(2))).toBeUndefined();
  });

  it.each([
    ['', {}],
    [', when the first one changed nothing', { stage: 'new' }],
  ])('keeps the metadata of a later action when an earlier one is repeated%s', (_, metadata) => {
    const tagged = tag(tag(aPayment({ metadata }), 'new', 'act_1'), 'done', 'act_2');
    expect(tag(tagged, 'new', 'act_1').metadata).toEqual({ stage: 'done' });
    expect(tag(tagged, 'new', 'act_3').metadata).toEqual({ stage: 'new' });
  });

  it('records the action without showing a change when it has the metadata already', () => {
    const payment = aPayment({ metadata: { stage: 'new' } });
    expect(tag(payment, 'new', 'act_1')).toEqual({ ...payment, last_acts: [NOTED] });
  });

  it('is unchanged when it would have more than 50 keys', () => {
    const payment = aPayment({ metadata: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, n])) });
    expect(() => tag(payment, 'new', 'act_1')).toThrow('more than 50 keys');
    expect(tagOnce(payment, { k1: 'other' }, 'act_1', later(1))?.metadata).toMatchObject({ k1: 'other' });
  });
});
