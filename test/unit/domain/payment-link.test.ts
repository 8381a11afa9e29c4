import { describe, expect, it } from 'vitest';
import {
  countPayment,
  deactivate,
  expireLink,
  forgetSlot,
  giveUpSlot,
  isCounted,
  slotKey,
  statusAt,
} from '#shared/domain/links/payment-link.machine.ts';
import type { Slot } from '#shared/domain/links/payment-link.model.ts';
import { linkDueAt, linkDuties, linkSnapshot } from '#shared/domain/links/payment-link.rules.ts';
import { noteSlot } from '#shared/domain/payments/link-hold.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { reserveRefund } from '#shared/domain/payments/refund.machine.ts';
import { refundable } from '#shared/domain/payments/refundable.rules.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import { aPayment, paymentId } from '#test/support/payment.builder.ts';
import { aPaymentLink } from '#test/support/payment-link.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const held: Slot = { state: 'held', payment_id: paymentId(1), until: later(30 * MINUTE).toISOString() };
const holding = (about = {}) => aPaymentLink({ slots: { [slotKey(paymentId(1))]: held }, ...about });

describe('a payment of a link', () => {
  it('is counted in the slot that it holds, and announced', () => {
    const counted = countPayment(holding(), paymentId(1), later(MINUTE));
    expect(counted).toMatchObject({
      payments_made: 1,
      slots_left: 0,
      status: 'completed',
      outbox: [{ type: 'payment_link.paid' }],
    });
    expect(counted && isCounted(counted, paymentId(1))).toBe(true);
  });

  it('is counted once', () => {
    const once = countPayment(holding({ max_payments: 3 }), paymentId(1), START);
    expect(once && countPayment(once, paymentId(1), later(1))).toBeUndefined();
  });

  it('finds a free slot when it has lost its own', () => {
    expect(countPayment(aPaymentLink({ max_payments: 2 }), paymentId(1), START)).toMatchObject({
      payments_made: 1,
      slots_left: 1,
      status: 'active',
    });
  });

  it.each([
    ['all are held by others', holding()],
    ['all are paid', aPaymentLink({ payments_made: 1, status: 'completed' })],
  ])('is turned away when %s, and stays so for whoever looks next, though a slot is free by then', (_, link) => {
    const turned = countPayment(link, paymentId(2), START);
    expect(turned).toMatchObject({ payments_made: link.payments_made, slots_left: link.slots_left, outbox: [] });
    const free = turned && { ...turned, slots_left: 1, status: 'active' as const };
    expect(free && [countPayment(free, paymentId(2), later(1)), isCounted(free, paymentId(2))]).toEqual([
      undefined,
      false,
    ]);
  });

  it.each(['expired', 'inactive'] as const)('counts though the link is %s by now, which it stays', (status) => {
    expect(countPayment(holding({ status }), paymentId(1), START)).toMatchObject({ payments_made: 1, status });
  });

  it('gives its slot up for others, once', () => {
    const free = giveUpSlot(holding(), paymentId(1));
    expect(free).toMatchObject({ slots_left: 1 });
    expect(free && giveUpSlot(free, paymentId(1))).toBeUndefined();
    expect(free && countPayment(free, paymentId(1), START)).toMatchObject({ payments_made: 1, slots_left: 0 });
  });
});

describe('a slot that nobody asks for any more', () => {
  it('is free again while it was held', () =>
    expect(forgetSlot(holding(), held)).toMatchObject({ slots: {}, slots_left: 1 }));

  it('frees nothing where its payment was counted', () => {
    const counted = countPayment(holding(), paymentId(1), START);
    const paid = Object.values(counted?.slots ?? {})[0];
    expect(counted && paid && forgetSlot(counted, paid)).toMatchObject({ slots: {}, slots_left: 0 });
  });

  it('frees nothing where its payment was turned away', () => {
    const turned = countPayment(holding(), paymentId(2), START);
    const slot = turned?.slots[slotKey(paymentId(2))];
    expect(turned && slot && forgetSlot(turned, slot)).toMatchObject({
      slots: { [slotKey(paymentId(1))]: held },
      slots_left: 0,
    });
  });

  it('stays where it has become another meanwhile', () => {
    const counted = countPayment(holding(), paymentId(1), START);
    expect(counted && forgetSlot(counted, held)).toBeUndefined();
  });
});

describe('a link', () => {
  it('has expired as soon as the clock says so', () => {
    const link = aPaymentLink({ expires_at: later(10).toISOString() });
    expect([statusAt(link, later(9)), statusAt(link, later(10))]).toEqual(['active', 'expired']);
    expect([expireLink(link, later(9)), expireLink(link, later(10))?.status]).toEqual([undefined, 'expired']);
  });

  it('is deactivated while it is active, and changes no more', () => {
    const off = deactivate(aPaymentLink(), later(1));
    expect(off).toMatchObject({ status: 'inactive', updated_at: later(1).toISOString() });
    expect(off && deactivate(off, later(2))).toBeUndefined();
    expect(() => deactivate(aPaymentLink({ status: 'completed' }), START)).toThrow(/completed/);
    expect(() => deactivate(aPaymentLink({ expires_at: START.toISOString() }), START)).toThrow(/expired/);
  });

  it('asks of time what is coming, and nothing when nothing is', () => {
    expect([
      linkDueAt(aPaymentLink()),
      linkDueAt(aPaymentLink({ status: 'inactive', expires_at: later(5).toISOString() })),
    ]).toEqual([undefined, undefined]);
    const busy = countPayment(
      holding({ expires_at: later(90 * MINUTE).toISOString(), max_payments: 2 }),
      paymentId(2),
      START,
    );
    expect(busy && linkDuties(busy).map(({ kind, at }) => [kind, at.getTime() - START.getTime()])).toEqual([
      ['expire', 90 * MINUTE],
      ['look_at_slot', 35 * MINUTE],
      ['look_at_slot', 2 * MINUTE],
      ['relay', 5 * MINUTE],
    ]);
  });

  it('is announced as it was, with the payment, and without what is inside it', () => {
    const first = countPayment(aPaymentLink({ max_payments: 2 }), paymentId(1), START);
    const second = first && countPayment(first, paymentId(2), later(5));
    const shown = second && linkSnapshot(second, 'https://pay.example/pay/1', second.outbox[0]!);
    expect(shown).toMatchObject({
      status: 'active',
      payments_made: 1,
      payment_id: paymentId(1),
      url: 'https://pay.example/pay/1',
    });
    for (const inner of ['slots', 'slots_left', 'version', 'outbox', 'announced'])
      expect(shown).not.toHaveProperty(inner);
  });
});

describe('money that a link did not ask for any more', () => {
  const paid = (about: Partial<Payment> = {}) =>
    aPayment({ status: 'succeeded', payment_link_id: 'plink_1', ...about });

  it('goes back by itself, all of it and once', () => {
    const noted = noteSlot(paid(), 'overpaid', START);
    expect(noted).toMatchObject({ status: 'succeeded', amount_refunded: 0, link_hold: { became: 'overpaid' } });
    expect(noted?.refunds).toMatchObject([
      { amount: 5_000, reason: 'link_overpaid', automatic: true, attempt_id: 'att_1' },
    ]);
    expect(noted && noteSlot(noted, 'overpaid', later(1))).toBeUndefined();
  });

  it('is not given back a second time by the merchant', () => {
    const noted = noteSlot(paid(), 'overpaid', START);
    expect(noted && refundable(noted)).toBe(0);
    expect(() => noted && reserveRefund(noted, { id: 're_1' }, START)).toThrow(/At most 0/);
  });

  it('is what the merchant has not given back already', () => {
    const partly = reserveRefund(paid(), { id: 're_1', amount: 1_000 }, START);
    expect(noteSlot(partly, 'overpaid', START)?.refunds[1]).toMatchObject({ amount: 4_000, reason: 'link_overpaid' });
  });

  it.each(['paid', 'given_up'] as const)('is another thing than a slot that was %s', (became) => {
    const payment =
      became === 'paid'
        ? paid()
        : paid({ status: 'failed', link_hold: { until: START.toISOString(), became: 'held' } });
    expect(noteSlot(payment, became, START)?.refunds).toEqual([]);
  });
});
