import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type SqliteDatabase } from '#shared/store/sqlite-commit.ts';
import { SqliteFeed } from '#shared/store/sqlite-feed.adapter.ts';
import { SqliteTable } from '#shared/store/sqlite-table.adapter.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const CONSUMERS = ['relay', 'projector'];
const KEY = { pk: 'a', sk: 'b' };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: SqliteDatabase;
let table: SqliteTable;
let feed: SqliteFeed;

const open = () => {
  database = openDatabase(folder.path('x.db'));
  table = new SqliteTable({ database });
  feed = new SqliteFeed({ database, consumers: CONSUMERS });
};

beforeEach(async () => {
  folder = await temporaryFolder();
  open();
});
afterEach(async () => {
  database.close();
  await folder.remove();
});

const put = (...sortKeys: readonly string[]) => Promise.all(sortKeys.map((sk) => table.put({ pk: 'a', sk })));
const sortKeys = (consumer: string, limit = 100) => feed.read(consumer, limit).map(({ key }) => key.sk);

describe('the change feed', () => {
  it('tells each change with what was there before and after', async () => {
    await table.put({ ...KEY, n: 1 });
    await table.update(KEY, { add: { n: 1 } });
    await table.delete(KEY);
    expect(feed.read('relay', 10)).toMatchObject([
      { key: KEY, old: undefined, new: { ...KEY, n: 1 } },
      { key: KEY, old: { ...KEY, n: 1 }, new: { ...KEY, n: 2 } },
      { key: KEY, old: { ...KEY, n: 2 }, new: undefined },
    ]);
  });

  it('keeps the order of writes, also as text', async () => {
    await put(...Array.from({ length: 120 }, (_, n) => String(n)));
    const records = feed.read('relay', 500);
    expect(records.map(({ key }) => Number(key.sk))).toEqual(Array.from({ length: 120 }, (_, n) => n));
    expect(records.map(({ seq }) => seq).toSorted()).toEqual(records.map(({ seq }) => seq));
  });

  it('tells of a transaction all its changes, and of a failed one none', async () => {
    await table.transact([{ put: { pk: 'a', sk: '1' } }, { put: { pk: 'a', sk: '2' } }, { check: { pk: 'a', sk: '3' }, cond: { absent: 'pk' } }], 'one');
    await table.transact([{ put: { pk: 'a', sk: '4' } }, { check: { pk: 'a', sk: '3' }, cond: { exists: 'pk' } }], 'two');
    expect(sortKeys('relay')).toEqual(['1', '2']);
  });

  it('is silent about failed conditions, writes that change nothing, and counters of rate limits', async () => {
    await table.put({ ...KEY, n: 1 });
    await table.put({ ...KEY, n: 2 }, { absent: 'pk' });
    await table.put({ ...KEY, n: 1 });
    await table.delete({ pk: 'a', sk: 'never there' });
    await table.update({ pk: 'KEY#1', sk: 'KEY' }, { add: { n: 1 } });
    await table.update({ pk: 'ADDR#1', sk: 'ADDR' }, { add: { n: 1 } });
    expect(feed.read('relay', 10)).toHaveLength(1);
  });

  it('shows nothing that is not committed', async () => {
    const writing = table.put(KEY);
    expect([feed.pending('relay'), feed.read('relay', 10)]).toEqual([false, []]);
    await writing;
    expect([feed.pending('relay'), sortKeys('relay')]).toEqual([true, ['b']]);
  });

  it('repeats what was not checkpointed, and goes on behind what was, for each consumer by itself', async () => {
    await put('1', '2', '3');
    const [first, second] = feed.read('relay', 2);
    expect(sortKeys('relay', 2)).toEqual(['1', '2']);
    await feed.checkpoint('relay', first!.seq);
    expect(sortKeys('relay', 2)).toEqual(['2', '3']);
    await feed.checkpoint('relay', second!.seq);
    await feed.checkpoint('relay', first!.seq);
    expect([sortKeys('relay'), sortKeys('projector')]).toEqual([['3'], ['1', '2', '3']]);
  });

  it('knows who has something to read', async () => {
    expect(feed.pending('relay')).toBe(false);
    await put('1');
    await feed.checkpoint('relay', feed.read('relay', 1)[0]!.seq);
    expect([feed.pending('relay'), feed.pending('projector')]).toEqual([false, true]);
  });

  it('drops only what every consumer has passed, and never numbers anew', async () => {
    await put('1', '2');
    const [first, second] = feed.read('relay', 2);
    await feed.checkpoint('relay', second!.seq);
    await feed.checkpoint('projector', first!.seq);
    await feed.prune();
    expect(sortKeys('projector')).toEqual(['2']);
    await feed.checkpoint('projector', second!.seq);
    await feed.prune();
    await put('3');
    expect(feed.read('relay', 9).map(({ seq, key }) => [seq > second!.seq, key.sk])).toEqual([[true, '3']]);
  });

  it('goes on after a restart where its consumers stood', async () => {
    await put('1', '2');
    await feed.checkpoint('relay', feed.read('relay', 1)[0]!.seq);
    database.close();
    open();
    expect([feed.pending('relay'), sortKeys('relay'), sortKeys('projector')]).toEqual([true, ['2'], ['1', '2']]);
  });

  it('wakes its listeners after a commit with news, until they leave', async () => {
    const woken: string[][] = [];
    const leave = feed.onChange(() => woken.push(sortKeys('relay')));
    await put('1', '2');
    await feed.prune();
    leave();
    await put('3');
    expect(woken).toEqual([['1', '2']]);
  });

  it('has no consumers but those it was made for', () => expect(() => feed.read('someone', 1)).toThrow('someone does not follow'));
});
