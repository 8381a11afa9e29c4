import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCursor } from '#shared/http/schema/common.schema.ts';
import { subscriptionEntity } from '#shared/store/repos/billing/subscription.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { MIXED_CONNECTIONS, MUCH, putMixed, RARE } from '#test/bench/mixed-payments.ts';
import { unitLedger } from '#test/bench/unit-ledger.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { paymentId } from '#test/support/payment.builder.ts';
import { aShop, drain, type Shop } from '#test/support/payment-steps.ts';
import { aSubscription, subscriptionId } from '#test/support/subscription.builder.ts';

/** Read units of DynamoDB, whatever the store: they are counted per call. Time is not measured. */
const MANY = 2_100;
const FEW = 50;

const ledger = unitLedger();
let bare: TablePort;
let host: TestHost;
let large: Shop;
let small: Shop;

beforeAll(async () => {
  host = await startHost({
    wrapTable: (table) => {
      bare = table;
      return ledger.through(table);
    },
  });
  const connections = Object.fromEntries(MIXED_CONNECTIONS.map((id) => [id, {}]));
  [large, small] = [await aShop(host, connections), await aShop(host, connections)];
  await putMixed(bare, large.org_id, 0, MANY);
  await putMixed(bare, small.org_id, MANY, MANY + FEW);
  await drain(host);
});
afterAll(() => host.close());

async function ask({ key }: Shop, path: string) {
  let answer: Awaited<ReturnType<TestHost['call']>> | undefined;
  const { lines } = await ledger.of(host, async () => {
    answer = await host.call('GET', path, undefined, { key });
  });
  const next = /\?[^>]+/.exec(answer!.headers.get('link') ?? '')?.[0];
  // A sweep may begin in between.
  return {
    rru: lines.reduce((sum, line) => sum + (line.group === 'timers' ? 0 : line.rru), 0),
    body: answer!.body,
    next,
  };
}

const LIMIT = 50;
/** The page below the nth payment, reached by a cursor. */
const pageBelow = (n: number, query: string) =>
  ask(large, `/v1/payments?limit=${LIMIT}${query}${n < MANY ? `&cursor=${writeCursor(paymentId(n))}` : ''}`);

describe('a page of payments', () => {
  it.each<[string, string]>([
    ['of all of them', ''],
    ['of a connection', `&connection_id=${MUCH.connection_id}`],
    ['of a customer', `&customer_id=${MUCH.customer_id}`],
    ['of those that failed', '&status=failed'],
    ['of those that succeeded', '&status=succeeded'],
    ['in a currency', `&currency=${MUCH.currency}`],
    ['of a customer’s successes', `&customer_id=${MUCH.customer_id}&status=succeeded`],
  ])('%s reads the same amount at any depth', async (_, query) => {
    const units: number[] = [];
    for (const n of [MANY, 1_700, 1_200, 700]) {
      const page = await pageBelow(n, query);
      expect(page.body.payments).toHaveLength(LIMIT);
      units.push(page.rru);
    }
    // A match and its shard vary by chance, so there may be one call more or less.
    expect(Math.max(...units) - Math.min(...units)).toBeLessThanOrEqual(4);
  });

  it('reads the same amount of many payments as of few', async () => {
    const read = async () =>
      [await ask(large, '/v1/payments?limit=20'), await ask(small, '/v1/payments?limit=20')] as const;
    // What a process keeps of an organization, it reads the first time.
    await read();
    const [of, as] = await read();
    expect(of.rru).toBe(as.rru);
  });

  it('reads more with a larger offset, which is why the offset is limited', async () => {
    const [near, far] = [
      await ask(large, '/v1/payments?limit=50'),
      await ask(large, '/v1/payments?limit=50&offset=1600'),
    ];
    expect(far.rru - near.rru).toBeGreaterThan(10);
  });

  it('ends early when matches are rare, with a next cursor', async () => {
    const { body, rru } = await ask(large, `/v1/payments?limit=50&currency=${RARE.currency}`);
    expect([body.payments.length, body.pagination.has_more]).toEqual([2, true]);
    expect(rru).toBeLessThan(1_100);
  });

  it.each([
    [0, 2, 1],
    [1, 1, 1],
    [2, 0, 1],
    [3, 0, 0],
    [4, 0, 0],
  ])('that ends early at an offset of %i leaves the rest of it to the next page', async (offset, shown, shownNext) => {
    const first = await ask(large, `/v1/payments?limit=50&currency=${RARE.currency}&offset=${offset}`);
    const second = await ask(large, `/v1/payments${first.next}`);
    expect([first.body.payments.length, second.body.payments.length, second.next]).toEqual([
      shown,
      shownNext,
      undefined,
    ]);
  });
});

describe('statistics', () => {
  const span = 'from=2026-03-01&to=2026-03-30';

  it('read the same amount over many payments as over few', async () => {
    const [many, few] = [
      await ask(large, `/v1/payments/stats?${span}`),
      await ask(small, `/v1/payments/stats?${span}`),
    ];
    expect([many.body.total, few.body.total]).toEqual([MANY, FEW]);
    expect(many.rru).toBe(few.rru);
  });

  it('of subscriptions read the same amount over many as over few', async () => {
    await putSubscriptions(large.org_id, 0, MANY_SUBSCRIPTIONS);
    await putSubscriptions(small.org_id, MANY_SUBSCRIPTIONS, MANY_SUBSCRIPTIONS + 3);
    await drain(host);
    const [many, few] = [await ask(large, '/v1/subscriptions/stats'), await ask(small, '/v1/subscriptions/stats')];
    const active = ({ body }: typeof many) => body.by_currency[0].now.active;
    expect([active(many), active(few)]).toEqual([MANY_SUBSCRIPTIONS, 3]);
    expect(many.rru).toBe(few.rru);
  });
});

const MANY_SUBSCRIPTIONS = 300;

/** Active ones that are not due in this test. */
async function putSubscriptions(org_id: string, from: number, to: number): Promise<void> {
  const bills_at = new Date(host.clock.now().getTime() + 300 * 86_400_000).toISOString();
  for (let n = from; n < to; n += 1)
    await bare.put(subscriptionEntity.toItem(aSubscription({ id: subscriptionId(n), org_id, bills_at })));
}
