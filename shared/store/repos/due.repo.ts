import type { DueItem, DuePort } from '#shared/ports/due.port.ts';
import type { Entry, TablePort } from '#shared/ports/table.port.ts';
import {
  dueShards,
  EXECUTION_PREFIX,
  INVOICE_PREFIX,
  LINK_PREFIX,
  OWED_START_PREFIX,
  SUBSCRIPTION_PREFIX,
  TEST_PREFIX,
} from '#shared/store/keys.ts';
import { cursorAt } from '#shared/store/range.rules.ts';

/** The sparse index of due work. Its entries may lag behind or run ahead of their items, so handlers read the item. */
export class DueRepo implements DuePort {
  readonly shards = dueShards;
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async due(shard: string, until: Date, limit: number, after?: DueItem): Promise<readonly DueItem[]> {
    const range = { le: `${until.toISOString()}#~` };
    const page = await this.#table.entries('due', {
      pk: shard,
      range,
      limit,
      ...(after && { after: cursorAfter(shard, after) }),
    });
    return page.items.map(itemOf);
  }

  async earliest(): Promise<string | undefined> {
    const firsts = await Promise.all(this.shards.map((pk) => this.#table.entries('due', { pk, limit: 1 })));
    const times = firsts.flatMap((page) => page.items.map(({ at }) => at.slice(0, at.indexOf('#')))).sort();
    return times[0];
  }
}

/** An entry stands at `<time>#<id>`, or `<time>#<id>#<organization>`. */
function itemOf({ pk, sk, at: place }: Entry): DueItem {
  const [at = '', id = '', orgId] = place.split('#');
  return { kind: kindOf(pk), id, pk, sk, at, ...(orgId !== undefined && { orgId }) };
}

const cursorAfter = (shard: string, { pk, sk, at, id, orgId }: DueItem): string =>
  cursorAt([shard, [at, id, ...(orgId === undefined ? [] : [orgId])].join('#'), pk, sk]);

/** The kind of entry, by its partition's prefix. */
const KINDS: readonly (readonly [prefix: string, kind: DueItem['kind']])[] = [
  ['EVT#', 'event'],
  [LINK_PREFIX, 'payment_link'],
  [TEST_PREFIX, 'ab_test'],
  [SUBSCRIPTION_PREFIX, 'subscription'],
  [INVOICE_PREFIX, 'invoice'],
  [EXECUTION_PREFIX, 'execution'],
  [OWED_START_PREFIX, 'owed_start'],
  ['ORG#', 'connection'],
];

const kindOf = (pk: string): DueItem['kind'] => KINDS.find(([prefix]) => pk.startsWith(prefix))?.[1] ?? 'payment';
