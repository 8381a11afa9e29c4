import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR, plus } from '#shared/kernel/clock.ts';
import { aLimitedHost, fillWindow } from '#test/http/payments.support.ts';
import { aLink, getLink } from '#test/support/guest-browser.ts';
import { anOrganization, type Body, startHost, type TestHost, type TestOrganization } from '#test/support/host.ts';
import { advance, keyWith } from '#test/support/payment-steps.ts';

let host: TestHost;
let org: TestOrganization;
beforeAll(async () => {
  host = await startHost();
  org = await anOrganization(host);
});
afterAll(() => host.close());

const PATH = '/v1/payment-links';
const plain = { amount: 5_000, currency: 'eur' };
const make = (body: Body = plain, how = {}) => host.call('POST', PATH, body, how);
const deactivate = (id: string, how = {}) => host.call('POST', `${PATH}/${id}/deactivate`, undefined, how);
const list = (query = '', key = org.key) => host.call('GET', `${PATH}${query}`, undefined, { key });
const oneHourFromNow = () => plus(host.clock.now(), HOUR).toISOString();

describe('POST /v1/payment-links', () => {
  it('creates a link that can be paid once, by card', async () => {
    const { status, body, headers } = await make();
    expect([status, headers.get('location')]).toEqual([201, `${PATH}/${body.id}`]);
    expect(body).toEqual({
      id: expect.stringMatching(/^plink_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      org_id: host.info.org_id,
      mode: 'sandbox',
      url: `${host.info.api}/pay/${body.id}`,
      amount: 5_000,
      currency: 'EUR',
      capture: 'automatic',
      description: null,
      methods: ['card'],
      status: 'active',
      max_payments: 1,
      payments_made: 0,
      expires_at: null,
      metadata: {},
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    });
    expect((await host.call('GET', `${PATH}/${body.id}`)).body).toEqual(body);
  });

  it('returns every field it was created with', async () => {
    const given = {
      ...plain,
      currency: 'EUR',
      description: 'Chair & table',
      methods: ['card', 'ideal'],
      expires_at: oneHourFromNow(),
      max_payments: 7,
      metadata: { order: 'A-1', vip: true },
    };
    expect((await make(given)).body).toMatchObject(given);
  });

  it.each<[string, Body, string]>([
    ['no amount', { currency: 'EUR' }, 'amount'],
    ['a fraction', { ...plain, amount: 1.5 }, 'amount'],
    ['an unknown currency', { ...plain, currency: 'XXZ' }, 'currency'],
    ['an empty description', { ...plain, description: '' }, 'description'],
    ['no methods in the list', { ...plain, methods: [] }, 'methods'],
    ['a method twice', { ...plain, methods: ['card', 'card'] }, 'methods'],
    ['a malformed method', { ...plain, methods: ['Card!'] }, 'methods.0'],
    ['a malformed expiry', { ...plain, expires_at: 'tomorrow' }, 'expires_at'],
    ['an expiry in the past', { ...plain, expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['no payments', { ...plain, max_payments: 0 }, 'max_payments'],
    ['too many payments', { ...plain, max_payments: 100_001 }, 'max_payments'],
    ['payments as text', { ...plain, max_payments: '3' }, 'max_payments'],
    ['an unknown field', { ...plain, return_url: 'https://shop.example' }, 'return_url'],
  ])('answers 400 for %s, names the field, and creates nothing', async (_, body, path) => {
    const before = (await list()).body.pagination.total;
    const answer = await make(body, { key: org.key });
    expect([answer.status, answer.body.code, answer.body.details.fields.map((fault: Body) => fault.path)]).toEqual([
      400,
      'invalid_request',
      [path],
    ]);
    expect((await list()).body.pagination.total).toBe(before);
  });

  it('accepts each idempotency key once', async () => {
    const how = { idempotencyKey: randomUUID() };
    const first = await make(plain, how);
    const again = await make(plain, how);
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true']);
    expect((await make({ ...plain, amount: 1 }, how)).body.code).toBe('idempotency_key_reused');
    expect((await make(plain, { idempotencyKey: null })).body.code).toBe('idempotency_key_required');
  });
});

describe('GET /v1/payment-links', () => {
  it('lists page by page, newest first, with the total', async () => {
    const own = await anOrganization(host);
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift((await aLink(host, { description: `Link ${n}` }, own.key)).id);
    const idsOf = ({ payment_links }: Body) => payment_links.map(({ id }: Body) => id);
    const first = await list('?limit=2', own.key);
    expect([idsOf(first.body), first.body.pagination]).toEqual([
      made.slice(0, 2),
      { limit: 2, offset: 0, total: 5, next_cursor: expect.any(String) },
    ]);
    const second = await list(new URL(/<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '').search, own.key);
    expect(idsOf(second.body)).toEqual(made.slice(2, 4));
    const last = await list('?limit=2&offset=4', own.key);
    expect([idsOf(last.body), last.headers.get('link')]).toEqual([made.slice(4), null]);
    expect(idsOf((await list('?offset=99', own.key)).body)).toEqual([]);
  });

  it('filters by status, and shows links as expired in time', async () => {
    const own = await anOrganization(host);
    const [open, off, short] = [
      await aLink(host, {}, own.key),
      await aLink(host, {}, own.key),
      await aLink(host, { expires_at: oneHourFromNow() }, own.key),
    ];
    await deactivate(off.id, { key: own.key });
    await advance(host, '61m');
    for (const [status, id] of [
      ['active', open.id],
      ['inactive', off.id],
      ['expired', short.id],
    ]) {
      const { payment_links, pagination } = (await list(`?status=${status}`, own.key)).body;
      expect([payment_links.map(({ id }: Body) => id), pagination.total], status).toEqual([[id], 1]);
    }
  });

  it.each(['?limit=0', '?limit=201', '?offset=-1', '?status=open', '?cursor=x', '?colour=red'])(
    'answers 400 for %s',
    async (query) => {
      expect(await list(query)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    },
  );

  it('does not show links of other organizations', async () => {
    const link = await aLink(host);
    expect((await list('?limit=200')).body.payment_links.map(({ id }: Body) => id)).not.toContain(link.id);
  });
});

describe('POST /v1/payment-links/{id}/deactivate', () => {
  it('deactivates a link, and can be repeated', async () => {
    const { id } = await aLink(host);
    const { status, body } = await deactivate(id);
    expect([status, body.status]).toEqual([200, 'inactive']);
    expect((await deactivate(id)).body).toEqual(body);
    expect(await getLink(host, id)).toEqual(body);
  });

  it('answers 409 for an expired or completed link', async () => {
    const { now } = (await host.control('GET', '/clock')).body;
    const { id } = await aLink(host, { expires_at: new Date(Date.parse(now) + 60_000).toISOString() });
    await advance(host, '61s');
    expect(await deactivate(id)).toMatchObject({
      status: 409,
      body: { error: 'conflict', code: 'payment_link_not_active' },
    });
    expect((await getLink(host, id)).status).toBe('expired');
  });
});

describe.each([
  ['GET', '', 'payments:read'],
  ['POST', '', 'payments:write'],
  ['GET', '/ID', 'payments:read'],
  ['POST', '/ID/deactivate', 'payments:write'],
])('%s /v1/payment-links%s', (method, rest, scope) => {
  const sendRequest = async (how: object) => {
    const { id } = await aLink(host);
    return host.call(method, PATH + rest.replace('ID', id), method === 'POST' && rest === '' ? plain : undefined, how);
  };

  it('needs credentials and scopes', async () => {
    expect((await sendRequest({ key: null })).status).toBe(401);
    const other = await keyWith(host, [scope === 'payments:read' ? 'payments:write' : 'payments:read']);
    for (const key of [other, host.info.keys.public])
      expect(await sendRequest({ key })).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining(scope) },
      });
  });

  if (rest === '') return;
  it('hides links of other organizations', async () => {
    const never = {
      status: 404,
      body: { error: 'not_found', code: 'not_found', message: 'There is no payment link with this id.' },
    };
    expect(await sendRequest({ key: org.key })).toMatchObject(never);
    for (const id of ['plink_01jqeh2s00e8x9v3k5t7w2m4np', 'nonsense', 'pay_01jqeh2s00e8x9v3k5t7w2m4np']) {
      expect(await host.call(method, PATH + rest.replace('ID', id))).toMatchObject(never);
    }
  });
});

it('counts against the rate limit of its key', async () => {
  const limited = await aLimitedHost();
  await fillWindow(limited, 100, () => limited.call('POST', PATH, plain));
  expect((await limited.call('POST', PATH, plain)).status).toBe(429);
});
