import { statusAt } from '#shared/domain/links/payment-link.machine.ts';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import type { LinksPage, LinksWhere } from '#shared/ports/payment-links.port.ts';
import type { Entry, IndexName, Page, TablePort, Where } from '#shared/ports/table.port.ts';
import { indexKeys } from '#shared/store/keys.ts';
import { mergeNewest, type Stream } from '#shared/store/merge-newest.ts';
import { type Most, pageOfHits } from '#shared/store/record-list.ts';
import { lookedAt } from '#shared/store/record-list-items.ts';
import { paymentLinkEntity } from '#shared/store/repos/payment-link.entity.ts';

const MOST_KEYS = 1_000;
const MOST_COUNTED = 10_000;

/**
 * A partition of an index, and what the clock adds to it or takes away. Entries are found by the ids of their links.
 */
type Source = {
  readonly index: IndexName;
  readonly pk: string;
  readonly plus: readonly Entry[];
  readonly minus: ReadonlySet<string>;
};

/**
 * Newest first. Links are made by hand or one per order, so one partition per organization suffices; offsets are
 * skipped on keys.
 */
export async function listLinks(
  table: TablePort,
  orgId: string,
  where: LinksWhere,
  at: Date,
  most?: Most,
): Promise<LinksPage> {
  const { status, limit, offset } = where;
  const source = await sourceOf(table, orgId, status, at);
  // An entry is late: what it says is looked at again on the link.
  const fits = (link: PaymentLink) => link.org_id === orgId && (status === undefined || statusAt(link, at) === status);
  const entries = entriesOf(table, source, where);
  const looked = lookedAt(table, entries, { read: paymentLinkEntity.fromItem, fits }, limit + 1);
  const [page, stored] = await Promise.all([
    pageOfHits(looked, { limit, offset, skip: 0 }, most),
    countAll(table, source),
  ]);
  return { ...page, total: Math.max(page.items.length, stored + source.plus.length - source.minus.size) };
}

/** The stored status is late by up to a sweep: until then what has ended by the clock stands among the active links. */
async function sourceOf(table: TablePort, orgId: string, status: LinksWhere['status'], at: Date): Promise<Source> {
  const none: Pick<Source, 'plus' | 'minus'> = { plus: [], minus: new Set() };
  if (status === undefined) return { index: 'list', pk: indexKeys.links(orgId), ...none };
  const source = { index: 'status', pk: indexKeys.linksBy(orgId, status), ...none } as const;
  if (status !== 'active' && status !== 'expired') return source;
  const ended = await endedLinks(table, orgId, at);
  return status === 'expired'
    ? { ...source, plus: ended }
    : { ...source, minus: new Set(ended.map((entry) => entry.at)) };
}

/** What has ended, but no sweep has told yet, newest first. */
async function endedLinks(table: TablePort, orgId: string, at: Date): Promise<readonly Entry[]> {
  // An entry is an end and an id, with a `#` between: a tilde stands behind all of this very moment.
  const where: Where = { pk: indexKeys.linksEnding(orgId), limit: MOST_KEYS, range: { lt: `${at.toISOString()}~` } };
  const found: Entry[] = [];
  let page: Page<Entry> | undefined;
  do {
    page = await table.entries('reference', page?.next === undefined ? where : { ...where, after: page.next });
    found.push(...page.items);
  } while (page.next !== undefined);
  return found
    .map((entry) => ({ ...entry, at: entry.at.slice(entry.at.indexOf('#') + 1) }))
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** The keys of a page and what follows. An offset is skipped on keys alone. */
async function* entriesOf(
  table: TablePort,
  { index, pk, plus, minus }: Source,
  { limit, offset, cursor }: LinksWhere,
): AsyncGenerator<Entry> {
  const stored: Stream<Entry> = (below, count) =>
    table.entries(index, { pk, limit: count, newestFirst: true, ...(below !== undefined && { range: { lt: below } }) });
  let [skip, seen] = [offset, ''];
  for await (const entry of mergeNewest(
    [stored, streamOf(plus)],
    ({ at }) => at,
    cursor,
    Math.min(MOST_KEYS, offset + limit + 1),
    MOST_KEYS,
  )) {
    // While a sweep tells of an end, a late index shows the link in both places.
    if (entry.at === seen || minus.has(entry.at)) continue;
    seen = entry.at;
    if (skip > 0) skip -= 1;
    else yield entry;
  }
}

const streamOf =
  (entries: readonly Entry[]): Stream<Entry> =>
  (below) =>
    Promise.resolve({ items: entries.filter(({ at }) => below === undefined || at < below), next: undefined });

async function countAll(table: TablePort, { index, pk }: Source): Promise<number> {
  let total = 0;
  let after: string | undefined;
  do {
    const { count, next } = await table.count(index, { pk, limit: MOST_COUNTED, ...(after && { after }) });
    total += count;
    after = next;
  } while (after);
  return total;
}
