import { describe, expect, it } from 'vitest';
import { MINUTE } from '#shared/kernel/clock.ts';
import { dueEntry, dueShards } from '#shared/store/keys.ts';
import { DueRepo } from '#shared/store/repos/due.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { sqliteDue } from '#shared/store/sqlite/sqlite-due.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { paymentId } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';

const ENTRIES = 200;

async function anIndex() {
  const database = openDatabase(':memory:');
  const table = new SqliteTable({ database });
  const put = (n: number) => {
    const id = paymentId(n);
    const due = dueEntry(later(n * MINUTE).toISOString(), id, n % 2 === 0 ? 'org_1' : undefined);
    return table.put({ pk: `PAY#${n}`, sk: 'PAY', list_pk: 'a', list_sk: id, ...due });
  };
  return { put, index: sqliteDue(database), repo: new DueRepo(table) };
}

describe('the index of due work, read as a whole', () => {
  it('has what its shards have, oldest first, up to a time and a limit', async () => {
    const { put, index, repo } = await anIndex();
    for (let n = ENTRIES; n > 0; n -= 1) await put(n);
    const until = later(150 * MINUTE);
    const found = (await Promise.all(dueShards.map((shard) => repo.due(shard, until, ENTRIES)))).flat();
    const expected = found.map(({ id, at }) => ({ id, at })).sort((a, b) => a.at.localeCompare(b.at));
    expect(expected).toHaveLength(150);
    expect(await index.due(until, ENTRIES)).toEqual(expected);
    expect(await index.due(until, 7)).toEqual(expected.slice(0, 7));
    expect(await index.earliest()).toBe(await repo.earliest());
  });

  it('knows the shards with anything due, which are the ones that a sweep finds something in', async () => {
    const { put, index, repo } = await anIndex();
    for (let n = 20; n > 0; n -= 1) await put(n);
    for (const until of [later(0), later(5 * MINUTE), later(20 * MINUTE)]) {
      const due = await Promise.all(dueShards.map((shard) => repo.due(shard, until, 1)));
      const expected = dueShards.filter((_, n) => due[n]!.length > 0);
      expect((await index.shards(until)).toSorted()).toEqual(expected.toSorted());
    }
    expect((await index.shards(later(20 * MINUTE))).length).toBeGreaterThan(5);
  });

  it('is empty while nothing is due at any time', async () => {
    const { index } = await anIndex();
    const until = later(MINUTE);
    expect([await index.due(until, 10), await index.earliest(), await index.shards(until)]).toEqual([
      [],
      undefined,
      [],
    ]);
  });
});
