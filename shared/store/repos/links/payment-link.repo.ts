import { slotKey, statusAt } from '#shared/domain/links/payment-link.machine.ts';
import type { PaymentLink, Slot } from '#shared/domain/links/payment-link.model.ts';
import { linkDueAt, MAX_SLOTS, SLOT_HOLD } from '#shared/domain/links/payment-link.rules.ts';
import { type Clock, plus } from '#shared/kernel/clock.ts';
import type { LinksPage, LinksQuery, PaymentLinksPort, ReserveResult } from '#shared/ports/payment-links.port.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { itemSizeGuard } from '#shared/store/item-size-guard.ts';
import { dueEntry, indexKeys, keys } from '#shared/store/keys.ts';
import { collectPage, type PageLimits, readRecords } from '#shared/store/list-records.ts';
import { mergePages, type PageReader } from '#shared/store/merge-pages.ts';
import { allEntries } from '#shared/store/read-all.ts';
import type { Condition, IndexEntry, IndexName, Item, TablePort } from '#shared/store/table/table.port.ts';
import { VersionedRepo } from '#shared/store/versioned-repo.ts';

export class PaymentLinkRepo extends VersionedRepo<PaymentLink> implements PaymentLinksPort {
  readonly #clock: Clock;
  constructor(table: TablePort, clock: Clock) {
    super(table, paymentLinkEntity);
    this.#clock = clock;
  }

  list(orgId: string, query: LinksQuery): Promise<LinksPage> {
    return listLinks(this.table, orgId, query, this.#clock.now());
  }

  async ofCustomer(orgId: string, customerId: string, limit: number): Promise<readonly PaymentLink[]> {
    const pk = indexKeys.linksOfCustomer(orgId, customerId);
    const { items: entries } = await this.table.entries('customer', { pk, limit });
    const links = await Promise.all(entries.map(({ at }) => this.byId(at)));
    return links.flatMap((link) => (link?.org_id === orgId && link.customer_id === customerId ? [link] : []));
  }

  /** Repeatable: after a lost response a retry finds the slot taken by this very payment. */
  async reserve(link: PaymentLink, paymentId: string, at: Date): Promise<ReserveResult> {
    const attribute = slotAttribute(paymentId);
    const slot = { state: 'held', payment_id: paymentId, until: plus(at, SLOT_HOLD).toISOString() } as const;
    const holding: PaymentLink = { ...link, slots: { ...link.slots, [slotKey(paymentId)]: slot } };
    // Concurrent starts are not seen here: the size that is reserved covers all slots.
    paymentLinkEntity.assertFits(paymentLinkEntity.toItem(holding), holding, link);
    const due = dueEntry(linkDueAt(holding), holding.id);
    const open: Condition[] = [
      { eq: ['status', 'active'] },
      { any: [{ eq: ['expires_at', null] }, { gt: ['expires_at', at.toISOString()] }] },
    ];
    const room: Condition[] = [{ ge: ['slots_left', 1] }, { lt: ['slot_count', MAX_SLOTS] }];
    const written = await this.table.update(
      keys.paymentLink(link.id),
      { set: { [attribute]: slot, ...due }, add: { slots_left: -1, slot_count: 1, version: 1 } },
      { all: [{ absent: attribute }, ...open, ...room] },
    );
    return written.ok ? 'held' : notReserved(written.old, attribute, at);
  }
}

function notReserved(old: Item | undefined, attribute: string, at: Date): ReserveResult {
  if (!old) return 'closed';
  if (old[attribute] !== undefined) return 'again';
  return statusAt(paymentLinkEntity.fromItem(old), at) === 'active' ? 'busy' : 'closed';
}

/** Each slot is its own attribute, so that taking one does not write the others. */
const SLOT = 'slot:';

const slotAttribute = (paymentId: string): string => SLOT + slotKey(paymentId);

/** Whether a change starts something that can wait: a customer's start is one, a paid slot is always recorded. */
const hasNewSlot = (before: PaymentLink, { slots }: PaymentLink): boolean =>
  Object.entries(slots).some(([key, { state }]) => state === 'held' && before.slots[key] === undefined);

export const paymentLinkEntity = {
  name: 'payment link',
  idKind: 'link',
  key: keys.paymentLink,
  toItem: ({ slots, ...link }: PaymentLink): Item => ({
    ...(link as unknown as Item),
    ...Object.fromEntries(Object.entries(slots).map(([key, slot]) => [SLOT + key, slot])),
    ...keys.paymentLink(link.id),
    item_type: 'payment_link',
    slot_count: Object.keys(slots).length,
    ...dueEntry(linkDueAt({ ...link, slots }), link.id),
    list_pk: indexKeys.links(link.org_id),
    list_sk: link.id,
    status_pk: indexKeys.linksByStatus(link.org_id, link.status),
    status_sk: link.id,
    ...(link.customer_id !== undefined && {
      customer_pk: indexKeys.linksOfCustomer(link.org_id, link.customer_id),
      customer_sk: link.id,
    }),
    ...(link.status === 'active' &&
      link.expires_at !== null && {
        lookup_pk: indexKeys.linksByExpiry(link.org_id),
        lookup_sk: `${link.expires_at}#${link.id}`,
      }),
  }),
  fromItem: (item: Item): PaymentLink => {
    const { slot_count: _, ...record } = fromItem<Item>(item);
    const fields = Object.entries(record);
    const isSlot = ([name]: readonly [string, unknown]) => name.startsWith(SLOT);
    const slots = Object.fromEntries(
      fields.filter(isSlot).map(([name, slot]) => [name.slice(SLOT.length), slot as unknown as Slot]),
    );
    return { ...Object.fromEntries(fields.filter((field) => !isSlot(field))), slots } as unknown as PaymentLink;
  },
  assertFits: itemSizeGuard<PaymentLink>('payment link', hasNewSlot),
} as const;

const MAX_KEYS = 1_000;
const MAX_COUNTED = 10_000;

/**
 * A partition of an index, and what the clock adds to it or removes from it: the stored status of an expired link is
 * late by up to a sweep. Entries are found by the ids of their links.
 */
type PagePartition = {
  readonly index: IndexName;
  readonly pk: string;
  readonly added: readonly IndexEntry[];
  readonly removed: ReadonlySet<string>;
};

/**
 * Newest first. Links are made by hand or one per order, so one partition per organization suffices; offsets are
 * skipped on keys.
 */
export async function listLinks(
  table: TablePort,
  orgId: string,
  query: LinksQuery,
  at: Date,
  limits?: PageLimits,
): Promise<LinksPage> {
  const { status, limit, offset } = query;
  const source = await sourceOf(table, orgId, status, at);
  // Entries lag: what they say is checked again on the link.
  const matches = (link: PaymentLink) =>
    link.org_id === orgId && (status === undefined || statusAt(link, at) === status);
  const entries = entriesOf(table, source, query);
  const candidates = readRecords(table, entries, { read: paymentLinkEntity.fromItem, matches }, limit + 1);
  const [page, stored] = await Promise.all([
    collectPage(candidates, { limit, offset, skip: 0 }, limits),
    countAll(table, source),
  ]);
  return { ...page, total: Math.max(page.items.length, stored + source.added.length - source.removed.size) };
}

async function sourceOf(
  table: TablePort,
  orgId: string,
  status: LinksQuery['status'],
  at: Date,
): Promise<PagePartition> {
  const unchanged: Pick<PagePartition, 'added' | 'removed'> = { added: [], removed: new Set() };
  if (status === undefined) return { index: 'list', pk: indexKeys.links(orgId), ...unchanged };
  const source = { index: 'status', pk: indexKeys.linksByStatus(orgId, status), ...unchanged } as const;
  if (status !== 'active' && status !== 'expired') return source;
  const expired = await unrecordedExpiries(table, orgId, at);
  return status === 'expired'
    ? { ...source, added: expired }
    : { ...source, removed: new Set(expired.map((entry) => entry.at)) };
}

/** Links that have expired, but that no sweep has recorded as expired; newest first. */
async function unrecordedExpiries(table: TablePort, orgId: string, at: Date): Promise<readonly IndexEntry[]> {
  // Entries are `<expiry>#<id>`: the tilde sorts after the `#`, so that those of this very moment are included.
  const range = { lt: `${at.toISOString()}~` } as const;
  const found = await allEntries(table, 'lookup', { pk: indexKeys.linksByExpiry(orgId), limit: MAX_KEYS, range });
  return found
    .map((entry) => ({ ...entry, at: entry.at.slice(entry.at.indexOf('#') + 1) }))
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** The keys of a page and what follows. An offset is skipped on keys alone. */
async function* entriesOf(
  table: TablePort,
  { index, pk, added, removed }: PagePartition,
  { limit, offset, cursor }: LinksQuery,
): AsyncGenerator<IndexEntry> {
  const stored: PageReader<IndexEntry> = (below, count) =>
    table.entries(index, { pk, limit: count, newestFirst: true, ...(below !== undefined && { range: { lt: below } }) });
  const chunk = Math.min(MAX_KEYS, offset + limit + 1);
  let [skip, previous] = [offset, ''];
  for await (const entry of mergePages([stored, readerOf(added)], ({ at }) => at, cursor, chunk, MAX_KEYS)) {
    // While a sweep records an expiry, a lagging index shows the link in both places.
    if (entry.at === previous || removed.has(entry.at)) continue;
    previous = entry.at;
    if (skip > 0) skip -= 1;
    else yield entry;
  }
}

const readerOf =
  (entries: readonly IndexEntry[]): PageReader<IndexEntry> =>
  (below) =>
    Promise.resolve({ items: entries.filter(({ at }) => below === undefined || at < below), next: undefined });

async function countAll(table: TablePort, { index, pk }: PagePartition): Promise<number> {
  let total = 0;
  let after: string | undefined;
  do {
    const { count, next } = await table.count(index, { pk, limit: MAX_COUNTED, ...(after && { after }) });
    total += count;
    after = next;
  } while (after);
  return total;
}
