import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aConnection,
  anOrganization,
  aPaymentBody,
  type Body,
  type CallOptions,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { drain, keyWith } from '#test/support/payment-steps.ts';

let host: TestHost;
let org: TestOrganization;
beforeAll(async () => {
  host = await startHost();
  org = await anOrganization(host);
  for (const id of ['a', 'b']) await aConnection(host, org, { id });
});
afterAll(() => host.close());

const PATH = '/v1/routing-rules';
const call = (method: string, rest = '', body?: Body, how: CallOptions = {}) =>
  host.call(method, PATH + rest, body, { key: org.key, ...how });
const plain = { name: 'Germany to b', countries: ['de'], connection_id: 'b' };
const make = async (body: Body = {}, how: CallOptions = {}): Promise<Body> =>
  (await call('POST', '', { ...plain, ...body }, how)).body;
const faultsIn = ({ body }: { readonly body: Body }) => body.details.fields.map(({ path }: Body) => path);
const drop = (id: string, own: TestOrganization) =>
  host.call('DELETE', `/v1/connections/${id}`, undefined, { key: own.key });
const pay = async (more: Body, key = org.key): Promise<Body> =>
  (await host.call('POST', '/v1/payments', aPaymentBody('ok', more), { key })).body;

/** An organization of its own, with connections a and b, so that rules of other tests do not apply. */
async function aShop(): Promise<TestOrganization> {
  const own = await anOrganization(host);
  for (const id of ['a', 'b']) await aConnection(host, own, { id });
  return own;
}

describe('POST /v1/routing-rules', () => {
  it('creates a rule, by default for every method and without fallback', async () => {
    const { status, body, headers } = await call('POST', '', plain);
    expect([status, headers.get('location')]).toEqual([201, `${PATH}/${body.id}`]);
    expect(body).toEqual({
      id: expect.stringMatching(/^rule_[0-9a-z]{26}$/),
      name: 'Germany to b',
      countries: ['DE'],
      methods: [],
      connection_id: 'b',
      priority: 0,
      fallback_to_default: false,
      enabled: true,
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    });
    expect((await call('GET', `/${body.id}`)).body).toEqual(body);
  });

  it.each<[string, Body, string[]]>([
    ['an empty body', {}, ['connection_id', 'countries', 'name']],
    ['no countries', { ...plain, countries: [] }, ['countries']],
    ['an invalid country', { ...plain, countries: ['DE', 'XX'] }, ['countries.1']],
    ['an invalid method', { ...plain, methods: ['Card!'] }, ['methods.0']],
    ['a priority that is not an integer', { ...plain, priority: 1.5 }, ['priority']],
    ['invalid flags', { ...plain, enabled: 'yes', fallback_to_default: 1 }, ['enabled', 'fallback_to_default']],
    ['a blank name', { ...plain, name: ' ' }, ['name']],
    ['an unknown field', { ...plain, weight: 1 }, ['weight']],
    ['an unknown connection', { ...plain, connection_id: 'never' }, ['connection_id']],
  ])('returns 400 for %s', async (_, body, paths) => {
    const answer = await call('POST', '', body);
    expect([answer.status, faultsIn(answer).toSorted()]).toEqual([400, paths]);
  });

  it('returns 400 for a missing connection or one of another organization', async () => {
    const theirs = await aConnection(host, await anOrganization(host), { id: 'theirs' });
    const answers = [
      await call('POST', '', { ...plain, connection_id: theirs.id }),
      await call('POST', '', { ...plain, connection_id: 'never' }),
    ];
    expect(answers[0]?.text).toBe(answers[1]?.text);
  });

  it('returns the same response for the same idempotency key, which is optional', async () => {
    const how = { idempotencyKey: randomUUID() };
    const first = await call('POST', '', plain, how);
    expect((await call('POST', '', plain, how)).text).toBe(first.text);
    expect((await call('POST', '', { ...plain, name: 'x' }, how)).body.code).toBe('idempotency_key_reused');
    expect((await call('POST', '', plain, { idempotencyKey: null })).status).toBe(201);
  });
});

describe('GET /v1/routing-rules', () => {
  it('lists the newest first, page by page', async () => {
    const own = await aShop();
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await make({ name: `Rule ${n}` }, { key: own.key })).id);
    const first = await call('GET', '?limit=2', undefined, { key: own.key });
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await host.call('GET', next.slice(host.info.api.length), undefined, { key: own.key });
    expect([...first.body, ...second.body].map(({ id }: Body) => id)).toEqual(ids);
    expect((await call('GET', '?offset=2', undefined, { key: own.key })).body.map(({ id }: Body) => id)).toEqual(
      ids.slice(2),
    );
  });

  it.each(['limit=201', 'offset=-1', 'cursor=x', 'priority=1'])('returns 400 for ?%s', async (query) => {
    expect((await call('GET', `?${query}`)).body.code).toBe('invalid_request');
  });
});

describe('PATCH /v1/routing-rules/{id}', () => {
  it('changes the sent fields, and nothing else', async () => {
    const made = await make();
    const { status, body } = await call('PATCH', `/${made.id}`, { priority: 7, methods: ['card'], connection_id: 'a' });
    expect([status, body]).toEqual([
      200,
      { ...made, priority: 7, methods: ['card'], connection_id: 'a', updated_at: expect.any(String) },
    ]);
    expect((await call('GET', `/${made.id}`)).body).toEqual(body);
  });

  it('merges concurrent changes', async () => {
    const { id } = await make();
    await Promise.all(
      [{ priority: 3 }, { enabled: false }, { name: 'New' }, { methods: ['ideal'] }].map((wish) =>
        call('PATCH', `/${id}`, wish),
      ),
    );
    expect((await call('GET', `/${id}`)).body).toMatchObject({
      priority: 3,
      enabled: false,
      name: 'New',
      methods: ['ideal'],
    });
  });

  it.each<[Body, string]>([
    [{ connection_id: 'never' }, 'connection_id'],
    [{ countries: [] }, 'countries'],
    [{ id: 'rule_x' }, 'id'],
  ])('returns 400 for %j, and changes nothing', async (body, path) => {
    const made = await make();
    expect(faultsIn(await call('PATCH', `/${made.id}`, body))).toEqual([path]);
    expect((await call('GET', `/${made.id}`)).body).toEqual(made);
  });
});

describe('DELETE /v1/routing-rules/{id}', () => {
  it('deletes the rule once', async () => {
    const { id } = await make();
    expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } });
    for (const method of ['GET', 'DELETE'])
      expect((await call(method, `/${id}`)).body).toMatchObject({
        code: 'not_found',
        message: 'There is no such routing rule.',
      });
  });
});

describe('a connection that a rule uses', () => {
  it("can't be deleted before the rule is deleted or uses another one", async () => {
    const own = await aShop();
    const [first, second] = [await make({}, { key: own.key }), await make({}, { key: own.key })];
    expect(await drop('b', own)).toMatchObject({ status: 409, body: { error: 'conflict', code: 'connection_in_use' } });
    await call('DELETE', `/${first.id}`, undefined, { key: own.key });
    expect((await drop('b', own)).body.code).toBe('connection_in_use');
    await call('PATCH', `/${second.id}`, { connection_id: 'a' }, { key: own.key });
    expect((await drop('b', own)).status).toBe(200);
    expect((await drop('a', own)).body.code).toBe('connection_in_use');
    expect(faultsIn(await call('PATCH', `/${second.id}`, { connection_id: 'b' }, { key: own.key }))).toEqual([
      'connection_id',
    ]);
  });

  it('is either deleted or used, if both are requested at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const own = await aShop();
      const [made, dropped] = await Promise.all([call('POST', '', plain, { key: own.key }), drop('b', own)]);
      expect([[201, 409].join(), [400, 200].join()]).toContain([made.status, dropped.status].join());
    }
  });

  it('keeps its own changes while rules are created and deleted', async () => {
    const own = await aShop();
    await Promise.all([
      ...Array.from({ length: 5 }, () => make({}, { key: own.key })),
      ...Array.from({ length: 5 }, (_, n) =>
        host.call('PATCH', '/v1/connections/b/labels', { labels: [`l${n}`] }, { key: own.key }),
      ),
    ]);
    for (const { id } of (await call('GET', '', undefined, { key: own.key })).body)
      await call('DELETE', `/${id}`, undefined, { key: own.key });
    expect((await drop('b', own)).status).toBe(200);
  });
});

describe('concurrent changes', () => {
  const statuses = (answers: readonly { readonly status: number }[]) => [
    ...new Set(answers.map(({ status }) => status)),
  ];

  it('of one rule all succeed, and its last connection is in use in the end', async () => {
    const own = await aShop();
    const { id } = await make({}, { key: own.key });
    const moves = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        call('PATCH', `/${id}`, { connection_id: n % 2 ? 'a' : 'b' }, { key: own.key }),
      ),
    );
    expect(statuses(moves)).toEqual([200]);
    const { connection_id } = (await call('GET', `/${id}`, undefined, { key: own.key })).body;
    expect((await drop(connection_id === 'a' ? 'b' : 'a', own)).status).toBe(200);
    expect((await drop(connection_id, own)).body.code).toBe('connection_in_use');
  });

  it('of a connection succeed beside new rules for it', async () => {
    const own = await aShop();
    const rules = Array.from({ length: 40 }, () => call('POST', '', plain, { key: own.key }));
    const labels = Array.from({ length: 20 }, (_, n) =>
      host.call('PATCH', '/v1/connections/b/labels', { labels: [`l${n}`] }, { key: own.key }),
    );
    expect([statuses(await Promise.all(rules)), statuses(await Promise.all(labels))]).toEqual([[201], [200]]);
    expect((await drop('b', own)).body.message).toContain('40 routing rules');
  });
});

describe('a payment that a rule matches', () => {
  it('goes to the connection of the rule, and shows the rule', async () => {
    const own = await aShop();
    const { id } = await make({ methods: ['card'] }, { key: own.key });
    expect(await pay({ country: 'DE' }, own.key)).toMatchObject({
      connection_id: 'b',
      routing: { source: 'rule', rule_id: id },
    });
    expect(await pay({ country: 'FR' }, own.key)).toMatchObject({ connection_id: 'a', routing: { source: 'default' } });
    expect(await pay({}, own.key)).toMatchObject({ connection_id: 'a', routing: { source: 'default' } });
  });

  it('goes nowhere if the connection is inactive, unless the rule may fall back', async () => {
    const own = await aShop();
    const { id } = await make({}, { key: own.key });
    await host.call('PATCH', '/v1/connections/b/status', { status: 'inactive' }, { key: own.key });
    expect(await pay({ country: 'DE' }, own.key)).toMatchObject({
      status: 'failed',
      failure: { code: 'no_route' },
      attempts: [],
      routing: { source: 'rule', rule_id: id, considered: [{ connection_id: 'b', usable: false, reason: 'inactive' }] },
    });
    await call('PATCH', `/${id}`, { fallback_to_default: true }, { key: own.key });
    expect(await pay({ country: 'DE' }, own.key)).toMatchObject({
      status: 'succeeded',
      connection_id: 'a',
      routing: { source: 'default', rule_id: id },
    });
  });

  it("goes to the rule's connection even if it is down and there is no other", async () => {
    const own = await anOrganization(host);
    await aConnection(host, own, { id: 'b' });
    const { id } = await make({ fallback_to_default: true }, { key: own.key });
    await host.control('POST', '/psp/scenario', { provider: 'stripe', behaviour: 'refuse_connection', times: 10 });
    for (let n = 0; n < 10; n += 1) await pay({ country: 'FR' }, own.key);
    await drain(host);
    expect((await host.call('GET', '/v1/connections/b', undefined, { key: own.key })).body.health_status).toBe('down');
    expect(await pay({ country: 'DE' }, own.key)).toMatchObject({
      status: 'succeeded',
      connection_id: 'b',
      routing: { source: 'rule', rule_id: id },
    });
  });

  it.each([
    [false, 'failed', 1],
    [true, 'succeeded', 2],
  ])('fails over only if the rule may fall back: %s', async (fallback_to_default, status, attempts) => {
    const own = await aShop();
    await make({ fallback_to_default }, { key: own.key });
    await host.control('POST', '/psp/scenario', { provider: 'stripe', behaviour: 'refuse_connection' });
    const tokens = { payment_method: { type: 'card', tokens: { stripe: 'ok' } }, country: 'DE' };
    const payment = await pay(tokens, own.key);
    await host.control('DELETE', '/psp/scenario');
    expect([payment.status, payment.attempts.length]).toEqual([status, attempts]);
  });
});

describe.each([
  ['POST', '', plain, 'connections:write'],
  ['GET', '', undefined, 'connections:read'],
  ['GET', '/ID', undefined, 'connections:read'],
  ['PATCH', '/ID', { priority: 1 }, 'connections:write'],
  ['DELETE', '/ID', undefined, 'connections:write'],
])('%s /v1/routing-rules%s', (method, rest, body, scope) => {
  it('checks its callers, and hides the rules of others', async () => {
    const made = await make();
    const path = rest.replace('ID', made.id);
    expect((await call(method, path, body, { key: null })).status).toBe(401);
    const lacking = await keyWith(host, [scope === 'connections:read' ? 'connections:write' : 'connections:read'], {
      key: org.key,
    });
    expect(await call(method, path, body, { key: lacking })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(scope) },
    });
    if (rest === '') return;
    for (const each of [path, '/rule_01jqeh2s00e8x9v3k5t7w2m4np', '/nonsense'])
      expect((await call(method, each, body, { key: host.info.keys.service })).status).toBe(404);
    expect((await call('GET', `/${made.id}`)).body).toEqual(made);
  });
});
