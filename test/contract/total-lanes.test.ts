import { describe, expect, it } from 'vitest';
import { projectChanges } from '#functions/projector/project-changes.usecase.ts';
import { DISPUTE_STATUSES } from '#shared/domain/disputes/dispute.model.ts';
import { FAILURES } from '#shared/domain/payments/declines.catalog.ts';
import { PAYMENT_STATUSES } from '#shared/domain/payments/payment.model.ts';
import { disputeCounter, FAILED_BY_CODE, type TotalKey, UNCAPTURED } from '#shared/domain/reporting/totals.rules.ts';
import { DAY, HOUR, SECOND } from '#shared/kernel/clock.ts';
import { catchUpTotals } from '#shared/services/reporting/catch-up-totals.service.ts';
import { changesIn } from '#shared/store/changes.ts';
import { keys, subscriptionTotals } from '#shared/store/keys.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { allLanes, isClosed, sumLanes } from '#shared/store/repos/reporting/total-lanes.ts';
import { markName, markOf } from '#shared/store/repos/reporting/total-marks.ts';
import { TotalsRepo } from '#shared/store/repos/reporting/totals.repo.ts';
import { AbTestRepo } from '#shared/store/repos/routing/ab-test.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { itemSize } from '#shared/store/table/item.rules.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';
import { testId } from '#test/support/ab-test.builder.ts';
import { changed } from '#test/support/memory-store.ts';
import { aPayment, paymentId } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const ORG = 'org_1';
const SILENT = { info: () => {}, warn: () => {}, error: () => {} };
const CALLS = { kind: 'calls', org_id: ORG, connection_id: 'main' } as const;
const USAGE = { kind: 'usage', org_id: ORG } as const;
const DAYS = {
  kind: 'day',
  org_id: ORG,
  day: '2026-03-01',
  currency: 'EUR',
  connection_id: 'main',
  provider: 'stripe',
} as const;
const SUBSCRIBED = { kind: 'subscriptions', org_id: ORG, day: '2026-03-01', currency: 'EUR' } as const;
const VARIANT = { kind: 'ab_result', org_id: ORG, test_id: testId(1), variant: 'A' } as const;
const ADDED = {
  calls: { total_calls: 1 },
  usage: { 'payments:2026-03': 1 },
  day: { succeeded: 1 },
  ab_result: { transactions: 1 },
  subscriptions: { new: 1 },
};
const TOTALS: readonly TotalKey[] = [CALLS, USAGE, DAYS, VARIANT, SUBSCRIBED];

const aTable = (): TablePort => new SqliteTable({ database: openDatabase(':memory:') });
const seqOf = (n: number) => String(n).padStart(40, '0');
const addOne = (
  totals: TotalsRepo,
  of: TotalKey,
  shard: string,
  n: number,
  at = START,
  parents: ReadonlyMap<string, string> = new Map(),
) => totals.add(of, { id: shard, parents: async () => parents }, [{ seq: seqOf(n), add: ADDED[of.kind] }], at);

const marksOf = (item: Item) => Object.keys(item).filter((name) => name.startsWith('~'));
const RANGES = {
  calls: { prefix: 'calls#' },
  usage: { prefix: 'usage' },
  day: { prefix: '2026' },
  ab_result: { prefix: 'ab#' },
  subscriptions: { prefix: subscriptionTotals(ORG, '2026-03-01', 'EUR').sk },
};
const rangeOf = (of: TotalKey) => RANGES[of.kind];
const lanesOf = (table: TablePort, of: TotalKey) => allLanes(table, ORG, { range: rangeOf(of) });

describe('a total that a hundred stream shards write to', () => {
  const shards = Array.from({ length: 100 }, (_, n) => `shardId-0000000${1_700_000_000_000 + n * 7_919}-${n}`);

  it('is right in every reader, and each of its items stays below a kilobyte', async () => {
    const table = aTable();
    // Three processes, each of which knows only the lanes that it has met.
    const processes = Array.from({ length: 3 }, () => new TotalsRepo(table));
    for (let turn = 1; turn <= 3; turn += 1)
      for (const [n, shard] of shards.entries())
        for (const of of TOTALS) await addOne(processes[(n + turn) % 3]!, of, shard, turn, later(turn * 1_000));

    const [totals] = processes as [TotalsRepo];
    const one = { org_id: ORG, id: 'main', generation: 1 };
    expect((await totals.callTotals(one))?.sums).toEqual({ total_calls: 300 });
    expect((await totals.callTotalsOf(ORG, [one, { ...one, id: 'other' }])).get('main')?.sums.total_calls).toBe(300);
    expect((await totals.days(ORG, { from: '2026-03-01', to: '2026-03-01' })).map(({ sums }) => sums)).toEqual([
      { succeeded: 300 },
    ]);
    expect(sumLanes(await lanesOf(table, USAGE))).toEqual({ 'payments:2026-03': 300 });
    await table.put({ ...keys.abTest(ORG, testId(1)), item_type: 'ab_test', id: testId(1) });
    const [tested] = await new AbTestRepo(table).list(ORG);
    expect(tested?.totals.get('A')?.sums).toEqual({ transactions: 300 });

    for (const of of [CALLS, USAGE, DAYS, SUBSCRIBED]) {
      const lanes = await lanesOf(table, of);
      expect(Math.max(...lanes.map((lane) => itemSize(lane)))).toBeLessThan(1_024);
      expect(Math.max(...lanes.map((lane) => marksOf(lane).length))).toBeLessThanOrEqual(13);
      expect(lanes.length).toBeLessThan(40);
    }
  });

  it('costs one write and no read for each batch, however many lanes there are', async () => {
    const table = aTable();
    const calls: string[] = [];
    const counted = changed(table, {
      update: (...call) => {
        calls.push('update');
        return table.update(...call);
      },
      get: (...call) => {
        calls.push('get');
        return table.get(...call);
      },
    });
    const totals = new TotalsRepo(counted);
    for (const turn of [1, 2]) for (const shard of shards) await addOne(totals, USAGE, shard, turn);
    calls.length = 0;
    for (const shard of shards) await addOne(totals, USAGE, shard, 3);
    expect(calls).toEqual(shards.map(() => 'update'));
  });

  it('is in one item while twelve shards at most have written to it', async () => {
    const table = aTable();
    const totals = new TotalsRepo(table);
    for (const shard of shards.slice(0, 12)) await addOne(totals, USAGE, shard, 1);
    const lanes = await lanesOf(table, USAGE);
    expect([lanes.length, lanes.some(isClosed)]).toEqual([1, false]);
  });
});

describe('the shards of a stream, which change every four hours', () => {
  const WEEK = Array.from({ length: 42 }, (_, n) => n);
  const nameOf = (generation: number, n: number) => `shardId-${generation}-${n}`;

  it('leave no marks behind once their children are seen, so four of them never need a second lane', async () => {
    const table = aTable();
    const totals = new TotalsRepo(table);
    const parents = new Map<string, string>();
    for (const generation of WEEK)
      for (const n of [0, 1, 2, 3]) {
        parents.set(nameOf(generation, n), nameOf(generation - 1, n));
        const at = later(generation * 4 * HOUR);
        await addOne(totals, USAGE, nameOf(generation, n), 1, at, parents);
      }
    const lanes = await lanesOf(table, USAGE);
    expect([lanes.length, sumLanes(lanes)]).toEqual([1, { 'payments:2026-03': 42 * 4 }]);
    expect(marksOf(lanes[0]!).length).toBeLessThanOrEqual(13);
  });

  it('count nothing again if the stream is read from its beginning once more', async () => {
    const table = aTable();
    const totals = new TotalsRepo(table, { maxMarks: 1 });
    const deps = { totals, clock: { now: () => later(5 * HOUR) }, log: SILENT, config: { stage: 'live' } } as const;
    const parents = new Map([['child', 'parent']]);
    const tell = (id: string, n: number) => {
      const item = paymentEntity.toItem(aPayment({ id: paymentId(n), org_id: ORG, status: 'canceled' }), START);
      const changes = changesIn([{ seq: seqOf(n), key: item, new: item }]);
      return projectChanges({ id, parents: async () => parents }, changes, deps);
    };
    await addOne(totals, USAGE, 'parent', 1);
    await tell('parent', 1);
    await tell('child', 2);
    const counted = await lanesOf(table, USAGE);
    expect([sumLanes(counted), marksOf(counted[0]!).length]).toEqual([{ 'payments:2026-03': 2 }, 1]);
    for (const [id, n] of [
      ['parent', 1],
      ['child', 2],
    ] as const)
      await tell(id, n);
    expect(sumLanes(await lanesOf(table, USAGE))).toEqual({ 'payments:2026-03': 2 });
  });

  it('keep their marks while they hold steps, which may have been added already', async () => {
    const table = aTable();
    const totals = new TotalsRepo(table, { maxMarks: 1 });
    const parents = new Map([['child', 'parent']]);
    const step = { seq: seqOf(1), add: ADDED.usage };
    await addOne(totals, USAGE, 'parent', 1);
    // The answer to that write was lost, so it is held too.
    await totals.hold({ shard: 'parent', version: 1, totals: [{ of: USAGE, steps: [step] }] }, START);
    await addOne(totals, USAGE, 'child', 1, later(5 * HOUR), parents);
    await addOne(totals, USAGE, 'child', 2, later(5 * HOUR), parents);
    const clock = { now: () => later(6 * HOUR) };
    await catchUpTotals('parent', { totals, clock, log: SILENT, config: { stage: 'live' } });
    expect(sumLanes(await lanesOf(table, USAGE))).toEqual({ 'payments:2026-03': 3 });
  });

  it('keep their marks for two hours after their children are seen, as a write may be on its way', async () => {
    const table = aTable();
    const totals = new TotalsRepo(table, { maxMarks: 1 });
    const parents = new Map([['child', 'parent']]);
    await addOne(totals, USAGE, 'parent', 1, START);
    await addOne(totals, USAGE, 'child', 1, later(HOUR), parents);
    await addOne(totals, USAGE, 'parent', 1, later(HOUR), parents);
    expect(sumLanes(await lanesOf(table, USAGE))).toEqual({ 'payments:2026-03': 2 });
  });

  it('leave marks for a day where their parents are not known, and the counts stay right', async () => {
    const table = aTable();
    const totals = new TotalsRepo(table);
    for (const generation of WEEK)
      for (const n of [0, 1, 2, 3])
        for (const told of [1, 2])
          await addOne(totals, USAGE, nameOf(generation, n), 1, later(generation * 4 * HOUR + told * SECOND));
    const lanes = await lanesOf(table, USAGE);
    expect(sumLanes(lanes)).toEqual({ 'payments:2026-03': 42 * 4 });
    expect(Math.max(...lanes.map((lane) => marksOf(lane).length))).toBeLessThanOrEqual(25);
    expect(lanes.length).toBeLessThan(22);
  });
});

describe('totals of an earlier release', () => {
  const older = (sums: object, shard: string, seq: number): Item => ({
    ...keys.olderUsage(ORG),
    item_type: 'usage',
    ...sums,
    [markName(shard)]: markOf(seqOf(seq), START),
  });

  it('move with their sums and marks, and nothing that they include counts again', async () => {
    const table = aTable();
    await table.put(older({ 'payments:2026-03': 40 }, 'sqlite', 7));
    const totals = new TotalsRepo(table);
    for (const n of [6, 7, 8, 8, 7]) await addOne(totals, USAGE, 'sqlite', n, later(9 * DAY));
    await addOne(totals, USAGE, 'another', 3);
    expect(sumLanes(await lanesOf(table, USAGE))).toEqual({ 'payments:2026-03': 42 });
    expect(await table.get(keys.olderUsage(ORG))).toEqual({ ...keys.olderUsage(ORG), item_type: 'moved_totals' });
  });

  it('count on where they are until the next change comes', async () => {
    const table = aTable();
    await table.put({
      ...keys.olderCallTotals(ORG, 'main', '2'),
      item_type: 'calls',
      connection_id: 'main',
      generation: '2',
      total_calls: 5,
      last_success_at: START.toISOString(),
    });
    const totals = new TotalsRepo(table);
    const found = await totals.callTotals({ org_id: ORG, id: 'main', generation: 2 });
    expect(found).toMatchObject({ sums: { total_calls: 5 }, last_success_at: START.toISOString() });
    expect(await totals.callTotals({ org_id: ORG, id: 'main', generation: 1 })).toBeUndefined();
    await addOne(totals, { ...CALLS, generation: '2' }, 'sqlite', 1);
    const all = await totals.callTotalsOf(ORG, [
      { id: 'main', generation: 2 },
      { id: 'other', generation: 1 },
    ]);
    expect([...all].map(([id, { sums }]) => [id, sums.total_calls])).toEqual([['main', 6]]);
  });

  it('move once when two processes begin at the same time', async () => {
    const table = aTable();
    await table.put(older({ 'payments:2026-03': 40 }, 'shard-1', 7));
    const processes = [new TotalsRepo(table), new TotalsRepo(table), new TotalsRepo(table)];
    await Promise.all(
      processes.flatMap((totals) => [addOne(totals, USAGE, 'shard-1', 8), addOne(totals, USAGE, 'shard-2', 1)]),
    );
    expect(sumLanes(await lanesOf(table, USAGE))).toEqual({ 'payments:2026-03': 42 });
  });
});

it('takes at most three write units for a day on which payments failed for every reason there is', async () => {
  const counters = [
    ...PAYMENT_STATUSES,
    ...Object.keys(FAILURES).map((code) => FAILED_BY_CODE + code),
    ...DISPUTE_STATUSES.map(disputeCounter),
    ...[UNCAPTURED, 'calls', 'latency_ms', 'volume', 'refunded_amount', 'disputed_amount', 'dispute_lost_amount'],
  ];
  const add = Object.fromEntries(counters.map((name) => [name, 123_456_789]));
  const sizesWith = async (shards: number) => {
    const table = aTable();
    for (let n = 0; n < shards; n += 1)
      await new TotalsRepo(table).add(
        DAYS,
        { id: `shardId-${n}`, parents: async () => new Map() },
        [{ seq: seqOf(1), add }],
        START,
      );
    const lanes = await lanesOf(table, DAYS);
    expect(sumLanes(lanes)[`${FAILED_BY_CODE}card_declined`]).toBe(shards * 123_456_789);
    return Math.max(...lanes.map(itemSize));
  };
  expect(await sizesWith(4)).toBeLessThan(2_048);
  expect(await sizesWith(100)).toBeLessThan(3_072);
});
