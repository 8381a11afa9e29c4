import { describe, expect, it } from 'vitest';
import { sweepDue } from '#functions/timers/sweep-due.usecase.ts';
import { clockSteps } from '#lib/local/clock-steps.ts';
import { DAY, MINUTE } from '#shared/kernel/clock.ts';
import type { DueIndex, DuePort } from '#shared/ports/due.port.ts';
import type { QueuePort } from '#shared/ports/queue.port.ts';
import { SweepRepo } from '#shared/store/repos/due.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { type Entry, keepingQueue, putDue, settle, subscriptionId } from '#test/support/due-entries.ts';
import { changed, memoryStore } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const SILENT = { info: () => {}, warn: () => {}, error: () => {} };
/** More than one read returns. */
const [PAGE, BACKLOG] = [500, 1_250];
/** In one of 64 shards: 2,000 in all are no backlog. */
const FEW = 31;

/**
 * Subscriptions by number, in the first shard of the due index by default, and sweeps that return the entries they
 * enqueued.
 */
function aTable() {
  const calls: string[] = [];
  const through = (inner: TablePort) =>
    changed(inner, {
      entries: (...how) => inner.entries(...how).finally(() => calls.push('entries')),
      query: (where) => inner.query(where).finally(() => calls.push('query')),
      put: (...how) => inner.put(...how).finally(() => calls.push('put')),
    });
  const { table, clock, due } = memoryStore({ through });
  const deps = { clock, due, sweeps: new SweepRepo(through(table)), queue: keepingQueue(), log: SILENT };
  return {
    calls,
    table,
    clock,
    shards: due.shards,
    deps,
    put: (ns: readonly number[], about: Partial<Entry> = {}) =>
      putDue(
        table,
        ns.map((n) => ({ id: subscriptionId(n), at: START, shard: due.shards[0] ?? '', ...about })),
      ),
    sweep: async (mostMs?: number) => {
      await sweepDue(deps, mostMs);
      return deps.queue.take();
    },
  };
}

type Sent = Awaited<ReturnType<ReturnType<typeof aTable>['sweep']>>;

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
const idsOf = (sent: Sent) => sent.map(({ body }) => String(body.id)).sort();
const ids = (from: number, to: number) => numbers(from, to).map(subscriptionId).sort();

describe('a sweep', () => {
  it('enqueues everything due once, however many pages it takes, and nothing else', async () => {
    const { put, sweep } = aTable();
    await put(numbers(0, BACKLOG));
    await put([9_000], { at: later(1) });
    expect(idsOf(await sweep())).toEqual(ids(0, BACKLOG));
  });

  it('sends renewals and workflows to their own queues, grouped by organization if known', async () => {
    const { table, shards, put, sweep } = aTable();
    await put([1], { orgId: ORG });
    await put([2]);
    for (const [pk, id] of [
      ['INV#inv_1', 'inv_1'],
      ['PAY#0a', 'pay_1'],
      ['LINK#plink_1', 'plink_1'],
      ['EVT#org_e#2', 'evt_2'],
      ['TEST#org_t', 'abt_1'],
      ['ORG#org_c', 'conn_1'],
      ['EXEC#wfx_1', `wfx_1#${ORG}`],
      ['OWED#evt_1', `evt_1#${ORG}`],
    ] as const)
      await table.put({ pk, sk: 'X', due_pk: shards[0] ?? '', due_sk: `${START.toISOString()}#${id}` });
    const sent = (await sweep()).map(({ queue, group, body }) => [queue, group, body.kind]);
    expect(sent.sort()).toEqual(
      [
        ['renewals', 'inv_1', 'invoice'],
        ['renewals', subscriptionId(2), 'subscription'],
        ['renewals', ORG, 'subscription'],
        ['timers', 'plink_1', 'payment_link'],
        ['timers', 'pay_1', 'payment'],
        ['timers', 'org_e', 'event'],
        ['timers', 'org_t', 'ab_test'],
        ['timers', 'org_c', 'connection'],
        ['workflow-runs', ORG, 'execution'],
        ['workflow-runs', ORG, 'owed_start'],
      ].sort(),
    );
  });

  it('finds everything that fell due in three months without a sweep', async () => {
    const { clock, put, sweep } = aTable();
    for (const n of numbers(0, BACKLOG)) await put([n], { at: later(n * 100 * MINUTE) });
    clock.pass(90 * DAY);
    expect(idsOf(await sweep())).toEqual(ids(0, BACKLOG));
  });

  it('reads only one page per shard if little is due', async () => {
    const { calls, put, sweep, shards } = aTable();
    await put(numbers(0, 2_000), { at: later(DAY) });
    expect([await sweep(), calls.splice(0)]).toEqual([[], shards.map(() => 'entries')]);
    await put(numbers(2_000, 2_000 + FEW));
    expect([idsOf(await sweep()), calls.splice(0)]).toEqual([ids(2_000, 2_000 + FEW), shards.map(() => 'entries')]);
    await put([2_000 + FEW]);
    await sweep();
    expect(calls).toContain('put');
  });

  it('enqueues unprocessed entries again if there are few', async () => {
    const { clock, put, sweep } = aTable();
    await put(numbers(0, 10));
    await sweep();
    clock.pass(MINUTE);
    expect(idsOf(await sweep())).toEqual(ids(0, 10));
  });
});

describe('a backlog', () => {
  it('is enqueued again only after a quarter of an hour', async () => {
    const { clock, put, sweep } = aTable();
    await put(numbers(0, BACKLOG));
    await sweep();
    for (let minute = 1; minute < 15; minute += 1) {
      clock.pass(MINUTE);
      expect(await sweep()).toEqual([]);
    }
    clock.pass(MINUTE);
    expect(idsOf(await sweep())).toEqual(ids(0, BACKLOG));
    clock.pass(14 * MINUTE);
    expect(await sweep()).toEqual([]);
  });

  it('does not hide entries that come later, nor ones that are due again', async () => {
    const { table, clock, put, sweep } = aTable();
    await put(numbers(0, BACKLOG));
    await sweep();
    clock.pass(MINUTE);
    await put([9_000], { at: later(-30 * DAY) });
    await put([9_001], { at: later(MINUTE) });
    await settle(table, subscriptionId(0));
    await put([1], { at: later(1) });
    expect(idsOf(await sweep())).toEqual([1, 9_000, 9_001].map(subscriptionId).sort());
  });

  it('is continued by the next sweep if it takes too long', async () => {
    const { clock, put, sweep } = aTable();
    await put(numbers(0, BACKLOG));
    const first = await sweep(0);
    clock.pass(MINUTE);
    expect([first.length, idsOf([...first, ...(await sweep())])]).toEqual([PAGE, ids(0, BACKLOG)]);
  });

  it('is enqueued completely despite failing writes, with at most a page twice', async () => {
    const { clock, put, deps } = aTable();
    await put(numbers(0, BACKLOG));
    let calls = 0;
    const failing =
      <A extends readonly unknown[]>(work: (...args: A) => Promise<void>) =>
      async (...args: A) => {
        calls += 1;
        if (calls === 2 || calls === 5) throw new Error('not now');
        await work(...args);
      };
    const queue: QueuePort = { send: failing(deps.queue.send) };
    const sweeps = {
      recordEnqueued: failing(deps.sweeps.recordEnqueued.bind(deps.sweeps)),
      enqueuedBetween: deps.sweeps.enqueuedBetween.bind(deps.sweeps),
    };
    for (let tries = 0; tries < 2; tries += 1) {
      await expect(sweepDue({ ...deps, queue, sweeps })).rejects.toThrow('not now');
      clock.pass(MINUTE);
    }
    await sweepDue({ ...deps, queue, sweeps });
    const sent = idsOf(deps.queue.take());
    expect([...new Set(sent)]).toEqual(ids(0, BACKLOG));
    expect(sent.length).toBeLessThanOrEqual(BACKLOG + PAGE);
  });

  it('is enqueued although another shard fails', async () => {
    const { put, deps, shards: all } = aTable();
    const shards = all.slice(0, 4);
    for (const [n, shard] of shards.entries()) await put(numbers(n * BACKLOG, (n + 1) * BACKLOG), { shard });
    const due: DuePort = {
      shards,
      shardsDue: async () => shards,
      due: (shard, ...how) => (shard === shards[1] ? Promise.reject(new Error('down')) : deps.due.due(shard, ...how)),
      earliest: () => deps.due.earliest(),
    };
    await expect(sweepDue({ ...deps, due })).rejects.toThrow('down');
    expect(deps.queue.take()).toHaveLength(3 * BACKLOG);
  });

  it('is enqueued by two concurrent sweeps, and by no third one', async () => {
    const { clock, put, deps, sweep } = aTable();
    await put(numbers(0, BACKLOG));
    await Promise.all([sweepDue(deps), sweepDue(deps)]);
    expect(deps.queue.take()).toHaveLength(2 * BACKLOG);
    clock.pass(MINUTE);
    expect(await sweep()).toEqual([]);
  });

  it('is enqueued again with a stopped clock, when everything before is processed', async () => {
    const { put, sweep } = aTable();
    await put(numbers(0, BACKLOG));
    expect(idsOf(await sweep())).toEqual(idsOf(await sweep()));
  });

  it('is processed by a clock that is moved, including missed periods', async () => {
    const { table, clock, put, sweep, deps } = aTable();
    await put(numbers(0, BACKLOG), { at: later(DAY) });
    const done: string[] = [];
    // Each becomes due a second time, at a time that is then past.
    const drain = async () => {
      for (const id of idsOf(deps.queue.take())) {
        done.push(id);
        await (done.length > BACKLOG
          ? settle(table, id)
          : putDue(table, [{ id, at: later(DAY - MINUTE), shard: deps.due.shards[0] ?? '' }]));
      }
    };
    const standing = {
      now: () => clock.now(),
      stand: async (at: Date) => clock.pass(at.getTime() - clock.now().getTime()),
      run: async () => {},
    };
    const schedules = { hold: async () => {}, release: () => {}, runAll: () => sweepDue(deps) };
    const wholeIndex = (due: DuePort): DueIndex => ({
      shards: (until) => due.shardsDue(until),
      due: async (until, limit) => (await Promise.all(due.shards.map((shard) => due.due(shard, until, limit)))).flat(),
      earliest: () => due.earliest(),
    });
    const move = clockSteps({
      clock: standing,
      due: wholeIndex(deps.due),
      queue: { nextVisibleAt: async () => undefined },
      schedules,
      drain,
    });
    await move(() => later(2 * DAY));
    expect(done.sort()).toEqual([...ids(0, BACKLOG), ...ids(0, BACKLOG)].sort());
    expect(await sweep()).toEqual([]);
  });
});
