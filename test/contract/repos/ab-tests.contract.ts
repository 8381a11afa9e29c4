import { describe, expect, it } from 'vitest';
import { moveTest } from '#shared/domain/routing/ab-test.machine.ts';
import type { AbTest } from '#shared/domain/routing/ab-test.model.ts';
import { HOUR } from '#shared/kernel/clock.ts';
import { processDueAbTest } from '#shared/services/routing/ab-tests.service.ts';
import { TotalsRepo } from '#shared/store/repos/reporting/totals.repo.ts';
import { anAbTest, aRunningTest, aVariant, testId } from '#test/support/ab-test.builder.ts';
import { losingResponses, memoryStore, times } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const RULES = ['A', 'B'].map((name) => aVariant(name).routing_rule_id);
const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

/** A store with this A/B test, and the rules that its variants name. */
async function stored(about: Partial<AbTest> = {}, options = {}) {
  const store = memoryStore(options);
  for (const id of RULES)
    await store.table.put({ pk: `ORG#${ORG}`, sk: `rule#${id}`, item_type: 'routing_rule', id, version: 1 });
  const test = await store.abTests.create(anAbTest(about));
  const held = async () =>
    (await store.table.getMany(RULES.map((id) => ({ pk: `ORG#${ORG}`, sk: `rule#${id}` })))).map(
      (item) => item?.used_by_tests ?? 0,
    );
  return { ...store, test, held, deps: { ...store, log: SILENT } };
}

export function abTests(): void {
  describe('an A/B test', () => {
    it('is found by its id, in its organization only', async () => {
      const { abTests: tests, test } = await stored();
      expect([
        await tests.get(ORG, test.id),
        await tests.get('org_other', test.id),
        await tests.get(ORG, 'nonsense'),
      ]).toEqual([test, undefined, undefined]);
      expect(await tests.getWithTotals(ORG, test.id)).toEqual({ test, totals: new Map() });
      expect([await tests.getWithTotals('org_other', test.id), await tests.getWithTotals(ORG, testId(2))]).toEqual([
        undefined,
        undefined,
      ]);
    });

    it('that is created again is the stored one, even if the first response was lost', async () => {
      const { abTests: tests, test } = await stored({}, { through: losingResponses(1) });
      expect(await tests.create(anAbTest({ name: 'later' }))).toEqual(test);
    });

    it('comes with the totals of its own variants', async () => {
      const { abTests: tests, table, test } = await stored();
      const other = await tests.create(anAbTest({ id: testId(2) }));
      const add = (test_id: string, variant: string, transactions: number) =>
        new TotalsRepo(table).add(
          { kind: 'ab_result', org_id: ORG, test_id, variant },
          { id: 's' },
          [{ seq: '1', add: { transactions }, latest: { updated_at: START.toISOString() } }],
          START,
        );
      await Promise.all([add(test.id, 'A', 3), add(test.id, 'B', 4), add(other.id, 'A', 9)]);
      const found = await tests.list(ORG);
      expect(
        found.map(({ test: { id }, totals }) => [
          id,
          [...totals].map(([variant, { sums, updated_at }]) => [variant, sums.transactions, updated_at]),
        ]),
      ).toEqual([
        [
          test.id,
          [
            ['A', 3, START.toISOString()],
            ['B', 4, START.toISOString()],
          ],
        ],
        [other.id, [['A', 9, START.toISOString()]]],
      ]);
      expect((await tests.getWithTotals(ORG, other.id))?.totals.size).toBe(1);
    });

    it('starts together with the reservation of its rules', async () => {
      const { abTests: tests, test, held } = await stored();
      const running = await tests.running(ORG);
      const started = moveTest(test, 'start', START);
      expect(await tests.replace(test, started, { ...running, tests: [aRunningTest()] })).toBe('done');
      expect([await tests.running(ORG), await held()]).toEqual([{ tests: [aRunningTest()], version: 1 }, [1, 1]]);
      const paused = moveTest(started, 'pause', START);
      await tests.replace(started, paused, { tests: [], version: 1 });
      expect([await tests.running(ORG), await held()]).toEqual([{ tests: [], version: 2 }, [1, 1]]);
      await tests.replace(paused, moveTest(paused, 'complete', START));
      expect(await held()).toEqual([0, 0]);
    });

    it('does not start if other tests started, it changed, or its rules are missing', async () => {
      const { abTests: tests, table, test, held } = await stored();
      const started = moveTest(test, 'start', START);
      const run = (before: AbTest, version: number) => tests.replace(before, started, { tests: [], version });
      expect(await run({ ...test, version: 7 }, 0)).toBe('conflict');
      expect(await run(test, 3)).toBe('conflict');
      await table.delete({ pk: `ORG#${ORG}`, sk: `rule#${RULES[1]}` });
      expect([await run(test, 0), await held(), await tests.get(ORG, test.id)]).toEqual(['no_rule', [0, 0], test]);
    });

    it('is due at its start, and then at its end', async () => {
      const {
        due,
        abTests: tests,
        test,
      } = await stored({ start_at: later(HOUR).toISOString(), end_at: later(2 * HOUR).toISOString() });
      const entries = async () =>
        (await Promise.all(due.shards.map((shard) => due.due(shard, later(9 * HOUR), 10)))).flat();
      expect(await entries()).toMatchObject([
        { kind: 'ab_test', id: test.id, orgId: ORG, at: later(HOUR).toISOString() },
      ]);
      const started = moveTest(test, 'start', START);
      await tests.replace(test, started, { tests: [], version: 0 });
      expect(await entries()).toMatchObject([{ at: later(2 * HOUR).toISOString() }]);
      await tests.replace(started, moveTest(started, 'complete', START));
      expect(await entries()).toEqual([]);
    });
  });

  describe('a sweep of A/B tests', () => {
    const tend = async ({ abTests: tests, deps, test }: Awaited<ReturnType<typeof stored>>) => {
      await processDueAbTest({ orgId: ORG, id: test.id }, deps);
      return tests.get(ORG, test.id);
    };
    const DATES = { start_at: later(HOUR).toISOString(), end_at: later(2 * HOUR).toISOString() };

    it('does nothing before the start', async () => {
      const early = await stored(DATES);
      expect(await tend(early)).toEqual(early.test);
    });

    it('that is late starts a test, and completes one that has ended as well', async () => {
      const late = await stored(DATES);
      late.clock.pass(HOUR);
      expect(await tend(late)).toMatchObject({ status: 'running', started_at: later(HOUR).toISOString() });
      const overdue = await stored(DATES);
      overdue.clock.pass(9 * HOUR);
      expect([(await tend(overdue))?.status, (await overdue.abTests.running(ORG)).tests, await overdue.held()]).toEqual(
        ['completed', [], [0, 0]],
      );
    });

    it('starts a test once when it runs many times at once', async () => {
      const due = await stored(DATES);
      due.clock.pass(HOUR);
      await times(10, () => tend(due));
      expect([await due.held(), (await due.abTests.running(ORG)).version]).toEqual([[1, 1], 1]);
    });

    it('records in the test why it could not start', async () => {
      const due = await stored(DATES);
      await due.table.delete({ pk: `ORG#${ORG}`, sk: `rule#${RULES[0]}` });
      due.clock.pass(HOUR);
      expect(await tend(due)).toMatchObject({ status: 'draft', start_failure: 'ab_test_rule_missing' });
      expect((await due.abTests.get(ORG, due.test.id))?.version).toBe((await tend(due))?.version);
    });
  });
}
