import { describe, expect, it } from 'vitest';
import type { VelocityRule } from '#shared/domain/routing/fraud-policy.model.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import type { VelocityCheck, VelocityPort } from '#shared/ports/fraud.port.ts';
import { memoryStore, times } from '#test/support/memory-store.ts';
import { ORG, paymentId } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const rule = (about: Partial<VelocityRule> = {}): VelocityRule => ({
  field: 'customer_id',
  max_payments: 3,
  window: '10m',
  ...about,
});
const ask = (n: number, about: Partial<VelocityCheck> = {}): VelocityCheck => ({
  orgId: ORG,
  rule: rule(),
  value: 'cus_1',
  paymentId: paymentId(n),
  amount: 100,
  ...about,
});

const passes = async (windows: VelocityPort, one: VelocityCheck, at: Date): Promise<boolean> =>
  (await windows.countAllOrNone([one], at)).length === 0;

export function velocity(): void {
  describe('a velocity window', () => {
    it('accepts as many payments as its limit, however many are checked at once', async () => {
      const { velocity: windows } = memoryStore();
      const passed = await times(60, (n) => passes(windows, ask(n, { rule: rule({ max_payments: 20 }) }), START));
      expect(passed.filter(Boolean)).toHaveLength(20);
    });

    it('no longer counts payments that are older than its length', async () => {
      const { velocity: windows } = memoryStore();
      for (const n of [0, 1, 2]) expect(await passes(windows, ask(n), later(n * MINUTE))).toBe(true);
      expect(await passes(windows, ask(3), later(10 * MINUTE - 1))).toBe(false);
      expect(await passes(windows, ask(4), later(10 * MINUTE))).toBe(true);
      expect(await passes(windows, ask(5), later(11 * MINUTE - 1))).toBe(false);
      expect(await passes(windows, ask(6), later(11 * MINUTE))).toBe(true);
    });

    it('counts a payment once, however often it is checked', async () => {
      const { velocity: windows } = memoryStore();
      for (const n of [1, 1, 1, 1, 2, 3]) expect(await passes(windows, ask(n), START)).toBe(true);
      expect([await passes(windows, ask(4), START), await passes(windows, ask(2), START)]).toEqual([false, true]);
    });

    it('counts a payment again that is checked after it has expired', async () => {
      const { velocity: windows } = memoryStore();
      const one = { rule: rule({ max_payments: 1 }) };
      expect(await passes(windows, ask(1, one), START)).toBe(true);
      expect([
        await passes(windows, ask(1, one), later(10 * MINUTE)),
        await passes(windows, ask(2, one), later(10 * MINUTE)),
      ]).toEqual([true, false]);
      expect(await passes(windows, ask(2, one), later(20 * MINUTE))).toBe(true);
    });

    it('limits the amount too', async () => {
      const { velocity: windows } = memoryStore();
      const money = { rule: rule({ max_payments: 100, max_amount: 250, currency: 'EUR' }) };
      expect([
        await passes(windows, ask(1, { ...money, amount: 251 }), START),
        await passes(windows, ask(2, { ...money, amount: 200 }), START),
      ]).toEqual([false, true]);
      expect([
        await passes(windows, ask(3, { ...money, amount: 51 }), START),
        await passes(windows, ask(4, { ...money, amount: 50 }), START),
      ]).toEqual([false, true]);
      expect(await passes(windows, ask(5, { ...money, amount: 250 }), later(10 * MINUTE))).toBe(true);
    });

    const both = (n: number) => [
      ask(n, { rule: rule({ max_payments: 20 }) }),
      ask(n, { value: n % 2 === 0 ? 'cus_even' : 'cus_odd', rule: rule({ max_payments: 5 }) }),
    ];

    it('counts for several rules together, or for none', async () => {
      const { velocity: windows } = memoryStore();
      const [wide, narrow] = [{ rule: rule({ max_payments: 2 }) }, { value: 'cus_2', rule: rule({ max_payments: 1 }) }];
      expect(await windows.countAllOrNone([ask(1, wide), ask(1, narrow)], START)).toEqual([]);
      expect((await windows.countAllOrNone([ask(2, wide), ask(2, narrow)], START)).map(({ value }) => value)).toEqual([
        'cus_2',
      ]);
      expect(await passes(windows, ask(3, wide), START)).toBe(true);
      expect(await windows.countAllOrNone([ask(1, wide), ask(1, narrow)], START)).toEqual([]);
      expect((await windows.countAllOrNone([ask(2, wide), ask(2, narrow)], later(10 * MINUTE))).length).toBe(0);
    });

    it('does not count a payment that another rule stops, however many are checked at once', async () => {
      const { velocity: windows } = memoryStore();
      const passed = await times(40, async (n) => (await windows.countAllOrNone(both(n), START)).length === 0);
      expect(passed.filter(Boolean)).toHaveLength(10);
      const more = await times(30, (n) => passes(windows, ask(100 + n, { rule: rule({ max_payments: 20 }) }), START));
      expect(more.filter(Boolean)).toHaveLength(10);
    });

    it('counts for each rule that is not full, if the rules are independent', async () => {
      const { velocity: windows } = memoryStore();
      const [wide, narrow] = [{ rule: rule({ max_payments: 2 }) }, { value: 'cus_2', rule: rule({ max_payments: 1 }) }];
      await windows.countAllOrNone([ask(1, wide), ask(1, narrow)], START);
      expect((await windows.countEach([ask(2, wide), ask(2, narrow)], START)).map(({ value }) => value)).toEqual([
        'cus_2',
      ]);
      expect(await passes(windows, ask(3, wide), START)).toBe(false);
    });

    it.each<[string, Partial<VelocityCheck>]>([
      ['value', { value: 'cus_2' }],
      ['organization', { orgId: 'org_other' }],
      ['field', { rule: rule({ field: 'ip' }) }],
      ['window', { rule: rule({ window: '11m' }) }],
    ])('is separate for another %s', async (_, about) => {
      const { velocity: windows } = memoryStore();
      for (const n of [1, 2, 3]) await passes(windows, ask(n), START);
      expect(await passes(windows, ask(4, about), START)).toBe(true);
    });
  });
}
