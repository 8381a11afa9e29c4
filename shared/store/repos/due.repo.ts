import { createHash } from 'node:crypto';
import { DAY, SECOND } from '#shared/kernel/clock.ts';
import type { DueEntry, DuePort, EnqueuedFilter, SweepsPort } from '#shared/ports/due.port.ts';
import { dueEnd, dueKinds, dueShards, dueTime, keys, sweepPartition } from '#shared/store/keys.ts';
import { queryAll } from '#shared/store/read-all.ts';
import { cursorAt } from '#shared/store/table/range.rules.ts';
import type { IndexEntry, TablePort } from '#shared/store/table/table.port.ts';

/** The sparse index of due work. An entry may be older or newer than its item, so handlers read the item. */
export class DueRepo implements DuePort {
  readonly shards = dueShards;
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async shardsDue(): Promise<readonly string[]> {
    return this.shards;
  }

  async due(shard: string, until: Date, limit: number, after?: DueEntry): Promise<readonly DueEntry[]> {
    const range = { le: dueEnd(until) };
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
    const times = firsts.flatMap((page) => page.items.map(({ at }) => dueTime(at))).sort();
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
 * 36 bits: with 100,000 recorded entries, one in 700,000 other entries has the fingerprint of a recorded one. It is
 * skipped until the record expires.
 */
const FINGERPRINT_LENGTH = 6;
const EACH_FINGERPRINT = new RegExp(`.{${FINGERPRINT_LENGTH}}`, 'g');
const PAGE_SIZE = 1_000;
/** A sweep reads records that are at most a quarter of an hour old. */
const RECORD_LIFETIME = DAY;

/**
 * Each page of entries that a sweep enqueued is one item, written once: concurrent sweeps do not wait for each other.
 */
export class SweepRepo implements SweepsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async recordEnqueued(shard: string, entries: readonly DueEntry[], at: Date): Promise<void> {
    const [first, ...rest] = entries.map(fingerprint);
    if (first === undefined) return;
    await this.#table.put({
      ...keys.sweepPage(shard, at, first),
      item_type: 'hand_out',
      prints: [first, ...rest].join(''),
      ttl: Math.ceil(at.getTime() / SECOND) + RECORD_LIFETIME / SECOND,
    });
  }

  async enqueuedBetween(shard: string, after: Date, before: Date): Promise<EnqueuedFilter> {
    // The sort key is `<time>#<first entry>`: the suffix `#~` excludes the items of exactly this time.
    const range = { between: [`${after.toISOString()}#~`, before.toISOString()] } as const;
    const pages = await queryAll(this.#table, {
      pk: sweepPartition(shard),
      range,
      limit: PAGE_SIZE,
      consistent: true,
    });
    const fingerprints = new Set(pages.flatMap(({ prints }) => String(prints).match(EACH_FINGERPRINT) ?? []));
    return (entry) => fingerprints.has(fingerprint(entry));
  }
}

/** An entry that falls due again has another time, and so another fingerprint. */
const fingerprint = ({ at, id }: DueEntry): string =>
  createHash('sha256').update(`${at}#${id}`).digest('base64url').slice(0, FINGERPRINT_LENGTH);
