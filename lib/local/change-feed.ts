import type { FeedRecord } from '#shared/ports/table.port.ts';

/** What changed in the table, for named consumers that go on from where they stood: at least once, in order within a shard. */
export type ChangeFeed = {
  /** What comes next, all of one shard; told again until it is checkpointed. */
  readonly read: (consumer: string, limit: number) => readonly FeedRecord[] | Promise<readonly FeedRecord[]>;
  /** Of which shard what was read last is. */
  readonly shard: (consumer: string) => string;
  /** Of what was read last, everything up to and with this record is done. */
  readonly checkpoint: (consumer: string, seq: string) => Promise<void>;
  /** Whether anything written up to now may still be to be done. */
  readonly pending: (consumer: string) => boolean;
  /** Wakes when there may be news; answers how to stop that. */
  readonly onChange: (listener: () => void) => () => void;
  /** Drops what every consumer has passed. */
  readonly prune: () => Promise<void>;
  /** For a table that others may write too, of which nobody tells us. */
  readonly lookAgainMs?: number;
};
