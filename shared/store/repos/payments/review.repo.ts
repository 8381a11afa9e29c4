import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { type Clock, DAY } from '#shared/kernel/clock.ts';
import type { ReviewsPage, ReviewsPort, ReviewsQuery } from '#shared/ports/reviews.port.ts';
import { listShardOf } from '#shared/store/keys.ts';
import { inShards } from '#shared/store/list-records.ts';
import { ListShards } from '#shared/store/list-shards.ts';
import { reviewIndexKeys, reviewKeys } from '#shared/store/review-keys.ts';
import { ttlAfter } from '#shared/store/sliding-window.ts';
import type { IndexEntry, Item, PageQuery, TablePort } from '#shared/store/table/table.port.ts';

/** An ended review is remembered for longer than the feed can deliver an older version of its payment again. */
const REMEMBERED = 3 * DAY;

/** An item for each payment under review: the payment itself has no index left, and nearly none is ever reviewed. */
export class ReviewRepo implements ReviewsPort {
  readonly #table: TablePort;
  readonly #lists: ListShards;
  constructor(table: TablePort, clock: Clock) {
    this.#table = table;
    this.#lists = new ListShards(table, clock);
  }

  async note(payment: Payment, at: Date): Promise<void> {
    const { version } = payment;
    await this.#table.put(toItem(payment, at), { any: [{ absent: 'pk' }, { lt: ['version', version] }] });
  }

  async list(orgId: string, { limit, offset = 0, cursor }: ReviewsQuery): Promise<ReviewsPage> {
    const wanted = offset + limit + 1;
    const partitions = inShards(await this.#lists.all(orgId), (n) => reviewIndexKeys.reviews(orgId, n));
    const read = await Promise.all(partitions.map((pk) => this.#oldest(pk, wanted, cursor)));
    const positions = [...new Set(read.flat().map(({ at }) => at))].sort();
    const page = positions.slice(offset, offset + limit);
    return { ids: page.map(paymentIdAt), next: positions.length > offset + limit ? page.at(-1) : undefined };
  }

  /** The store may end a page early. */
  async #oldest(pk: string, wanted: number, after: string | undefined): Promise<readonly IndexEntry[]> {
    const found: IndexEntry[] = [];
    let query: PageQuery = { pk, limit: wanted, ...(after !== undefined && { range: { gt: after } }) };
    for (;;) {
      const { items, next } = await this.#table.entries('status', query);
      found.push(...items);
      if (next === undefined || found.length >= wanted) return found.slice(0, wanted);
      query = { ...query, after: next };
    }
  }
}

function toItem(payment: Payment, at: Date): Item {
  const { id, version } = payment;
  const own = { ...reviewKeys.review(id), item_type: 'review', version };
  return { ...own, ...(indexEntry(payment) ?? { ttl: ttlAfter(at, REMEMBERED) }) };
}

const indexEntry = (payment: Payment) =>
  payment.review
    ? {
        status_pk: reviewIndexKeys.reviews(payment.org_id, listShardOf(payment)),
        status_sk: `${payment.review.at}#${payment.id}`,
      }
    : undefined;

/** The entry that the payment should have, as text; none if it is not under review. */
export function reviewEntry(payment: Payment): string | undefined {
  const entry = indexEntry(payment);
  return entry && `${entry.status_pk} ${entry.status_sk}`;
}

const paymentIdAt = (position: string): string => position.slice(position.indexOf('#') + 1);
