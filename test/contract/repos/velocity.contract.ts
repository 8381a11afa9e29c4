import { describe, expect, it } from 'vitest';
import type { VelocityRule } from '#shared/domain/fraud-policy.model.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import type { VelocityAsk } from '#shared/ports/fraud.port.ts';
import { memoryStore, times } from '#test/support/memory-store.ts';
import { ORG, paymentId } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const rule = (about: Partial<VelocityRule> = {}): VelocityRule => ({ field: 'customer_id', max_payments: 3, window: '10m', ...about });
const ask = (n: number, about: Partial<VelocityAsk> = {}): VelocityAsk => ({
  orgId: ORG,
  rule: rule(),
  value: 'cus_1',
  paymentId: paymentId(n),
  amount: 100,
  ...about,
});

export function velocity(): void {
  describe('a velocity window', () => {
    it('lets as many pass as it says, however many ask at once', async () => {
      const { velocity: windows } = memoryStore();
      const passed = await times(60, (n) => windows.pass(ask(n, { rule: rule({ max_payments: 20 }) }), START));
      expect(passed.filter(Boolean)).toHaveLength(20);
    });

    it('slides: what is older than its length counts no more', async () => {
      const { velocity: windows } = memoryStore();
      for (const n of [0, 1, 2]) expect(await windows.pass(ask(n), later(n * MINUTE))).toBe(true);
      expect(await windows.pass(ask(3), later(10 * MINUTE - 1))).toBe(false);
      expect(await windows.pass(ask(4), later(10 * MINUTE))).toBe(true);
      expect(await windows.pass(ask(5), later(11 * MINUTE - 1))).toBe(false);
      expect(await windows.pass(ask(6), later(11 * MINUTE))).toBe(true);
    });

    it('counts a payment once, however often it asks', async () => {
      const { velocity: windows } = memoryStore();
      for (const n of [1, 1, 1, 1, 2, 3]) expect(await windows.pass(ask(n), START)).toBe(true);
      expect([await windows.pass(ask(4), START), await windows.pass(ask(2), START)]).toEqual([false, true]);
    });

    it('has room again for what is given back, once', async () => {
      const { velocity: windows } = memoryStore();
      for (const n of [1, 2, 3]) await windows.pass(ask(n), START);
      for (let often = 0; often < 3; often += 1) await windows.giveBack(ask(2));
      expect([await windows.pass(ask(4), START), await windows.pass(ask(5), START)]).toEqual([true, false]);
    });

    it('limits the money too', async () => {
      const { velocity: windows } = memoryStore();
      const money = { rule: rule({ max_payments: 100, max_amount: 250, currency: 'EUR' }) };
      expect([await windows.pass(ask(1, { ...money, amount: 251 }), START), await windows.pass(ask(2, { ...money, amount: 200 }), START)]).toEqual([
        false,
        true,
      ]);
      expect([await windows.pass(ask(3, { ...money, amount: 51 }), START), await windows.pass(ask(4, { ...money, amount: 50 }), START)]).toEqual([false, true]);
      expect(await windows.pass(ask(5, { ...money, amount: 250 }), later(10 * MINUTE))).toBe(true);
    });

    it.each<[string, Partial<VelocityAsk>]>([
      ['value', { value: 'cus_2' }],
      ['organization', { orgId: 'org_other' }],
      ['field', { rule: rule({ field: 'ip' }) }],
      ['window', { rule: rule({ window: '11m' }) }],
    ])('is another one for another %s', async (_, about) => {
      const { velocity: windows } = memoryStore();
      for (const n of [1, 2, 3]) await windows.pass(ask(n), START);
      expect(await windows.pass(ask(4, about), START)).toBe(true);
    });
  });
}
