import { beforeAll, describe, expect, it } from 'vitest';
import type { InvoiceStatus } from '#shared/domain/billing/invoice.model.ts';
import type { SubscriptionStatus } from '#shared/domain/billing/subscription.model.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import type { InvoicesQuery } from '#shared/ports/invoices.port.ts';
import type { SubscriptionsQuery } from '#shared/ports/subscriptions.port.ts';
import type { ListQuery } from '#shared/store/list-records.ts';
import { invoiceEntity, listInvoices } from '#shared/store/repos/billing/invoice.repo.ts';
import { listSubscriptions, subscriptionEntity } from '#shared/store/repos/billing/subscription.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';
import { readCounter } from '#test/bench/list-reads.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';
import { anInvoice, aSubscription, invoiceId, subscriptionId } from '#test/support/subscription.builder.ts';

/** The newest thousand of the many are the few, so that only older records make a difference. */
const [FEW, MANY] = [1_000, 20_000];
const LANES = 16;

type Filter = { readonly [name in 'status' | 'customer_id' | 'plan_id' | 'subscription_id']?: string };
type Kind = {
  readonly item: (n: number) => Item;
  list(table: TablePort, where: ListQuery & Filter): Promise<ListPage<{ readonly id: string }>>;
};

const at = (n: number) => later(n * 1_000).toISOString();
const made = (n: number) => ({
  created_at: at(n),
  updated_at: at(n),
  customer_id: n % 2 ? 'cus_much' : `cus_${n % 97}`,
  plan_id: n % 3 ? 'basic' : 'team',
});
function subscriptionStatus(n: number): SubscriptionStatus {
  if (n % 5 === 1) return 'canceled';
  return n % 10 === 2 ? 'paused' : 'active';
}
function invoiceStatus(n: number): InvoiceStatus {
  if (n % 10 === 1) return 'open';
  return n % 10 === 3 ? 'failed' : 'paid';
}

const SUBSCRIPTIONS: Kind = {
  item: (n) =>
    subscriptionEntity.toItem(aSubscription({ id: subscriptionId(n), status: subscriptionStatus(n), ...made(n) })),
  list: (table, where: SubscriptionsQuery) => listSubscriptions(table, ORG, where),
};
const INVOICES: Kind = {
  item: (n) =>
    invoiceEntity.toItem(
      anInvoice({ id: invoiceId(n), subscription_id: subscriptionId(n % 4), status: invoiceStatus(n), ...made(n) }),
    ),
  list: (table, where: InvoicesQuery) => listInvoices(table, ORG, where),
};

/** A table with the newest so many records, and the reads of its pages. */
async function holding({ item, list }: Kind, count: number) {
  const bare = new SqliteTable({ database: openDatabase(':memory:') });
  let next = MANY - count;
  const lane = async () => {
    for (let n = next++; n < MANY; n = next++) await bare.put(item(n));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const { table, readsOf } = readCounter(bare);
  return (filter: Filter = {}, where: Partial<ListQuery> = {}) =>
    readsOf(() => list(table, { limit: 50, offset: 0, ...filter, ...where }));
}

type Holding = Awaited<ReturnType<typeof holding>>;

/** The keys of a page and one more, and as many small items. */
const ONE_BY_ONE = 51 * 0.5;

const LISTS: readonly (readonly [string, Kind, filters: readonly (readonly [string, Filter])[]])[] = [
  [
    'subscriptions',
    SUBSCRIPTIONS,
    [
      ['no filter', {}],
      ['status', { status: 'active' }],
      ['status canceled', { status: 'canceled' }],
      ['status paused', { status: 'paused' }],
      ['customer', { customer_id: 'cus_much' }],
      ['plan', { plan_id: 'basic' }],
      ['customer and plan', { customer_id: 'cus_much', plan_id: 'basic' }],
      ['customer and status', { customer_id: 'cus_much', status: 'canceled' }],
      ['plan and status', { plan_id: 'team', status: 'active' }],
      ['plan and status paused', { plan_id: 'basic', status: 'paused' }],
      ['all of them', { customer_id: 'cus_much', plan_id: 'basic', status: 'active' }],
    ],
  ],
  [
    'invoices',
    INVOICES,
    [
      ['no filter', {}],
      ['status paid', { status: 'paid' }],
      ['status open', { status: 'open' }],
      ['customer', { customer_id: 'cus_much' }],
      ['subscription', { subscription_id: subscriptionId(1) }],
      ['plan', { plan_id: 'team' }],
      ['subscription and status', { subscription_id: subscriptionId(1), status: 'paid' }],
      ['customer and status', { customer_id: 'cus_much', status: 'failed' }],
      ['plan and status', { plan_id: 'basic', status: 'failed' }],
      ['customer and subscription', { customer_id: 'cus_much', subscription_id: subscriptionId(3) }],
      [
        'all of them',
        { customer_id: 'cus_much', subscription_id: subscriptionId(1), status: 'paid', plan_id: 'basic' },
      ],
    ],
  ],
];

describe.each(LISTS)('a page of %s', (_, kind, filters) => {
  let few: Holding;
  let many: Holding;
  beforeAll(async () => {
    [few, many] = [await holding(kind, FEW), await holding(kind, MANY)];
  });

  it.each(filters)(
    'costs and shows the same with a thousand records and with twenty thousand, by %s',
    async (_, filter) => {
      const [ofFew, ofMany] = [await few(filter), await many(filter)];
      expect(ofMany).toEqual(ofFew);
      expect(ofMany.result.items).toHaveLength(50);
      expect(ofMany.reads.calls).toBeLessThan(20);
    },
  );

  it('reads the records of the page, one more, and few keys', async () => {
    expect((await many()).reads).toEqual({ calls: 4 + 1, rru: 4 * 0.5 + ONE_BY_ONE });
    const { calls, rru } = (await many({ customer_id: 'cus_much' })).reads;
    expect([calls, rru]).toEqual([1 + 1, 1 + ONE_BY_ONE]);
  });

  it('costs the same at any depth', async () => {
    const deep = async (filter: Filter) => (await many(filter, { created_before: at(2_000) })).reads;
    for (const [, filter] of filters) {
      const [first, last] = [(await many(filter)).reads, await deep(filter)];
      expect(last.calls).toBeLessThanOrEqual(first.calls + 4);
      expect(last.rru).toBeLessThanOrEqual(first.rru * 1.2);
    }
  });

  it.each(filters.filter(([name]) => !name.includes('and') && !/all|plan/.test(name)))(
    'skips an offset on keys, by %s',
    async (_, filter) => {
      const { reads, result } = await many(filter, { offset: 1_000 });
      expect(result.items).toHaveLength(50);
      expect(reads.rru).toBeLessThan(ONE_BY_ONE + 1_200 / 20);
      expect(reads.calls).toBeLessThan(20);
    },
  );
});
