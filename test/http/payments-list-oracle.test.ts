import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { idFrom } from '#shared/kernel/ids.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { anAttempt, aPayment } from '#test/support/payment.builder.ts';
import { aShop, type Shop } from '#test/support/payment-steps.ts';
import { later, START } from '#test/support/stopped-clock.ts';

/** Lists of the API compared with their definition, for payments written directly to the store. */
const COUNT = 260;
const VALUES = {
  status: ['succeeded', 'failed', 'canceled', 'refunded'],
  customer_id: ['ann', 'bob'],
  connection_id: ['a', 'b', 'gone'],
  currency: ['EUR', 'USD'],
  created_after: [0, 1, 60, 129].map((n) => later(n * 1_000).toISOString()),
  created_before: [1, 90, 129, 130].map((n) => later(n * 1_000).toISOString()),
} as const;
type Query = { readonly [filter in keyof typeof VALUES]?: string };
const FILTERS = Object.keys(VALUES) as (keyof typeof VALUES)[];

/** Two of them share each millisecond. */
function nth(org_id: string, n: number): Payment {
  const [status, connection_id] = [VALUES.status[n % 4]!, VALUES.connection_id[n % 3]!];
  const at = later(Math.floor(n / 2) * 1_000);
  const attempts =
    n % 13 === 12
      ? []
      : [anAttempt({ connection_id, status: status === 'refunded' ? 'succeeded' : status, psp_reference: `pi_${n}` })];
  return aPayment({
    id: idFrom('payment', at, createHash('sha256').update(`${org_id} ${n}`).digest()),
    org_id,
    status: n % 13 === 12 ? 'failed' : status,
    attempts,
    customer_id: [null, ...VALUES.customer_id][n % 5] ?? null,
    currency: VALUES.currency[Number(n % 7 > 3)]!,
    created_at: at.toISOString(),
  });
}

let table: TablePort;
let host: TestHost;
beforeAll(async () => {
  host = await startHost({
    wrapTable: (bare) => {
      table = bare;
      return bare;
    },
  });
});
afterAll(() => host.close());

type Listed = { readonly shop: Shop; readonly payments: readonly Payment[] };
const put = (payments: readonly Payment[]) =>
  Promise.all(payments.map((payment) => table.put(paymentEntity.toItem(payment, START))));

/** A shop with so many payments; one of its connections was deleted since. */
async function having(count: number): Promise<Listed> {
  const shop = await aShop(host, { a: {}, b: {}, gone: {} });
  const payments = Array.from({ length: count }, (_, n) => nth(shop.org_id, n));
  await put(payments);
  await host.call('DELETE', '/v1/connections/gone', undefined, { key: shop.key });
  return { shop, payments };
}

const definedBy = (
  payments: readonly Payment[],
  { created_after = '', created_before = '9', ...equal }: Query,
): string[] =>
  payments
    .filter((p) => p.created_at >= created_after && p.created_at < created_before)
    .filter((p) => Object.entries(equal).every(([field, value]) => p[field as 'status'] === value))
    .map(({ id }) => id)
    .sort()
    .reverse();

/** From page to page, to the end. */
async function allOf(
  { shop }: Listed,
  query: Query,
  first: object,
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const found: string[] = [];
  let page = 0;
  for (let next: string | undefined = `?${new URLSearchParams({ ...query, ...first })}`; next; page += 1) {
    const { status, body, headers }: Body = await host.call('GET', `/v1/payments${next}`, undefined, { key: shop.key });
    expect(status, JSON.stringify(body)).toBe(200);
    found.push(...body.payments.map(({ id }: Body) => id));
    next = /\?[^>]+/.exec(headers.get('link') ?? '')?.[0];
    expect([body.pagination.has_more, body.payments.length <= body.pagination.limit]).toEqual([
      next !== undefined,
      true,
    ]);
    await between(page);
  }
  return found;
}

const aQuery: fc.Arbitrary<Query> = fc.record(
  Object.fromEntries(FILTERS.map((filter) => [filter, fc.constantFrom(...VALUES[filter])])) as {
    [filter in keyof Query]-?: fc.Arbitrary<string>;
  },
  { requiredKeys: [] },
);
const pairs = FILTERS.flatMap((one, n) => FILTERS.slice(n).map((other) => [one, other] as const));

describe('a list of payments over HTTP', () => {
  let some: Listed;
  beforeAll(async () => {
    some = await having(COUNT);
  });

  it.each(pairs)('is filtered by %s and %s, for each of their values', async (one, other) => {
    for (const value of VALUES[one]) {
      const query = { [one]: value, [other]: one === other ? value : VALUES[other].at(-1) };
      expect(await allOf(some, query, { limit: 200 })).toEqual(definedBy(some.payments, query));
    }
  });

  it('matches its definition from the offset to the end, by pages of any size', () =>
    fc.assert(
      fc.asyncProperty(aQuery, fc.constantFrom(9, 20, 65, 130, 200), fc.nat(COUNT), async (query, limit, offset) => {
        expect(await allOf(some, query, { limit, offset })).toEqual(definedBy(some.payments, query).slice(offset));
      }),
      { numRuns: 80 },
    ));

  it.each([1, 65, 130, 200])('ends after the last payment, by pages of %i', async (limit) => {
    const query = { created_after: later(65_000).toISOString() };
    expect(definedBy(some.payments, query)).toHaveLength(130);
    expect(await allOf(some, query, { limit, ...(limit === 1 && { offset: 120 }) })).toEqual(
      definedBy(some.payments, query).slice(limit === 1 ? 120 : 0),
    );
  });

  it('continues from the cursor of another list, within its own filter', async () => {
    const [first] = [await host.call('GET', '/v1/payments?limit=50', undefined, { key: some.shop.key })];
    const cursor = new URL(/<(.*)>/.exec(first.headers.get('link') ?? '')![1]!).searchParams.get('cursor')!;
    const rest = some.payments.filter(({ id }) => id < first.body.payments.at(-1).id);
    for (const query of [
      { status: 'failed' },
      { currency: 'USD' },
      { created_before: later(60_000).toISOString() },
      { customer_id: 'ann' },
    ]) {
      expect(await allOf(some, query, { cursor })).toEqual(definedBy(rest, query));
      expect(await allOf(some, query, { cursor, offset: 3 })).toEqual(definedBy(rest, query).slice(3));
    }
  });
});

describe('a list of payments that changes while it is read', () => {
  it.each<[string, Query]>([
    ['everything', {}],
    ['a status', { status: 'failed' }],
    ['a currency', { currency: 'USD' }],
    ['a customer', { customer_id: 'bob' }],
  ])('shows each earlier payment once, in order, while new ones are created: %s', async (_, query) => {
    const { shop, payments } = await having(80);
    let more = 80;
    const arrive = async () => {
      more += 12;
      await put(Array.from({ length: 12 }, (_, n) => nth(shop.org_id, more + n)));
    };
    expect(await allOf({ shop, payments }, query, { limit: 5 }, arrive)).toEqual(definedBy(payments, query));
  });

  it('shows none twice, and all unchanged ones, while others change their status', async () => {
    const { shop, payments } = await having(120);
    const turned = (p: Payment, n: number): Payment =>
      n % 3 ? p : { ...p, status: p.status === 'failed' ? 'succeeded' : 'failed', version: 2 };
    const change = (page: number) => put(payments.map(turned).filter((_, n) => n % 5 === page));
    const found = await allOf({ shop, payments }, { status: 'failed' }, { limit: 7 }, change);
    expect(found).toEqual([...new Set(found)].sort().reverse());
    expect(found).toEqual(
      expect.arrayContaining(
        definedBy(
          payments.filter((p, n) => turned(p, n) === p),
          { status: 'failed' },
        ),
      ),
    );
  });
});
