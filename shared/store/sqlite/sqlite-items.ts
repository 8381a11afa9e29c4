import type { DatabaseSync } from 'node:sqlite';
import { type FeedRecord, INDEXES, type IndexName, type Item, type Key } from '#shared/store/table/table.port.ts';

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
const PREFIXES_WITHOUT_FEED = ['KEY#', 'ADDR#', 'STAT#', 'VEL#', 'EVT#', 'SWEEP#', 'ROUTING#'];

/** Item rows, with their index entries and change records, which every write keeps in step. */
export function sqliteItems(db: DatabaseSync, cache = new ItemCache()) {
  db.exec(SCHEMA);
  if (db.prepare("SELECT 1 FROM entries WHERE name = 'reference' LIMIT 1").get()) db.exec(RENAMED_INDEX);
  const select = db.prepare('SELECT json FROM items WHERE pk = ? AND sk = ?');
  const insert = db.prepare('INSERT INTO items (json, pk, sk) VALUES (?, ?, ?)');
  const update = db.prepare('UPDATE items SET json = ? WHERE pk = ? AND sk = ?');
  const remove = db.prepare('DELETE FROM items WHERE pk = ? AND sk = ?');
  const addEntry = db.prepare('INSERT INTO entries (name, part, at, pk, sk) VALUES (?, ?, ?, ?, ?)');
  const removeEntry = db.prepare('DELETE FROM entries WHERE name = ? AND part = ? AND at = ? AND pk = ? AND sk = ?');
  const feed = db.prepare('INSERT INTO feed (pk, sk, old, new) VALUES (?, ?, ?, ?)');

  function load(key: Key): StoredItem | undefined {
    const kept = cache.get(key);
    if (kept) return kept.json === undefined ? undefined : kept;
    const json = select.get(key.pk, key.sk)?.json;
    const stored = typeof json === 'string' ? { json, item: parseItem(json) } : undefined;
    cache.set(key, stored ?? { json: undefined });
    return stored;
  }

  /** `old`: the stored item, which the caller has read for its condition. `undefined` as `next` deletes. */
  function change({ pk, sk }: Key, old: StoredItem | undefined, next: Item | undefined): void {
    const oldJson = old?.json ?? null;
    const newJson = next ? JSON.stringify(next) : null;
    // DynamoDB streams skip writes that change nothing, too.
    if (oldJson === newJson) return;
    if (newJson === null) remove.run(pk, sk);
    else (old ? update : insert).run(newJson, pk, sk);
    updateEntries({ pk, sk }, old?.item, next);
    if (!PREFIXES_WITHOUT_FEED.some((prefix) => pk.startsWith(prefix))) {
      const { lastInsertRowid: seq } = feed.run(pk, sk, oldJson, newJson);
      cache.addChange(Number(seq), { key: { pk, sk }, old: old?.item, new: next });
    }
    cache.set({ pk, sk }, next && newJson !== null ? { json: newJson, item: next } : { json: undefined });
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

/** An item with the text that is stored; both are undefined if there is none. */
export type CachedItem = StoredItem | { readonly json: undefined };
export type StoredItem = { readonly json: string; readonly item: Item };

/** Items of one generation. There are two, so that what was not used for a whole generation is dropped at once. */
const GENERATION = 2_000;
/** A longer item is not kept, so that the cache stays below some tens of megabytes. */
const MAX_LENGTH = 16_384;
/** Changes that are kept: more than the feed's consumers usually lag behind. */
const MAX_CHANGES = 1_000;

export type CachedChange = Omit<FeedRecord, 'seq'>;

/**
 * What was read or written lately, so that it need not be read and parsed again. Items never change: a write puts a new
 * one in their place. This process is the only writer of its file; if another one writes after all, `clear`.
 */
export class ItemCache {
  #young = new Map<string, CachedItem>();
  #old = new Map<string, CachedItem>();
  readonly #changes = new Map<number, CachedChange>();
  #newest: number | undefined;

  get(key: Key): CachedItem | undefined {
    const name = nameOf(key);
    const young = this.#young.get(name);
    if (young) return young;
    const old = this.#old.get(name);
    if (old) this.#keep(name, old);
    return old;
  }

  set(key: Key, cached: CachedItem): void {
    const name = nameOf(key);
    if ((cached.json?.length ?? 0) <= MAX_LENGTH) this.#keep(name, cached);
    else for (const generation of [this.#young, this.#old]) generation.delete(name);
  }

  /** The item in this text, which is of this key: parsed only if it is another version than the one kept. */
  parse(key: Key, json: string): Item {
    const kept = this.get(key);
    return kept?.json === json ? kept.item : JSON.parse(json);
  }

  /** The number of the last change of this process; `undefined` after a roll-back, which may have taken it back. */
  get newestChange(): number | undefined {
    return this.#newest;
  }

  /** A new change, which will be in the feed under this number with the commit. */
  addChange(seq: number, change: CachedChange): void {
    this.#newest = seq;
    this.keepChange(seq, change);
  }

  keepChange(seq: number, change: CachedChange): void {
    this.#changes.set(seq, change);
    if (this.#changes.size > MAX_CHANGES) this.#changes.delete(this.#changes.keys().next().value ?? seq);
  }

  change(seq: number): CachedChange | undefined {
    return this.#changes.get(seq);
  }

  clear(): void {
    this.#changes.clear();
    this.#newest = undefined;
    this.#young.clear();
    this.#old.clear();
  }

  #keep(name: string, cached: CachedItem): void {
    if (this.#young.size >= GENERATION) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(name, cached);
  }
}

/** No other item has this name. */
export const nameOf = ({ pk, sk }: Key): string => `${pk.length}:${pk}${sk}`;
