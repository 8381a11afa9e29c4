import type { SqliteDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { nameOf, type StoredItem, sqliteItems } from '#shared/store/sqlite/sqlite-items.ts';
import { sqlitePages } from '#shared/store/sqlite/sqlite-pages.ts';
import { sqliteTokens } from '#shared/store/sqlite/sqlite-tokens.ts';
import { checkFilter, evaluate } from '#shared/store/table/condition.rules.ts';
import { checkKey, checkKeys, checkSize } from '#shared/store/table/item.rules.ts';
import { cursorAt, readPageQuery } from '#shared/store/table/range.rules.ts';
import type {
  Condition,
  IndexEntry,
  IndexName,
  Item,
  ItemChange,
  Key,
  Page,
  PageQuery,
  TablePort,
  TransactResult,
  Write,
  WriteResult,
} from '#shared/store/table/table.port.ts';
import { applyChange, checkTransaction, checkWrite, keyOf } from '#shared/store/table/write.rules.ts';

/** The table in one local file. It behaves like DynamoDB, except that its indexes never lag behind. */
export class SqliteTable implements TablePort {
  readonly #database: SqliteDatabase;
  readonly #items: ReturnType<typeof sqliteItems>;
  readonly #pages: ReturnType<typeof sqlitePages>;
  readonly #tokens: ReturnType<typeof sqliteTokens>;
  readonly #isDurable: () => boolean;

  /**
   * `isDurable` is asked at each call. `false` is for work that starts again from its own checkpoint in the same file:
   * its calls do not wait for the disk. They see what a power loss may take, together with all that follows from it.
   */
  constructor({
    database,
    isDurable = () => true,
  }: {
    readonly database: SqliteDatabase;
    readonly isDurable?: () => boolean;
  }) {
    this.#database = database;
    this.#isDurable = isDurable;
    this.#items = database.setUp((db) => sqliteItems(db, database.cache));
    this.#pages = database.setUp((db) => sqlitePages(db, database.cache));
    this.#tokens = database.setUp(sqliteTokens);
  }

  get #wait(): { readonly isDurable: boolean } {
    return { isDurable: this.#isDurable() };
  }

  async get(key: Key): Promise<Item | undefined> {
    checkKey(key);
    return this.#database.readItems([nameOf(key)], () => this.#items.load(key)?.item, this.#wait);
  }

  async getMany(keys: readonly Key[]): Promise<readonly (Item | undefined)[]> {
    checkKeys(keys);
    return this.#database.readItems(keys.map(nameOf), () => keys.map((key) => this.#items.load(key)?.item), this.#wait);
  }

  async put(item: Item, condition?: Condition): Promise<WriteResult> {
    const { ok, old } = await this.#write({ put: item, condition });
    return ok ? { ok, item } : { ok, old };
  }

  async update(key: Key, change: ItemChange, condition?: Condition): Promise<WriteResult> {
    const { ok, old, next } = await this.#write({ update: key, change, condition });
    return ok && next ? { ok, item: next } : { ok: false, old };
  }

  async delete(key: Key, condition?: Condition): Promise<WriteResult<Item | undefined>> {
    const { ok, old } = await this.#write({ delete: key, condition });
    return ok ? { ok, item: old } : { ok, old };
  }

  async query({
    filter,
    ...where
  }: PageQuery & { readonly consistent?: boolean; readonly filter?: Condition }): Promise<Page<Item>> {
    const last = readPageQuery(where, 1);
    if (filter) checkFilter(filter);
    const read = await this.#database.read(() => this.#pages.items(where, last), this.#wait);
    return {
      items: filter ? read.filter((item) => evaluate(filter, item)) : read,
      next: nextAfter(where, read, (item) => [item.sk]),
    };
  }

  async entries(index: IndexName, where: PageQuery): Promise<Page<IndexEntry>> {
    const last = readPageQuery(where, 3);
    const items = await this.#database.read(() => this.#pages.entries(index, where, last), this.#wait);
    return { items, next: nextAfter(where, items, ({ at, pk, sk }) => [at, pk, sk]) };
  }

  async count(
    index: IndexName,
    where: PageQuery,
  ): Promise<{ readonly count: number; readonly next: string | undefined }> {
    const { items, next } = await this.entries(index, where);
    return { count: items.length, next };
  }

  async transact(writes: readonly Write[], token: string): Promise<TransactResult> {
    checkTransaction(writes, token);
    return this.#database.run((): TransactResult => {
      if (this.#tokens.seen(token, writes)) return { ok: true };
      const plans = writes.map((write) => this.#plan(write));
      const failed = plans.flatMap(({ ok, old }, index) => (ok ? [] : [{ index, old: old?.item }]));
      if (failed.length > 0) return { ok: false, failed };
      for (const { key, old, next } of plans) this.#change(key, old, next);
      this.#tokens.remember(token, writes);
      return { ok: true };
    }, this.#wait);
  }

  async #write(write: Write) {
    checkWrite(write);
    const work = () => {
      const { key, ok, old, next } = this.#plan(write);
      if (ok) this.#change(key, old, next);
      return { ok, old: old?.item, next };
    };
    return this.#database.run(work, isCount(write) ? { isDurable: false } : this.#wait);
  }

  #change(key: Key, old: StoredItem | undefined, next: Item | undefined): void {
    this.#items.change(key, old, next);
    this.#database.noteItem(nameOf(key));
  }

  #plan(write: Write) {
    const key = keyOf(write);
    const old = this.#items.load(key);
    const ok = !write.condition || evaluate(write.condition, old?.item);
    return { key, ok, old, next: ok ? itemAfter(write, old?.item) : old?.item };
  }
}

/**
 * Counts of requests, by key and by address. A power loss may cost those of the last milliseconds: no request waits for
 * the disk before it is even authenticated.
 */
const COUNTERS = ['KEY#', 'ADDR#'];
const isCount = (write: Write): boolean =>
  'update' in write && COUNTERS.some((prefix) => write.update.pk.startsWith(prefix));

function itemAfter(write: Write, old: Item | undefined): Item | undefined {
  if ('put' in write) return write.put;
  if ('delete' in write) return undefined;
  if ('check' in write) return old;
  const next = applyChange(old, write.update, write.change);
  checkSize(next);
  return next;
}

/** As in DynamoDB, a full page has a cursor even if nothing follows it. */
function nextAfter<T>(
  { pk, limit }: PageQuery,
  read: readonly T[],
  positionOf: (last: T) => readonly string[],
): string | undefined {
  const last = read.at(-1);
  return last !== undefined && read.length === limit ? cursorAt([pk, ...positionOf(last)]) : undefined;
}
