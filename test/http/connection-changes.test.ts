import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';
import {
  type ApiResponse,
  anOrganization,
  aPaymentBody,
  type Body,
  type CallOptions,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { advance, keyWith } from '#test/support/payment-steps.ts';
import { aTemplate } from '#test/support/workflows.ts';

let host: TestHost;
let org: TestOrganization;
beforeAll(async () => {
  host = await startHost();
  org = await anOrganization(host);
});
afterAll(() => host.close());

const credentials = randomCredentials('stripe', 'sandbox');
const call = (method: string, path: string, body?: Body, how: CallOptions = {}) =>
  host.call(method, `/v1/connections${path}`, body, { key: org.key, ...how });
const make = async (body: Body = {}, how: CallOptions = {}): Promise<Body> =>
  (await call('POST', '', { provider: 'stripe', credentials, ...body }, how)).body;
const audit = async (id: string, query = '', how: CallOptions = {}) =>
  call('GET', `/${id}/audit${query}`, undefined, how);
const actionsOf = async (id: string) =>
  (await audit(id)).body.map(({ id: number, action }: Body) => `${number} ${action}`);
const linkOf = ({ headers }: ApiResponse): URL | undefined => {
  const [, address] = /<([^>]+)>/.exec(headers.get('link') ?? '') ?? [];
  return address === undefined ? undefined : new URL(address);
};
const pay = (key: string) => host.call('POST', '/v1/payments', aPaymentBody(), { key });

describe('PATCH /v1/connections/{id}/labels', () => {
  it('sets the labels in lower case and without duplicates', async () => {
    const made = await make({ labels: ['old'] });
    const { status, body } = await call('PATCH', `/${made.id}/labels`, { labels: ['EU', 'eu', 'Card-1'] });
    expect([status, body]).toEqual([200, { ...made, labels: ['eu', 'card-1'], updated_at: expect.any(String) }]);
    expect((await call('PATCH', `/${made.id}/labels`, { labels: [] })).body.labels).toEqual([]);
  });

  it.each([
    [{ labels: ['a b'] }],
    [{ labels: Array.from({ length: 21 }, (_, n) => `l${n}`) }],
    [{ labels: 'eu' }],
    [{}],
    [{ labels: [], colour: 'red' }],
  ])('returns 400 for %j, and changes nothing', async (body) => {
    const made = await make();
    expect((await call('PATCH', `/${made.id}/labels`, body)).body.code).toBe('invalid_request');
    expect((await call('GET', `/${made.id}`)).body).toEqual(made);
  });
});

describe('PATCH /v1/connections/{id}/status', () => {
  it('takes a connection out of routing and puts it back', async () => {
    const own = await anOrganization(host);
    const { id } = await make({}, { key: own.key });
    expect((await call('PATCH', `/${id}/status`, { status: 'inactive' }, { key: own.key })).body.status).toBe(
      'inactive',
    );
    expect((await pay(own.key)).body.failure.code).toBe('no_route');
    expect((await call('PATCH', `/${id}/status`, { status: 'active' }, { key: own.key })).body.status).toBe('active');
    expect((await pay(own.key)).body).toMatchObject({ status: 'succeeded', connection_id: id });
  });

  it.each([[{ status: 'on' }], [{ status: null }], [{}]])('returns 400 for %j', async (body) => {
    const { id } = await make();
    expect((await call('PATCH', `/${id}/status`, body)).body.code).toBe('invalid_request');
  });
});

describe('DELETE /v1/connections/{id}', () => {
  it('deletes the connection once', async () => {
    const { id } = await make();
    expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } });
    for (const [method, path, body] of [
      ['DELETE', '', undefined],
      ['GET', '', undefined],
      ['POST', '/validate', undefined],
      ['PATCH', '/labels', { labels: [] }],
      ['PATCH', '/status', { status: 'active' }],
    ] as const) {
      expect(await call(method, `/${id}${path}`, body), method + path).toMatchObject({
        status: 404,
        body: { message: 'There is no such connection.' },
      });
    }
    expect((await call('GET', '?limit=200')).body.connections.map((c: Body) => c.id)).not.toContain(id);
  });

  it('leaves its payments readable, listed, and refundable for 30 days', async () => {
    const own = await anOrganization(host);
    const { id } = await make({}, { key: own.key });
    const payments = [(await pay(own.key)).body, (await pay(own.key)).body, (await pay(own.key)).body];
    await call('DELETE', `/${id}`, undefined, { key: own.key });
    expect((await pay(own.key)).body.failure.code).toBe('no_route');
    const read = async (payment: Body) =>
      (await host.call('GET', `/v1/payments/${payment.id}`, undefined, { key: own.key })).body;
    const refund = (payment: Body) =>
      host.call('POST', `/v1/payments/${payment.id}/refund`, undefined, { key: own.key });
    expect((await read(payments[0])).connection_id).toBe(id);
    const listed = (await host.call('GET', '/v1/payments?status=succeeded', undefined, { key: own.key })).body.payments;
    expect(listed.map((p: Body) => p.id).toSorted()).toEqual(payments.map((p) => p.id).toSorted());
    expect((await refund(payments[0])).body.status).toBe('refunded');
    await advance(host, '29d');
    expect((await refund(payments[1])).body.status).toBe('refunded');
    await advance(host, '2d');
    expect(await refund(payments[2])).toMatchObject({ status: 409, body: { code: 'payment_not_refundable' } });
    expect((await read(payments[2])).status).toBe('succeeded');
  });

  it('frees its id for a new connection of the same provider', async () => {
    const first = await make({ id: 'again', labels: ['old'], status: 'inactive' });
    await call('DELETE', '/again');
    expect((await call('POST', '', { id: 'again', provider: 'stripe' })).body.details.fields).toMatchObject([
      { path: 'credentials' },
    ]);
    expect((await call('POST', '', { id: 'again', provider: 'adyen', credentials: {} })).body.code).toBe(
      'provider_immutable',
    );
    const second = await make({ id: 'again' });
    expect(second).toEqual({
      ...first,
      labels: [],
      status: 'active',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await actionsOf('again')).toEqual(['3 created', '2 deleted', '1 created']);
  });
});

describe('GET /v1/connections/{id}/audit', () => {
  it('lists the scheduled purge of credentials', async () => {
    const own = await anOrganization(host);
    const { id } = await make({}, { key: own.key });
    await call('DELETE', `/${id}`, undefined, { key: own.key });
    await advance(host, '31d');
    const { body } = await call('GET', `/${id}/audit`, undefined, { key: own.key });
    expect(body.map(({ id: number, action }: Body) => [number, action])).toEqual([
      [3, 'credentials_purged'],
      [2, 'deleted'],
      [1, 'created'],
    ]);
    expect(body[0]).toMatchObject({
      actor_id: 'system',
      metadata: { changes: { credentials: { from: 'sealed', to: 'purged' } }, credential_id: null },
    });
  });

  it('lists who changed what, newest first, without credentials', async () => {
    const how = { headers: { 'x-actor-id': 'ada' } };
    const { id } = await make({ labels: ['eu'] }, how);
    const { id: workflow_id } = await aTemplate(host, org);
    await call('PATCH', `/${id}/status`, { status: 'inactive' });
    await call(
      'POST',
      '',
      { id, credentials: { ...credentials, secret_key: `${credentials?.secret_key}2` }, workflow_id },
      how,
    );
    await call('POST', `/${id}/validate`);
    const { status, body, text } = await audit(id);
    expect([status, body.map(({ id: number, action }: Body) => [number, action])]).toEqual([
      200,
      [
        [4, 'validated'],
        [3, 'updated'],
        [2, 'status_changed'],
        [1, 'created'],
      ],
    ]);
    const key = body[1].metadata.credential_id;
    expect(key).toMatch(/^key_/);
    expect(body.map(({ actor_id }: Body) => actor_id)).toEqual([key, 'ada', key, 'ada']);
    expect(body[2].metadata.changes).toEqual({ status: { from: 'active', to: 'inactive' } });
    expect(body[1].metadata.changes).toEqual({
      workflow_id: { from: null, to: workflow_id },
      credentials: { from: 'replaced', to: 'sealed' },
    });
    expect(body[3].metadata.changes).toMatchObject({ provider: { from: null, to: 'stripe' }, labels: { to: ['eu'] } });
    for (const secret of Object.values(credentials ?? {})) expect(text).not.toContain(secret);
  });

  it('has no entry for a save without changes', async () => {
    const { id, updated_at } = await make({ labels: ['eu'] });
    await call('PATCH', `/${id}/labels`, { labels: ['eu'] });
    await call('POST', '', { id, labels: ['eu'], status: 'active' });
    expect([await actionsOf(id), (await call('GET', `/${id}`)).body.updated_at]).toEqual([['1 created'], updated_at]);
  });

  it('numbers concurrent changes without a gap', async () => {
    const { id } = await make();
    await Promise.all(Array.from({ length: 8 }, (_, n) => call('PATCH', `/${id}/labels`, { labels: [`l${n}`] })));
    expect((await audit(id)).body.map((entry: Body) => entry.id)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('links from page to page, and accepts an offset', async () => {
    const { id } = await make();
    for (let n = 0; n < 4; n += 1) await call('PATCH', `/${id}/labels`, { labels: [`l${n}`] });
    const first = await audit(id, '?limit=2');
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await host.call('GET', next.slice(host.info.api.length), undefined, { key: org.key });
    expect([first, second].map(({ body }) => body.map((entry: Body) => entry.id))).toEqual([
      [5, 4],
      [3, 2],
    ]);
    expect((await audit(id, '?offset=4')).body.map((entry: Body) => entry.id)).toEqual([1]);
    expect([(await audit(id, '?offset=5')).body, (await audit(id, '?offset=4')).headers.get('link')]).toEqual([
      [],
      null,
    ]);
  });

  it('ends a page before the response gets too large', async () => {
    const { id } = await make();
    const METHODS = Array.from({ length: 100 }, (_, n) => `m${n}`.padEnd(40, 'x'));
    const each = <T>(names: readonly string[], value: T) => Object.fromEntries(names.map((name) => [name, value]));
    const large = (n: number) => {
      const fee = { percentage: n / 7, fixed: 99_999_999_990 + n };
      const fee_structure = { per_method: each(METHODS, fee), per_currency: each(Object.keys(CURRENCIES), fee) };
      return {
        id,
        fee_structure,
        routing_hints: { method_bias: each(METHODS, n / 7) },
        capabilities: { methods: METHODS.slice(n) },
      };
    };
    for (let n = 0; n < 80; n += 1) await make(large(n % 2));
    const pages = [await audit(id, '?limit=200')];
    for (let next = linkOf(pages[0]!); next; next = linkOf(pages.at(-1)!)) pages.push(await audit(id, next.search));
    expect(pages.flatMap(({ body }) => body.map((entry: Body) => entry.id))).toEqual(
      Array.from({ length: 81 }, (_, n) => 81 - n),
    );
    expect(pages.length).toBeGreaterThan(1);
    for (const { text } of pages) expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(5_000_000);
  });

  it.each(['limit=0', 'limit=201', 'offset=-1', 'cursor=x', 'colour=red'])('returns 400 for ?%s', async (query) => {
    expect((await audit((await make()).id, `?${query}`)).body.code).toBe('invalid_request');
  });

  it('stays readable when the connection is deleted', async () => {
    const { id } = await make();
    await call('DELETE', `/${id}`);
    expect(await actionsOf(id)).toEqual(['2 deleted', '1 created']);
  });
});

describe.each([
  ['PATCH', '/labels', { labels: [] }, 'connections:write'],
  ['PATCH', '/status', { status: 'active' }, 'connections:write'],
  ['DELETE', '', undefined, 'connections:write'],
  ['GET', '/audit', undefined, 'connections:read'],
])('%s /v1/connections/{id}%s', (method, rest, body, scope) => {
  it('checks its callers, and hides the connections of others', async () => {
    const made = await make();
    const path = `/${made.id}${rest}`;
    expect((await call(method, path, body, { key: null })).status).toBe(401);
    const lacking = await keyWith(host, [scope === 'connections:read' ? 'connections:write' : 'connections:read'], {
      key: org.key,
    });
    expect(await call(method, path, body, { key: lacking })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(scope) },
    });
    for (const each of [path, `/never${rest}`, `/a%20b${rest}`, `/${'x'.repeat(3_000)}${rest}`])
      expect((await call(method, each, body, { key: host.info.keys.service })).status).toBe(404);
    if (method !== 'GET')
      expect((await call(method, path, body, { idempotencyKey: null })).body.code).toBe('idempotency_key_required');
    expect((await call('GET', `/${made.id}`)).body).toEqual(made);
  });
});
