import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import {
  anOrganization,
  type Body,
  callsOf,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';

let host: TestHost;
let org: TestOrganization;
beforeAll(async () => {
  host = await startHost();
  org = await anOrganization(host);
});
afterAll(() => host.close());

const create = (body: Body, how = {}) => host.call('POST', '/v1/api-keys', body, { key: org.key, ...how });
const keyWith = async (...scopes: string[]): Promise<string> => (await create({ name: 'limited', scopes })).body.key;
const list = async (key = org.key) => (await host.call('GET', '/v1/api-keys', undefined, { key })).body;

describe('POST /v1/api-keys', () => {
  it('creates a key with the requested scopes, and shows it once', async () => {
    const { status, body } = await create({ name: 'Shop', scopes: ['payments:read', 'connections:read'] });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      name: 'Shop',
      kind: 'service',
      scopes: ['connections:read', 'payments:read'],
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      created_by: expect.stringMatching(/^key_/),
      agent: false,
      key: expect.stringMatching(/^pfk_test_[0-9a-z]{26}[A-Za-z0-9]{32}$/),
    });
    expect((await host.call('GET', '/v1/connections', undefined, { key: body.key })).status).toBe(200);
    expect((await host.call('GET', '/v1/api-keys', undefined, { key: body.key })).status).toBe(403);
    expect(JSON.stringify(await list())).not.toContain(body.key);
  });

  it.each([
    ['service', 'pfk_test_', SCOPES],
    ['secret', 'sk_sandbox_', SCOPES],
    ['public', 'pk_sandbox_', undefined],
  ])('creates a %s key that begins with %s', async (kind, prefix, scopes) => {
    const { body } = await create({ name: 'Kind', kind, scopes });
    expect(body.key.startsWith(prefix)).toBe(true);
    expect([body.kind, body.scopes.length]).toEqual([kind, scopes?.length ?? 0]);
  });

  it('gives a public key no scope', async () => {
    const { key } = (await create({ name: 'Checkout', kind: 'public' })).body;
    expect((await host.call('GET', '/v1/payments', undefined, { key })).body).toMatchObject({
      error: 'forbidden',
      code: 'missing_scope',
    });
  });

  it.each([
    ['an unknown scope', { name: 'x', scopes: ['payments:read', 'payments:burn'] }, ['scopes.1']],
    ['no scopes', { name: 'x' }, ['scopes']],
    ['scopes for a public key', { name: 'x', kind: 'public', scopes: ['payments:read'] }, ['scopes']],
    [
      'several errors at once',
      { name: '', kind: 'master', scopes: 'all', colour: 'red' },
      ['name', 'kind', 'scopes', 'colour'],
    ],
    ['a name that is too long', { name: 'x'.repeat(201), scopes: [] }, ['name']],
  ])('answers 400 for %s', async (_, sent, paths) => {
    const { status, body } = await create(sent);
    expect([status, body.error, body.code]).toEqual([400, 'invalid_request', 'invalid_request']);
    expect(body.details.fields.map(({ path }: Body) => path)).toEqual(paths);
  });

  it('answers 400 without an idempotency key', async () => {
    expect((await create({ name: 'x', scopes: [] }, { idempotencyKey: null })).body).toMatchObject({
      code: 'idempotency_key_required',
    });
  });

  it('answers 401 without a key', async () => {
    expect(await create({ name: 'x', scopes: [] }, { key: null })).toMatchObject({
      status: 401,
      body: { error: 'unauthorized', code: 'invalid_api_key' },
    });
  });

  it('answers 403 and names the missing scope', async () => {
    const { status, body } = await create({ name: 'x', scopes: [] }, { key: await keyWith('api_keys:read') });
    expect([status, body.code, body.message]).toEqual([
      403,
      'missing_scope',
      expect.stringContaining('api_keys:write'),
    ]);
  });

  it('answers 403 for a key that grants scopes it does not have', async () => {
    const { status, body } = await create(
      { name: 'x', scopes: ['api_keys:write', 'payments:write'] },
      { key: await keyWith('api_keys:write') },
    );
    expect([status, body.code, body.message]).toEqual([
      403,
      'scope_escalation',
      expect.stringContaining('payments:write'),
    ]);
  });

  it('returns the same response for the same idempotency key of the same credential', async () => {
    const how = { idempotencyKey: randomUUID() };
    const other = await keyWith('api_keys:write');
    const first = await create({ name: 'Once', scopes: [] }, how);
    const again = await create({ name: 'Once', scopes: [] }, how);
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true']);
    expect((await list()).api_keys.filter(({ name }: Body) => name === 'Once')).toHaveLength(1);
    expect(await create({ name: 'Once', scopes: [] }, { ...how, key: other })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect(await create({ name: 'Twice', scopes: [] }, how)).toMatchObject({
      status: 422,
      body: { error: 'unprocessable', code: 'idempotency_key_reused' },
    });
  });

  it('creates one key, wherever the process crashes', async () => {
    const calls = await callsOf(host, () => create({ name: 'Measure', scopes: [] }), 'api-keys');
    for (const point of ['table', 'vault'] as const) {
      for (let nth = 2; nth <= calls.filter((call) => call.point === point).length; nth += 1) {
        const how = { idempotencyKey: randomUUID() };
        const body = { name: `Crash ${point} ${nth}`, scopes: [] };
        host.faults.add({ point, nth, kind: 'crash', when: 'after', handler: 'api-keys' });
        expect((await create(body, how)).status).toBe(503);
        await host.control('POST', '/clock', { advance: '36s' });
        const retried = await create(body, how);
        expect([retried.status, retried.body.name]).toEqual([201, body.name]);
        expect((await list()).api_keys.filter(({ name }: Body) => name === body.name)).toEqual([
          expect.objectContaining({ id: retried.body.id }),
        ]);
      }
    }
  });
});

describe('POST /v1/api-keys on the live stage', () => {
  let live: TestHost;
  beforeAll(async () => {
    live = await startHost({ stage: 'live' });
  });
  afterAll(() => live.close());

  it.each(['service', 'public'])('answers 403 for a %s key before the organization is verified', async (kind) => {
    const { key } = await anOrganization(live, { kyc: 'pending' });
    expect(
      await live.call('POST', '/v1/api-keys', { name: 'x', kind, ...(kind === 'service' && { scopes: [] }) }, { key }),
    ).toMatchObject({
      status: 403,
      body: { error: 'forbidden', code: 'kyc_required' },
    });
  });

  it('creates live keys once the organization is verified', async () => {
    const { body } = await live.call('POST', '/v1/api-keys', { name: 'x', scopes: [] });
    expect(body.key).toMatch(/^pfk_live_/);
  });
});

describe('GET /v1/api-keys', () => {
  it('lists the newest first, page by page', async () => {
    const own = await anOrganization(host);
    for (const name of ['a', 'b']) await host.call('POST', '/v1/api-keys', { name, scopes: [] }, { key: own.key });
    const first = await host.call('GET', '/v1/api-keys?limit=2', undefined, { key: own.key });
    expect(first.body).toEqual({
      api_keys: [
        {
          id: expect.any(String),
          name: 'b',
          kind: 'service',
          scopes: [],
          created_at: expect.any(String),
          created_by: expect.stringMatching(/^key_/),
          agent: false,
          last_used_at: null,
        },
        expect.objectContaining({ name: 'a' }),
      ],
      pagination: { limit: 2, offset: 0, total: 3, next_cursor: expect.any(String) },
    });
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')![1]!;
    const second = await host.call('GET', next.slice(host.info.api.length), undefined, { key: own.key });
    expect([second.body.api_keys.length, second.headers.get('link')]).toEqual([1, null]);
    const byOffset = await host.call('GET', '/v1/api-keys?offset=2', undefined, { key: own.key });
    expect(byOffset.body.api_keys.map(({ id }: Body) => id)).toEqual(second.body.api_keys.map(({ id }: Body) => id));
  });

  it('shows when each key was last used, or null', async () => {
    const own = await anOrganization(host);
    const make = async (name: string, kind = 'service') =>
      (
        await host.call(
          'POST',
          '/v1/api-keys',
          { name, kind, ...(kind !== 'public' && { scopes: ['payments:read'] }) },
          { key: own.key },
        )
      ).body;
    const [server, secret] = [await make('server'), await make('secret', 'secret')];
    await make('idle');
    const readPayments = (key: string) => host.call('GET', '/v1/payments', undefined, { key });
    const used = async () =>
      Object.fromEntries((await list(own.key)).api_keys.map(({ name, last_used_at }: Body) => [name, last_used_at]));

    const first = host.clock.now().toISOString();
    expect((await readPayments(server.key)).status).toBe(200);
    await readPayments(secret.key);
    const before = await used();
    expect(before).toMatchObject({ idle: null, server: expect.any(String), secret: expect.any(String) });
    expect(before.server >= first).toBe(true);
    await host.control('POST', '/clock', { advance: '5m' });
    const refused = await host.call('GET', '/v1/connections', undefined, { key: server.key });
    expect(refused.status).toBe(403);
    const after = await used();
    expect(after.server >= new Date(Date.parse(before.server) + 300_000).toISOString()).toBe(true);
    expect([after.secret, after.idle]).toEqual([before.secret, null]);
  });

  it('records the use of a public key once an hour, however many use it', async () => {
    const own = await anOrganization(host);
    const { key, id } = (await host.call('POST', '/v1/api-keys', { name: 'Page', kind: 'public' }, { key: own.key }))
      .body;
    const use = () =>
      host.call('POST', '/v1/payments/pay_x/confirm-intent', { client_secret: 'x' }, { key, idempotencyKey: null });
    const usedAt = async () => (await list(own.key)).api_keys.find((each: Body) => each.id === id).last_used_at;
    expect(await usedAt()).toBeNull();
    const writes = (calls: readonly { method: string }[]) => calls.filter(({ method }) => method === 'update').length;
    const first = writes(await callsOf(host, use, 'payments'));
    const noted = await usedAt();
    const later = writes(await callsOf(host, use, 'payments'));
    // Each counts the request, and that it failed.
    expect([first, later, await usedAt()]).toEqual([3, 2, noted]);
    await host.control('POST', '/clock', { advance: '59m' });
    await use();
    expect(await usedAt()).toBe(noted);
    await host.control('POST', '/clock', { advance: '1m' });
    await use();
    expect((await usedAt()) > noted).toBe(true);
  });

  it('reads the last use of the keys on the page only', async () => {
    const own = await anOrganization(host);
    for (const name of ['a', 'b', 'c']) await host.call('POST', '/v1/api-keys', { name, scopes: [] }, { key: own.key });
    const calls = await callsOf(
      host,
      () => host.call('GET', '/v1/api-keys?limit=2', undefined, { key: own.key }),
      'api-keys',
    );
    expect(calls.map(({ method }) => method)).toEqual(['get', 'update', 'query', 'getMany']);
  });

  it.each([
    ['limit=0', 'query.limit'],
    ['limit=201', 'query.limit'],
    ['offset=-1', 'query.offset'],
    ['cursor=nonsense', 'query.cursor'],
    ['colour=red', 'query.colour'],
  ])('answers 400 for ?%s', async (query, path) => {
    const { status, body } = await host.call('GET', `/v1/api-keys?${query}`, undefined, { key: org.key });
    expect([status, body.details.fields[0].path]).toEqual([400, path]);
  });

  it('answers 401 without a key and 403 without the scope', async () => {
    expect((await host.call('GET', '/v1/api-keys', undefined, { key: null })).status).toBe(401);
    const { status, body } = await host.call('GET', '/v1/api-keys', undefined, {
      key: await keyWith('api_keys:write'),
    });
    expect([status, body.message]).toEqual([403, expect.stringContaining('api_keys:read')]);
  });
});

describe('DELETE /v1/api-keys/{id}', () => {
  const revoke = (id: string, how = {}) =>
    host.call('DELETE', `/v1/api-keys/${id}`, undefined, { key: org.key, ...how });

  it('revokes from the next request on, and only once', async () => {
    const { id, key } = (await create({ name: 'Short', scopes: ['payments:read'] })).body;
    expect(await revoke(id)).toMatchObject({ status: 200, body: { id, deleted: true } });
    expect((await host.call('GET', '/v1/payments', undefined, { key })).status).toBe(401);
    expect(await revoke(id)).toMatchObject({ status: 404, body: { error: 'not_found', code: 'not_found' } });
    expect((await list()).api_keys.map((each: Body) => each.id)).not.toContain(id);
  });

  it('returns the same response for the same idempotency key', async () => {
    const { id } = (await create({ name: 'Short', scopes: [] })).body;
    const how = { idempotencyKey: randomUUID() };
    await revoke(id, how);
    const again = await revoke(id, how);
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
      200,
      { id, deleted: true },
      'true',
    ]);
  });

  it('gives the same 404 for a key of another organization and for an unknown one', async () => {
    const { id } = (await create({ name: 'Theirs', scopes: [] })).body;
    const never = id.replace(/.{4}$/, '0000');
    const answers = await Promise.all(
      [id, never, 'nonsense'].map((each) => revoke(each, { key: host.info.keys.service })),
    );
    const body = {
      error: 'not_found',
      code: 'not_found',
      message: 'There is no API key with this id.',
      doc_url: expect.any(String),
    };
    expect(answers).toEqual(Array(3).fill(expect.objectContaining({ status: 404, body })));
    expect((await list()).api_keys.map((each: Body) => each.id)).toContain(id);
  });

  it('answers 400 without an idempotency key and 403 without the scope', async () => {
    expect((await revoke('key_x', { idempotencyKey: null })).body.code).toBe('idempotency_key_required');
    expect((await revoke('key_x', { key: await keyWith('api_keys:read') })).body.message).toContain('api_keys:write');
  });
});
