import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatPosition } from '#shared/domain/reference/page.rules.ts';
import { writeCursor } from '#shared/http/schema/common.schema.ts';
import { itChecksCredentials, itLimitsItsRate } from '#test/http/payments.support.ts';
import { type ApiResponse, type Body, type CallOptions, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  anIntent,
  aShop,
  faultsIn,
  pay,
  payOnPage,
  read,
  type Shop,
} from '#test/support/payment-steps.ts';

const NEVER = 'pay_01jzzzzzzzfz0a1b2c3d4e5f6g';

let host: TestHost;
let shop: Shop;
/** Nine payments, a minute apart; the newest is `p8`. */
const made: Record<string, Body> = {};

beforeAll(async () => {
  host = await startHost();
  shop = await aShop(host, { a: {}, b: { capabilities: { currencies: ['USD'] } } });
  const how = { key: shop.key };
  const steps = [
    () => pay(host, 'ok', { customer_id: 'ann' }, how),
    () => pay(host, 'ok', { customer_id: 'bob' }, how),
    () => pay(host, 'decline_lost_card', { customer_id: 'ann' }, how),
    () => pay(host, 'pending', {}, how),
    () => payOnPage(host, {}, how),
    () => anIntent(host, 'ok', { customer_id: 'ann' }, how),
    async () => (await act(host, (await anIntent(host, 'ok', {}, how)).id, 'cancel', undefined, how)).body,
    async () => (await act(host, (await pay(host, 'ok', {}, how)).id, 'refund', undefined, how)).body,
    async () => {
      await host.call('POST', '/v1/connections', { id: 'a', status: 'inactive' }, how);
      return pay(host, 'ok', { currency: 'USD' }, how);
    },
  ];
  for (const [n, step] of steps.entries()) {
    await advance(host, '1m');
    made[`p${n}`] = await step();
  }
});
afterAll(() => host.close());

const list = (query = '', how: CallOptions = { key: shop.key }) =>
  host.call('GET', `/v1/payments${query}`, undefined, how);
const namesOf = (payments: Body[]) => payments.map(({ id }) => Object.keys(made).find((name) => made[name].id === id));
const names = async (query: string) => namesOf((await list(query)).body.payments);

describe('GET /v1/payments', () => {
  const endpoint = {
    host: () => host,
    method: 'GET',
    path: () => '/v1/payments',
    scope: 'payments:read',
    ready: async () => ({ id: '' }),
    success: 200,
  } as const;
  itChecksCredentials(endpoint);
  itLimitsItsRate(endpoint, 500);

  it('lists the newest first, each as GET returns it', async () => {
    const { status, body } = await list();
    expect([status, body.pagination, namesOf(body.payments)]).toEqual([
      200,
      { limit: 50, offset: 0, has_more: false, next_cursor: null },
      ['p8', 'p7', 'p6', 'p5', 'p4', 'p3', 'p2', 'p1', 'p0'],
    ]);
    for (const payment of body.payments) expect(payment).toEqual(await read(host, payment.id, { key: shop.key }));
  });

  it.each([
    ['?status=succeeded', ['p8', 'p1', 'p0']],
    ['?status=failed', ['p2']],
    ['?status=processing', ['p3']],
    ['?status=requires_action', ['p4']],
    ['?status=created', ['p5']],
    ['?status=canceled', ['p6']],
    ['?status=refunded', ['p7']],
    ['?customer_id=ann', ['p5', 'p2', 'p0']],
    ['?customer_id=ann&status=failed', ['p2']],
    ['?customer_id=nobody', []],
    ['?connection_id=b', ['p8']],
    ['?connection_id=a', ['p7', 'p4', 'p3', 'p2', 'p1', 'p0']],
    ['?connection_id=a&status=succeeded', ['p1', 'p0']],
    ['?connection_id=none', []],
    ['?currency=usd', ['p8']],
    ['?currency=EUR&customer_id=bob', ['p1']],
    ['?limit=2', ['p8', 'p7']],
    ['?limit=2&offset=3', ['p5', 'p4']],
    ['?status=succeeded&limit=1&offset=1', ['p1']],
    ['?customer_id=ann&status=failed&offset=1', []],
    ['?offset=10000', []],
  ])('filters by %s', async (query, expected) => expect(await names(query)).toEqual(expected));

  it('filters by a span of time', async () => {
    const [from, to] = [made.p2.created_at, made.p5.created_at];
    expect(await names(`?created_after=${from}&created_before=${to}`)).toEqual(['p4', 'p3', 'p2']);
    expect(await names(`?created_after=${to.replace('Z', '%2B00:00')}&status=canceled`)).toEqual(['p6']);
  });

  it.each([
    '?limit=2',
    '?limit=1&status=succeeded',
    '?limit=1&customer_id=ann',
    '?limit=4&connection_id=a',
    '?limit=2&offset=1&currency=EUR',
  ])('leads from page to page: %s', async (query) => {
    const all = await names(query.replace(/limit=\d+&?/, '').replace(/^\?$/, ''));
    const seen: unknown[] = [];
    for (let next: string | undefined = query; next !== undefined; ) {
      const { body, headers }: ApiResponse = await list(next);
      seen.push(...namesOf(body.payments));
      const [, address]: RegExpExecArray | [] = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
      expect(body.pagination.has_more).toBe(address !== undefined);
      const cursor = new URL(address ?? host.info.api).searchParams.get('cursor');
      expect(body.pagination.next_cursor).toBe(cursor);
      next = address?.slice(address.indexOf('?'));
    }
    expect(seen).toEqual(all);
  });

  it('includes a payment at exactly `created_after`, and excludes one at exactly `created_before`', async () => {
    const at = made.p4.created_at;
    const before = new Date(Date.parse(at) - 1).toISOString();
    expect(await names(`?created_after=${at}&limit=200`)).toEqual(['p8', 'p7', 'p6', 'p5', 'p4']);
    expect(await names(`?created_before=${at}`)).toEqual(['p3', 'p2', 'p1', 'p0']);
    expect(await names(`?created_after=${before}&created_before=${at}`)).toEqual([]);
    expect(await names(`?created_after=${at}&created_before=${before}`)).toEqual([]);
  });

  it.each([
    ['skips an offset from there', 'p6', '&offset=2&limit=2', ['p3', 'p2']],
    ['skips the rest of an offset', 'p6', '&limit=2', ['p2', 'p1'], 3],
    ['skips both', 'p6', '&offset=1&limit=2', ['p2', 'p1'], 2],
    ['accepts the cursor of another list', 'p5', '&status=succeeded', ['p1', 'p0']],
    ['ends no later than created_before', 'p8', `&created_before=BEFORE`, ['p2', 'p1', 'p0']],
    ['starts no earlier than created_after', 'p3', `&created_after=AFTER`, ['p2', 'p1']],
  ])('with a cursor, %s', async (_, below, query, expected, skip = 0) => {
    const cursor = writeCursor(formatPosition({ below: made[below].id, skip }));
    const asked = query.replace('BEFORE', made.p3.created_at).replace('AFTER', made.p1.created_at);
    expect(await names(`?cursor=${cursor}${asked}`)).toEqual(expected);
  });

  it('has has_more only if more follow', async () => {
    for (const [query, more] of [
      ['?limit=8', true],
      ['?limit=9', false],
      ['?limit=10', false],
      ['?limit=3&offset=6', false],
      ['?limit=2&offset=6', true],
      ['?limit=3&status=succeeded', false],
      ['?limit=2&currency=EUR&customer_id=ann', true],
      ['?limit=3&currency=EUR&customer_id=ann', false],
    ] as const) {
      const { body, headers } = await list(query);
      expect([query, body.pagination.has_more, headers.has('link')]).toEqual([query, more, more]);
    }
  });

  it('shows no payments of other organizations', async () => {
    const { key } = await aShop(host, {});
    expect((await list('', { key })).body.payments).toEqual([]);
    expect((await list(`?customer_id=ann`, { key })).body.payments).toEqual([]);
    expect((await list(`?connection_id=a`, { key })).body.payments).toEqual([]);
  });

  it.each([
    ['limit=0', 'query.limit'],
    ['limit=201', 'query.limit'],
    ['limit=many', 'query.limit'],
    ['offset=-1', 'query.offset'],
    ['offset=10001', 'query.offset'],
    ['status=paid', 'query.status'],
    ['currency=EUX', 'query.currency'],
    ['created_after=yesterday', 'query.created_after'],
    ['cursor=nonsense', 'query.cursor'],
    [`cursor=${writeCursor(`${NEVER}+0`)}`, 'query.cursor'],
    [`cursor=${writeCursor(`${NEVER}+1000000000`)}`, 'query.cursor'],
    [`cursor=${writeCursor(`${NEVER}+1+1`)}`, 'query.cursor'],
    [`cursor=${writeCursor(NEVER.toUpperCase())}`, 'query.cursor'],
    ['colour=red', 'query.colour'],
  ])('answers 400 for ?%s', async (query, path) => {
    const answer = await list(`?${query}`);
    expect([answer.status, answer.body.code, faultsIn(answer)]).toEqual([400, 'invalid_request', [path]]);
  });
});
