import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const KEY = { pk: 'SUB#1', sk: 'SUB' };
const PARTITION = '@sub#org_1#plan#0';
const NOTE = 'a text with "reference_pk": in it';

/** The tables of a data file from the time when the index `reference` was called `lookup`. */
function writeOlderFile(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`
    CREATE TABLE items (pk TEXT NOT NULL, sk TEXT NOT NULL, json TEXT NOT NULL);
    CREATE UNIQUE INDEX items_by_key ON items (pk, sk);
    CREATE TABLE entries (name TEXT NOT NULL, part TEXT NOT NULL, at TEXT NOT NULL, pk TEXT NOT NULL, sk TEXT NOT NULL,
      PRIMARY KEY (name, part, at, pk, sk)) WITHOUT ROWID;
    CREATE TABLE feed (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, pk TEXT NOT NULL, sk TEXT NOT NULL, old TEXT, new TEXT);`);
  const item = JSON.stringify({ ...KEY, note: NOTE, reference_pk: PARTITION, reference_sk: 'sub_1' });
  db.prepare('INSERT INTO items (json, pk, sk) VALUES (?, ?, ?)').run(item, KEY.pk, KEY.sk);
  db.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?)').run('reference', PARTITION, 'sub_1', KEY.pk, KEY.sk);
  db.prepare('INSERT INTO feed (pk, sk, new) VALUES (?, ?, ?)').run(KEY.pk, KEY.sk, item);
  db.close();
}

it('opens a data file of an earlier version, and keeps its index entries in step with their items', async () => {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const path = folder.path('older.db');
  writeOlderFile(path);
  const database = openDatabase(path);
  const table = new SqliteTable({ database });
  const found = () => table.entries('lookup', { pk: PARTITION, limit: 10 });
  expect((await found()).items).toEqual([{ ...KEY, at: 'sub_1' }]);
  expect(await table.get(KEY)).toEqual({ ...KEY, note: NOTE, lookup_pk: PARTITION, lookup_sk: 'sub_1' });
  await table.delete(KEY);
  expect((await found()).items).toEqual([]);
  database.close();
});
