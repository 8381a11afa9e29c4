import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diskGate } from '#lib/local/disk-gate.ts';
import { openDatabase, type SqliteDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: SqliteDatabase;
let table: SqliteTable;

beforeEach(async () => {
  folder = await temporaryFolder();
  database = openDatabase(folder.path('x.db'));
  table = new SqliteTable({ database });
});
afterEach(async () => {
  database.close();
  await folder.remove();
});

const commitsOf = (work: () => Promise<unknown>) => {
  let commits = 0;
  database.onCommit(() => commits++);
  return work().then(() => commits);
};

/** What another process would see: committed writes only. */
const itemsOnDisk = () => {
  const other = new DatabaseSync(folder.path('x.db'), { readOnly: true });
  const { n } = other.prepare('SELECT count(*) AS n FROM items').get() ?? {};
  other.close();
  return n;
};

describe('writes in one turn of the event loop', () => {
  it('share one commit', async () => {
    const puts = () => Promise.all(Array.from({ length: 40 }, (_, n) => table.put({ pk: 'a', sk: String(n) })));
    expect(await commitsOf(puts)).toBe(1);
  });

  it('are on disk when they return, and not before', async () => {
    const put = table.put({ pk: 'a', sk: 'b' });
    expect(itemsOnDisk()).toBe(0);
    await put;
    expect(itemsOnDisk()).toBe(1);
  });

  it('are visible to reads of the same turn, which then wait for the commit too', async () => {
    const put = table.put({ pk: 'a', sk: 'b' });
    const get = table.get({ pk: 'a', sk: 'b' });
    expect(itemsOnDisk()).toBe(0);
    expect(await get).toEqual({ pk: 'a', sk: 'b' });
    expect(itemsOnDisk()).toBe(1);
    await put;
  });

  it('check their conditions in order', async () => {
    const key = { pk: 'a', sk: 'b' };
    const answers = await Promise.all([
      table.put({ ...key, n: 1 }, { absent: 'pk' }),
      table.put({ ...key, n: 2 }, { absent: 'pk' }),
      table.delete(key),
      table.put(key, { absent: 'pk' }),
    ]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, false, true, true]);
  });

  it('succeed or fail individually', async () => {
    const fine = table.put({ pk: 'a', sk: '1' });
    const broken = database.run((db) => {
      db.exec(`INSERT INTO items (pk, sk, json) VALUES ('a', '2', '{}')`);
      throw new Error('half done');
    });
    await expect(broken).rejects.toThrow('half done');
    await fine;
    expect(itemsOnDisk()).toBe(1);
  });

  it('are all stored when the database is closed before their commit', async () => {
    const put = table.put({ pk: 'a', sk: 'b' });
    database.close();
    await put;
    expect(itemsOnDisk()).toBe(1);
    database = openDatabase(folder.path('x.db'));
  });

  it('report that nothing was written when another process locks the file', async () => {
    const other = new DatabaseSync(folder.path('x.db'));
    other.exec('BEGIN IMMEDIATE');
    await expect(table.put({ pk: 'a', sk: 'b' })).rejects.toMatchObject({ kind: 'unavailable', outcome: 'not_done' });
    other.close();
    expect((await table.put({ pk: 'a', sk: 'b' })).ok).toBe(true);
  });

  it('fail together, with an unknown outcome, when their commit fails', async () => {
    await database.run((db) =>
      db.exec(
        'CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE child (id INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)',
      ),
    );
    const spoiled = database.run((db) => db.exec('INSERT INTO child (id) VALUES (1)'));
    const beside = table.put({ pk: 'a', sk: 'b' });
    await expect(spoiled).rejects.toMatchObject({ kind: 'unavailable', outcome: 'unknown' });
    await expect(beside).rejects.toMatchObject({ kind: 'unavailable', outcome: 'unknown' });
    expect(await table.get({ pk: 'a', sk: 'b' })).toBeUndefined();
  });
});

describe('on a full disk', () => {
  const limitPages = (pages: number) => database.setUp((db) => db.exec(`PRAGMA max_page_count = ${pages}`));
  const large = (sk: string) => table.put({ pk: 'a', sk, text: 'x'.repeat(200_000) });
  const fill = async () => {
    const used = Number(database.setUp((db) => db.prepare('PRAGMA page_count').get())?.page_count);
    limitPages(used + 8);
  };

  it('a write is refused together with those before it in its turn; the next is stored if there is room for it', async () => {
    await table.put({ pk: 'a', sk: 'before' });
    await fill();
    const beside = table.put({ pk: 'a', sk: 'beside' });
    const results = await Promise.allSettled([beside, large('1'), table.put({ pk: 'a', sk: 'after' })]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    await expect(beside).rejects.toMatchObject({ kind: 'unavailable', outcome: 'unknown' });
    await expect(large('2')).rejects.toMatchObject({ kind: 'unavailable', outcome: 'not_done' });
    expect(itemsOnDisk()).toBe(2);
    expect(await table.get({ pk: 'a', sk: 'beside' })).toBeUndefined();
  });

  it('writes go on once there is room', async () => {
    await fill();
    await expect(large('1')).rejects.toMatchObject({ kind: 'unavailable' });
    limitPages(1_000_000);
    expect((await large('1')).ok).toBe(true);
    expect(itemsOnDisk()).toBe(1);
  });

  it('requests are refused, which the log says once, until a try shows that there is room', async () => {
    const logged: string[] = [];
    const note = (event: string) => void logged.push(event);
    const gate = diskGate(database, '/data/sandbox.sqlite', { info: note, warn: note, error: note });
    expect([await gate.hasRoom(), gate.isFull()]).toEqual([true, false]);
    await fill();
    for (const sk of ['1', '2']) await expect(large(sk)).rejects.toMatchObject({ kind: 'unavailable' });
    expect([gate.isFull(), await gate.hasRoom(), logged]).toEqual([true, false, ['disk_full']]);
    expect(gate.error()).toMatchObject({ status: 503, code: 'storage_full', retryAfter: expect.any(Number) });
    limitPages(1_000_000);
    expect([await gate.hasRoom(), gate.isFull(), logged]).toEqual([true, false, ['disk_full', 'disk_has_room']]);
    await fill();
    await expect(large('3')).rejects.toMatchObject({ kind: 'unavailable' });
    expect(logged).toEqual(['disk_full', 'disk_has_room', 'disk_full']);
  });
});

describe('a database', () => {
  it('has all its data when it is opened again', async () => {
    await table.put({ pk: 'a', sk: 'b', due_pk: 'd', due_sk: '1' });
    await table.transact([{ put: { pk: 'a', sk: 'c' } }], 'token');
    database.close();
    database = openDatabase(folder.path('x.db'));
    const again = new SqliteTable({ database });
    expect((await again.query({ pk: 'a', limit: 5 })).items).toHaveLength(2);
    expect((await again.entries('due', { pk: 'd', limit: 5 })).items).toEqual([{ pk: 'a', sk: 'b', at: '1' }]);
    await again.delete({ pk: 'a', sk: 'c' });
    expect(await again.transact([{ put: { pk: 'a', sk: 'c' } }], 'token')).toEqual({ ok: true });
    expect(await again.get({ pk: 'a', sk: 'c' })).toBeUndefined();
  });

  it('flushes each commit to disk', () => {
    expect(
      database.setUp((db) => [db.prepare('PRAGMA journal_mode').get(), db.prepare('PRAGMA synchronous').get()]),
    ).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }]);
  });
});
