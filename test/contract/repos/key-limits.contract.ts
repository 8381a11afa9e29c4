import { describe, expect, it } from 'vitest';
import type { ApiKey } from '#shared/domain/accounts/api-key.model.ts';
import {
  DEFAULT_RATE,
  type OrganizationRate,
  rateShards,
  shardsOfClass,
  windowsFor,
} from '#shared/domain/accounts/rate-limits.rules.ts';
import { SECOND } from '#shared/kernel/clock.ts';
import { newId, sha256Hex } from '#shared/kernel/ids.ts';
import { keys as tableKeys } from '#shared/store/keys.ts';
import { ApiKeyRepo } from '#shared/store/repos/accounts/api-key.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { changed, memoryStore, times } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const HASH = sha256Hex('pfk_test_limits');
const RAISED: OrganizationRate = { ...DEFAULT_RATE, writes: 300 };
const LARGE: OrganizationRate = { ...DEFAULT_RATE, payments: 300_000 };
const COUNTERS = rateShards(LARGE);

const aKey = (): ApiKey => ({
  id: newId('key', START),
  org_id: ORG,
  name: 'Server',
  kind: 'service',
  scopes: [],
  created_at: START.toISOString(),
  created_by: null,
});

const setRate = (table: TablePort, rate: OrganizationRate) =>
  table.update(tableKeys.organization(ORG), { set: { rate: { ...rate } } });

/** A key of an organization with these limits, and how many times the store was asked to count. */
async function holding(rate: OrganizationRate) {
  const calls = { counts: 0 };
  const store = memoryStore({
    through: (table) =>
      changed(table, {
        update: (...call) => {
          calls.counts += 1;
          return table.update(...call);
        },
      }),
  });
  const key = aKey();
  await store.keys.create(key, HASH);
  await setRate(store.table, rate);
  await store.keys.applyRate(ORG);
  calls.counts = 0;
  return { ...store, key, calls, elsewhere: () => new ApiKeyRepo(store.table, true) };
}

const passed = (answers: readonly ({ readonly exceeded: unknown } | undefined)[]): number =>
  answers.filter((answer) => answer !== undefined && answer.exceeded === undefined).length;

const countersIn = async (table: TablePort): Promise<number> => {
  const all = Array.from({ length: COUNTERS + 1 }, (_, n) => tableKeys.apiKey(HASH, n));
  return (await table.getMany(all)).filter(Boolean).length;
};

/** Leaves room for one payment in each counter of this second. */
async function fill(table: TablePort): Promise<void> {
  const limits = { rate: LARGE, shards: COUNTERS };
  for (let shard = 0; shard < COUNTERS; shard += 1) {
    const [minute] = windowsFor('payments', START, { ...limits, shard });
    await table.update(tableKeys.apiKey(HASH, shard), { set: { [minute!.attribute]: minute!.limit - 1 } });
  }
}

export function keyLimits(): void {
  describe('a key of an organization with raised limits', () => {
    it('passes as many requests as its organization may make, and not one more', async () => {
      const { keys } = await holding(RAISED);
      const counts: number[] = [];
      for (let ten = 0; ten < 3; ten += 1)
        counts.push(passed(await times(220, () => keys.authenticate(HASH, 'writes', later(ten * 10 * SECOND)))));
      expect(counts).toEqual([220, 80, 0]);
    });

    it('is authenticated by one update, also where its limits are not known yet', async () => {
      const { keys, calls } = await holding(RAISED);
      for (let n = 0; n < 50; n += 1) await keys.authenticate(HASH, 'writes', START);
      expect(calls.counts).toBe(50);
    });

    it('shows its limits with every request', async () => {
      const { keys } = await holding(RAISED);
      const shown = [await keys.authenticate(HASH, 'writes', START), await keys.authenticate(HASH, 'writes', START)];
      expect(shown.map((answer) => answer?.rate)).toEqual([
        { limit: 258, remaining: 257, resetAt: START.getTime() / SECOND + 10 },
        { limit: 258, remaining: 256, resetAt: START.getTime() / SECOND + 10 },
      ]);
    });

    it('passes in a process that knows only the usual limits, when those are reached', async () => {
      const { keys, elsewhere } = await holding(RAISED);
      await times(120, () => keys.authenticate(HASH, 'writes', START));
      expect(passed([await elsewhere().authenticate(HASH, 'writes', START)])).toBe(1);
    });

    it('is no longer found by a former text, in none of its counters, but has its limits', async () => {
      const { keys, key, table, elsewhere } = await holding(LARGE);
      await keys.create(key, 'hash of its new text');
      const found = await times(30, () => keys.authenticate(HASH, 'payments', START));
      expect([await countersIn(table), found.filter(Boolean)]).toEqual([0, []]);
      expect(passed(await times(150, () => elsewhere().authenticate('hash of its new text', 'payments', START)))).toBe(
        150,
      );
    });

    it('has them from the start if it is created afterwards', async () => {
      const { keys } = await holding(RAISED);
      await keys.create(aKey(), 'hash of another');
      expect(passed(await times(150, () => keys.authenticate('hash of another', 'writes', START)))).toBe(150);
    });

    it('has the usual ones again after the organization has them', async () => {
      const { keys, table } = await holding(RAISED);
      await times(120, () => keys.authenticate(HASH, 'writes', START));
      await setRate(table, DEFAULT_RATE);
      await keys.applyRate(ORG);
      await keys.authenticate(HASH, 'reads', START);
      expect(passed([await keys.authenticate(HASH, 'writes', START)])).toBe(0);
    });

    it('has no limits of its own if it is public', async () => {
      const { keys, table } = await holding(RAISED);
      await keys.create({ ...aKey(), kind: 'public' }, 'hash of a public key');
      expect((await table.get(tableKeys.apiKey('hash of a public key')))?.rate).toBeUndefined();
    });

    it('has the newest limits when two changes are made at once', async () => {
      const { keys, table } = await holding(RAISED);
      await setRate(table, LARGE);
      const slow = keys.applyRate(ORG);
      await setRate(table, DEFAULT_RATE);
      await Promise.all([slow, keys.applyRate(ORG)]);
      expect([await countersIn(table), (await table.get(tableKeys.apiKey(HASH)))?.rate]).toEqual([1, DEFAULT_RATE]);
    });
  });

  describe('a key with more than 500 requests a second', () => {
    it('has a counter for each 500 of them', async () => {
      const { table, keys } = await holding(LARGE);
      expect([COUNTERS, await countersIn(table)]).toEqual([18, 18]);
      expect((await keys.list(ORG)).map(({ counters }) => counters)).toEqual([18]);
    });

    it('spreads its requests over all of them, with one update each', async () => {
      const { table, keys, calls } = await holding(LARGE);
      await keys.authenticate(HASH, 'payments', START);
      calls.counts = 0;
      await times(400, () => keys.authenticate(HASH, 'payments', START));
      const items = await table.getMany(Array.from({ length: COUNTERS }, (_, n) => tableKeys.apiKey(HASH, n)));
      const used = items.map((item) => Number(item?.[`p${START.getTime() / (60 * SECOND)}`] ?? 0));
      expect([calls.counts, used.reduce((a, b) => a + b), Math.min(...used) > 0]).toEqual([400, 401, true]);
    });

    it('never passes more than its limit, and finds nearly all of the rest', async () => {
      const { table, keys } = await holding(LARGE);
      await fill(table);
      const answers = await times(500, () => keys.authenticate(HASH, 'payments', START));
      expect(passed(answers)).toBe(COUNTERS);
    });

    it('counts small classes in few of its counters, so that none is full too early', async () => {
      const { keys } = await holding(LARGE);
      expect(shardsOfClass({ rate: LARGE, shards: COUNTERS }, 'writes')).toBe(1);
      await keys.authenticate(HASH, 'payments', START);
      expect(passed(await times(150, () => keys.authenticate(HASH, 'writes', START)))).toBe(100);
    });

    it('is refused by every counter at once after its revocation, also in other processes', async () => {
      const { table, keys, key, elsewhere } = await holding(LARGE);
      const others = [elsewhere(), elsewhere()];
      for (const other of others) await times(20, () => other.authenticate(HASH, 'payments', START));
      await keys.revoke(ORG, key.id);
      const answers = await Promise.all(
        others.flatMap((other) => Array.from({ length: 60 }, () => other.authenticate(HASH, 'payments', START))),
      );
      expect([answers.filter(Boolean).length, await countersIn(table)]).toEqual([0, 0]);
    });

    it('leaves no counter behind if it is revoked while it gets them', async () => {
      const { table, keys, key } = await holding(DEFAULT_RATE);
      await setRate(table, LARGE);
      await Promise.all([keys.applyRate(ORG), keys.revoke(ORG, key.id)]);
      expect(await countersIn(table)).toBe(0);
    });

    it('works in a process that knew it with more counters', async () => {
      const { table, keys, elsewhere } = await holding(LARGE);
      const other = elsewhere();
      await times(20, () => other.authenticate(HASH, 'payments', START));
      await setRate(table, DEFAULT_RATE);
      await keys.applyRate(ORG);
      const answers = await times(20, () => other.authenticate(HASH, 'reads', later(60 * SECOND)));
      expect([passed(answers), await countersIn(table)]).toEqual([20, 1]);
    });

    it('shows the last use of any of them', async () => {
      const { keys } = await holding(LARGE);
      const at = later(30 * SECOND);
      await keys.authenticate(HASH, 'payments', START);
      await keys.authenticate(HASH, 'payments', at);
      const entries = await keys.list(ORG);
      expect(await keys.lastUsed(entries)).toEqual([at.toISOString()]);
    });
  });
}
