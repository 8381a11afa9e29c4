import type { Payment, Refund, RefundPage } from '#shared/domain/payments/payment.model.ts';
import { DAY, plus, SECOND } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { randomText } from '#shared/kernel/ids.ts';
import { keys } from '#shared/store/keys.ts';
import type { Item, Key, TablePort } from '#shared/store/table/table.port.ts';

/**
 * Where a payment has many refunds, those that have ended lie in items of their own beside it. A page never changes: a
 * changed refund makes another page. The payment's item names its pages, so that one conditional write replaces them.
 */
export type NewPage = { readonly page: RefundPage; readonly refunds: readonly Refund[] };

/** What is to be stored: the payment with its pages, and the pages that must be written first. */
export type Paged = {
  readonly payment: Payment;
  readonly added: readonly NewPage[];
  readonly removed: readonly RefundPage[];
};

/** From this size on, ended refunds leave the payment's item. */
const MAX_INLINE_BYTES = 24_000;

/** A page is written once, and read with each read of the payment. */
const MAX_PAGE_BYTES = 90_000;

/** Refunds that have not ended change again, so they leave the payment's item only where it would become too large. */
const MAX_INLINE_OPEN_BYTES = 100_000;

/** A response holds all refunds as JSON, and a Lambda function's response has a limit of 6 MB. */
const MAX_ALL_BYTES = 2_000_000;

/** The rest is kept for refunds without metadata, so that all money can go back. */
const MAX_LARGE_BYTES = 1_400_000;
const SMALL_BYTES = 2_000;

const jsonBytes = (refund: Refund): number => Buffer.byteLength(JSON.stringify(refund));

const isPaged = ({ refund_pages, refunds_loaded }: Payment): boolean =>
  refund_pages !== undefined && refunds_loaded === true;

/** Plans the pages of a changed payment. Only a payment with all its refunds can be paged. */
export function pageRefunds(before: Payment, after: Payment): Paged {
  const unchanged = { payment: after, added: [], removed: [] };
  if (after.refunds === before.refunds || (after.refund_pages !== undefined && !isPaged(after))) return unchanged;
  const pages = after.refund_pages ?? [];
  const removed = pages.filter(({ positions }) => positions.some((n) => before.refunds[n] !== after.refunds[n]));
  const kept = pages.filter((page) => !removed.includes(page));
  assertRoom(after, before, pages);
  const leaving = leavingRefunds(inlinePositions(after, kept));
  if (removed.length === 0 && leaving.length === 0) return unchanged;
  const added = newPages(after, leaving);
  const refund_pages = [...kept, ...added.map(({ page }) => page)];
  return { payment: { ...after, refund_pages, refunds_loaded: true }, added, removed };
}

type Placed = { readonly refund: Refund; readonly position: number; readonly size: number };

function inlinePositions({ refunds }: Payment, pages: readonly RefundPage[]): readonly Placed[] {
  const beside = new Set(pages.flatMap(({ positions }) => positions));
  return refunds.flatMap((refund, position) =>
    beside.has(position) ? [] : [{ refund, position, size: jsonBytes(refund) }],
  );
}

const bytesOf = (all: readonly Placed[]): number => all.reduce((sum, { size }) => sum + size, 0);

function leavingRefunds(inline: readonly Placed[]): readonly Placed[] {
  if (bytesOf(inline) <= MAX_INLINE_BYTES) return [];
  const open = inline.filter(({ refund }) => refund.phase !== 'final');
  return bytesOf(open) > MAX_INLINE_OPEN_BYTES ? inline : inline.filter(({ refund }) => refund.phase === 'final');
}

function newPages(payment: Payment, ended: readonly Placed[]): readonly NewPage[] {
  const groups: Placed[][] = [];
  let room = 0;
  for (const placed of ended) {
    if (placed.size > room) {
      groups.push([]);
      room = MAX_PAGE_BYTES;
    }
    groups.at(-1)?.push(placed);
    room -= placed.size;
  }
  return groups.map((group) => ({
    page: {
      name: `${payment.version + 1}-${randomText(8)}`,
      positions: group.map(({ position }) => position),
      bytes: group.reduce((sum, { refund }) => sum + jsonBytes(refund), 0),
    },
    refunds: group.map(({ refund }) => refund),
  }));
}

/** Another refund can be refused. What has happened at the PSP cannot. */
function assertRoom(after: Payment, before: Payment, pages: readonly RefundPage[]): void {
  const requested = after.refunds.slice(before.refunds.length).filter(({ phase }) => phase === 'calling');
  const isLarge = requested.some((refund) => jsonBytes(refund) > SMALL_BYTES);
  const bytes = pages.reduce((sum, page) => sum + page.bytes, 0);
  if (requested.length > 0 && bytes > (isLarge ? MAX_LARGE_BYTES : MAX_ALL_BYTES))
    throw new AppError(
      'record_full',
      `This payment is full: it cannot hold another refund${isLarge ? ' with so much metadata' : ''}.`,
    );
}

const pageKey = (id: string, { name }: RefundPage): Key => keys.refundPage(id, name);

const pageItem = (id: string, { page, refunds }: NewPage): Item => ({
  ...pageKey(id, page),
  item_type: 'refunds',
  refunds: refunds as unknown as Item[],
});

/** Writes new pages. Until the payment names them, nobody reads them. */
export async function writePages(
  table: TablePort,
  { payment, added }: Pick<Paged, 'payment' | 'added'>,
): Promise<void> {
  await Promise.all(added.map((page) => table.put(pageItem(payment.id, page))));
}

/** Long after the last reader of a payment that still names them. */
const REPLACED_PAGE_LIFETIME = DAY;

/** Replaced pages expire: not every function that writes payments may delete. One that is left over is never read. */
export async function expirePages(table: TablePort, id: string, pages: readonly RefundPage[], at: Date): Promise<void> {
  const ttl = Math.floor(plus(at, REPLACED_PAGE_LIFETIME).getTime() / SECOND);
  await Promise.all(
    pages.map((page) => table.update(pageKey(id, page), { set: { ttl } }, { exists: 'pk' }).catch(() => undefined)),
  );
}

const MAX_KEYS = 100;

/** Each replaced page means that another writer succeeded meanwhile. */
const MAX_READS = 20;

/** The payment with all its refunds, in their order. `readNewest`: if a page was replaced since it was read. */
export async function readAllRefunds(
  table: TablePort,
  payment: Payment,
  known: PageCache,
  readNewest: () => Promise<Payment | undefined>,
): Promise<Payment> {
  let current = payment;
  for (let n = 0; n < MAX_READS; n += 1) {
    const pages = await readPages(table, current, known);
    if (pages) return fillIn(current, pages);
    current = (await readNewest()) ?? current;
  }
  throw new AppError('write_conflict', 'Others keep changing this payment. Try again.');
}

type Pages = ReadonlyMap<string, readonly Refund[]>;

/** Pages never change, so `known` ones are not read again. Undefined if one is missing. */
async function readPages(table: TablePort, payment: Payment, known: PageCache): Promise<Pages | undefined> {
  const pages = new Map<string, readonly Refund[]>();
  const missing: RefundPage[] = [];
  for (const page of payment.refund_pages ?? []) {
    const refunds = known.get(payment.id, page);
    if (refunds) pages.set(page.name, refunds);
    else missing.push(page);
  }
  for (let n = 0; n < missing.length; n += MAX_KEYS) {
    const part = missing.slice(n, n + MAX_KEYS);
    const items = await table.getMany(part.map((page) => pageKey(payment.id, page)));
    for (const [i, page] of part.entries()) {
      const refunds = items[i]?.refunds as unknown as readonly Refund[] | undefined;
      if (!refunds) return undefined;
      known.put(payment.id, page, refunds);
      pages.set(page.name, refunds);
    }
  }
  return pages;
}

function fillIn(payment: Payment, pages: Pages): Payment {
  const refunds: Refund[] = [];
  for (const { name, positions } of payment.refund_pages ?? [])
    for (const [i, position] of positions.entries()) {
      const refund = pages.get(name)?.[i];
      if (refund) refunds[position] = refund;
    }
  const inline = [...payment.refunds];
  for (let position = 0; inline.length > 0; position += 1) {
    if (refunds[position] !== undefined) continue;
    const next = inline.shift();
    if (next) refunds[position] = next;
  }
  return { ...payment, refunds, refunds_loaded: true };
}

/** The last pages that were read or written: they are read again with each conflict. */
export class PageCache {
  readonly #pages = new Map<string, readonly Refund[]>();
  readonly #max = 64;
  get(id: string, { name }: RefundPage): readonly Refund[] | undefined {
    return this.#pages.get(`${id} ${name}`);
  }
  put(id: string, { name }: RefundPage, refunds: readonly Refund[]): void {
    this.#pages.set(`${id} ${name}`, refunds);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > this.#max && oldest !== undefined) this.#pages.delete(oldest);
  }
}
