import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import {
  anOrganization,
  type Body,
  callsOf,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { aTemplate } from '#test/support/workflows.ts';

let host: TestHost;
let org: TestOrganization;
beforeAll(async () => {
  host = await startHost();
  org = await anOrganization(host);
});
afterAll(() => host.close());

const credentials = randomCredentials('stripe', 'sandbox');
const save = (body: Body, how = {}) => host.call('POST', '/v1/connections', body, { key: org.key, ...how });
const make = async (body: Body = {}, how = {}): Promise<Body> =>
  (await save({ provider: 'stripe', credentials, ...body }, how)).body;
const read = (path: string, key = org.key) => host.call('GET', `/v1/connections${path}`, undefined, { key });
const keyWith = async (...scopes: string[]): Promise<string> =>
  (await host.call('POST', '/v1/api-keys', { name: 'limited', scopes }, { key: org.key })).body.key;
const faultsIn = ({ body }: { readonly body: Body }) => body.details.fields.map(({ path }: Body) => path);

const byMethods = <T>(count: number, value: T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, value]));

describe('POST /v1/connections', () => {
  it('creates a connection, and never returns its credentials', async () => {
    const { status, body, text } = await save({ provider: 'stripe', credentials });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^conn_[0-9a-z]{26}$/),
      provider: 'stripe',
      mode: 'sandbox',
      status: 'active',
      capabilities: expect.objectContaining({
        currencies: 'all',
        countries: 'all',
        refunds: true,
        methods: expect.arrayContaining(['card']),
      }),
      routing_hints: { country_preference: [], method_bias: {}, fallback_only: false },
      callback_url: `${host.info.function_url}/webhooks/stripe?connection=${body.id}&org=${org.org_id}`,
      labels: [],
      workflow_id: null,
      fee_structure: null,
      total_calls: 0,
      successful_calls: 0,
      failed_calls: 0,
      total_latency_ms: 0,
      last_success_at: null,
      last_failure_at: null,
      foreign_events: 0,
      last_foreign_event_at: null,
      health_score: null,
      health_status: 'unknown',
      last_validated_at: null,
      last_validation_status: 'never',
      last_validation_error: null,
      validation_failures: 0,
      name_match_status: 'unknown',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    for (const secret of Object.values(credentials ?? {})) expect(text).not.toContain(secret);
  });

  it('accepts a chosen id, and merges later input', async () => {
    const id = 'Main_1';
    const first = await make({
      id,
      labels: ['EU', 'eu', 'card-1'],
      fee_structure: { percentage: 1.4, fixed: 25 },
      routing_hints: { country_preference: ['de'] },
    });
    expect(first).toMatchObject({ id, labels: ['eu', 'card-1'], routing_hints: { country_preference: ['DE'] } });
    const { status, body } = await save({
      id,
      status: 'inactive',
      capabilities: { currencies: ['eur'] },
      fee_structure: { per_currency: { usd: { fixed: 30 } } },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...first,
      status: 'inactive',
      capabilities: { ...first.capabilities, currencies: ['EUR'] },
      fee_structure: { percentage: 1.4, fixed: 25, per_currency: { USD: { fixed: 30 } } },
      updated_at: expect.any(String),
    });
  });

  it('keeps the ids of organizations apart', async () => {
    await make({ id: 'same', labels: ['mine'] });
    const theirs = await make({ id: 'same', labels: ['theirs'] }, { key: host.info.keys.service });
    expect([(await read('/same')).body.labels, theirs.labels]).toEqual([['mine'], ['theirs']]);
  });

  it('merges concurrent input', async () => {
    await make({ id: 'busy' });
    const { id: workflow_id } = await aTemplate(host, org);
    const wishes = [
      { status: 'inactive' },
      { labels: ['a'] },
      { workflow_id },
      { routing_hints: { fallback_only: true } },
    ];
    await Promise.all(wishes.map((wish) => save({ id: 'busy', ...wish })));
    expect((await read('/busy')).body).toMatchObject({
      status: 'inactive',
      labels: ['a'],
      workflow_id,
      routing_hints: { fallback_only: true },
    });
  });

  it.each([
    ['an empty body', {}, ['provider', 'credentials']],
    ['an unknown provider', { provider: 'acme', credentials: {} }, ['provider']],
    [
      'credentials that are missing and unknown',
      { provider: 'stripe', credentials: { secret_key: 'x', colour: 'red' } },
      ['credentials.secret_key', 'credentials.webhook_secret', 'credentials'],
    ],
    [
      'unknown fields',
      { provider: 'stripe', credentials: {}, colour: 'red', capabilities: { fly: true } },
      ['capabilities.fly', 'colour'],
    ],
    ['an invalid id', { id: 'a b', provider: 'stripe', credentials }, ['id']],
    ['invalid labels', { provider: 'stripe', credentials, labels: ['a b', 'ok', ''] }, ['labels.0', 'labels.2']],
    [
      'too many labels',
      { provider: 'stripe', credentials, labels: Array.from({ length: 21 }, (_, n) => `l${n}`) },
      ['labels'],
    ],
    [
      'a bias out of range',
      { provider: 'stripe', credentials, routing_hints: { method_bias: { card: 2 } } },
      ['routing_hints.method_bias.card'],
    ],
    [
      'a bias for too many methods',
      { provider: 'stripe', credentials, routing_hints: { method_bias: byMethods(101, 0.5) } },
      ['routing_hints.method_bias'],
    ],
    [
      'fees for too many methods',
      { provider: 'stripe', credentials, fee_structure: { per_method: byMethods(101, { fixed: 1 }) } },
      ['fee_structure.per_method'],
    ],
    [
      'two fees of one currency',
      { provider: 'stripe', credentials, fee_structure: { per_currency: { USD: { fixed: 1 }, Usd: { fixed: 2 } } } },
      ['fee_structure.per_currency'],
    ],
    [
      'an invalid country',
      { provider: 'stripe', credentials, routing_hints: { country_preference: ['XX'] } },
      ['routing_hints.country_preference.0'],
    ],
    ['an invalid mode', { provider: 'stripe', credentials, mode: 'test', status: 'on' }, ['mode', 'status']],
  ])('returns 400 for %s', async (_, body, paths) => {
    const answer = await save(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    expect(faultsIn(answer).toSorted()).toEqual(paths.toSorted());
  });

  it('returns 400 for a missing workflow or one of another organization, and keeps the saved one', async () => {
    const [mine, theirs] = [await aTemplate(host, org), await aTemplate(host, { key: host.info.keys.service })];
    const { id } = await make({ workflow_id: mine.id });
    for (const workflow_id of [theirs.id, 'wft_01jqeh2s00e8x9v3k5t7w2m4np', 'nonsense'])
      for (const body of [
        { provider: 'stripe', credentials, workflow_id },
        { id, workflow_id },
      ]) {
        const { status, body: problem } = await save(body);
        expect([status, problem.details.fields]).toEqual([
          400,
          [{ path: 'workflow_id', message: 'There is no such workflow template.' }],
        ]);
      }
    for (const body of [
      { id, labels: ['eu'] },
      { id, workflow_id: mine.id },
    ])
      expect((await save(body)).body.workflow_id).toBe(mine.id);
    expect((await save({ id, workflow_id: null })).body.workflow_id).toBeNull();
  });

  it('stores a duplicate label once', async () => {
    const labels = Array.from({ length: 20 }, (_, n) => `l${n}`);
    expect((await save({ provider: 'stripe', credentials, labels: [...labels, 'L0'] })).body.labels).toEqual(labels);
  });

  it('never echoes rejected credentials', async () => {
    expect(
      (await save({ provider: 'stripe', credentials: { secret_key: 'my-password', 'my-other-password': 1 } })).text,
    ).not.toMatch(/my-(other-)?password/);
  });

  it('returns 400 if provider or mode would change, and for live connections in the sandbox', async () => {
    const { id } = await make();
    expect((await save({ id, provider: 'adyen' })).body.code).toBe('provider_immutable');
    expect((await save({ id, mode: 'live' })).body.code).toBe('mode_not_allowed');
    expect((await save({ provider: 'stripe', credentials, mode: 'live' })).body.code).toBe('mode_not_allowed');
    expect((await save({ id, provider: 'stripe', mode: 'sandbox' })).status).toBe(201);
  });

  it('returns 401 without a key and 403 without the scope', async () => {
    expect((await save({}, { key: null })).status).toBe(401);
    const { status, body } = await save({}, { key: await keyWith('connections:read') });
    expect([status, body.message]).toEqual([403, expect.stringContaining('connections:write')]);
  });

  it('returns the same response for the same idempotency key, which is optional', async () => {
    const how = { idempotencyKey: randomUUID() };
    const body = { provider: 'stripe', credentials };
    const first = await save(body, how);
    const again = await save(body, how);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect(await save({ ...body, status: 'inactive' }, how)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect((await save(body, { idempotencyKey: null })).status).toBe(201);
  });

  it('creates one connection, wherever the process crashes', async () => {
    const { key } = await anOrganization(host);
    const body = { provider: 'stripe', credentials };
    const calls = await callsOf(host, () => save(body, { key }), 'connections');
    let made = 1;
    for (const point of ['table', 'vault'] as const) {
      for (let nth = point === 'table' ? 2 : 1; nth <= calls.filter((call) => call.point === point).length; nth += 1) {
        const how = { key, idempotencyKey: randomUUID() };
        host.faults.add({ point, nth, kind: 'crash', when: 'after', handler: 'connections' });
        expect((await save(body, how)).status).toBe(503);
        await host.control('POST', '/clock', { advance: '36s' });
        expect((await save(body, how)).status).toBe(201);
        made += 1;
        expect((await read('?limit=1', key)).body.pagination.total).toBe(made);
      }
    }
  });
});

describe('GET /v1/connections', () => {
  let own: TestOrganization;
  beforeAll(async () => {
    own = await anOrganization(host);
    for (const body of [
      { id: 'a', labels: ['eu'] },
      { id: 'b', labels: ['eu', 'us'], status: 'inactive' },
      { id: 'c' },
    ]) {
      await make(body, { key: own.key });
      await host.control('POST', '/clock', { advance: '1s' });
    }
  });
  const ids = async (query: string) => (await read(query, own.key)).body.connections.map(({ id }: Body) => id);

  it.each([
    ['', ['c', 'b', 'a']],
    ['?label=EU', ['b', 'a']],
    ['?label=eu&status=active', ['a']],
    ['?provider=STRIPE', ['c', 'b', 'a']],
    ['?provider=adyen', []],
    ['?mode=live', []],
    ['?limit=1&offset=1', ['b']],
    ['?offset=100000', []],
  ])('lists the newest first: %s', async (query, expected) => expect(await ids(query)).toEqual(expected));

  it('links from page to page', async () => {
    const first = await read('?limit=1&label=eu', own.key);
    expect(first.body.pagination).toEqual({ total: 2, limit: 1, offset: 0, next_cursor: expect.any(String) });
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')![1]!;
    const second = await host.call('GET', next.slice(host.info.api.length), undefined, { key: own.key });
    expect([second.body.connections.map(({ id }: Body) => id), second.headers.get('link')]).toEqual([['a'], null]);
  });

  it.each([
    ['limit=201', 'query.limit'],
    ['offset=x', 'query.offset'],
    ['status=on', 'query.status'],
    ['mode=test', 'query.mode'],
    ['cursor=eA', 'query.cursor'],
    ['labels=eu', 'query.labels'],
  ])('returns 400 for ?%s', async (query, path) => {
    const answer = await read(`?${query}`);
    expect([answer.status, faultsIn(answer)]).toEqual([400, [path]]);
  });

  it('returns 403 without the scope', async () => {
    expect((await read('', await keyWith('connections:write'))).body.message).toContain('connections:read');
  });
});

describe('GET /v1/connections/{id}', () => {
  it('returns the connection', async () => {
    const made = await make();
    expect(await read(`/${made.id}`)).toMatchObject({ status: 200, body: made });
  });

  it('returns the same 404 for a connection of another organization and a missing one', async () => {
    const { id } = await make();
    const never = id.replace(/.{4}$/, '0000');
    const body = { error: 'not_found', code: 'not_found', message: 'There is no such connection.' };
    for (const each of [id, never, 'a%20b', 'x'.repeat(3_000)])
      expect(await read(`/${each}`, host.info.keys.service)).toMatchObject({ status: 404, body });
  });
});

describe('POST /v1/connections/test', () => {
  const test = (body: Body, how = {}) => host.call('POST', '/v1/connections/test', body, { key: org.key, ...how });

  it('reports that the provider accepts the credentials, and stores nothing', async () => {
    const before = (await read('?limit=1')).body.pagination.total;
    const { status, body } = await test({ provider: 'stripe', credentials, capabilities: { refunds: false } });
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      message: expect.any(String),
      capabilities: expect.objectContaining({ methods: expect.arrayContaining(['card']), refunds: false }),
      validation: {
        credentials: 'valid',
        account_name: expect.toSatisfy((name) => name === null || typeof name === 'string'),
        name_match_status: expect.stringMatching(/^(unknown|match|mismatch)$/),
        latency_ms: expect.any(Number),
      },
    });
    expect((await read('?limit=1')).body.pagination.total).toBe(before);
  });

  it('reports that the provider could not be reached', async () => {
    await host.control('POST', '/psp/scenario', {
      provider: 'stripe',
      behaviour: 'refuse_connection',
      match: { operation: 'ping' },
    });
    const { status, body } = await test({ provider: 'stripe', credentials });
    expect([status, body.ok, body.validation]).toEqual([
      200,
      false,
      expect.objectContaining({ credentials: 'unreachable', account_name: null, name_match_status: 'unknown' }),
    ]);
  });

  it('returns 400 for malformed credentials', async () => {
    expect(
      faultsIn(await test({ provider: 'stripe', credentials: { secret_key: 'x', webhook_secret: 'whsec_x' } })),
    ).toEqual(['credentials.secret_key']);
    expect(faultsIn(await test({}))).toEqual(['provider', 'credentials']);
  });

  it('returns 403 without the scope', async () => {
    expect((await test({}, { key: await keyWith('connections:read') })).status).toBe(403);
  });
});

describe('POST /v1/connections/{id}/validate', () => {
  const validate = (id: string, how = {}) =>
    host.call('POST', `/v1/connections/${id}/validate`, undefined, { key: org.key, ...how });

  it('stores what the provider reported', async () => {
    const { id } = await make();
    const { status, body } = await validate(id);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        last_validation_status: 'valid',
        last_validation_error: null,
        validation_failures: 0,
        last_validated_at: expect.any(String),
      }),
    ]);
    expect((await read(`/${id}`)).body).toEqual(body);
  });

  it('counts failures until the next success', async () => {
    const { id } = await make();
    await host.control('POST', '/psp/scenario', {
      provider: 'stripe',
      behaviour: 'http_500',
      times: 2,
      match: { operation: 'ping' },
    });
    await validate(id);
    expect((await validate(id)).body).toMatchObject({
      last_validation_status: 'unreachable',
      validation_failures: 2,
      last_validation_error: expect.any(String),
    });
    expect((await validate(id)).body).toMatchObject({
      last_validation_status: 'valid',
      validation_failures: 0,
      last_validation_error: null,
    });
  });

  it("returns 404 for another organization's, 400 without an idempotency key, 403 without the scope", async () => {
    const { id } = await make();
    expect((await validate(id, { key: host.info.keys.service })).status).toBe(404);
    expect((await validate(id, { idempotencyKey: null })).body.code).toBe('idempotency_key_required');
    expect((await validate(id, { key: await keyWith('connections:read') })).body.message).toContain(
      'connections:write',
    );
  });
});
