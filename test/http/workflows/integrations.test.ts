import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnsealError } from '#shared/ports/vault.port.ts';
import { filesIn, leaksOf } from '#test/faults/canary.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import {
  type ApiResponse,
  anOrganization,
  type Body,
  type CallOptions,
  type TestOrganization,
} from '#test/support/host.ts';
import { acceptInvitation } from '#test/support/members.ts';
import { faultsIn, keyWith } from '#test/support/payment-steps.ts';
import { signIn } from '#test/support/people.ts';
import {
  anIntegration,
  aTemplate,
  createIntegration,
  hookAt,
  INTEGRATIONS,
  TEMPLATES,
} from '#test/support/workflows.ts';

let host: WatchedHost;
let org: TestOrganization;
beforeAll(async () => {
  host = await startWatchedHost();
  org = await anOrganization(host, { kyc: 'approved' });
});
afterAll(() => host?.close());

const call = (method: string, rest = '', body?: Body, how: CallOptions = {}) =>
  host.call(method, INTEGRATIONS + rest, body, { key: org.key, ...how });
const create = (body: Body, how: CallOptions = {}) => createIntegration(host, org, body, how);
const make = (body: Body = {}, own: TestOrganization = org): Promise<Body> => anIntegration(host, own, body);
const http = (config: Body = {}) => ({ type: 'http', config: { url: hookAt(host, 'crm'), ...config } });
const slack = (url = 'https://8.8.8.8/services/T000/B000/canarySlackXyzw') => ({ type: 'slack', config: { url } });
const email = (to: Body = 'finance@shop.example') => ({ type: 'email', config: { to } });
const secretOf = async (id: string, how: CallOptions = {}) =>
  (await call('GET', `/${id}`, undefined, how)).body.signing_secret;
const paths = (answer: ApiResponse) => [answer.status, answer.body.code, faultsIn(answer).toSorted()];

describe(`POST ${INTEGRATIONS}`, () => {
  it('creates an http integration with a signing secret, and masks its headers', async () => {
    const { status, body, headers } = await create({
      ...http({ headers: { Authorization: 'Bearer 1', 'X-Shop': 'two' } }),
    });
    expect([status, headers.get('location')]).toEqual([201, `${INTEGRATIONS}/${body.id}`]);
    expect(body).toEqual({
      id: expect.stringMatching(/^wfi_[0-9a-z]{26}$/),
      org_id: org.org_id,
      name: 'CRM',
      type: 'http',
      config: { url: hookAt(host, 'crm'), headers: { authorization: '****', 'x-shop': '****' } },
      enabled: true,
      signing_secret: expect.stringMatching(/^whsec_\*{4}.{4}$/),
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    });
    const read = (await call('GET', `/${body.id}`)).body;
    expect(read).toEqual({ ...body, signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/) });
    expect(read.signing_secret.slice(-4)).toBe(body.signing_secret.slice(-4));
  });

  it('creates a slack integration, and masks most of its URL', async () => {
    const { status, body } = await create(slack());
    expect([status, body.type, body.config]).toEqual([201, 'slack', { url: 'https://8.8.8.8/****' }]);
    expect((await create(slack('https://8.8.8.8/hook'))).body.config).toEqual({ url: 'https://8.8.8.8/****' });
  });

  it('creates an email integration with one address or several, in lower case and without duplicates', async () => {
    expect((await create(email('Finance@Shop.example'))).body).toMatchObject({
      type: 'email',
      config: { to: ['finance@shop.example'] },
    });
    expect((await create(email(['A@b.example', 'a@B.example', 'c@d.example']))).body.config).toEqual({
      to: ['a@b.example', 'c@d.example'],
    });
  });

  it.each<[string, Body, string[]]>([
    ['a body without fields', { name: undefined, type: undefined, config: undefined }, ['config', 'name', 'type']],
    [
      'several invalid fields, all of them at once',
      { name: ' ', type: 'fax', enabled: 1, colour: 1, config: { url: 5 } },
      ['colour', 'config.url', 'enabled', 'name', 'type'],
    ],
    [
      'a field of another type',
      { name: '', config: { to: 'a@b.example', headers: {} } },
      ['config.to', 'config.url', 'name'],
    ],
    [
      'headers of a slack integration',
      { type: 'slack', config: { url: 'https://8.8.8.8/', headers: { a: '1' } } },
      ['config.headers'],
    ],
    ['an empty list of addresses', { type: 'email', config: { to: [] } }, ['config.to']],
    [
      'eleven addresses',
      { type: 'email', config: { to: Array.from({ length: 11 }, (_, n) => `a${n}@b.example`) } },
      ['config.to'],
    ],
    [
      'invalid addresses',
      { type: 'email', config: { to: ['a@b.example', 'a b@c.example', 'x'] } },
      ['config.to.1', 'config.to.2'],
    ],
    ['two addresses in one string', { type: 'email', config: { to: 'a@b.example, c@d.example' } }, ['config.to']],
  ])('answers 400 for %s', async (_, body, faults) => {
    expect(paths(await create(body))).toEqual([400, 'invalid_request', faults]);
  });

  const OURS = [
    'Host',
    'content-length',
    'CONTENT-TYPE',
    'transfer-encoding',
    'connection',
    'keep-alive',
    'te',
    'trailer',
    'upgrade',
    'expect',
    'user-agent',
  ];
  it.each<[string, Body, string[]]>([
    [
      'a header that the service sets itself',
      Object.fromEntries(
        [...OURS, 'proxy-authorization', 'webhook-id', 'X-Service-Signature'].map((name) => [name, 'x']),
      ),
      [],
    ],
    ['a header whose name is invalid', { 'a b': 'x', 'a:b': 'x', 'a\r\nb': 'x', ü: 'x' }, []],
    ['a header whose name is too long', { ['x'.repeat(101)]: 'x' }, []],
    ['a header whose value contains a line break', { 'x-a': 'x\r\nhost: evil' }, []],
    ['a header whose value is not ASCII', { 'x-a': 'ü' }, []],
    ['a header whose value is empty', { 'x-a': '' }, []],
    ['a header whose value is too long', { 'x-a': 'x'.repeat(1_001) }, []],
    ['a header whose value is masked although none is stored', { 'x-a': '****' }, []],
    [
      'a header whose masked name is a property of every JavaScript object',
      { constructor: '****', tostring: '****', valueof: '****' },
      [],
    ],
    ['a header that occurs twice', { 'x-a': '1', 'X-A': '2' }, ['config.headers']],
    [
      'more than twenty headers',
      Object.fromEntries(Array.from({ length: 21 }, (__, n) => [`x-${n}`, 'x'])),
      ['config.headers'],
    ],
  ])('answers 400 for %s', async (_, headers, faults) => {
    const each = faults.length > 0 ? faults : Object.keys(headers).map((name) => `config.headers.${name}`);
    expect(paths(await create(http({ headers })))).toEqual([400, 'invalid_request', each.toSorted()]);
  });

  it('accepts twenty headers of a thousand characters', async () => {
    const headers = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-${n}`, 'x'.repeat(1_000)]));
    expect((await create(http({ headers }))).status).toBe(201);
  });

  const FORBIDDEN = [
    'http://shop.example/hook',
    'https://shop.example:8080/',
    'https://user:pass@shop.example/',
    'https://10.0.0.1/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://169.254.169.254/latest',
    'https://100.64.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://shop.internal/',
    'https://localhost./',
    'ftp://shop.example/',
    'hook',
  ];
  it.each(FORBIDDEN.flatMap((url) => [['http', url] as const, ['slack', url] as const]))(
    'answers 400 for a %s integration with the URL %s',
    async (type, url) => {
      expect(await create({ type, config: { url } })).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', code: 'url_not_allowed' },
      });
    },
  );

  it('rejects the URL of this API under each of its names', async () => {
    const { port } = new URL(host.info.api);
    for (const url of [
      host.info.api,
      `http://localhost:${port}/v1/payments`,
      `http://127.0.0.1:${port}`,
      `http://0x7f.1:${port}/`,
    ])
      expect(await create(http({ url }))).toMatchObject({
        status: 400,
        body: { code: 'url_not_allowed', message: expect.stringContaining('this API') },
      });
  });

  it('allows only addresses of members who have signed in until the organization is verified', async () => {
    const owner = await signIn(host, 'owner@mailing.example');
    await owner.call('POST', '/v1/members', { email: 'invited@mailing.example', role: 'viewer' }, { org: owner.org });
    const ask = (to: Body) => owner.call('POST', INTEGRATIONS, { name: 'Mail', ...email(to) }, { org: owner.org });
    expect((await ask('OWNER@mailing.example')).status).toBe(201);
    expect(paths(await ask('stranger@elsewhere.example'))).toEqual([400, 'invalid_request', ['config.to']]);
    const several = await ask(['owner@mailing.example', 'invited@mailing.example', 'stranger@elsewhere.example']);
    expect(paths(several)).toEqual([400, 'invalid_request', ['config.to.1', 'config.to.2']]);
    expect(several.body.details.fields[0].message).toContain('POST /v1/members');
    await acceptInvitation(host, 'invited@mailing.example');
    expect((await ask('invited@mailing.example')).status).toBe(201);
  });

  it('requires an idempotency key, and repeats the response for the same key', async () => {
    const how = { idempotencyKey: randomUUID() };
    const first = await create({}, how);
    expect((await create({}, how)).text).toBe(first.text);
    expect((await create({ name: 'x' }, how)).body.code).toBe('idempotency_key_reused');
    expect((await create({}, { idempotencyKey: null })).body.code).toBe('idempotency_key_required');
  });

  it('answers 409 for the 101st integration', async () => {
    const own = await anOrganization(host);
    for (let n = 0; n < 100; n += 1) await make({}, own);
    expect(await createIntegration(host, own)).toMatchObject({
      status: 409,
      body: { error: 'conflict', code: 'workflow_limit_reached' },
    });
    const { integrations, pagination } = (await host.call('GET', INTEGRATIONS, undefined, own)).body;
    expect([integrations.length, pagination.total]).toEqual([50, 100]);
  });
});

describe(`GET ${INTEGRATIONS}`, () => {
  it('lists the newest first, in pages', async () => {
    const own = await anOrganization(host);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await make({ name: `No ${n}` }, own)).id);
    const first = await host.call('GET', `${INTEGRATIONS}?limit=2`, undefined, { key: own.key });
    expect(first.body.pagination).toEqual({ limit: 2, offset: 0, total: 3, next_cursor: expect.any(String) });
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await host.call('GET', next.slice(host.info.api.length), undefined, { key: own.key });
    expect([...first.body.integrations, ...second.body.integrations].map(({ id }: Body) => id)).toEqual(ids);
    expect(first.body.integrations[0].signing_secret).toMatch(/^whsec_\*{4}/);
  });

  it.each(['limit=201', 'offset=-1', 'cursor=x', 'type=http'])('answers 400 for ?%s', async (query) => {
    expect((await call('GET', `?${query}`)).body.code).toBe('invalid_request');
  });
});

describe(`PATCH ${INTEGRATIONS}/{id}`, () => {
  it('changes the fields that are sent, and no others', async () => {
    const made = await make(http({ headers: { a: '1' } }));
    const secret = await secretOf(made.id);
    const { status, body } = await call('PATCH', `/${made.id}`, {
      name: 'New',
      enabled: false,
      config: { url: hookAt(host, 'other') },
    });
    expect([status, body]).toEqual([
      200,
      {
        ...made,
        name: 'New',
        enabled: false,
        config: { url: hookAt(host, 'other'), headers: { a: '****' } },
        updated_at: expect.any(String),
      },
    ]);
    expect(await secretOf(made.id)).toBe(secret);
    expect((await call('GET', `/${made.id}`)).body).toEqual({ ...body, signing_secret: secret });
  });

  it('replaces all headers, and keeps the stored value of a masked one', async () => {
    const { id } = await make(http({ headers: { a: 'first', b: 'second' } }));
    expect(
      (await call('PATCH', `/${id}`, { config: { headers: { A: '****', c: 'third' } } })).body.config.headers,
    ).toEqual({ a: '****', c: '****' });
    expect(await sentBy(id)).toMatchObject({ a: 'first', c: 'third' });
    expect(await sentBy(id)).not.toHaveProperty('b');
    expect((await call('PATCH', `/${id}`, { config: { headers: {} } })).body.config.headers).toEqual({});
  });

  it('does not send stored header values to another host', async () => {
    const made = await make(http({ headers: { a: 'first' } }));
    const away = { url: 'https://8.8.8.8/mine' };
    for (const config of [away, { ...away, headers: { a: '****' } }])
      expect(paths(await call('PATCH', `/${made.id}`, { config }))).toEqual([
        400,
        'invalid_request',
        ['config.headers.a'],
      ]);
    expect((await call('GET', `/${made.id}`)).body.config).toEqual(made.config);
    expect((await call('PATCH', `/${made.id}`, { config: { ...away, headers: { a: 'again' } } })).status).toBe(200);
    const bare = await make(http());
    expect((await call('PATCH', `/${bare.id}`, { config: away })).body.config.url).toBe(away.url);
  });

  it('keeps the slack URL when the masked one is sent back', async () => {
    const made = await make(slack());
    expect((await call('PATCH', `/${made.id}`, { config: made.config })).body.config).toEqual(made.config);
    expect(paths(await call('PATCH', `/${made.id}`, { config: { url: 'https://8.8.8.8/****abcd' } }))).toEqual([
      400,
      'invalid_request',
      ['config.url'],
    ]);
    const other = 'https://8.8.4.4/services/T000/B000/anotherSlackAbcd';
    expect((await call('PATCH', `/${made.id}`, { config: { url: other } })).body.config).toEqual({
      url: 'https://8.8.4.4/****',
    });
  });

  it.each<[string, () => Body, Body, string[]]>([
    ['another type', http, { type: 'slack' }, ['type']],
    ['a field of another type', http, { config: { to: 'a@b.example', url: 'https://8.8.8.8/' } }, ['config.to']],
    [
      'several invalid fields, all of them at once',
      http,
      { name: '', enabled: 'no', config: { url: '', x: 1 } },
      ['config.url', 'config.x', 'enabled', 'name'],
    ],
    [
      'headers of an email integration',
      email,
      { config: { headers: {}, url: 'https://8.8.8.8/' } },
      ['config.headers', 'config.url'],
    ],
    ['a masked header that is not stored', http, { config: { headers: { x: '****' } } }, ['config.headers.x']],
    [
      'a masked header named like a property of every JavaScript object',
      http,
      { config: { headers: { constructor: '****' } } },
      ['config.headers.constructor'],
    ],
  ])('answers 400 for %s, and changes nothing', async (_, kind, body, faults) => {
    const made = await make(kind());
    expect(paths(await call('PATCH', `/${made.id}`, body))).toEqual([400, 'invalid_request', faults]);
    expect((await call('GET', `/${made.id}`)).body).toMatchObject({
      ...made,
      ...(made.signing_secret && { signing_secret: expect.any(String) }),
    });
  });

  it('rejects the URLs that a new integration may not have', async () => {
    for (const kind of [http(), slack()]) {
      const made = await make(kind);
      for (const url of ['https://169.254.169.254/', host.info.api])
        expect((await call('PATCH', `/${made.id}`, { config: { url } })).body.code).toBe('url_not_allowed');
      expect((await call('GET', `/${made.id}`)).body.config).toEqual(made.config);
    }
  });

  it('checks the addresses for members again when the organization is not verified', async () => {
    const owner = await signIn(host, 'owner@patching.example');
    const [how, to] = [{ org: owner.org }, 'owner@patching.example'];
    const { id } = (await owner.call('POST', INTEGRATIONS, { name: 'Mail', ...email(to) }, how)).body;
    expect(paths(await owner.call('PATCH', `${INTEGRATIONS}/${id}`, { config: { to: 'x@y.example' } }, how))).toEqual([
      400,
      'invalid_request',
      ['config.to'],
    ]);
    expect((await owner.call('PATCH', `${INTEGRATIONS}/${id}`, { name: 'New' }, how)).body).toMatchObject({
      name: 'New',
      config: { to: [to] },
    });
  });

  it('merges simultaneous changes', async () => {
    const { id } = await make();
    await Promise.all(
      [{ name: 'New' }, { enabled: false }, { config: { headers: { a: '1' } } }].map((wish) =>
        call('PATCH', `/${id}`, wish),
      ),
    );
    expect((await call('GET', `/${id}`)).body).toMatchObject({
      name: 'New',
      enabled: false,
      config: { headers: { a: '****' } },
    });
  });
});

/** The headers that a request of the integration really has. */
async function sentBy(id: string): Promise<Readonly<Record<string, string>>> {
  const integration = await host.deps.workflows.integration(org.org_id, id);
  const opened = await host.deps.vault.open(integration?.sealed_secrets ?? '', {
    orgId: org.org_id,
    purpose: 'integration',
    id,
  });
  return JSON.parse(opened.reveal()).headers;
}

describe(`DELETE ${INTEGRATIONS}/{id}`, () => {
  it('deletes it once, and answers 404 afterwards', async () => {
    const { id } = await make();
    expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } });
    for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const)
      expect((await call(method, `/${id}`, body)).body).toMatchObject({
        code: 'not_found',
        message: 'There is no such integration.',
      });
  });

  it('answers 409 while a template uses it', async () => {
    const { id } = await make();
    const steps = [{ id: 'ask', type: 'http_request', integration_id: id }];
    const template = await aTemplate(host, org, { name: 'Ask them', steps });
    const refused = await call('DELETE', `/${id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'workflow_integration_in_use' } });
    expect(refused.body.message).toContain(`"Ask them" (${template.id})`);
    await host.call(
      'PATCH',
      `${TEMPLATES}/${template.id}`,
      { steps: [{ id: 'tag', type: 'tag_payment', metadata: {} }] },
      { key: org.key },
    );
    expect((await call('DELETE', `/${id}`)).status).toBe(200);
  });

  it('lets only one of a deletion and a new template succeed when both come at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await make();
      const steps = [{ id: 'ask', type: 'http_request', integration_id: id }];
      const [dropped, made] = await Promise.all([
        call('DELETE', `/${id}`),
        host.call('POST', TEMPLATES, { name: 'x', steps }, { key: org.key }),
      ]);
      expect([[200, 400].join(), [409, 201].join()]).toContain([dropped.status, made.status].join());
      if (made.status === 201) await host.call('DELETE', `${TEMPLATES}/${made.body.id}`, undefined, { key: org.key });
    }
  });
});

describe('the secrets of an integration', () => {
  it('are shown in full only by GET of one integration, and only with the scope to change it', async () => {
    const reader = await keyWith(host, ['workflows:read'], { key: org.key });
    const { id, signing_secret: masked } = await make();
    const secret = await secretOf(id);
    expect([await secretOf(id, { key: reader }), secret.startsWith('whsec_****')]).toEqual([masked, false]);
    const bodies = [(await call('GET')).text, (await call('PATCH', `/${id}`, { name: 'x' })).text];
    for (const text of bodies) expect(text).not.toContain(secret);
  });

  it('differ between integrations', async () => {
    const secrets = await Promise.all([1, 2].map(async () => secretOf((await make()).id)));
    expect(new Set(secrets).size).toBe(2);
  });

  it('can be decrypted only for their own integration', async () => {
    const [{ id }, other, theirs] = [
      await make(http({ headers: { a: '1' } })),
      await make(),
      await anOrganization(host),
    ];
    const sealed = (await host.deps.workflows.integration(org.org_id, id))?.sealed_secrets ?? '';
    const open = (orgId: string, at: string) => host.deps.vault.open(sealed, { orgId, purpose: 'integration', id: at });
    expect(JSON.parse((await open(org.org_id, id)).reveal())).toMatchObject({ headers: { a: '1' } });
    for (const opening of [open(org.org_id, other.id), open(theirs.org_id, id)])
      await expect(opening).rejects.toBeInstanceOf(UnsealError);
  });

  it('appear in no file, log or response', async () => {
    const secrets = {
      header: 'Bearer canaryHeader7Qx2',
      'other header': 'canaryOther9Wn4',
      address: 'canarySlack5Zt8Longer',
    };
    const answers: string[] = [];
    const note = (answer: ApiResponse) => {
      answers.push(answer.text);
      return answer.body;
    };
    const made = note(await create(http({ headers: { authorization: secrets.header } })));
    note(
      await call('PATCH', `/${made.id}`, {
        config: { headers: { authorization: '****', other: secrets['other header'] } },
      }),
    );
    note(await call('PATCH', `/${made.id}`, { config: { url: 'https://8.8.8.8/' } }));
    note(
      await call('PATCH', `/${made.id}`, {
        config: { headers: { 'bad name': secrets.header, x: `${secrets.header}\n` } },
      }),
    );
    const chat = note(await create(slack(`https://8.8.8.8/${secrets.address}`)));
    note(await create(slack(`https://10.0.0.1/${secrets.address}`)));
    note(await call('PATCH', `/${chat.id}`, { config: { url: `https://8.8.4.4/x/${secrets.address}` } }));
    for (const { id } of [made, chat]) note(await call('GET', `/${id}`));
    note(await call('GET'));
    const signing = { 'signing secret': await secretOf(made.id) };
    const kept = { ...filesIn(host.folder), log: inspect(host.logged, { depth: null, maxStringLength: null }) };
    expect(leaksOf({ ...secrets, ...signing }, kept)).toEqual([]);
    expect(leaksOf(secrets, { answers: answers.join('\n') })).toEqual([]);
  });
});

describe.each([
  ['POST', '', { name: 'x', type: 'slack', config: { url: 'https://8.8.8.8/' } }, 'workflows:write'],
  ['GET', '', undefined, 'workflows:read'],
  ['GET', '/ID', undefined, 'workflows:read'],
  ['PATCH', '/ID', { name: 'x' }, 'workflows:write'],
  ['DELETE', '/ID', undefined, 'workflows:write'],
])(`%s ${INTEGRATIONS}%s`, (method, rest, body, scope) => {
  it('requires its scope, and answers 404 for an integration of another organization', async () => {
    const made = await make();
    const path = rest.replace('ID', made.id);
    expect((await call(method, path, body, { key: null })).status).toBe(401);
    const lacking = await keyWith(host, [scope === 'workflows:read' ? 'workflows:write' : 'workflows:read'], {
      key: org.key,
    });
    expect(await call(method, path, body, { key: lacking })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(scope) },
    });
    if (rest === '') return;
    for (const each of [path, '/wfi_01jqeh2s00e8x9v3k5t7w2m4np', '/nonsense'])
      expect((await call(method, each, body, { key: host.info.keys.service })).status).toBe(404);
    expect((await call('GET', `/${made.id}`)).status).toBe(200);
  });
});
