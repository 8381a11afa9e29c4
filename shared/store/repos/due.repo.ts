import { createHash } from 'node:crypto';
import { DAY, SECOND } from '#shared/kernel/clock.ts';
import type { DueEntry, DuePort, HandedOutFilter, SweepsPort } from '#shared/ports/due.port.ts';
import { dueKinds, dueShards, keys, sweepPartition } from '#shared/store/keys.ts';
import { queryAll } from '#shared/store/read-all.ts';
import { cursorAt } from '#shared/store/table/range.rules.ts';
import type { IndexEntry, TablePort } from '#shared/store/table/table.port.ts';

/** The sparse index of due work. Its entries may lag behind or run ahead of their items, so handlers read the item. */
export class DueRepo implements DuePort {
  readonly shards = dueShards;
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async due(shard: string, until: Date, limit: number, after?: DueEntry): Promise<readonly DueEntry[]> {
    const range = { le: `${until.toISOString()}#~` };
    const page = await this.#table.entries('due', {
      pk: shard,
      range,
      limit,
      ...(after && { after: after.position }),
    });
    return page.items.map((entry) => toDueEntry(shard, entry));
  }

  async earliest(): Promise<string | undefined> {
    const firsts = await Promise.all(this.shards.map((pk) => this.#table.entries('due', { pk, limit: 1 })));
    const times = firsts.flatMap((page) => page.items.map(({ at }) => at.slice(0, at.indexOf('#')))).sort();
    return times[0];
  }
}

function toDueEntry(shard: string, { pk, sk, at: entry }: IndexEntry): DueEntry {
  const [at = '', id = '', named] = entry.split('#');
  const { kind, orgInKey } = dueKinds.find(({ prefix }) => pk.startsWith(prefix)) ?? { kind: 'payment' };
  const orgId = orgInKey ? pk.split('#')[1] : named;
  return { kind, id, at, position: cursorAt([shard, entry, pk, sk]), ...(orgId !== undefined && { orgId }) };
}

/**
 * 36 bits: with 100,000 entries handed out, one in 700,000 others is mistaken for one of them, and waits until they
 * expire.
 */
const FINGERPRINT_LENGTH = 6;
const EACH_FINGERPRINT = new RegExp(`.{${FINGERPRINT_LENGTH}}`, 'g');
const PAGE_SIZE = 1_000;
/** Well after its last use. */
const HAND_OUT_LIFETIME = DAY;

/** Each page that was handed out is one item, written once: concurrent sweeps don't wait for each other. */
export class SweepRepo implements SweepsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async recordHandOut(shard: string, entries: readonly DueEntry[], at: Date): Promise<void> {
    const [first, ...rest] = entries.map(fingerprint);
    if (first === undefined) return;
    await this.#table.put({
      ...keys.handOut(shard, at, first),
      item_type: 'hand_out',
      prints: [first, ...rest].join(''),
      ttl: Math.ceil(at.getTime() / SECOND) + HAND_OUT_LIFETIME / SECOND,
    });
  }

  async handedOut(shard: string, after: Date, before: Date): Promise<HandedOutFilter> {
    // Items of a time sort after the bare time, as their first entry follows it.
    const range = { between: [`${after.toISOString()}#~`, before.toISOString()] } as const;
    const handOuts = await queryAll(this.#table, {
      pk: sweepPartition(shard),
      range,
      limit: PAGE_SIZE,
      consistent: true,
    });
    const fingerprints = new Set(handOuts.flatMap(({ prints }) => String(prints).match(EACH_FINGERPRINT) ?? []));
    return (entry) => fingerprints.has(fingerprint(entry));
  }
}

/** An entry that falls due again has another time, and so another fingerprint. */
const fingerprint = ({ at, id }: DueEntry): string =>
  createHash('sha256').update(`${at}#${id}`).digest('base64url').slice(0, FINGERPRINT_LENGTH);
