import { describe, expect, it } from 'vitest';
import { healthIn, healthOf, minuteName, minuteOf } from '#shared/domain/routing/health.rules.ts';
import { HOUR, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';
import { keys } from '#shared/store/keys.ts';
import { readRoutingSummary } from '#shared/store/repos/reporting/routing-summary.repo.ts';
import { TotalsRepo } from '#shared/store/repos/reporting/totals.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { itemSize } from '#shared/store/table/item.rules.ts';
import { changed } from '#test/support/memory-store.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const ORG = 'org_1';
const usageKey = { kind: 'usage', org_id: ORG } as const;
const callsOf = (connection_id: string) => ({ kind: 'calls', org_id: ORG, connection_id }) as const;
const seqOf = (n: number) => String(n).padStart(8, '0');

/** A projector, the writes that it made to the summary, and what payments read. */
function aProjector({ maxMarks = 12 } = {}) {
  const bare = new SqliteTable({ database: openDatabase(':memory:') });
  const { pk } = keys.routingSummary(ORG);
  let writes = 0;
  let seq = 0;
  const table = changed(bare, {
    update: (...call) => {
      if (call[0].pk === pk) writes += 1;
      return bare.update(...call);
    },
  });
  const totals = new TotalsRepo(table, { maxMarks });
  const add = async (of: Parameters<TotalsRepo['add']>[0], sums: Record<string, number>, at: Date, shard = 'a') => {
    seq += 1;
    const counted = await totals.add(of, { id: shard }, [{ seq: seqOf(seq), add: sums }], at);
    await totals.summarize(ORG, [counted], 'live', at);
  };
  return {
    bare,
    totals,
    add,
    called: (connection: string, good: number, bad: number, at: Date, shard?: string) =>
      add(
        callsOf(connection),
        {
          total_calls: good + bad,
          ...(good && { [minuteName('good', minuteOf(at))]: good }),
          ...(bad && { [minuteName('bad', minuteOf(at))]: bad }),
        },
        at,
        shard,
      ),
    paid: (count: number, at = START) => add(usageKey, { [`payments:${at.toISOString().slice(0, 7)}`]: count }, at),
    read: () => readRoutingSummary(bare, ORG),
    writes: () => writes,
  };
}

const MAIN = { id: 'main', generation: 1 };
const MONTH = `payments:${START.toISOString().slice(0, 7)}`;

describe('the routing summary of an organization', () => {
  it('is not written again while its connections are healthy', async () => {
    const shop = aProjector();
    for (let n = 0; n < 50; n += 1) await shop.called('main', 3, 0, later(n * MINUTE));
    expect([shop.writes(), (await shop.read()).trouble]).toEqual([0, {}]);
  });

  it('says that a connection is down, and when it will no longer be without further calls', async () => {
    const shop = aProjector();
    await shop.called('main', 1, 0, START);
    await shop.called('main', 2, 10, later(MINUTE));
    const summary = await shop.read();
    const { sums } = (await shop.totals.callTotals({ org_id: ORG, ...MAIN }))!;
    for (let minute = 1; minute < 30; minute += 1) {
      const at = later(minute * MINUTE);
      const { health_status } = healthOf(sums, at);
      expect(healthIn(summary, MAIN, at)).toBe(health_status === 'unknown' ? 'healthy' : health_status);
    }
    expect([1, 2, 25].map((minute) => healthIn(summary, MAIN, later(minute * MINUTE)))).toEqual([
      'down',
      'down',
      'healthy',
    ]);
    expect(healthIn(summary, { id: 'main', generation: 2 }, later(MINUTE))).toBe('healthy');
  });

  it('forgets the trouble of a connection that works again', async () => {
    const shop = aProjector();
    await shop.called('main', 0, 12, START);
    expect(healthIn(await shop.read(), MAIN, START)).toBe('down');
    await shop.called('main', 500, 0, later(MINUTE));
    expect(healthIn(await shop.read(), MAIN, later(MINUTE))).toBe('healthy');
  });

  it('shows every count near the limit of a plan, and few of those far from it', async () => {
    const shop = aProjector();
    for (let n = 1; n <= 110; n += 1) {
      await shop.paid(1);
      const used = (await shop.read()).usage[MONTH] ?? 0;
      expect(used >= 100).toBe(n >= 100);
      expect(n - used).toBeLessThanOrEqual(n < 100 ? 5 : n - 100);
    }
    const before = shop.writes();
    for (let n = 0; n < 300; n += 1) await shop.paid(1);
    expect([before < 50, shop.writes() - before]).toEqual([true, 0]);
  });

  it('is below four kilobytes with fifty connections in trouble', async () => {
    const shop = aProjector();
    for (let n = 0; n < 50; n += 1) await shop.called(`connection_number_${n}`, 4, 12, START);
    const item = await shop.bare.get(keys.routingSummary(ORG));
    expect(Object.keys((await shop.read()).trouble)).toHaveLength(50);
    expect(itemSize(item!)).toBeLessThan(4_096);
  });

  it('is made from the totals while it is not there, those of an earlier release included', async () => {
    const shop = aProjector();
    await shop.bare.put({ ...keys.olderUsage(ORG), item_type: 'usage', [MONTH]: 99, '~x': '1@0' });
    await shop.bare.put({
      ...keys.olderCallTotals(ORG, 'main'),
      item_type: 'calls',
      connection_id: 'main',
      total_calls: 12,
      [minuteName('bad', minuteOf(START))]: 12,
    });
    expect((await shop.read()).usage).toEqual({ [MONTH]: 99 });
    expect(healthIn(await shop.read(), MAIN, START)).toBe('down');
    await shop.paid(1);
    expect((await shop.read()).usage).toEqual({ [MONTH]: 100 });
    expect(healthIn(await shop.read(), MAIN, START)).toBe('down');
  });

  it('says that a connection is down whose few failed calls are spread over many lanes, and that it works again', async () => {
    const shop = aProjector({ maxMarks: 1 });
    const shards = Array.from({ length: 12 }, (_, n) => `shard-${n}`);
    for (const [n, shard] of shards.entries()) await shop.called('main', 1, 0, later(n), shard);
    const failing = later(HOUR);
    for (const [n, shard] of shards.entries()) await shop.called('main', 0, 1, plus(failing, n * 1_001), shard);
    expect(healthIn(await shop.read(), MAIN, plus(failing, 12_012))).toBe('down');
    const working = plus(failing, MINUTE);
    for (const [n, shard] of shards.entries()) await shop.called('main', 20, 0, plus(working, n * 1_001), shard);
    expect(healthIn(await shop.read(), MAIN, plus(working, 12_012))).toBe('healthy');
  });

  it('adds up the lanes of a large organization, once a second at most', async () => {
    const shop = aProjector({ maxMarks: 1 });
    const shards = Array.from({ length: 12 }, (_, n) => `shard-${n}`);
    for (const [n, shard] of shards.entries()) await shop.called('main', 5, 0, later(n), shard);
    for (const [n, shard] of shards.entries()) await shop.called('main', 0, 9, later(MINUTE + n), shard);
    const writes = shop.writes();
    expect(writes).toBeLessThanOrEqual(2);
    await shop.called('main', 0, 9, later(MINUTE + 2 * SECOND), 'shard-3');
    expect(shop.writes()).toBe(writes + 1);
    expect(healthIn(await shop.read(), MAIN, later(MINUTE))).toBe('down');
  });

  it('shows a recovery that another projector saw', async () => {
    const shop = aProjector();
    const other = new TotalsRepo(shop.bare);
    await shop.called('main', 1, 0, START);
    const sums = (calls: number, good: number) => ({
      total_calls: calls,
      [minuteName('good', minuteOf(START))]: good,
      [minuteName('bad', minuteOf(START))]: 12,
    });
    const seen = { of: callsOf('main'), whole: true };
    await other.summarize(ORG, [{ ...seen, sums: { total_calls: 1 } }], 'live', START);
    await shop.totals.summarize(ORG, [{ ...seen, sums: sums(13, 1) }], 'live', START);
    expect(healthIn(await shop.read(), MAIN, START)).toBe('down');
    await other.summarize(ORG, [{ ...seen, sums: sums(600, 588) }], 'live', START);
    expect(healthIn(await shop.read(), MAIN, START)).toBe('healthy');
  });

  it('keeps the newer of two forecasts, whichever projector writes last', async () => {
    const shop = aProjector();
    await shop.called('main', 1, 0, START);
    const late = new TotalsRepo(shop.bare);
    const seen = { of: callsOf('main'), sums: { total_calls: 1 }, whole: true };
    await late.summarize(ORG, [seen], 'live', START);
    await shop.called('main', 0, 12, START);
    await late.summarize(ORG, [{ ...seen, sums: { total_calls: 2 } }], 'live', START);
    expect(healthIn(await shop.read(), MAIN, START)).toBe('down');
  });
});
