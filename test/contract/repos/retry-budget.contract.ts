import { describe, expect, it } from 'vitest';
import { DAY } from '#shared/kernel/clock.ts';
import { idFrom } from '#shared/kernel/ids.ts';
import type { InstrumentKey } from '#shared/ports/retry-budget.port.ts';
import type { Key, TablePort } from '#shared/store/table/table.port.ts';
import { memoryStore, times } from '#test/support/memory-store.ts';
import { ORG, paymentId } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const CARD: InstrumentKey = { orgId: ORG, provider: 'stripe', token: '"tok_1"' };
const attemptId = (n: number) => idFrom('attempt', START, Buffer.from(String(n).padStart(10, '0')));

/** A budget, and what is done to it by the number of the attempt. */
function aBudget() {
  const seen = new Map<string, Key>();
  const { retryBudget, table } = memoryStore({
    through: (inner) =>
      ({ ...inner, update: (key, ...how) => inner.update(seen.set(key.pk, key) && key, ...how) }) as TablePort,
  });
  return {
    items: () => Promise.all([...seen.values()].map((key) => table.get(key))),
    count: (n: number, at = START, began = at, instrument = CARD) =>
      retryBudget.countDecline(instrument, { id: attemptId(n), began }, at),
    hold: (n: number, at = START, instrument = CARD) =>
      retryBudget.reserve({ ...instrument, attemptId: attemptId(n), paymentId: paymentId(n) }, at),
    release: (n: number, instrument = CARD) => retryBudget.release(instrument, attemptId(n)),
  };
}

const many = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

export function retryBudgets(): void {
  describe('a retry budget', () => {
    it('reserves no more slots than eight declines a day leave, however many attempts are concurrent', async () => {
      const { count, hold } = aBudget();
      for (const n of many(0, 3)) await count(n);
      const refused = (await times(50, (n) => hold(100 + n))).filter((full) => full !== undefined);
      expect([refused.length, refused[0]?.until]).toEqual([45, later(DAY)]);
    });

    it('returns when a slot is free, and has one then', async () => {
      const { count, hold } = aBudget();
      for (const n of many(0, 9)) await count(n, later(n));
      expect((await hold(100, later(DAY)))?.until).toEqual(later(DAY + 1));
      expect(await hold(100, later(DAY + 1))).toBeUndefined();
      expect((await hold(101, later(DAY + 1)))?.until).toEqual(later(DAY + 2));
    });

    it('allows no more than fifteen declines in thirty days', async () => {
      const { count, hold } = aBudget();
      for (const n of many(0, 15)) await count(n, later(n * 2 * DAY));
      expect((await hold(100, later(30 * DAY - 1)))?.until).toEqual(later(30 * DAY));
      expect(await hold(100, later(30 * DAY))).toBeUndefined();
      expect((await hold(101, later(30 * DAY)))?.until).toEqual(later(32 * DAY));
    });

    it('counts an attempt once, whether it had a slot or not, and however late it is repeated', async () => {
      const { count, hold } = aBudget();
      for (const n of many(0, 6)) for (let often = 0; often < 3; often += 1) await count(n);
      await hold(6);
      for (let often = 0; often < 3; often += 1) expect(await hold(6)).toBeUndefined();
      await count(6);
      expect(await hold(7)).toBeUndefined();
      expect(await hold(8)).toBeDefined();
      await times(10, (n) => count(n, later(31 * DAY), START));
      for (const n of many(100, 8)) expect(await hold(n, later(31 * DAY))).toBeUndefined();
      expect(await hold(108, later(31 * DAY))).toBeDefined();
    });

    it('returns attempts that only reserve a slot', async () => {
      const { count, hold } = aBudget();
      for (const n of many(0, 8)) await hold(n, later(n));
      await count(3, later(10));
      expect((await hold(9, later(11)))?.reserved.map((slot) => slot.attemptId)).toEqual(
        [0, 1, 2, 4, 5, 6, 7].map(attemptId),
      );
      expect((await hold(9, later(11)))?.reserved[0]).toEqual({
        attemptId: attemptId(0),
        paymentId: paymentId(0),
        at: START.toISOString(),
      });
    });

    it('has a slot again after a release, once, in one window or in both', async () => {
      const { count, hold, release } = aBudget();
      for (const n of many(0, 8)) await hold(n);
      for (let often = 0; often < 3; often += 1) await release(2);
      expect([await hold(100), (await hold(101)) !== undefined]).toEqual([undefined, true]);
      for (const n of many(200, 7)) await count(n, later(2 * DAY));
      for (let often = 0; often < 3; often += 1) await release(3);
      expect([await hold(300, later(2 * DAY)), (await hold(301, later(2 * DAY)))?.until]).toEqual([
        undefined,
        later(30 * DAY),
      ]);
    });

    it.each(many(20, 40))(
      'is as exact when %s first attempts are declined beside seven slots that are given back',
      async (declines) => {
        const { count, hold, release } = aBudget();
        for (const n of many(0, 7)) await hold(n, later(1_000));
        for (const n of many(0, declines)) await count(100 + n, later(1_000), later(n));
        await Promise.all(many(0, 7).map((n) => release(n)));
        const opens = later(30 * DAY + declines - 15);
        expect([(await hold(500, later(1_000)))?.until, await hold(500, opens)]).toEqual([opens, undefined]);
      },
    );

    it('stays small however many first attempts are declined, many at once', async () => {
      const { count, items } = aBudget();
      for (let n = 0; n < 400; n += 20) await times(20, (each) => count(n + each, later(n)));
      expect((await items()).map((item) => JSON.stringify(item).length < 6_000)).toEqual([true]);
    });

    it.each<[string, Partial<InstrumentKey>]>([
      ['token', { token: '"tok_2"' }],
      ['provider', { provider: 'adyen' }],
      ['organization', { orgId: 'org_other' }],
    ])('is separate for another %s', async (_, about) => {
      const { count, hold } = aBudget();
      for (const n of many(0, 8)) await count(n);
      expect([(await hold(100)) !== undefined, await hold(101, START, { ...CARD, ...about })]).toEqual([
        true,
        undefined,
      ]);
    });
  });
}
