import { DAY } from '#shared/kernel/clock.ts';
import type { HeldTotals } from '#shared/ports/totals.port.ts';
import { dueEntry, keys } from '#shared/store/keys.ts';
import { markName } from '#shared/store/repos/reporting/total-marks.ts';
import { ttlAfter } from '#shared/store/sliding-window.ts';
import { itemSize } from '#shared/store/table/item.rules.ts';
import type { Condition, Item, TablePort } from '#shared/store/table/table.port.ts';

/** Beyond this the shard waits: so much can only mean that it is not about a single total. */
const MAX_BYTES = 100_000;
const MAX_REMEMBERED = 5_000;
/** Longer than the stream keeps what it could deliver again. */
const LIFETIME = 3 * DAY;

const NAME_PREFIX = 'shard_';

/** One item for each shard that holds something, which is rare, or that has ended and whose marks were removed. */
export class HeldTotalsRepo {
  readonly #table: TablePort;
  readonly #ended = new Set<string>();
  constructor(table: TablePort) {
    this.#table = table;
  }

  async get(shard: string): Promise<HeldTotals | undefined> {
    const item = await this.#table.get(keys.heldTotals(nameOf(shard)), { consistent: true });
    if (!item) return undefined;
    const { shard: id = shard, version = 0, totals = [], has_ended = false } = item;
    return {
      shard: String(id),
      version: Number(version),
      totals: totals as never,
      ...(has_ended === true && { hasEnded: true }),
    };
  }

  /**
   * By the name of its mark. False while the shard holds something: its marks say what of that was added already, so
   * they must stay.
   */
  async recordEnd(mark: string, at: Date): Promise<boolean> {
    if (this.#ended.has(mark)) return true;
    const set = { item_type: 'held_totals', has_ended: true, ttl: ttlAfter(at, LIFETIME) };
    const holdsNothing: Condition = { any: [{ absent: 'version' }, { eq: ['totals', []] }] };
    if (!(await this.#table.update(keys.heldTotals(nameOfMark(mark)), { set }, holdsNothing)).ok) return false;
    if (this.#ended.size >= MAX_REMEMBERED) this.#ended.clear();
    this.#ended.add(mark);
    return true;
  }

  async save({ shard, version, totals, hasEnded }: HeldTotals, dueAt: Date): Promise<boolean> {
    const key = keys.heldTotals(nameOf(shard));
    const condition: Condition = version === 1 ? { absent: 'version' } : { eq: ['version', version - 1] };
    const item: Item = {
      ...key,
      item_type: 'held_totals',
      shard,
      version,
      totals: totals as never,
      ...(hasEnded && { has_ended: true }),
      ...(totals.length > 0 ? dueEntry(dueAt.toISOString(), nameOf(shard)) : { ttl: ttlAfter(dueAt, LIFETIME) }),
    };
    return itemSize(item) <= MAX_BYTES && (await this.#table.put(item, condition)).ok;
  }
}

/** Short, and without the characters that separate the parts of a key. A name stands for itself. */
const nameOf = (shard: string): string => (shard.startsWith(NAME_PREFIX) ? shard : nameOfMark(markName(shard)));
const nameOfMark = (mark: string): string => NAME_PREFIX + mark.slice(1);
