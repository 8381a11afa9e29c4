import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCursor } from '#shared/http/schema/common.schema.ts';
import {
  aSubscriptionBody,
  cancel,
  faultsOf,
  itKnowsItsCallers,
  pagesOf,
  SUBSCRIPTIONS,
  show,
  subscribeLater,
  update,
  verdictOf,
} from '#test/http/subscriptions/subscriptions.support.ts';
import {
  type ApiResponse,
  anOrganization,
  type Body,
  type CallOptions,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { advance } from '#test/support/payment-steps.ts';

const NEVER = 'sub_01jzzzzzzzfz0a1b2c3d4e5f6g';
/** Customer and plan ids may be any text. */
const ODD = 'a#b&c=1 "d"';

let host: TestHost;
let org: TestOrganization;
/** Six subscriptions, a minute apart; the newest is `s5`. */
const made: Record<string, Body> = {};

beforeAll(async () => {
  host = await startHost();
  org = await anOrganization(host);
  const how = { key: org.key };
  const wishes: Body[] = [
    {},
    { customer_id: 'bob' },
    { plan_id: 'silver' },
    { customer_id: ODD, plan_id: ODD },
    {},
    { customer_id: 'bob', plan_id: 'silver' },
  ];
  for (const [n, wish] of wishes.entries()) {
    await advance(host, '1m');
    made[`s${n}`] = await subscribeLater(host, wish, how);
  }
  await update(host, made.s2.id, { status: 'paused' }, how);
  await update(host, made.s5.id, { status: 'paused' }, how);
  await cancel(host, made.s1.id, undefined, how);
  await subscribeLater(host);
});
afterAll(() => host?.close());

const list = (query = '', how: CallOptions = { key: org.key }): Promise<ApiResponse> =>
  host.call('GET', SUBSCRIPTIONS + query, undefined, how);
const namesOf = (subscriptions: Body[]) =>
  subscriptions.map(({ id }) => Object.keys(made).find((name) => made[name].id === id));
const names = async (query: string) => namesOf((await list(query)).body);
const encoded = encodeURIComponent(ODD);

describe('GET /v1/subscriptions', () => {
  it('returns a bare array, the newest first, each as GET returns it', async () => {
    const { status, body, headers } = await list();
    expect([status, namesOf(body), headers.get('link')]).toEqual([200, ['s5', 's4', 's3', 's2', 's1', 's0'], null]);
    for (const each of body) expect(each).toEqual(await show(host, each.id, { key: org.key }));
  });

  it.each([
    ['?status=active', ['s4', 's3', 's0']],
    ['?status=paused', ['s5', 's2']],
    ['?status=canceled', ['s1']],
    ['?customer_id=bob', ['s5', 's1']],
    ['?customer_id=nobody', []],
    ['?plan_id=silver', ['s5', 's2']],
    ['?plan_id=gold&customer_id=bob', ['s1']],
    ['?plan_id=silver&customer_id=bob&status=paused', ['s5']],
    ['?plan_id=gold&status=canceled', ['s1']],
    ['?plan_id=gold&status=paused', []],
    [`?customer_id=${encoded}`, ['s3']],
    [`?plan_id=${encoded}&status=active`, ['s3']],
    ['?customer_id=a', []],
    ['?limit=2', ['s5', 's4']],
    ['?limit=2&offset=3', ['s2', 's1']],
    ['?status=active&limit=1&offset=1', ['s3']],
    ['?offset=10000', []],
  ])('returns %s', async (query, expected) => expect(await names(query)).toEqual(expected));

  it('includes the exact millisecond of `created_after` and excludes that of `created_before`', async () => {
    const [from, to] = [made.s1.created_at, made.s4.created_at];
    expect(await names(`?created_after=${from}&created_before=${to}`)).toEqual(['s3', 's2', 's1']);
    expect(await names(`?created_after=${from.replace('Z', '%2B00:00')}&status=paused`)).toEqual(['s5', 's2']);
    expect(await names(`?created_before=${from}`)).toEqual(['s0']);
    expect(await names(`?created_after=${to}&created_before=${from}`)).toEqual([]);
  });

  it.each([
    '?limit=1',
    '?limit=4',
    '?limit=1&status=active',
    '?limit=1&plan_id=silver',
    '?limit=1&customer_id=bob',
    '?limit=2&offset=1',
    `?limit=1&plan_id=gold&customer_id=bob`,
  ])('links from page to page: %s', async (query) => {
    const all = await names(query.replace(/limit=\d+&?/, '').replace(/^\?$/, ''));
    const pages = await pagesOf(host, SUBSCRIPTIONS + query, { key: org.key });
    expect(pages.flatMap(({ body }) => namesOf(body))).toEqual(all);
    expect(pages.length).toBeLessThan(8);
  });

  it('returns nothing of another organization', async () => {
    const { key } = await anOrganization(host);
    for (const query of ['', '?customer_id=ann', '?plan_id=gold', '?status=active'])
      expect((await list(query, { key })).body).toEqual([]);
  });

  it.each([
    ['limit=0', 'query.limit'],
    ['limit=201', 'query.limit'],
    ['limit=many', 'query.limit'],
    ['offset=-1', 'query.offset'],
    ['offset=10001', 'query.offset'],
    ['status=gone', 'query.status'],
    ['customer_id=', 'query.customer_id'],
    [`plan_id=${'x'.repeat(201)}`, 'query.plan_id'],
    ['created_after=yesterday', 'query.created_after'],
    ['created_before=2026-13-01T00:00:00Z', 'query.created_before'],
    ['cursor=nonsense', 'query.cursor'],
    [`cursor=${writeCursor(NEVER.replace('sub_', 'pay_'))}`, 'query.cursor'],
    [`cursor=${writeCursor(`${NEVER}+0`)}`, 'query.cursor'],
    [`cursor=${writeCursor(NEVER.toUpperCase())}`, 'query.cursor'],
    ['interval=monthly', 'query.interval'],
  ])('returns 400 for ?%s', async (query, path) => {
    const answer = await list(`?${query}`);
    expect([verdictOf(answer), faultsOf(answer)]).toEqual([[400, 'invalid_request'], [path]]);
  });

  it('names all invalid parameters of a query', async () => {
    expect(faultsOf(await list('?limit=0&offset=x&status=gone&colour=red')).sort()).toEqual([
      'query.colour',
      'query.limit',
      'query.offset',
      'query.status',
    ]);
  });
});

describe('callers', () => {
  itKnowsItsCallers(
    () => host,
    ['GET', SUBSCRIPTIONS, 'subscriptions:read'],
    async () => ({ id: '' }),
    '',
  );
});

it('lists a new subscription at once', async () => {
  const { key } = await anOrganization(host);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      host.call('POST', SUBSCRIPTIONS, aSubscriptionBody({ start_at: made.s0.start_at }), { key }),
    ),
  );
  const listed = (await list('?limit=200', { key })).body.map(({ id }: Body) => id);
  expect(listed.toSorted()).toEqual(answers.map(({ body }) => body.id).toSorted());
});
