import { describe, expect, it } from 'vitest';
import { HOUR, SECOND } from '#shared/kernel/clock.ts';
import type { LimitCheck, RateCountsPort } from '#shared/ports/rate-counts.port.ts';
import { type Item, TableError, type TablePort, type Write } from '#shared/store/table/table.port.ts';
import { changed, memoryStore, times } from '#test/support/memory-store.ts';
import { later, START } from '#test/support/stopped-clock.ts';

type Counting = (rates: RateCountsPort, to: string, from: string, at: Date) => Promise<LimitCheck>;

/** The names of the windows that an item holds. */
const windowNames = (item: object = {}): string[] => Object.keys(item).filter((name) => /^[prwt]\d+$/.test(name));

export function rateCounts(): void {
  describe('requests of an address', () => {
    const ADDRESS = '203.0.113.9';

    it('are accepted up to 100 of 250 at once', async () => {
      const { rates } = memoryStore();
      const answers = await times(250, () => rates.countAddress(ADDRESS, 'writes', START));
      expect(answers.filter((a) => a.exceeded === undefined)).toHaveLength(100);
      expect(answers.filter((a) => a.exceeded?.retryAfter === 60)).toHaveLength(150);
    });

    it('are counted separately for each address', async () => {
      const { rates } = memoryStore();
      await times(100, () => rates.countAddress(ADDRESS, 'writes', START));
      expect((await rates.countAddress('203.0.113.10', 'writes', START)).rate.remaining).toBe(99);
    });

    it('are shown without being counted', async () => {
      const { rates } = memoryStore();
      await times(20, () => rates.countAddress(ADDRESS, 'reads', START));
      const shown = await times(3, () => rates.addressState(ADDRESS, START));
      expect(shown).toEqual(Array(3).fill({ limit: 200, remaining: 180, resetAt: START.getTime() / SECOND + 10 }));
    });

    it('are shown as zero if there were none', async () => {
      const { rates } = memoryStore();
      expect(await rates.addressState(ADDRESS, START)).toMatchObject({ limit: 500, remaining: 500 });
    });

    it('are all accepted if limits are lifted', async () => {
      const { rates } = memoryStore({ limited: false });
      const answers = await times(150, () => rates.countAddress(ADDRESS, 'writes', START));
      expect(answers.every((a) => a.exceeded === undefined)).toBe(true);
    });

    it('never store the address, and leave few windows', async () => {
      const written: Item[] = [];
      const noting = (table: TablePort): TablePort =>
        changed(table, {
          update: async (...call) => {
            const done = await table.update(...call);
            if (done.ok) written.push(done.item);
            return done;
          },
        });
      const { rates } = memoryStore({ through: noting });
      for (let hour = 0; hour < 30; hour += 1) await rates.countAddress(ADDRESS, 'reads', later(hour * HOUR));
      expect(JSON.stringify(written)).not.toContain(ADDRESS);
      expect(windowNames(written.at(-1)).length).toBeLessThanOrEqual(10);
    });
  });

  describe.each<readonly [string, number, number, Counting]>([
    [
      'sign-in links to a mail address',
      5,
      20,
      (rates, to, from, at) => rates.countSignIn({ email: `${to}@example.com`, address: from, browser: undefined }, at),
    ],
    [
      'invitations to a mail address',
      3,
      50,
      (rates, to, from, at) => rates.countInvitation(from, `${to}@example.com`, at),
    ],
  ])('%s', (_, toOne, fromOne, count) => {
    const passed = (answers: readonly LimitCheck[]) =>
      answers.filter(({ exceeded: full }) => full === undefined).length;

    it(`pass up to ${toOne} of thirty at once, and the others do not count for their source`, async () => {
      const { rates } = memoryStore();
      expect(passed(await times(30, () => count(rates, 'one', 'here', START)))).toBe(toOne);
      expect(passed(await times(60, (n) => count(rates, `other-${n}`, 'here', START)))).toBe(fromOne - toOne);
      expect((await count(rates, 'new', 'here', START)).exceeded?.retryAfter).toBeGreaterThanOrEqual(1);
    });

    it('are not counted for the recipient if their source is refused', async () => {
      const { rates } = memoryStore();
      await times(fromOne, (n) => count(rates, `other-${n}`, 'here', START));
      expect(passed(await times(10, () => count(rates, 'one', 'here', START)))).toBe(0);
      expect(passed(await times(10, () => count(rates, 'one', 'there', START)))).toBe(toOne);
    });

    it('are accepted again after the window', async () => {
      const { rates } = memoryStore();
      const { exceeded: full } =
        (await times(toOne + 1, () => count(rates, 'one', 'here', START))).find((answer) => answer.exceeded) ?? {};
      const wait = (full?.retryAfter ?? 0) * SECOND;
      expect(
        passed([
          await count(rates, 'one', 'here', later(wait - SECOND)),
          await count(rates, 'one', 'here', later(wait)),
        ]),
      ).toBe(1);
    });

    it('are counted once if only the response was lost', async () => {
      let lost = 0;
      const losing = (table: TablePort): TablePort =>
        changed(table, {
          transact: async (...call) => {
            const done = await table.transact(...call);
            lost += 1;
            if (lost % 2 === 0) return done;
            throw new TableError('conflict', 'unknown', 'The answer was lost.');
          },
        });
      const { rates } = memoryStore({ through: losing });
      const answers: LimitCheck[] = [];
      for (let n = 0; n <= toOne; n += 1) answers.push(await count(rates, 'one', 'here', START));
      expect(passed(answers)).toBe(toOne);
    });

    it('are all accepted if limits are lifted', async () => {
      const { rates } = memoryStore({ limited: false });
      expect(passed(await times(60, () => count(rates, 'one', 'here', START)))).toBe(60);
    });

    it('store no address, and expire on their own', async () => {
      const written: Write[] = [];
      const noting = (table: TablePort): TablePort =>
        changed(table, {
          transact: (writes, token) => {
            written.push(...writes);
            return table.transact(writes, token);
          },
        });
      await count(memoryStore({ through: noting }).rates, 'one', 'here', START);
      expect(JSON.stringify(written)).not.toMatch(/one@example|here/);
      expect(written.length).toBeGreaterThanOrEqual(2);
      for (const write of written) expect(write).toMatchObject({ change: { set: { ttl: expect.any(Number) } } });
    });
  });
}
