import { RecentPages } from '#lib/local/recent-pages.ts';
import { ShardReader } from '#lib/local/shard-reader.ts';
import type { StreamPositions } from '#lib/local/stream-positions.ts';
import type { Shard, StreamSource } from '#lib/local/stream-source.ts';
import type { FeedRecord } from '#shared/store/table/table.port.ts';

type BufferedPage = { readonly shard: string; readonly records: readonly FeedRecord[] };

const NOTHING: BufferedPage = { shard: '', records: [] };

/** One consumer's position in the stream: shard after shard, each after its parent. */
export class StreamFollower {
  readonly #source: StreamSource;
  readonly #positions: StreamPositions;
  readonly #recent: RecentPages;
  #open: readonly ShardReader[] = [];
  #held = NOTHING;

  /** `recent`: the pages of all consumers of this stream. */
  constructor(source: StreamSource, positions: StreamPositions, recent = new RecentPages()) {
    this.#source = source;
    this.#positions = positions;
    this.#recent = recent;
  }

  get held(): boolean {
    return this.#held.records.length > 0;
  }

  /** The shard of the buffered records. */
  get shard(): string {
    return this.#held.shard;
  }

  /** Records that are not checkpointed yet, or else the next ones; none if every shard was empty. */
  async read(limit: number): Promise<readonly FeedRecord[]> {
    if (!this.held) this.#held = await this.#fetch();
    return this.#held.records.slice(0, limit);
  }

  async checkpoint(seq: string): Promise<void> {
    const { shard, records } = this.#held;
    await this.#positions.move(shard, seq);
    this.#held = { shard, records: records.filter((record) => record.seq > seq) };
  }

  async #fetch(): Promise<BufferedPage> {
    if (this.#open.length === 0) await this.#look();
    for (const reader of this.#open) {
      const records = await reader.next();
      if (!records) {
        await this.#positions.end(reader.shard);
        await this.#look();
        return this.#fetch();
      }
      if (records.length === 0) continue;
      // Other shards come first next time: a busy one must not starve them.
      this.#open = [...this.#open.filter((each) => each !== reader), reader];
      return { shard: reader.shard, records };
    }
    return NOTHING;
  }

  async #look(): Promise<void> {
    const shards = await this.#source.shards();
    await this.#positions.keepOnly(shards.map(({ id }) => id));
    const known = new Map(this.#open.map((reader) => [reader.shard, reader]));
    const readable = readableOf(shards, (id) => this.#positions.isAtEnd(id));
    this.#open = readable.map(({ id }) => known.get(id) ?? this.#readerOf(id));
  }

  #readerOf(id: string): ShardReader {
    return new ShardReader(this.#source, this.#recent, id, this.#positions.in(id));
  }
}

/** Unfinished shards whose parent is finished, or no longer kept. */
function readableOf(shards: readonly Shard[], isAtEnd: (id: string) => boolean): readonly Shard[] {
  const isInTheWay = (parent: string | undefined) => shards.some(({ id }) => id === parent && !isAtEnd(id));
  return shards.filter(({ id, parent }) => !isAtEnd(id) && !isInTheWay(parent));
}
