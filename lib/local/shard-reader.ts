import type { RecentPages } from '#lib/local/recent-pages.ts';
import type { StreamPage, StreamSource } from '#lib/local/stream-source.ts';
import type { FeedRecord } from '#shared/store/table/table.port.ts';

/** Reads one shard page by page, from behind a record or from its start. */
export class ShardReader {
  readonly shard: string;
  readonly #source: StreamSource;
  readonly #recent: RecentPages;
  #position: string | undefined;
  #iterator: string | undefined;
  #atEnd = false;

  constructor(source: StreamSource, recent: RecentPages, shard: string, position: string | undefined) {
    this.#source = source;
    this.#recent = recent;
    this.shard = shard;
    this.#position = position;
  }

  /** Empty if there is nothing now, `undefined` at the shard's end. */
  async next(): Promise<readonly FeedRecord[] | undefined> {
    if (this.#atEnd) return undefined;
    const { records, iterator } = await this.#recent.page(this.shard, this.#position, () => this.#page());
    this.#position = records.at(-1)?.seq ?? this.#position;
    this.#iterator = iterator;
    this.#atEnd = iterator === undefined;
    return this.#atEnd && records.length === 0 ? undefined : records;
  }

  async #page(): Promise<StreamPage> {
    try {
      return await this.#source.page(await this.#place());
    } catch (error) {
      this.#iterator = undefined;
      const name = error instanceof Error ? error.name : '';
      // The position is older than the retention. The emulator also says so of an iterator from before a shard's first
      // record.
      if (name === 'TrimmedDataAccessException') this.#position = undefined;
      else if (name !== 'ExpiredIteratorException') throw error;
      return this.#source.page(await this.#place());
    }
  }

  async #place(): Promise<string> {
    this.#iterator ??= await this.#source.iterator(this.shard, this.#position);
    return this.#iterator;
  }
}
