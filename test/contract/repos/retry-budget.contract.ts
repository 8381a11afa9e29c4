import { describe, expect, it } from 'vitest';
import { DAY } from '#shared/kernel/clock.ts';
import { idFrom } from '#shared/kernel/ids.ts';
import type { InstrumentKey } from '#shared/ports/retry-budget.port.ts';
import type { Key, TablePort } from '#shared/store/table/table.port.ts';
import { memoryStore, times } from '#test/support/memory-store.ts';
import { ORG, paymentId } from '#test/support/payment.builder.ts';
import { PER_DAY, PER_MONTH } from '#test/support/retry-limits.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const CARD: InstrumentKey = { orgId: ORG, provider: 'stripe', token: '"tok_1"' };
const attemptId = (n: number) => idFrom('attempt', START, Buffer.from(String(n).padStart(10, '0')));

/** A retry budget, and its operations by the number of the attempt. */
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
    it('reserves no more slots than the declines of a day leave, however many attempts are concurrent', async () => {
      const { count, hold } = aBudget();
      for (const n of many(0, 3)) await count(n);
      const refused = (await times(50, (n) => hold(100 + n))).filter((full) => full !== undefined);
      expect([refused.length, refused[0]?.until]).toEqual([50 - (PER_DAY - 3), later(DAY)]);
    });

    it('returns when a slot is free, and has one then', async () => {
      const { count, hold } = aBudget();
      for (const n of many(0, PER_DAY + 1)) await count(n, later(n));
      expect((await hold(100, later(DAY)))?.until).toEqual(later(DAY + 1));
      expect(await hold(100, later(DAY + 1))).toBeUndefined();
      expect((await hold(101, later(DAY + 1)))?.until).toEqual(later(DAY + 2));
    });

    it('allows no more declines in thirty days than their limit', async () => {
      const { count, hold } = aBudget();
      const every = DAY + 1;
      for (const n of many(0, PER_MONTH)) await count(n, later(n * every));
      expect((await hold(100, later(30 * DAY - 1)))?.until).toEqual(later(30 * DAY));
      expect(await hold(100, later(30 * DAY))).toBeUndefined();
      expect((await hold(101, later(30 * DAY)))?.until).toEqual(later(30 * DAY + every));
    });

    it('counts an attempt once, with or without a slot, however late it is repeated', async () => {
      const { count, hold } = aBudget();
      for (const n of many(0, PER_DAY - 2)) for (let often = 0; often < 3; often += 1) await count(n);
      await hold(PER_DAY - 2);
      for (let often = 0; often < 3; often += 1) expect(await hold(PER_DAY - 2)).toBeUndefined();
      await count(PER_DAY - 2);
      expect(await hold(PER_DAY - 1)).toBeUndefined();
      expect(await hold(PER_DAY)).toBeDefined();
      await times(PER_DAY + 2, (n) => count(n, later(31 * DAY), START));
      for (const n of many(100, PER_DAY)) expect(await hold(n, later(31 * DAY))).toBeUndefined();
      expect(await hold(100 + PER_DAY, later(31 * DAY))).toBeDefined();
    });

    it('returns attempts that only reserve a slot', async () => {
      const { count, hold } = aBudget();
      for (const n of many(0, PER_DAY)) await hold(n, later(n));
      await count(3, later(10));
      expect((await hold(PER_DAY + 1, later(11)))?.reserved.map((slot) => slot.attemptId)).toEqual(
        many(0, PER_DAY)
          .filter((n) => n !== 3)
          .map(attemptId),
      );
      expect((await hold(PER_DAY + 1, later(11)))?.reserved[0]).toEqual({
        attemptId: attemptId(0),
        paymentId: paymentId(0),
        at: START.toISOString(),
      });
    });

    it('has a slot again after a release, once, in one window or in both', async () => {
      const { count, hold, release } = aBudget();
      for (const n of many(0, PER_DAY)) await hold(n);
      for (let often = 0; often < 3; often += 1) await release(2);
      expect([await hold(100), (await hold(101)) !== undefined]).toEqual([undefined, true]);
      for (const n of many(2, PER_MONTH - PER_DAY)) await count(200 + n, later(n * DAY));
      const now = later((PER_MONTH - PER_DAY + 2) * DAY);
      for (let often = 0; often < 3; often += 1) await release(3);
      expect([await hold(300, now), (await hold(301, now))?.until]).toEqual([undefined, later(30 * DAY)]);
    });

    it.each(many(PER_MONTH + 5, 40))(
      'is as exact when %s first attempts are declined beside slots that are given back',
      async (declines) => {
        const { count, hold, release } = aBudget();
        for (const n of many(0, PER_DAY - 1)) await hold(n, later(1_000));
        for (const n of many(0, declines)) await count(100 + n, later(1_000), later(n));
        await Promise.all(many(0, PER_DAY - 1).map((n) => release(n)));
        const opens = later(30 * DAY + declines - PER_MONTH);
        expect([(await hold(500, later(1_000)))?.until, await hold(500, opens)]).toEqual([opens, undefined]);
      },
    );

    it('stays small however many first attempts are declined concurrently', async () => {
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
      for (const n of many(0, PER_DAY)) await count(n);
      expect([(await hold(100)) !== undefined, await hold(101, START, { ...CARD, ...about })]).toEqual([
        true,
        undefined,
      ]);
    });
  });
}
