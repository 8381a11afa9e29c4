import { createHash } from 'node:crypto';
import type { DueItem } from '#shared/ports/due.port.ts';
import type { HandedOut, SweepsPort } from '#shared/ports/sweeps.port.ts';
import type { TablePort } from '#shared/ports/table.port.ts';
import { allPages } from '#shared/store/all-pages.ts';
import { keys, sweepPartition } from '#shared/store/keys.ts';

/**
 * 36 bits: with 100,000 entries handed out, one in 700,000 others is mistaken for one of them, and waits until they
 * expire.
 */
const PRINT_LENGTH = 6;
const PAGE = 1_000;
/** Well after its last use. */
const KEPT_SECONDS = 86_400;

/** Each page that was handed out is one item, written once: concurrent sweeps don't wait for each other. */
export class SweepRepo implements SweepsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async note(shard: string, items: readonly DueItem[], at: Date): Promise<void> {
    const [first, ...rest] = items.map(printOf);
    if (first === undefined) return;
    const ttl = Math.ceil(at.getTime() / 1_000) + KEPT_SECONDS;
    await this.#table.put({
      ...keys.handOut(shard, at, first),
      item_type: 'hand_out',
      prints: [first, ...rest].join(''),
      ttl,
    });
  }

  async handedOut(shard: string, after: Date, before: Date): Promise<HandedOut> {
    // Items of a time sort after the bare time, as their first entry follows it.
    const range = { between: [`${after.toISOString()}#~`, before.toISOString()] } as const;
    const notes = await allPages(this.#table, { pk: sweepPartition(shard), range, limit: PAGE, consistent: true });
    const prints = new Set(notes.flatMap(({ prints: text }) => String(text).match(EACH_PRINT) ?? []));
    return (item) => prints.has(printOf(item));
  }
}

const EACH_PRINT = new RegExp(`.{${PRINT_LENGTH}}`, 'g');

/** An entry that falls due again has another time, and so another fingerprint. */
const printOf = ({ at, id }: DueItem): string =>
  createHash('sha256').update(`${at}#${id}`).digest('base64url').slice(0, PRINT_LENGTH);
