import type { ChangeFeed } from '#lib/local/change-feed.ts';
import { RecentPages } from '#lib/local/recent-pages.ts';
import { StreamFollower } from '#lib/local/stream-follower.ts';
import { streamPositions } from '#lib/local/stream-positions.ts';
import type { StreamSource } from '#lib/local/stream-source.ts';
import type { SqliteDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import type { FeedRecord } from '#shared/store/table/table.port.ts';

type StreamFeedOptions = {
  readonly source: StreamSource;
  /** Stores the positions. */
  readonly database: Pick<SqliteDatabase, 'setUp' | 'run'>;
  readonly consumers: readonly string[];
};

/**
 * DynamoDB's stream as this host's change feed. A stream must be polled: after each of our writes. The emulator shows
 * records at once, so an empty read means that all earlier writes are processed.
 */
export class StreamFeed implements ChangeFeed {
  readonly pollMs = 1_000;
  readonly #followers: ReadonlyMap<string, StreamFollower>;
  readonly #listeners = new Set<() => void>();
  /** The last write up to which each consumer found nothing left. */
  readonly #passed = new Map<string, number>();
  #written = 0;

  constructor({ source, database, consumers }: StreamFeedOptions) {
    const recent = new RecentPages();
    this.#followers = new Map(
      consumers.map((name) => [name, new StreamFollower(source, streamPositions(database, name), recent)]),
    );
  }

  /** Reports the end of a write: done, refused or unanswered. */
  wrote(): void {
    this.#written += 1;
    for (const wake of this.#listeners) wake();
  }

  async read(consumer: string, limit: number): Promise<readonly FeedRecord[]> {
    const before = this.#written;
    const records = await this.#follower(consumer).read(limit);
    if (records.length === 0) this.#passed.set(consumer, before);
    return records;
  }

  shard(consumer: string): string {
    return this.#follower(consumer).shard;
  }

  checkpoint(consumer: string, seq: string): Promise<void> {
    return this.#follower(consumer).checkpoint(seq);
  }

  pending(consumer: string): boolean {
    return this.#follower(consumer).held || this.#passed.get(consumer) !== this.#written;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A stream deletes records after a day by itself. */
  async prune(): Promise<void> {}

  #follower(consumer: string): StreamFollower {
    const follower = this.#followers.get(consumer);
    if (!follower) throw new Error(`${consumer} does not follow the change feed.`);
    return follower;
  }
}
