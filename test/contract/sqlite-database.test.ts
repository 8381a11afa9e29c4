import { statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diskGate } from '#lib/local/disk-gate.ts';
import { Checkpoints } from '#shared/store/sqlite/checkpoints.ts';
import { LogSync, shared } from '#shared/store/sqlite/log-sync.ts';
import { openDatabase, SqliteDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteFeed } from '#shared/store/sqlite/sqlite-feed.adapter.ts';
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
  database.onCommit(() => {
    commits += 1;
    return undefined;
  });
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
});

/** A log whose syncs end when the test wants. */
class SlowLog {
  readonly syncs: PromiseWithResolvers<void>[] = [];
  readonly sync = shared(() => {
    const sync = Promise.withResolvers<void>();
    this.syncs.push(sync);
    return sync.promise;
  });
  close(): void {}
}

describe('a commit in a file', () => {
  let log: SlowLog;
  let slow: SqliteDatabase;
  let slowTable: SqliteTable;
  const checkpoints = { pause: undefined, noteCommit: () => undefined, close: () => undefined };
  beforeEach(() => {
    log = new SlowLog();
    slow = new SqliteDatabase(new DatabaseSync(':memory:'), { log, checkpoints });
    slowTable = new SqliteTable({ database: slow });
  });
  afterEach(() => slow.close());

  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const stateOf = async (call: Promise<unknown>) => {
    await turn();
    const none = {};
    return (await Promise.race([call, none])) === none ? 'waits' : 'done';
  };
  const put = (sk: string) => slowTable.put({ pk: 'a', sk });

  it('is acknowledged only once the disk has it, and so is what a read sees of it', async () => {
    const written = put('1');
    await turn();
    const read = slowTable.get({ pk: 'a', sk: '1' });
    expect([await stateOf(written), await stateOf(read), log.syncs.length]).toEqual(['waits', 'waits', 1]);
    log.syncs[0]?.resolve();
    expect([await stateOf(written), await read]).toEqual(['done', { pk: 'a', sk: '1' }]);
    expect(await slowTable.get({ pk: 'a', sk: '1' })).toBeDefined();
  });

  it('does not keep a read of other items waiting', async () => {
    const written = put('1');
    expect(await stateOf(slowTable.get({ pk: 'a', sk: '2' }))).toBe('done');
    expect(await stateOf(slowTable.getMany([{ pk: 'b', sk: '1' }]))).toBe('done');
    expect(await stateOf(slowTable.getMany([1, 2].map((n) => ({ pk: 'a', sk: String(n) }))))).toBe('waits');
    log.syncs[0]?.resolve();
    await written;
  });

  it('keeps a read waiting also if the item was changed meanwhile without waiting for the disk', async () => {
    const key = { pk: 'KEY#1', sk: 'KEY' };
    const written = slowTable.put(key);
    await turn();
    await slowTable.update(key, { add: { count: 1 } });
    const read = slowTable.get(key);
    expect([await stateOf(written), await stateOf(read)]).toEqual(['waits', 'waits']);
    log.syncs[0]?.resolve();
    await written;
    await turn();
    log.syncs[1]?.resolve();
    expect(await read).toEqual({ ...key, count: 1 });
  });

  it('shares the next sync with all that are made while the disk is busy', async () => {
    const [first, second] = [put('1'), turn().then(() => put('2'))];
    const third = turn()
      .then(turn)
      .then(() => put('3'));
    await turn().then(turn).then(turn);
    expect(log.syncs).toHaveLength(1);
    log.syncs[0]?.resolve();
    expect([await stateOf(first), await stateOf(second), await stateOf(third)]).toEqual(['done', 'waits', 'waits']);
    expect(log.syncs).toHaveLength(2);
    log.syncs[1]?.resolve();
    expect([await stateOf(second), await stateOf(third)]).toEqual(['done', 'done']);
  });

  it('is shown to the consumers of the change feed only once the disk has it', async () => {
    const feed = new SqliteFeed({ database: slow, consumers: ['relay'] });
    const written = put('1');
    await turn();
    expect(feed.read('relay', 10)).toEqual([]);
    log.syncs[0]?.resolve();
    await written;
    expect(feed.read('relay', 10)).toHaveLength(1);
  });

  it('is shown to the consumers of the change feed after a failed sync with the next one, whatever that is for', async () => {
    const feed = new SqliteFeed({ database: slow, consumers: ['relay'] });
    const written = put('1');
    await turn();
    log.syncs[0]?.reject(new Error('no space left on device'));
    await expect(written).rejects.toMatchObject({ kind: 'unavailable' });
    expect(feed.read('relay', 10)).toEqual([]);
    const counted = slowTable.update({ pk: 'KEY#1', sk: 'KEY' }, { add: { count: 1 } });
    await turn();
    log.syncs[1]?.resolve();
    await counted;
    await turn();
    expect(feed.read('relay', 10).map(({ key }) => key.sk)).toEqual(['1']);
  });

  it('does not keep a consumer of the change feed waiting to move its checkpoint and to delete what it has read', async () => {
    const feed = new SqliteFeed({ database: slow, consumers: ['relay'] });
    const first = put('1');
    await turn();
    log.syncs[0]?.resolve();
    await first;
    const [{ seq } = { seq: '' }] = feed.read('relay', 10);
    const second = put('2');
    expect([await stateOf(feed.checkpoint('relay', seq)), await stateOf(feed.prune())]).toEqual(['done', 'done']);
    expect([await stateOf(second), feed.read('relay', 10)]).toEqual(['waits', []]);
  });

  it('does not keep a caller waiting for the disk that can do without', async () => {
    const relaxed = new SqliteTable({ database: slow, isDurable: () => false });
    const [durable, other] = [put('1'), relaxed.put({ pk: 'b', sk: '1' })];
    expect([await stateOf(durable), await stateOf(other)]).toEqual(['waits', 'done']);
    expect(await stateOf(relaxed.get({ pk: 'a', sk: '1' }))).toBe('done');
    const key = { pk: 'KEY#1', sk: 'KEY' };
    expect(await stateOf(slowTable.put(key))).toBe('waits');
    expect(await stateOf(slowTable.update(key, { add: { count: 1 } }))).toBe('done');
  });

  it('keeps reads waiting for it after a later commit has failed', async () => {
    slow.setUp((db) =>
      db.exec(
        'CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE child (id INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)',
      ),
    );
    const key = { pk: 'a', sk: '1' };
    const written = put('1');
    await turn();
    const spoiled = slow.run((db) => db.exec('INSERT INTO child (id) VALUES (1)'));
    const changed = slowTable.update(key, { set: { text: 'never stored' } });
    await expect(spoiled).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(changed).rejects.toMatchObject({ kind: 'unavailable' });
    const reads = [slowTable.get(key), slowTable.query({ pk: 'a', limit: 10 })];
    expect(await Promise.all([written, ...reads].map(stateOf))).toEqual(['waits', 'waits', 'waits']);
    log.syncs[0]?.resolve();
    await written;
    expect(await Promise.all(reads)).toEqual([key, { items: [key], next: undefined }]);
  });

  it('is acknowledged after a failed sync only once all earlier ones are in the file itself', async () => {
    const path = folder.path('failing.db');
    const db = new DatabaseSync(path);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0');
    const failing = new SqliteDatabase(db, { log, checkpoints });
    const failingTable = new SqliteTable({ database: failing });
    const puts = [failingTable.put({ pk: 'a', sk: '1' })];
    await turn();
    puts.push(failingTable.put({ pk: 'a', sk: '2' }));
    const ended = Promise.allSettled(puts);
    await turn();
    log.syncs[0]?.reject(Object.assign(new Error('EIO: i/o error, fdatasync'), { syscall: 'fdatasync' }));
    await turn();
    log.syncs[1]?.resolve();
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const reader = new DatabaseSync(path);
    reader.exec('BEGIN; SELECT * FROM items');
    await expect(failingTable.put({ pk: 'a', sk: '3' })).rejects.toMatchObject({ outcome: 'unknown' });
    reader.close();
    const next = failingTable.put({ pk: 'a', sk: '4' });
    await turn();
    log.syncs.at(-1)?.resolve();
    await next;
    // What a power loss leaves if nothing of the log has reached the disk.
    await copyFile(path, folder.path('survived.db'));
    const survived = new DatabaseSync(folder.path('survived.db'));
    expect(
      survived
        .prepare('SELECT sk FROM items ORDER BY sk')
        .all()
        .map(({ sk }) => sk),
    ).toEqual(['1', '2', '3', '4']);
    survived.close();
    failing.close();
  });

  it('has an unknown outcome if the disk fails, and the next one is stored', async () => {
    let failures = 0;
    slow.onDiskError(() => {
      failures += 1;
    });
    const failed = put('1');
    await turn();
    log.syncs[0]?.reject(Object.assign(new Error('EIO: i/o error, fdatasync'), { syscall: 'fdatasync' }));
    await expect(failed).rejects.toMatchObject({ kind: 'unavailable', outcome: 'unknown' });
    const next = put('2');
    await turn();
    log.syncs[1]?.resolve();
    expect([(await next).ok, failures]).toEqual([true, 1]);
    expect(await slowTable.get({ pk: 'a', sk: '2' })).toBeDefined();
  });
});

describe('the log of a file', () => {
  it('is copied into the file beside the writers, and starts again from its beginning', async () => {
    const path = folder.path('copied.db');
    const db = new DatabaseSync(path);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0');
    const checkpoints = new Checkpoints(path, { commits: 5, pages: 20 });
    const copied = new SqliteDatabase(db, { log: new LogSync(path), checkpoints });
    const copiedTable = new SqliteTable({ database: copied });
    const text = 'x'.repeat(20_000);
    const sizes = () => ({ log: statSync(`${path}-wal`).size, file: statSync(path).size });
    let written = 0;
    const write = () => {
      written += 1;
      return copiedTable.put({ pk: 'a', sk: String(written), text });
    };
    while (written < 2_000 && sizes().file < 1_000_000) await write();
    const before = sizes().log;
    for (let n = 0; n < 300; n += 1) await write();
    // Each of them takes twice its length: the change feed keeps a copy.
    expect(sizes().log).toBeLessThan(before + 300 * text.length);
    expect((await copiedTable.query({ pk: 'a', limit: 5_000 })).items).toHaveLength(written);
    copied.close();
  });
});
