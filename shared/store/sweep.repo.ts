import { createHash } from 'node:crypto';
import type { DueItem } from '#shared/ports/stores.port.ts';
import type { HandedOut, SweepsPort } from '#shared/ports/sweeps.port.ts';
import type { TablePort } from '#shared/ports/table.port.ts';
import { allPages } from '#shared/store/all-pages.ts';
import { keys, sweepPartition } from '#shared/store/keys.ts';

/** 36 bits: among 100,000 that were handed out, one in 700,000 others is taken for one of them, and waits until they are forgotten. */
const PRINT_LENGTH = 6;
const PAGE = 1_000;
/** Long after anybody asks. */
const KEPT_SECONDS = 86_400;

/** Each page that was handed out is an item, written once: sweeps at the same time don't wait for each other. */
export class SweepRepo implements SweepsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async note(shard: string, items: readonly DueItem[], at: Date): Promise<void> {
    const [first, ...rest] = items.map(printOf);
    if (first === undefined) return;
    const ttl = Math.ceil(at.getTime() / 1_000) + KEPT_SECONDS;
    await this.#table.put({ ...keys.handOut(shard, at, first), item_type: 'hand_out', prints: [first, ...rest].join(''), ttl });
  }

  async handedOut(shard: string, after: Date, before: Date): Promise<HandedOut> {
    // What was noted at a time stands behind that time alone, as its first entry follows.
    const range = { between: [`${after.toISOString()}#~`, before.toISOString()] } as const;
    const notes = await allPages(this.#table, { pk: sweepPartition(shard), range, limit: PAGE, consistent: true });
    const prints = new Set(notes.flatMap(({ prints: text }) => String(text).match(EACH_PRINT) ?? []));
    return (item) => prints.has(printOf(item));
  }
}

const EACH_PRINT = new RegExp(`.{${PRINT_LENGTH}}`, 'g');

/** An entry that falls due again has another time, and so another print. */
const printOf = ({ at, id }: DueItem): string => createHash('sha256').update(`${at}#${id}`).digest('base64url').slice(0, PRINT_LENGTH);
