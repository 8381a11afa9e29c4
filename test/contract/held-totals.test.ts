import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ProjectedBatch, projectChanges } from '#functions/projector/project-changes.usecase.ts';
import { processDue } from '#functions/timers/process-due.usecase.ts';
import { DAY, MINUTE } from '#shared/kernel/clock.ts';
import { catchUpTotals } from '#shared/services/reporting/catch-up-totals.service.ts';
import { changesIn } from '#shared/store/changes.ts';
import { keys } from '#shared/store/keys.ts';
import { DueRepo } from '#shared/store/repos/due.repo.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { allLanes, sumLanes } from '#shared/store/repos/reporting/total-lanes.ts';
import { TotalsRepo } from '#shared/store/repos/reporting/totals.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { type FeedRecord, type Key, TableError, type TablePort } from '#shared/store/table/table.port.ts';
import { changed } from '#test/support/memory-store.ts';
import { aPayment, paymentId } from '#test/support/payment.builder.ts';
import { later, START, stoppedClock } from '#test/support/stopped-clock.ts';

const SILENT = { info: () => {}, warn: () => {}, error: () => {} };
const SHARD = { id: 'shardId-1' };
const [SICK, WELL] = ['org_sick', 'org_well'];

/** A new payment, in turn of one organization and of the other. */
const record = (n: number): FeedRecord => {
  const org_id = n % 2 === 0 ? SICK : WELL;
  const item = paymentEntity.toItem(aPayment({ id: paymentId(n), org_id, status: 'canceled' }), START);
  return { seq: String(n).padStart(8, '0'), key: { pk: item.pk, sk: item.sk }, new: item };
};

/** A projector over a table whose writes fail where `isSick` says so. */
function aProjector(isSick: (key: Key) => boolean) {
  const bare: TablePort = new SqliteTable({ database: openDatabase(':memory:') });
  const written: string[] = [];
  const table = changed(bare, {
    update: async (key, change, condition) => {
      if (isSick(key)) throw new TableError('unavailable', 'not_done', 'This item cannot be written.');
      written.push(`${key.pk} ${key.sk}`);
      return bare.update(key, change, condition);
    },
    put: async (item, condition) => {
      if (isSick(item)) throw new TableError('unavailable', 'not_done', 'This item cannot be written.');
      return bare.put(item, condition);
    },
  });
  const clock = stoppedClock();
  let nothingHeld = false;
  const deps = { totals: new TotalsRepo(table), clock, log: SILENT, config: { stage: 'sandbox' } } as const;
  return {
    table: bare,
    written,
    deps,
    tell: async (from: number, to: number, knows = nothingHeld) => {
      const changes = changesIn(Array.from({ length: to - from }, (_, n) => record(from + n)));
      const result = await projectChanges({ ...SHARD, nothingHeld: knows }, changes, deps, []);
      nothingHeld = result.nothingHeld;
      return result;
    },
    catchUp: () => catchUpTotals(SHARD.id, deps),
    paymentsOf: async (orgId: string) =>
      sumLanes(await allLanes(bare, orgId, { range: { prefix: keys.usage(orgId).sk } }))['payments:2026-03'] ?? 0,
    days: async (orgId: string) =>
      (await deps.totals.days(orgId, { from: '2026-03-01', to: '2026-03-01' })).map(({ sums }) => sums.canceled),
  };
}

const usageOfSick = ({ pk, sk }: Key) => pk === keys.usage(SICK).pk && sk === keys.usage(SICK).sk;

describe('a total that cannot be written', () => {
  it('stops neither its shard nor any other total, and has all of its changes once it can be written', async () => {
    let isBroken = true;
    const { tell, catchUp, paymentsOf, days } = aProjector((key) => isBroken && usageOfSick(key));
    for (const from of [0, 10, 20]) expect(await tell(from, from + 10)).toEqual({ nothingHeld: false });
    expect([await paymentsOf(SICK), await paymentsOf(WELL), await days(SICK)]).toEqual([0, 15, [15]]);
    await catchUp();
    expect(await paymentsOf(SICK)).toBe(0);
    isBroken = false;
    // As long as earlier changes are held, later ones wait behind them.
    await tell(30, 40);
    expect(await paymentsOf(SICK)).toBe(0);
    await catchUp();
    await catchUp();
    expect([await paymentsOf(SICK), await paymentsOf(WELL), await days(SICK)]).toEqual([20, 20, [20]]);
    await tell(40, 50);
    expect([await paymentsOf(SICK), await paymentsOf(WELL)]).toEqual([25, 25]);
  });

  it('does not make the others work again', async () => {
    const { tell, written } = aProjector(usageOfSick);
    await tell(0, 10);
    written.length = 0;
    await tell(10, 20);
    expect(written.length).toBe(new Set(written).size);
    expect(written).not.toContain(`${keys.usage(SICK).pk} ${keys.usage(SICK).sk}`);
  });

  it('is found by the sweep a minute later, and by its entry in the queue of the timers', async () => {
    let isBroken = true;
    const { tell, table, deps, paymentsOf } = aProjector((key) => isBroken && usageOfSick(key));
    await tell(0, 10);
    const due = new DueRepo(table);
    const found = async (at: Date) =>
      (await Promise.all(due.shards.map((shard) => due.due(shard, at, 10))))
        .flat()
        .filter(({ kind }) => kind === 'held_totals');
    expect(await found(later(MINUTE - 1))).toEqual([]);
    const [entry] = await found(later(MINUTE));
    isBroken = false;
    await processDue({ kind: entry?.kind, id: entry?.id, at: entry?.at }, deps as never);
    expect([await paymentsOf(SICK), await found(later(DAY))]).toEqual([5, []]);
  });

  it('stops its shard if nothing can be held, and loses nothing', async () => {
    let isBroken = true;
    const { tell, paymentsOf, days } = aProjector(
      (key) => isBroken && (usageOfSick(key) || key.pk.startsWith('HELD#')),
    );
    const first = { retryFrom: '00000000', nothingHeld: false };
    expect([await tell(0, 10), await tell(0, 10)]).toEqual([first, first]);
    isBroken = false;
    expect(await tell(0, 10)).toEqual({ nothingHeld: true });
    expect([await paymentsOf(SICK), await paymentsOf(WELL), await days(WELL)]).toEqual([5, 5, [5]]);
  });

  it('is not passed over if its batch is delivered again for another reason', async () => {
    let isBroken = true;
    const summary = keys.routingSummary(WELL).pk;
    const { tell, catchUp, paymentsOf } = aProjector((key) => isBroken && (usageOfSick(key) || key.pk === summary));
    const { retryFrom } = await tell(0, 10, true);
    expect(retryFrom).toBe('00000000');
    isBroken = false;
    await tell(Number(retryFrom), 10, true);
    await catchUp();
    expect([await paymentsOf(SICK), await paymentsOf(WELL)]).toEqual([5, 5]);
  });

  it('is not lost if two of the timers catch up at once', async () => {
    let isBroken = true;
    const { tell, catchUp, deps, paymentsOf } = aProjector((key) => isBroken && usageOfSick(key));
    await tell(0, 10);
    const seen = await deps.totals.held(SHARD.id);
    isBroken = false;
    await catchUp();
    isBroken = true;
    await tell(10, 20);
    expect(await deps.totals.hold({ ...seen!, version: seen!.version + 1, totals: [] }, START)).toBe(false);
    isBroken = false;
    await catchUp();
    expect(await paymentsOf(SICK)).toBe(10);
  });

  it('takes no read of what is held while nothing is', async () => {
    const { tell, deps } = aProjector(() => false);
    expect(await tell(0, 10)).toEqual({ nothingHeld: true });
    let reads = 0;
    const totals = {
      add: deps.totals.add.bind(deps.totals),
      hold: deps.totals.hold.bind(deps.totals),
      summarize: deps.totals.summarize.bind(deps.totals),
      held: async () => {
        reads += 1;
        return undefined;
      },
    };
    const counting = { ...deps, totals: totals as unknown as TotalsRepo };
    for (const nothingHeld of [true, false])
      await projectChanges({ ...SHARD, nothingHeld }, changesIn([record(10)]), counting);
    expect(reads).toBe(1);
  });

  it('is exact whatever fails, is delivered again, or is caught up in between', async () => {
    const step = fc.record({
      back: fc.integer({ min: 0, max: 6 }),
      length: fc.integer({ min: 1, max: 8 }),
      failing: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
      catchesUp: fc.boolean(),
      twice: fc.boolean(),
      /** An invocation that dies before it answers: the next one knows what was known before it. */
      dies: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        let failing: readonly boolean[] = [false];
        let calls = 0;
        const { tell, catchUp, paymentsOf, days } = aProjector(() => {
          calls += 1;
          return failing[calls % failing.length] ?? false;
        });
        let done = 0;
        let known = false;
        for (const { back, length, catchesUp, twice, dies, ...how } of steps) {
          failing = how.failing;
          const from = Math.max(0, done - back);
          const to = Math.max(done, from + length);
          const told = tell(from, to, known);
          const others = [twice && tell(from, to, known), catchesUp && catchUp().catch(() => false)];
          await Promise.all([told, ...others]);
          const result: ProjectedBatch = await told;
          if (dies) continue;
          known = result.nothingHeld;
          done = result.retryFrom === undefined ? to : Math.max(done, Number(result.retryFrom));
        }
        failing = [false];
        await tell(done, 60, known);
        await catchUp();
        await catchUp();
        expect([await paymentsOf(SICK), await paymentsOf(WELL)]).toEqual([30, 30]);
        expect([await days(SICK), await days(WELL)]).toEqual([[30], [30]]);
      }),
      { numRuns: 60 },
    );
  });
});
