import { statusAt } from '#shared/domain/payment-link.machine.ts';
import type { PaymentLink } from '#shared/domain/payment-link.model.ts';
import type { LinksPage, LinksWhere } from '#shared/ports/payment-links.port.ts';
import type { Entry, IndexName, TablePort } from '#shared/ports/table.port.ts';
import { indexKeys } from '#shared/store/keys.ts';
import { paymentLinkEntity } from '#shared/store/payment-link.entity.ts';

/** The store reads up to 100 items at once. */
const AT_ONCE = 100;
const MOST_KEYS = 1_000;

type Source = { readonly index: IndexName; readonly pk: string };

/** Newest first. Links are made by hand or one an order, so one partition an organization takes them; their keys are counted as they are. */
export async function listLinks(table: TablePort, orgId: string, where: LinksWhere, at: Date): Promise<LinksPage> {
  const source: Source =
    where.status === undefined ? { index: 'list', pk: indexKeys.links(orgId) } : { index: 'status', pk: indexKeys.linksBy(orgId, where.status) };
  const [keysOnPage, total] = await Promise.all([pageOfKeys(table, source, where), countAll(table, source)]);
  const items = await readAll(table, keysOnPage.slice(0, where.limit));
  // An entry is late, and what the clock ended a moment ago still stands among the active ones.
  const fits = (link: PaymentLink) => link.org_id === orgId && (where.status === undefined || statusAt(link, at) === where.status);
  return { items: items.filter(fits), total, next: keysOnPage.length > where.limit ? keysOnPage[where.limit - 1]?.at : undefined };
}

/** The keys of the page, and one more if there is. */
async function pageOfKeys(table: TablePort, { index, pk }: Source, { limit, offset, cursor }: LinksWhere): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  let skip = offset;
  let below = cursor;
  while (found.length <= limit) {
    const wanted = Math.min(MOST_KEYS, skip + limit + 1 - found.length);
    const { items } = await table.entries(index, { pk, limit: wanted, newestFirst: true, ...(below !== undefined && { range: { lt: below } }) });
    found.push(...items.slice(skip));
    skip = Math.max(0, skip - items.length);
    below = items.at(-1)?.at;
    if (items.length < wanted) break;
  }
  return found;
}

async function countAll(table: TablePort, { index, pk }: Source): Promise<number> {
  let total = 0;
  let after: string | undefined;
  do {
    const { count, next } = await table.count(index, { pk, limit: 10_000, ...(after && { after }) });
    total += count;
    after = next;
  } while (after);
  return total;
}

async function readAll(table: TablePort, entries: readonly Entry[]): Promise<readonly PaymentLink[]> {
  const found: PaymentLink[] = [];
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    const items = await table.getMany(entries.slice(from, from + AT_ONCE).map(({ pk, sk }) => ({ pk, sk })));
    found.push(...items.flatMap((item) => (item ? [paymentLinkEntity.fromItem(item)] : [])));
  }
  return found;
}
