import type { DueItem, DuePort } from '#shared/ports/stores.port.ts';
import type { TablePort } from '#shared/ports/table.port.ts';
import { dueShards, LINK_PREFIX, TEST_PREFIX } from '#shared/store/keys.ts';

/** The sparse index over what time will ask for. Its entries are late and early: whoever handles one looks at the item. */
export class DueRepo implements DuePort {
  readonly shards = dueShards;
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async due(shard: string, until: Date, limit: number): Promise<readonly DueItem[]> {
    const page = await this.#table.entries('due', { pk: shard, range: { le: `${until.toISOString()}#~` }, limit });
    return page.items.map(({ pk, sk, at }) => ({
      kind: kindOf(pk),
      id: at.slice(at.indexOf('#') + 1),
      pk,
      sk,
      at: at.slice(0, at.indexOf('#')),
    }));
  }

  async earliest(): Promise<string | undefined> {
    const firsts = await Promise.all(this.shards.map((pk) => this.#table.entries('due', { pk, limit: 1 })));
    const times = firsts.flatMap((page) => page.items.map(({ at }) => at.slice(0, at.indexOf('#')))).sort();
    return times[0];
  }
}

/** By what its partition is called. */
const KINDS: readonly (readonly [prefix: string, kind: DueItem['kind']])[] = [
  ['EVT#', 'event'],
  [LINK_PREFIX, 'payment_link'],
  [TEST_PREFIX, 'ab_test'],
  ['ORG#', 'connection'],
];

const kindOf = (pk: string): DueItem['kind'] => KINDS.find(([prefix]) => pk.startsWith(prefix))?.[1] ?? 'payment';
