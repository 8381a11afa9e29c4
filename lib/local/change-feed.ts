import type { FeedRecord } from '#shared/store/table/table.port.ts';

/** The table's changes, for named consumers that resume where they were: at least once, in order within a shard. */
export type ChangeFeed = {
  /** The next records, all of one shard; delivered again until they are checkpointed. */
  readonly read: (consumer: string, limit: number) => readonly FeedRecord[] | Promise<readonly FeedRecord[]>;
  /** The shard of the last read. */
  readonly shard: (consumer: string) => string;
  /** Marks everything up to and including this record of the last read as done. */
  readonly checkpoint: (consumer: string, seq: string) => Promise<void>;
  /** Whether any earlier write may still have to be processed. */
  readonly pending: (consumer: string) => boolean;
  /** Calls back when there may be new records. Returns the function to unsubscribe. */
  readonly onChange: (listener: () => void) => () => void;
  /** Deletes records that every consumer has processed. */
  readonly prune: () => Promise<void>;
  /** How often to poll a table that other processes write too. */
  readonly pollMs?: number;
};
