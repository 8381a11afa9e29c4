import { beforeAll, describe, expect, it } from 'vitest';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import { derivedId } from '#shared/kernel/ids.ts';
import type { EventsPort } from '#shared/ports/events.port.ts';
import { EventRepo } from '#shared/store/repos/webhooks/event.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { type Cost, costOf, countedTable } from '#test/bench/counted-table.ts';
import { readCounter } from '#test/bench/list-reads.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';

/** The newest thousand of the many are the few, so that only older events make a difference. */
const [FEW, MANY] = [1_000, 20_000];
/** The newest two hundred were delivered; of the older ones one in four failed. */
const FINE = 200;
const LANES = 16;

const at = (n: number): string => later(n * 1_000).toISOString();

const anEvent = (n: number): EventRecord => ({
  id: derivedId('event', later(n * 1_000), String(n)),
  org_id: ORG,
  type: n % 3 ? 'payment.succeeded' : 'payment.created',
  created_at: at(n),
  data: { id: `pay_${n}`, amount: 5_000, currency: 'EUR' },
  status: n < MANY - FINE && n % 4 === 0 ? 'failed' : 'delivered',
  attempts: [],
  tries: 0,
  next_attempt_at: null,
});

/** A table with the newest so many events, and its reads. */
async function holding(count: number) {
  const bare = new SqliteTable({ database: openDatabase(':memory:') });
  const { table, readsOf } = readCounter(bare);
  const events = new EventRepo(bare, systemClock);
  let next = MANY - count;
  const lane = async () => {
    for (let n = next++; n < MANY; n = next++) await events.record(anEvent(n));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const counted = new EventRepo(table, systemClock);
  // Half a unit, once in half a minute: how many partitions the lists of the organization have.
  expect((await readsOf(() => counted.listFailedIds(ORG, { since: at(0), until: at(0) }, 1))).reads.rru).toBe(2.5);
  return (work: (events: EventsPort) => Promise<unknown>) => readsOf(() => work(counted));
}

type Holding = Awaited<ReturnType<typeof holding>>;
type Where = Partial<Parameters<EventsPort['list']>[1]>;

const listed = (where: Where) => (events: EventsPort) => events.list(ORG, { limit: 50, offset: 0, ...where });
const ever = { since: at(0), until: at(MANY) };

let few: Holding;
let many: Holding;
beforeAll(async () => {
  [few, many] = [await holding(FEW), await holding(MANY)];
}, 120_000);

/** The keys of a page and one more, and as many small items. */
const ONE_BY_ONE = 51 * 0.5;

describe('a page of failed events', () => {
  it.each<[string, Where]>([
    ['', {}],
    ['of one type', { type: 'payment.created', limit: 20 }],
    [' before a time', { created_before: at(MANY - 400) }],
    [' since a time', { created_after: at(MANY - 800) }],
  ])('costs and shows the same with a thousand events and with twenty thousand%s', async (_, where) => {
    const list = listed({ status: 'failed', ...where });
    const [ofFew, ofMany] = [await few(list), await many(list)];
    expect(ofMany).toEqual(ofFew);
    expect(ofMany.result).toMatchObject({ items: { length: where.limit ?? 50 } });
    expect(ofMany.reads.calls).toBeLessThan(10);
  });

  it('reads the events of the page, one more, and few keys', async () => {
    expect((await many(listed({ status: 'failed' }))).reads).toEqual({ calls: 4 + 1, rru: 4 + ONE_BY_ONE });
  });

  it('costs the same at any depth', async () => {
    const [first, deep] = [
      await many(listed({ status: 'failed' })),
      await many(listed({ status: 'failed', created_before: at(2_000) })),
    ];
    expect(deep.reads).toEqual(first.reads);
  });

  it('skips an offset on keys', async () => {
    const { reads, result } = await many(listed({ status: 'failed', offset: 1_000 }));
    expect(result).toMatchObject({ items: { length: 50 } });
    expect(reads.rru).toBeLessThan(ONE_BY_ONE + 1_200 / 20);
    expect(reads.calls).toBeLessThan(20);
  });
});

describe('a page of events to be replayed', () => {
  const page =
    (where = {}) =>
    (events: EventsPort) =>
      events.listFailedIds(ORG, { ...ever, ...where }, 100);

  it('costs and contains the same for the same failures among a thousand events and among twenty thousand', async () => {
    const since = at(MANY - FEW);
    const [ofFew, ofMany] = [await few(page({ since })), await many(page({ since }))];
    expect(ofMany).toEqual(ofFew);
    expect(ofMany.result).toMatchObject({ ids: { length: 100 }, next: expect.any(String) });
  });

  it('reads only keys, a few times as many as it returns', async () => {
    const { reads, result } = await many(page());
    expect(result).toMatchObject({ ids: { length: 100 }, next: expect.any(String) });
    expect(reads.calls).toBe(4);
    expect(reads.rru).toBeLessThanOrEqual(4 * 3);
  });

  it('also reads the events to filter by type', async () => {
    const { reads } = await many(page({ type: 'payment.created' }));
    expect(reads.calls).toBe(4 + 1);
    expect(reads.rru).toBeLessThanOrEqual(4 * 3 + 100 * 0.5);
  });
});

describe('settling an event', () => {
  const failed = { status: 'failed', nextAt: null, dueAt: null } as const;
  const attempt = { at: at(0), status_code: 500, duration_ms: 1, error: null };

  /** The units for settling an event like this, again and again. */
  async function writesOf(...statuses: readonly EventRecord['status'][]): Promise<readonly number[]> {
    const costs: Cost[] = [];
    const events = new EventRepo(
      countedTable(new SqliteTable({ database: openDatabase(':memory:') }), () => (cost) => void costs.push(cost)),
      systemClock,
    );
    const { id } = await events.record({ ...anEvent(0), status: 'pending' });
    for (const status of statuses)
      await events.recordAttempt((await events.get(ORG, id))!, { ...failed, attempt, status });
    return costs.filter(({ call }) => call === 'update').map(costOf);
  }

  it.each(['delivered', 'skipped', 'pending'] as const)('as %s writes only the event', async (status) =>
    expect(await writesOf(status)).toEqual([1]),
  );

  it('as failed writes one more unit once, and one more to reverse it', async () =>
    expect(await writesOf('failed', 'failed', 'delivered')).toEqual([2, 1, 2]));
});
