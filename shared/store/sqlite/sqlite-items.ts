import type { DatabaseSync } from 'node:sqlite';
import { INDEXES, type IndexName, type Item, type Key } from '#shared/store/table/table.port.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS items (pk TEXT NOT NULL, sk TEXT NOT NULL, json TEXT NOT NULL);
  CREATE UNIQUE INDEX IF NOT EXISTS items_by_key ON items (pk, sk);
  CREATE TABLE IF NOT EXISTS entries (
    name TEXT NOT NULL, part TEXT NOT NULL, at TEXT NOT NULL, pk TEXT NOT NULL, sk TEXT NOT NULL,
    PRIMARY KEY (name, part, at, pk, sk)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS feed (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, pk TEXT NOT NULL, sk TEXT NOT NULL, old TEXT, new TEXT
  );`;

/**
 * Data files of earlier versions have the name `reference` for the index `lookup`. The JSON is changed as text: within
 * a text value the quotes are escaped, so only attribute names match.
 */
const RENAMED_INDEX = [
  "UPDATE entries SET name = 'lookup' WHERE name = 'reference'",
  ...['UPDATE items SET json = #json', 'UPDATE feed SET old = #old, new = #new'].map((sql) =>
    sql.replace(
      /#(\w+)/g,
      `replace(replace($1, '"reference_pk":', '"lookup_pk":'), '"reference_sk":', '"lookup_sk":')`,
    ),
  ),
].join(';');

/**
 * Prefixes of partitions without a change feed: counters that change with every request or payment, and items that no
 * consumer reads.
 */
const PREFIXES_WITHOUT_FEED = ['KEY#', 'ADDR#', 'STAT#', 'VEL#', 'EVT#', 'SWEEP#'];

type ItemRow = { readonly json: string; readonly item: Item };

/** Item rows, with their index entries and change records, which every write keeps in step. */
export function sqliteItems(db: DatabaseSync) {
  db.exec(SCHEMA);
  if (db.prepare("SELECT 1 FROM entries WHERE name = 'reference' LIMIT 1").get()) db.exec(RENAMED_INDEX);
  const select = db.prepare('SELECT json FROM items WHERE pk = ? AND sk = ?');
  const insert = db.prepare('INSERT INTO items (json, pk, sk) VALUES (?, ?, ?)');
  const update = db.prepare('UPDATE items SET json = ? WHERE pk = ? AND sk = ?');
  const remove = db.prepare('DELETE FROM items WHERE pk = ? AND sk = ?');
  const addEntry = db.prepare('INSERT INTO entries (name, part, at, pk, sk) VALUES (?, ?, ?, ?, ?)');
  const removeEntry = db.prepare('DELETE FROM entries WHERE name = ? AND part = ? AND at = ? AND pk = ? AND sk = ?');
  const feed = db.prepare('INSERT INTO feed (pk, sk, old, new) VALUES (?, ?, ?, ?)');

  function load({ pk, sk }: Key): ItemRow | undefined {
    const json = select.get(pk, sk)?.json;
    return typeof json === 'string' ? { json, item: parseItem(json) } : undefined;
  }

  /** `old`: the stored item, which the caller has read for its condition. `undefined` as `next` deletes. */
  function change({ pk, sk }: Key, old: ItemRow | undefined, next: Item | undefined): void {
    const oldJson = old?.json ?? null;
    const newJson = next ? JSON.stringify(next) : null;
    // DynamoDB streams skip writes that change nothing, too.
    if (oldJson === newJson) return;
    if (newJson === null) remove.run(pk, sk);
    else (old ? update : insert).run(newJson, pk, sk);
    updateEntries({ pk, sk }, old?.item, next);
    if (!PREFIXES_WITHOUT_FEED.some((prefix) => pk.startsWith(prefix))) feed.run(pk, sk, oldJson, newJson);
  }

  function updateEntries({ pk, sk }: Key, old: Item | undefined, next: Item | undefined): void {
    for (const index of Object.keys(INDEXES) as IndexName[]) {
      const before = old && entryOf(index, old);
      const after = next && entryOf(index, next);
      if (before?.[0] === after?.[0] && before?.[1] === after?.[1]) continue;
      if (before) removeEntry.run(index, ...before, pk, sk);
      if (after) addEntry.run(index, ...after, pk, sk);
    }
  }

  return { load, change };
}

export const parseItem = (json: unknown): Item => JSON.parse(String(json));

function entryOf(index: IndexName, item: Item): readonly [string, string] | undefined {
  const [part, at] = INDEXES[index].map((attribute) => item[attribute]);
  return typeof part === 'string' && typeof at === 'string' ? [part, at] : undefined;
}
