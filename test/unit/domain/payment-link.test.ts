import { describe, expect, it } from 'vitest';
import {
  countPayment,
  deactivate,
  expireLink,
  isCounted,
  releaseSlot,
  removeSlot,
  slotKey,
  statusAt,
} from '#shared/domain/links/payment-link.machine.ts';
import type { Slot } from '#shared/domain/links/payment-link.model.ts';
import { dueLinkTasks, linkDueAt, linkSnapshot } from '#shared/domain/links/payment-link.rules.ts';
import { recordSlotOutcome } from '#shared/domain/payments/link-hold.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { reserveRefund } from '#shared/domain/payments/refund.machine.ts';
import { refundableAmount } from '#shared/domain/payments/refund.rules.ts';
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

  it('takes the details of the customer away with the last one, unless its hold may still be given back', () => {
    const sealed_details = 'v1.sealed';
    const countedOf = (about: object) => countPayment(holding({ sealed_details, ...about }), paymentId(1), START);
    expect([countedOf({}), countedOf({ max_payments: 2 }), countedOf({ capture: 'manual' })]).toEqual([
      expect.not.objectContaining({ sealed_details }),
      expect.objectContaining({ sealed_details }),
      expect.objectContaining({ sealed_details, status: 'completed' }),
    ]);
  });

  it('is counted once', () => {
    const once = countPayment(holding({ max_payments: 3 }), paymentId(1), START);
    expect(once && countPayment(once, paymentId(1), later(1))).toBeUndefined();
  });

  it('takes a free slot if it has lost its own', () => {
    expect(countPayment(aPaymentLink({ max_payments: 2 }), paymentId(1), START)).toMatchObject({
      payments_made: 1,
      slots_left: 1,
      status: 'active',
    });
  });

  it.each([
    ['all are held by others', holding()],
    ['all are paid', aPaymentLink({ payments_made: 1, status: 'completed' })],
  ])('is refused for good if %s, even if a slot is freed later', (_, link) => {
    const turnedAway = countPayment(link, paymentId(2), START);
    expect(turnedAway).toMatchObject({ payments_made: link.payments_made, slots_left: link.slots_left, outbox: [] });
    const free = turnedAway && { ...turnedAway, slots_left: 1, status: 'active' as const };
    expect(free && [countPayment(free, paymentId(2), later(1)), isCounted(free, paymentId(2))]).toEqual([
      undefined,
      false,
    ]);
  });

  it.each(['expired', 'inactive'] as const)('is counted even if the link is %s, which it stays', (status) => {
    expect(countPayment(holding({ status }), paymentId(1), START)).toMatchObject({ payments_made: 1, status });
  });

  it('frees its slot once', () => {
    const free = releaseSlot(holding(), paymentId(1));
    expect(free).toMatchObject({ slots_left: 1 });
    expect(free && releaseSlot(free, paymentId(1))).toBeUndefined();
    expect(free && countPayment(free, paymentId(1), START)).toMatchObject({ payments_made: 1, slots_left: 0 });
  });
});

describe('a removed slot', () => {
  it('is free again if it was held', () =>
    expect(removeSlot(holding(), held)).toMatchObject({ slots: {}, slots_left: 1 }));

  it('frees nothing if its payment was counted', () => {
    const counted = countPayment(holding(), paymentId(1), START);
    const paid = Object.values(counted?.slots ?? {})[0];
    expect(counted && paid && removeSlot(counted, paid)).toMatchObject({ slots: {}, slots_left: 0 });
  });

  it('frees nothing if its payment was refused', () => {
    const turnedAway = countPayment(holding(), paymentId(2), START);
    const slot = turnedAway?.slots[slotKey(paymentId(2))];
    expect(turnedAway && slot && removeSlot(turnedAway, slot)).toMatchObject({
      slots: { [slotKey(paymentId(1))]: held },
      slots_left: 0,
    });
  });

  it('stays if it has changed since', () => {
    const counted = countPayment(holding(), paymentId(1), START);
    expect(counted && removeSlot(counted, held)).toBeUndefined();
  });
});

describe('a link', () => {
  it('is expired as soon as its time has come', () => {
    const link = aPaymentLink({ expires_at: later(10).toISOString() });
    expect([statusAt(link, later(9)), statusAt(link, later(10))]).toEqual(['active', 'expired']);
    expect([expireLink(link, later(9)), expireLink(link, later(10))?.status]).toEqual([undefined, 'expired']);
  });

  it('can be deactivated once, while it is active', () => {
    const off = deactivate(aPaymentLink(), later(1));
    expect(off).toMatchObject({ status: 'inactive', updated_at: later(1).toISOString() });
    expect(off && deactivate(off, later(2))).toBeUndefined();
    expect(() => deactivate(aPaymentLink({ status: 'completed' }), START)).toThrow(/completed/);
    expect(() => deactivate(aPaymentLink({ expires_at: START.toISOString() }), START)).toThrow(/expired/);
  });

  it('is due for what comes next, and never if nothing does', () => {
    expect([
      linkDueAt(aPaymentLink()),
      linkDueAt(aPaymentLink({ status: 'inactive', expires_at: later(5).toISOString() })),
    ]).toEqual([undefined, undefined]);
    const busy = countPayment(
      holding({ expires_at: later(90 * MINUTE).toISOString(), max_payments: 2 }),
      paymentId(2),
      START,
    );
    expect(busy && dueLinkTasks(busy).map(({ kind, at }) => [kind, at.getTime() - START.getTime()])).toEqual([
      ['expire', 90 * MINUTE],
      ['review_slot', 35 * MINUTE],
      ['review_slot', 2 * MINUTE],
      ['relay', 5 * MINUTE],
    ]);
  });

  it('is announced as it was, with the payment and without internal fields', () => {
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

describe('money that a link no longer takes', () => {
  const paid = (about: Partial<Payment> = {}) =>
    aPayment({ status: 'succeeded', payment_link_id: 'plink_1', ...about });

  it('is refunded automatically, in full and once', () => {
    const recorded = recordSlotOutcome(paid(), 'overpaid', START);
    expect(recorded).toMatchObject({ status: 'succeeded', amount_refunded: 0, link_hold: { became: 'overpaid' } });
    expect(recorded?.refunds).toMatchObject([
      { amount: 5_000, reason: 'link_overpaid', automatic: true, attempt_id: 'att_1' },
    ]);
    expect(recorded && recordSlotOutcome(recorded, 'overpaid', later(1))).toBeUndefined();
  });

  it('cannot be refunded again by the merchant', () => {
    const recorded = recordSlotOutcome(paid(), 'overpaid', START);
    expect(recorded && refundableAmount(recorded)).toBe(0);
    expect(() => recorded && reserveRefund(recorded, { id: 're_1' }, START)).toThrow(/At most 0/);
  });

  it('is refunded except for what the merchant has refunded', () => {
    const partly = reserveRefund(paid(), { id: 're_1', amount: 1_000 }, START);
    expect(recordSlotOutcome(partly, 'overpaid', START)?.refunds[1]).toMatchObject({
      amount: 4_000,
      reason: 'link_overpaid',
    });
  });

  it.each(['paid', 'given_up'] as const)('is not refunded for a slot that was %s', (became) => {
    const payment =
      became === 'paid'
        ? paid()
        : paid({ status: 'failed', link_hold: { until: START.toISOString(), became: 'held' } });
    expect(recordSlotOutcome(payment, became, START)?.refunds).toEqual([]);
  });
});
