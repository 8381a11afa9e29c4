import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteFeed } from '#shared/store/sqlite/sqlite-feed.adapter.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { type FeedUnderTest, feedContract } from '#test/contract/feed.contract.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const CONSUMERS = ['relay', 'projector'];
const KEY = { pk: 'a', sk: 'b' };

async function open() {
  const folder = await temporaryFolder();
  const at = () => {
    const database = openDatabase(folder.path('x.db'));
    return { database, table: new SqliteTable({ database }), feed: new SqliteFeed({ database, consumers: CONSUMERS }) };
  };
  const under = ({
    database,
    table,
    feed,
  }: ReturnType<typeof at>): Omit<FeedUnderTest, 'feed'> & Pick<ReturnType<typeof at>, 'feed' | 'database'> => ({
    database,
    table,
    feed,
    reopen: async () => {
      database.close();
      return under(at());
    },
    close: async () => {
      database.close();
      await folder.remove();
    },
  });
  return under(at());
}

feedContract('SQLite', open);

describe('the change feed in SQLite', () => {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  const put = (...sortKeys: readonly string[]) => Promise.all(sortKeys.map((sk) => opened.table.put({ pk: 'a', sk })));
  const sortKeys = (consumer: string) => opened.feed.read(consumer, 100).map(({ key }) => key.sk);

  it('omits counters of rate limits', async () => {
    await opened.table.update({ pk: 'KEY#1', sk: 'KEY' }, { add: { n: 1 } });
    await opened.table.update({ pk: 'ADDR#1', sk: 'ADDR' }, { add: { n: 1 } });
    expect(opened.feed.pending('relay')).toBe(false);
  });

  it('returns only committed changes', async () => {
    const { feed, table } = opened;
    const writing = table.put(KEY);
    expect([feed.pending('relay'), feed.read('relay', 10)]).toEqual([false, []]);
    await writing;
    expect([feed.pending('relay'), sortKeys('relay')]).toEqual([true, ['b']]);
  });

  it('shows nothing of a commit that failed, whose numbers later changes get', async () => {
    const { feed, database } = opened;
    database.setUp((db) =>
      db.exec(
        'CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE child (id INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)',
      ),
    );
    await put('1');
    const spoiled = [database.run((db) => db.exec('INSERT INTO child (id) VALUES (1)')), put('2', '3')];
    expect((await Promise.allSettled(spoiled)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([sortKeys('relay'), feed.pending('projector')]).toEqual([['1'], true]);
    await put('4');
    expect([sortKeys('relay'), sortKeys('projector')]).toEqual([
      ['1', '4'],
      ['1', '4'],
    ]);
  });

  it('never moves a checkpoint back', async () => {
    await put('1', '2');
    const [first, second] = opened.feed.read('relay', 2);
    await opened.feed.checkpoint('relay', second!.seq);
    await opened.feed.checkpoint('relay', first!.seq);
    expect(sortKeys('relay')).toEqual([]);
  });

  it('drops only what every consumer has read, and never reuses a sequence number', async () => {
    const { feed } = opened;
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

  it('notifies its listeners once per commit, and not without changes', async () => {
    const woken: string[][] = [];
    opened.feed.onChange(() => woken.push(sortKeys('relay')));
    await put('1', '2');
    await opened.feed.prune();
    expect(woken).toEqual([['1', '2']]);
  });
});
