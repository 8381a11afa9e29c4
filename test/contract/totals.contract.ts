import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { projectChanges } from '#functions/projector/project-changes.usecase.ts';
import { monthOf, usageCounter } from '#shared/domain/accounts/plan.rules.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { addSums, paymentDeltas, type Sums } from '#shared/domain/reporting/totals.rules.ts';
import { EXECUTION_STATUSES, type Execution } from '#shared/domain/workflows/execution.model.ts';
import { newExecution } from '#shared/domain/workflows/execution.rules.ts';
import { changesIn } from '#shared/store/changes.ts';
import { keys } from '#shared/store/keys.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { allLanes, sumLanes } from '#shared/store/repos/reporting/total-lanes.ts';
import { TotalsRepo } from '#shared/store/repos/reporting/totals.repo.ts';
import { AbTestRepo } from '#shared/store/repos/routing/ab-test.repo.ts';
import { executionEntity } from '#shared/store/repos/workflows/execution.repo.ts';
import { type FeedRecord, type Item, TableError, type TablePort } from '#shared/store/table/table.port.ts';
import { testId } from '#test/support/ab-test.builder.ts';
import { changed } from '#test/support/memory-store.ts';
import { aFailure, anAttempt, aPayment, paymentId } from '#test/support/payment.builder.ts';
import { later, START, stoppedClock } from '#test/support/stopped-clock.ts';

const CONNECTIONS = ['conn_a', 'conn_b'];
const TEST_ID = testId(1);
const SHARDS = ['shard-1', 'shard-2', 'shard-3', 'shard-4', 'shard-5'];
const WHERE = { from: '2026-01-01', to: '2026-12-31' };
const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * A payment in one state after another; not all of these changes can really happen, which does not matter to the
 * totals.
 */
const anImage = fc.record({
  status: fc.constantFrom('created', 'processing', 'requires_action', 'succeeded', 'failed', 'canceled', 'refunded'),
  at: fc.integer({ min: 0, max: 600 }),
  connection: fc.constantFrom(null, ...CONNECTIONS),
  refunded: fc.integer({ min: 0, max: 5_000 }),
  attempts: fc.array(
    fc.record({
      connection: fc.constantFrom(...CONNECTIONS),
      phase: fc.constantFrom('calling', 'unknown', 'accepted', 'final'),
      failure: fc.constantFrom(null, 'insufficient_funds', 'provider_unavailable'),
      latency_ms: fc.option(fc.integer({ min: 1, max: 900 })),
      variant: fc.constantFrom(null, 'A', 'B'),
    }),
    { maxLength: 2 },
  ),
});
const aHistory = fc.record({
  amount: fc.integer({ min: 1, max: 9_000 }),
  currency: fc.constantFrom('EUR', 'USD'),
  /** The last one is in another month. */
  day: fc.constantFrom(0, 1, 40),
  images: fc.array(anImage, { minLength: 1, maxLength: 5 }),
});
type History = (typeof aHistory extends fc.Arbitrary<infer T> ? T : never) & { readonly org_id: string };

/** A workflow execution, which counts when it is created unless it was refused; its statuses in any order. */
const aWalk = fc.record({
  day: fc.constantFrom(0, 1, 40),
  statuses: fc.array(fc.constantFrom(...EXECUTION_STATUSES), { minLength: 1, maxLength: 4 }),
});
type Walk = (typeof aWalk extends fc.Arbitrary<infer T> ? T : never) & { readonly org_id: string };

const EVENT: EventRecord = {
  id: 'evt_1',
  org_id: 'org_1',
  type: 'payment.failed',
  created_at: START.toISOString(),
  data: {},
  status: 'pending',
  attempts: [],
  tries: 0,
  next_attempt_at: null,
};
const executionsOf = ({ org_id, day, statuses }: Walk, n: number): readonly Execution[] =>
  statuses.map((status) => ({
    ...newExecution(EVENT, { id: 'wft_1', version: 1, steps: [] }, { rule_id: `wfr_${n}` }),
    org_id,
    status,
    created_at: later(day * 86_400_000).toISOString(),
  }));

const toAttempt = (
  { connection, phase, failure, latency_ms, variant }: History['images'][number]['attempts'][number],
  n: number,
): Attempt =>
  anAttempt({
    id: `att_${n}`,
    connection_id: connection,
    phase: phase as Attempt['phase'],
    latency_ms,
    ...(variant && { ab_test: { test_id: TEST_ID, variant } }),
    ...(phase === 'final' &&
      (failure ? { status: 'failed', failure: aFailure(failure as 'insufficient_funds') } : { status: 'succeeded' })),
  });

const paymentsOf = ({ org_id, amount, currency, day, images }: History, n: number): readonly Payment[] =>
  images.map(({ status, at, connection, refunded, attempts }) =>
    aPayment({
      id: paymentId(n),
      org_id,
      amount,
      currency,
      status: status as Payment['status'],
      created_at: later(day * 86_400_000).toISOString(),
      updated_at: later(at * 1_000).toISOString(),
      connection_id: connection,
      provider: connection === null ? null : 'stripe',
      amount_refunded: refunded,
      attempts: attempts.map(toAttempt),
    }),
  );

/** The changes as a stream delivers them: those of one item in order, and in one shard. */
function recordsOf(
  histories: readonly History[],
  turns: readonly number[],
  walks: readonly Walk[] = [],
): ReadonlyMap<string, FeedRecord[]> {
  const images = [
    ...histories.map((history, n) => paymentsOf(history, n).map((p) => paymentEntity.toItem(p, START))),
    ...walks.map((walk, n) => executionsOf(walk, n).map(executionEntity.toItem)),
  ];
  const left = images.map((own, n) => ({ shard: SHARDS[n % SHARDS.length]!, images: own }));
  const byShard = new Map<string, FeedRecord[]>(SHARDS.map((shard) => [shard, []]));
  const before = new Map<object, Item>();
  for (let turn = 0; left.some(({ images }) => images.length > 0); turn += 1) {
    const open = left.filter(({ images }) => images.length > 0);
    const chosen = open[(turns[turn % turns.length] ?? 0) % open.length]!;
    const next = chosen.images.shift()!;
    const old = before.get(chosen);
    before.set(chosen, next);
    byShard.get(chosen.shard)!.push({
      seq: String(turn + 1).padStart(8, '0'),
      key: { pk: next.pk, sk: next.sk },
      ...(old && { old }),
      new: next,
    });
  }
  return byShard;
}

/** A worker whose process crashes before or after one of its calls; others run between its calls. */
function workerOver(
  table: TablePort,
  { diesAt, after, waits }: { readonly diesAt: number; readonly after: boolean; readonly waits: number },
  lanes: { readonly maxMarks?: number } = {},
) {
  let calls = 0;
  const dead = () => new TableError('unavailable', 'unknown', 'The process is gone.');
  const mortal = changed(table, {
    update: async (...call) => {
      calls += 1;
      const mine = calls;
      for (let n = 0; n < waits; n += 1) await new Promise(setImmediate);
      if (mine > diesAt || (mine === diesAt && !after)) throw dead();
      const written = await table.update(...call);
      if (mine === diesAt) throw dead();
      return written;
    },
    put: async (...call) => {
      if (calls >= diesAt) throw dead();
      return table.put(...call);
    },
  });
  const images = {
    payments: { read: paymentEntity.fromItem } as never,
    executions: { read: executionEntity.fromItem } as never,
  };
  const config = { stage: 'live' } as const;
  return { ...images, totals: new TotalsRepo(mortal, lanes), clock: stoppedClock(), log: SILENT, config };
}

const aRun = fc.record({
  back: fc.integer({ min: 0, max: 4 }),
  length: fc.integer({ min: 1, max: 8 }),
  diesAt: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(1_000), fc.constant(1_000)),
  after: fc.boolean(),
  waits: fc.integer({ min: 0, max: 3 }),
});
type Run = typeof aRun extends fc.Arbitrary<infer T> ? T : never;

/**
 * Delivers all records of a shard in random batches, some of them repeatedly, to two workers at a time; failed
 * batches are delivered again.
 */
async function tell(
  table: TablePort,
  shard: string,
  records: readonly FeedRecord[],
  runs: readonly (readonly [Run, Run])[],
  lanes: { readonly maxMarks?: number } = {},
): Promise<void> {
  let done = 0;
  for (let turn = 0; done < records.length; turn += 1) {
    const pair = turn < runs.length ? runs[turn]! : [{ back: 0, length: 5, diesAt: 1_000, after: false, waits: 0 }];
    const from = done;
    const reached = await Promise.all(
      pair.map(async (run) => {
        const start = Math.max(0, from - run.back);
        const batch = records.slice(start, start + run.length);
        const { retryFrom } = await projectChanges({ id: shard }, changesIn(batch), workerOver(table, run, lanes), []);
        const failedAt = batch.findIndex(({ seq }) => seq === retryFrom);
        return start + (failedAt < 0 ? batch.length : failedAt);
      }),
    );
    done = Math.max(done, ...reached);
  }
}

/** A recount over all payments, which the service never does. */
function recounted(payments: readonly Payment[]) {
  const days: Record<string, Record<string, number>> = {};
  for (const { created_at, currency, connection_id, status, amount, amount_refunded, failure, attempts } of payments) {
    const place = `${created_at.slice(0, 10)} ${currency} ${connection_id}`;
    days[place] ??= {};
    const day = days[place];
    day[status] = (day[status] ?? 0) + 1;
    day.volume = (day.volume ?? 0) + (status === 'succeeded' || status === 'refunded' ? amount : 0);
    day.refunded_amount = (day.refunded_amount ?? 0) + amount_refunded;
    if (status === 'failed' && failure) day[`failed:${failure.code}`] = (day[`failed:${failure.code}`] ?? 0) + 1;
    for (const attempt of attempts) {
      if (attempt.connection_id !== connection_id || attempt.call === 'none') continue;
      if (attempt.latency_ms === null) continue;
      day.calls = (day.calls ?? 0) + 1;
      day.latency_ms = (day.latency_ms ?? 0) + attempt.latency_ms;
    }
  }
  return nonZero(days);
}

/** The executions created in each month, whatever their status. */
function made(payments: readonly Payment[], walks: readonly Walk[]): Sums {
  const months: Record<string, number> = {};
  const count = (metric: string, { created_at }: { readonly created_at: string }) => {
    const name = `${metric}:${created_at.slice(0, 7)}`;
    months[name] = (months[name] ?? 0) + 1;
  };
  for (const payment of payments) count('payments', payment);
  const begun = walks.flatMap((walk, n) => executionsOf(walk, n).slice(0, 1));
  for (const execution of begun.filter(({ status }) => status !== 'refused')) count('workflow_executions', execution);
  return months;
}

const usageIn = async (table: TablePort, orgId: string) =>
  sumLanes(await allLanes(table, orgId, { range: { prefix: keys.usage(orgId).sk } }));

/** Every attempt that a test started, in its final state. */
function retried(payments: readonly Payment[]) {
  const variants: Record<string, Record<string, number>> = {};
  for (const { amount, currency, attempts } of payments) {
    for (const { ab_test, status, latency_ms } of attempts) {
      if (!ab_test) continue;
      variants[ab_test.variant] ??= {};
      const own = variants[ab_test.variant]!;
      const count = (name: string, by: number) => {
        own[name] = (own[name] ?? 0) + by;
      };
      count('transactions', 1);
      const ended = { succeeded: 'successful', failed: 'failed' } as const;
      count(status === 'succeeded' || status === 'failed' ? ended[status] : 'open', 1);
      count('total_latency_ms', latency_ms ?? 0);
      if (status === 'succeeded') count(`taken:${currency}`, amount);
    }
  }
  return nonZero(variants);
}

const RECOUNTED = ['transactions', 'successful', 'failed', 'open', 'total_latency_ms', 'taken:EUR', 'taken:USD'];

/** The totals of each variant that has any. */
async function variantsIn(table: TablePort, org_id: string) {
  await table.put({ pk: `TEST#${org_id}`, sk: TEST_ID, item_type: 'ab_test', id: TEST_ID });
  const counted = await new AbTestRepo(table).getWithTotals(org_id, TEST_ID);
  const told = [...(counted?.totals ?? [])].map(([variant, { sums }]): [string, Sums] => {
    const open = (sums.transactions ?? 0) - (sums.successful ?? 0) - (sums.failed ?? 0);
    return [
      variant,
      Object.fromEntries(Object.entries({ ...sums, open }).filter(([name]) => RECOUNTED.includes(name))),
    ];
  });
  return nonZero(Object.fromEntries(told));
}

const nonZero = (days: Readonly<Record<string, Sums>>) =>
  Object.fromEntries(
    Object.entries(days).flatMap(([place, sums]) =>
      Object.keys(addSums([sums])).length > 0 ? [[place, addSums([sums])]] : [],
    ),
  );

/** One change after another, each once. */
function callsOneByOne(histories: readonly History[], connection: string) {
  const images = histories.map(paymentsOf);
  const deltas = images.flatMap((own) => own.flatMap((payment, n) => paymentDeltas(own[n - 1], payment)));
  const mine = deltas.filter(({ of }) => of.kind === 'calls' && of.connection_id === connection);
  const newest = (name: string) =>
    mine
      .flatMap(({ latest }) => latest?.[name] ?? [])
      .sort()
      .at(-1) ?? null;
  return {
    sums: addSums(mine.map(({ add }) => add)),
    last_success_at: newest('last_success_at'),
    last_failure_at: newest('last_failure_at'),
  };
}

/** What the totals guarantee with every kind of table. */
export function totalsContract(name: string, open: () => Promise<TablePort>, numRuns: number): void {
  describe(`the totals in ${name}`, () => {
    let table: TablePort;
    let runsSoFar = 0;
    beforeEach(async () => {
      table = await open();
    });

    it('equal a recount however their changes are batched, repeated and crashed, by two concurrent workers', async () => {
      const plan = fc.record({
        histories: fc.array(aHistory, { minLength: 1, maxLength: 7 }),
        walks: fc.array(aWalk, { maxLength: 5 }),
        turns: fc.array(fc.nat(6), { minLength: 1, maxLength: 20 }),
        runs: fc.array(fc.array(fc.tuple(aRun, aRun), { maxLength: 8 }), { minLength: 5, maxLength: 5 }),
        // With one mark in a lane, the totals of five shards are in several lanes.
        maxMarks: fc.constantFrom(1, 12),
      });
      await fc.assert(
        fc.asyncProperty(plan, async ({ histories, walks, turns, runs, maxMarks }) => {
          runsSoFar += 1;
          const org_id = `org_${runsSoFar}`;
          const all = histories.map((history) => ({ ...history, org_id }));
          const walked = walks.map((walk) => ({ ...walk, org_id }));
          const shards = [...recordsOf(all, turns, walked)];
          await Promise.all(
            shards.map(([shard, records], n) => tell(table, shard, records, runs[n] ?? [], { maxMarks })),
          );

          const totals = new TotalsRepo(table);
          const days = await totals.days(org_id, WHERE);
          const shown = Object.fromEntries(
            days.map(({ day, currency, connection_id, sums }) => [`${day} ${currency} ${connection_id}`, sums]),
          );
          const last = all.map((history, n) => paymentsOf(history, n).at(-1)!);
          expect(nonZero(shown)).toEqual(recounted(last));
          expect(await variantsIn(table, org_id)).toEqual(retried(last));
          expect(await usageIn(table, org_id)).toEqual(made(last, walked));
          for (const connection of CONNECTIONS) {
            const {
              sums = {},
              last_success_at = null,
              last_failure_at = null,
            } = (await totals.callTotals({ org_id, id: connection, generation: 1 })) ?? {};
            expect({ sums: addSums([sums]), last_success_at, last_failure_at }).toEqual(callsOneByOne(all, connection));
          }
        }),
        { numRuns },
      );
    });

    it('take one write per total of a batch, once there is the total', async () => {
      let writes = 0;
      const counted = changed(table, {
        update: (...call) => {
          writes += 1;
          return table.update(...call);
        },
      });
      const worker = {
        ...workerOver(table, { diesAt: 1_000, after: false, waits: 0 }),
        totals: new TotalsRepo(counted),
        // Without plan limits the counts of the month are not shown to payments.
        config: { stage: 'sandbox' },
      } as const;
      const histories = Array.from({ length: 50 }, () => ({ org_id: 'org_x', ...settled }));
      const records = recordsOf(histories, [0]).get('shard-1')!;
      await projectChanges({ id: 'shard-1' }, changesIn(records.slice(0, 10)), worker);
      writes = 0;
      await projectChanges({ id: 'shard-1' }, changesIn(records.slice(10)), worker);
      expect(writes).toBe(3);
      expect(await usageIn(table, 'org_x')).toEqual({ 'payments:2026-03': 10 });
    });

    it('of a day are found by currency and connection', async () => {
      const records = recordsOf(
        [
          { org_id: 'org_y', ...settled },
          { org_id: 'org_y', ...settled, currency: 'USD' },
        ],
        [0],
      );
      for (const [shard, own] of records) await tell(table, shard, own, []);
      const found = async (where: object) =>
        (await new TotalsRepo(table).days('org_y', { ...WHERE, ...where })).map(({ currency, sums }) => [
          currency,
          sums.succeeded,
        ]);
      expect(await found({})).toEqual([
        ['EUR', 1],
        ['USD', 1],
      ]);
      expect(await found({ currency: 'USD', connection_id: 'conn_a' })).toEqual([['USD', 1]]);
      expect(await found({ connection_id: 'conn_b' })).toEqual([]);
      expect(await found({ from: '2026-03-02' })).toEqual([]);
    });

    it('drop old months, and keep counting in recent ones', async () => {
      const totals = new TotalsRepo(table);
      const place = { kind: 'usage', org_id: 'org_u' } as const;
      for (let n = 0; n < 48; n += 1) {
        const at = new Date(Date.UTC(2026, n));
        await totals.add(
          place,
          { id: 'shard' },
          [{ seq: String(n).padStart(4, '0'), add: { [usageCounter('payments', monthOf(at))]: 1 } }],
          at,
        );
      }
      const months = Object.keys(await usageIn(table, 'org_u')).sort();
      expect([months.length <= 13 + 24, months.length >= 13, months.at(-13), months.at(-1)]).toEqual([
        true,
        true,
        'payments:2028-12',
        'payments:2029-12',
      ]);
    });
  });
}

const settled = {
  amount: 100,
  currency: 'EUR',
  day: 0,
  images: [
    {
      status: 'processing',
      at: 0,
      connection: 'conn_a',
      refunded: 0,
      attempts: [{ connection: 'conn_a', phase: 'calling', failure: null, latency_ms: null, variant: null }],
    },
    {
      status: 'succeeded',
      at: 1,
      connection: 'conn_a',
      refunded: 0,
      attempts: [{ connection: 'conn_a', phase: 'final', failure: null, latency_ms: 90, variant: null }],
    },
  ],
} satisfies Omit<History, 'org_id'>;
