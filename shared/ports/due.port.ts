/** Due entries of the index, one shard at a time. */
export type DueItem = {
  readonly kind:
    | 'payment'
    | 'payment_link'
    | 'event'
    | 'connection'
    | 'ab_test'
    | 'subscription'
    | 'invoice'
    | 'execution'
    | 'owed_start';
  readonly id: string;
  readonly pk: string;
  readonly sk: string;
  readonly at: string;
  /** Set where the entry names its organization. */
  readonly orgId?: string;
};

export interface DuePort {
  readonly shards: readonly string[];
  /** Oldest first: the first page, or the one after that entry. A full page may have a next. */
  due(shard: string, until: Date, limit: number, after?: DueItem): Promise<readonly DueItem[]>;
  /** The earliest entry of all shards, if any: for a clock that is moved ahead. */
  earliest(): Promise<string | undefined>;
}
