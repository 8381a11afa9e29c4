/** One entry of the index of due work. */
export type DueEntry = {
  readonly kind:
    | 'payment'
    | 'payment_link'
    | 'event'
    | 'connection'
    | 'ab_test'
    | 'subscription'
    | 'invoice'
    | 'execution'
    | 'owed_start'
    | 'held_totals'
    | 'dispute'
    | 'dispute_poll'
    | 'erasure';
  readonly id: string;
  /** When it is due. */
  readonly at: string;
  /** Missing if neither the index entry nor the record's key contains it. */
  readonly orgId?: string;
  /** Its position in its shard of the index. Only the store uses it. */
  readonly position: string;
};

export interface DuePort {
  readonly shards: readonly string[];
  /** Those with an entry that is due. A store that would have to read each of them to know names all. */
  shardsDue(until: Date): Promise<readonly string[]>;
  /** Oldest first: the first page, or the page after the entry `after`. A full page may have a next one. */
  due(shard: string, until: Date, limit: number, after?: DueEntry): Promise<readonly DueEntry[]>;
  /** The time of the earliest entry of all shards, for a clock that is advanced in tests. */
  earliest(): Promise<string | undefined>;
}

/** All shards at once, for a host on one machine: it looks often, and each look would read each shard. */
export interface DueIndex {
  /** The shards with an entry that is due. */
  shards(until: Date): Promise<readonly string[]>;
  /** Oldest first. */
  due(until: Date, limit: number): Promise<readonly Pick<DueEntry, 'id' | 'at'>[]>;
  earliest(): Promise<string | undefined>;
}

export type EnqueuedFilter = (item: DueEntry) => boolean;

/** Records which entries recent sweeps of a large backlog enqueued, so that the next sweep skips them. */
export interface SweepsPort {
  recordEnqueued(shard: string, items: readonly DueEntry[], at: Date): Promise<void>;
  /** Everything recorded between the two times. */
  enqueuedBetween(shard: string, after: Date, before: Date): Promise<EnqueuedFilter>;
}
