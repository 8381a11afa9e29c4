export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export type Key = { readonly pk: string; readonly sk: string };
export type Item = Key & { readonly [attribute: string]: Json };

/**
 * A condition on top-level attributes. No arithmetic: compared values must be stored. `ne` holds for a missing
 * attribute.
 */
export type Condition =
  | { readonly exists: string }
  | { readonly absent: string }
  | { readonly eq: readonly [string, Json] }
  | { readonly ne: readonly [string, Json] }
  | { readonly lt: readonly [string, Json] }
  | { readonly le: readonly [string, Json] }
  | { readonly gt: readonly [string, Json] }
  | { readonly ge: readonly [string, Json] }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] };

/** `add` takes integers and starts a missing attribute at 0. A change names each attribute once, and never a key. */
export type ItemChange = {
  readonly set?: Readonly<Record<string, Json>>;
  readonly add?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
};

/** `item`: the item after the write (for a delete: before it). `old`: the item that failed the condition. */
export type WriteResult<T = Item> =
  | { readonly ok: true; readonly item: T }
  | { readonly ok: false; readonly old: Item | undefined };

export type Cursor = string;

export type Range =
  | { readonly ge: string }
  | { readonly gt: string }
  | { readonly le: string }
  | { readonly lt: string }
  | { readonly prefix: string }
  | { readonly between: readonly [string, string] };

/** Sort keys are ordered by their UTF-8 bytes. `limit` counts items read, before any filter. */
export type PageQuery = {
  readonly pk: string;
  readonly range?: Range;
  readonly limit: number;
  readonly after?: Cursor;
  readonly newestFirst?: boolean;
};

/** A page may be empty and still have a next; a cursor at the exact end is allowed. */
export type Page<T> = { readonly items: readonly T[]; readonly next: Cursor | undefined };

export type IndexEntry = Key & { readonly at: string };

export type Write =
  | { readonly put: Item; readonly condition?: Condition }
  | { readonly update: Key; readonly change: ItemChange; readonly condition?: Condition }
  | { readonly delete: Key; readonly condition?: Condition }
  | { readonly check: Key; readonly condition: Condition };

export type TransactResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly failed: readonly { readonly index: number; readonly old?: Item }[] };

/**
 * The one table. Every operation is a single DynamoDB call, so that a use case costs the same on both engines. What no
 * engine can hide (the old item on failure, short pages, lagging indexes, conflicts, lost responses) is in the types.
 */
export interface TablePort {
  get(key: Key, options?: { readonly consistent?: boolean }): Promise<Item | undefined>;
  /** At most 100 different keys; results in their order, with gaps. */
  getMany(keys: readonly Key[]): Promise<readonly (Item | undefined)[]>;
  put(item: Item, condition?: Condition): Promise<WriteResult>;
  update(key: Key, change: ItemChange, condition?: Condition): Promise<WriteResult>;
  delete(key: Key, condition?: Condition): Promise<WriteResult<Item | undefined>>;
  query(where: PageQuery & { readonly consistent?: boolean; readonly filter?: Condition }): Promise<Page<Item>>;
  /** Keys only, and lagging: an entry may be older than its item, so readers check the item. */
  entries(index: IndexName, where: PageQuery): Promise<Page<IndexEntry>>;
  count(index: IndexName, where: PageQuery): Promise<{ readonly count: number; readonly next: Cursor | undefined }>;
  /**
   * All or nothing, at most 100 writes on different keys. The same token within ten minutes is the same transaction.
   */
  transact(writes: readonly Write[], token: string): Promise<TransactResult>;
}

/** Sparse KEYS_ONLY indexes: an item is in one if it has both attributes (strings), here `[partition, sort]`. */
export const INDEXES = {
  /** Newest first per organization and shard; see `keys.ts`. */
  list: ['list_pk', 'list_sk'],
  customer: ['customer_pk', 'customer_sk'],
  /** By PSP reference, plan, subscription, template or expiry. */
  lookup: ['lookup_pk', 'lookup_sk'],
  /** Due work for the sweeper, by time. */
  due: ['due_pk', 'due_sk'],
  status: ['status_pk', 'status_sk'],
} as const satisfies Record<string, readonly [string, string]>;

export type IndexName = keyof typeof INDEXES;

export type TableErrorKind = 'throttled' | 'conflict' | 'unavailable' | 'too_large' | 'invalid';

export class TableError extends Error {
  override readonly name = 'TableError';
  readonly kind: TableErrorKind;
  /** `not_done`: the write certainly had no effect. `unknown`: it may have happened. */
  readonly outcome: 'not_done' | 'unknown';
  constructor(kind: TableErrorKind, outcome: 'not_done' | 'unknown', message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
    this.outcome = outcome;
  }
}

/** One change of one item, as both engines report it, in order within a shard. `seq` sorts as text. */
export type FeedRecord = { readonly seq: string; readonly key: Key; readonly old?: Item; readonly new?: Item };
