import type { StreamPage } from '#lib/local/stream-source.ts';

/** Each holds up to a megabyte of records. The consumers of one host are seldom further apart. */
const MAX_PAGES = 4;

/**
 * What one consumer of a stream has read lately, or is reading. The next one reads the same records from the same
 * position, and need not ask for them again.
 */
export class RecentPages {
  readonly #pages = new Map<string, Promise<StreamPage>>();

  /** The page behind this position: as another consumer has found it, or as `read` finds it. */
  async page(shard: string, position: string | undefined, read: () => Promise<StreamPage>): Promise<StreamPage> {
    const name = nameOf(shard, position);
    const known = this.#pages.get(name);
    const found = await known?.catch(() => undefined);
    // That another one found nothing may be outdated by now, unless it has looked since this call began.
    if (found !== undefined && found.records.length > 0) return found;
    const since = this.#pages.get(name);
    return since !== undefined && since !== known ? since : this.#keep(name, read());
  }

  #keep(name: string, page: Promise<StreamPage>): Promise<StreamPage> {
    this.#pages.delete(name);
    this.#pages.set(name, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MAX_PAGES && oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }
}

const nameOf = (shard: string, position = ''): string => `${shard} ${position}`;
