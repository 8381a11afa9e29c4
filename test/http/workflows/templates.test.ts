import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  type CallOptions,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { faultsIn, keyWith } from '#test/support/payment-steps.ts';
import { anIntegration, aRule, aTemplate, createTemplate, RULES, TEMPLATES } from '#test/support/workflows.ts';

let host: TestHost;
let org: TestOrganization;
let crm: string;
let chat: string;
let mail: string;
beforeAll(async () => {
  host = await startHost();
  org = await anOrganization(host);
  crm = (await anIntegration(host, org)).id;
  chat = (await anIntegration(host, org, { type: 'slack', config: { url: 'https://8.8.8.8/hook' } })).id;
  mail = (await anIntegration(host, org, { type: 'email', config: { to: 'finance@shop.example' } })).id;
});
afterAll(() => host?.close());

const call = (method: string, rest = '', body?: Body, how: CallOptions = {}) =>
  host.call(method, TEMPLATES + rest, body, { key: org.key, ...how });
const create = (steps: Body, more: Body = {}, how: CallOptions = {}) =>
  createTemplate(host, org, { steps, ...more }, how);
const make = (body: Body = {}, own: TestOrganization = org): Promise<Body> => aTemplate(host, own, body);
const verdict = (answer: ApiResponse) => [answer.status, answer.body.code, faultsIn(answer).toSorted()];
const messagesIn = ({ body }: ApiResponse) => body.details.fields.map(({ message }: Body) => message);
const step = (id: string, more: Body = {}) => ({ id, type: 'cancel_payment', ...more });
const aRequest = (id: string, more: Body = {}) => ({ id, type: 'http_request', integration_id: crm, ...more });
const aNotification = (message: string, more: Body = {}) => ({
  id: 'tell',
  type: 'notify',
  integration_id: chat,
  message,
  ...more,
});
const aCondition = (text: Body, more: Body = {}) => ({ id: 'decide', type: 'condition', if: text, ...more });

const branchesTo = (then: Body, otherwise: Body = null) => ({ then, else: otherwise });

/** One step of each type with every field. */
const everything = () => [
  { id: 'decide', type: 'condition', if: 'data.amount > 100', ...branchesTo('ask', 'tag'), on_error: 'continue' },
  {
    id: 'ask',
    type: 'http_request',
    integration_id: crm,
    body: { to: '{{ data.customer_id }}', deep: [{ n: 1.5, yes: true, no: null }] },
    next: 'tell',
  },
  { id: 'tag', type: 'tag_payment', metadata: { seen: true, times: 2, by: 'us' }, next: 'wait' },
  {
    id: 'tell',
    type: 'notify',
    integration_id: mail,
    message: 'Paid {{ data.amount }}\nby {{data.customer_id}} {{ steps["ask"].status_code }}',
    subject: 'Paid {{ data.id }}',
  },
  { id: 'wait', type: 'delay', for: '2h', on_error: 'stop' },
  { id: 'cancel', type: 'cancel_payment' },
  { id: 'refund', type: 'refund_payment', amount: 100, reason: 'requested' },
  { id: 'pause', type: 'pause_subscription', next: null },
];

describe(`POST ${TEMPLATES}`, () => {
  it('creates a template with a step of every type, as it was sent', async () => {
    const { status, body, headers } = await create(everything(), { name: 'All of it' });
    expect([status, headers.get('location')]).toEqual([201, `${TEMPLATES}/${body.id}`]);
    expect(body).toEqual({
      id: expect.stringMatching(/^wft_[0-9a-z]{26}$/),
      org_id: org.org_id,
      name: 'All of it',
      steps: everything(),
      version: 1,
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    });
    expect((await call('GET', `/${body.id}`)).body).toEqual(body);
  });

  it.each<[string, () => Body, string[]]>([
    ['no steps', () => [], ['steps']],
    ['steps that are not a list', () => ({ id: 'x' }), ['steps']],
    ['26 steps', () => Array.from({ length: 26 }, (_, n) => step(`s${n}`)), ['steps']],
    ['an unknown type', () => [step('a', { type: 'explode' })], ['steps.0.type']],
    [
      'invalid step ids',
      () => [step('A'), step('1a'), step('a-b'), step('x'.repeat(41))],
      ['steps.0.id', 'steps.1.id', 'steps.2.id', 'steps.3.id'],
    ],
    [
      'fields of another type',
      () => [step('a', { for: '1h', if: 'true', ...branchesTo(null) })],
      ['steps.0.else', 'steps.0.for', 'steps.0.if', 'steps.0.then'],
    ],
    ['a condition with next', () => [aCondition('true', { next: null })], ['steps.0.next']],
    [
      'several invalid fields, all of them at once',
      () => [
        { id: 'a', type: 'delay', for: '1s', on_error: 'retry', next: 5 },
        aCondition('1 +'),
        { id: 'c', type: 'refund_payment', amount: 0, reason: '' },
        { id: 'd', type: 'tag_payment', metadata: { ['k'.repeat(41)]: 'x', list: [] } },
        { id: 'e', type: 'notify', message: '{{ nothing }}', subject: 'a\nb' },
      ],
      [
        'steps.0.for',
        'steps.0.next',
        'steps.0.on_error',
        'steps.1.if',
        'steps.2.amount',
        'steps.2.reason',
        `steps.3.metadata.${'k'.repeat(41)}`,
        'steps.3.metadata.list',
        'steps.4.integration_id',
        'steps.4.message',
        'steps.4.subject',
      ],
    ],
    [
      '51 metadata keys',
      () => [
        { id: 'a', type: 'tag_payment', metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, 1])) },
      ],
      ['steps.0.metadata'],
    ],
    ['a message that is too long', () => [aNotification('x'.repeat(2_001))], ['steps.0.message']],
    ['a condition that is too long', () => [aCondition(`data.a == "${'x'.repeat(1_000)}"`)], ['steps.0.if']],
    ['a delay of more than 30 days', () => [{ id: 'a', type: 'delay', for: '31d' }], ['steps.0.for']],
    ['a body that is not an object', () => [aRequest('a', { body: [1] })], ['steps.0.body']],
    [
      'invalid expressions nested in a body',
      () => [aRequest('a', { body: { x: [{ y: '{{ 1 + }}' }, 'fine'], z: '{{ open', ok: '{{ data.id }}' } })],
      ['steps.0.body.x.0.y', 'steps.0.body.z'],
    ],
    [
      'numbers that cannot be stored exactly',
      () => `[{"id":"a","type":"http_request","integration_id":"${crm}","body":{"n":12345678901234567890}}]`,
      ['steps.0.body.n'],
    ],
    ['an empty name in a body', () => [aRequest('a', { body: { '': 1 } })], ['steps.0.body.']],
  ])('answers 400 for %s', async (_, steps, faults) => {
    const sent = steps();
    const answer =
      typeof sent === 'string'
        ? await call('POST', '', `{"name":"x","steps":${sent}}`, { headers: { 'content-type': 'application/json' } })
        : await create(sent);
    expect(verdict(answer)).toEqual([400, 'invalid_request', faults.toSorted()]);
  });

  it.each<[string, () => Body, string[]]>([
    ['duplicate step ids', () => [step('a'), step('b'), step('a')], ['steps.2.id']],
    [
      'unknown step ids',
      () => [aCondition('true', branchesTo('x', 'y')), step('a', { next: 'z' }), step('b', { next: 'a' })],
      ['steps.0.else', 'steps.0.then', 'steps.1.next'],
    ],
    ['an unreachable step', () => [step('a', { next: 'c' }), step('b'), step('c')], ['steps.1']],
    ['an unknown integration', () => [aRequest('a', { integration_id: 'wfi_x' })], ['steps.0.integration_id']],
    [
      'integrations of another type',
      () => [aRequest('a', { integration_id: chat }), aNotification('x', { integration_id: crm })],
      ['steps.0.integration_id', 'steps.1.integration_id'],
    ],
    ['a condition on an unknown step', () => [aCondition('steps.nope.status == "failed"')], ['steps.0.if']],
    ['a condition on a later step', () => [aCondition('steps.b.status == "failed"'), step('b')], ['steps.0.if']],
    ['a condition on itself', () => [aCondition('has(steps.decide)')], ['steps.0.if']],
    [
      'a condition on a step of the other branch',
      () => [
        aCondition('true', branchesTo('a', 'b')),
        step('a', { next: null }),
        { ...aCondition('steps["a"].status == "failed"'), id: 'b' },
      ],
      ['steps.2.if'],
    ],
    [
      'texts with unknown and later steps',
      () => [
        step('b'),
        aNotification('{{ data.id }} {{ steps.nope.status }} {{ steps.b.status }}', {
          subject: '{{ steps.tell.status }}',
        }),
        aRequest('a', {
          body: { x: [{ y: '{{ steps.later.status }}' }, '{{ steps["tell"].status }}'], z: '{{ steps.a.status }}' },
        }),
        step('later'),
      ],
      ['steps.1.message', 'steps.1.subject', 'steps.2.body.x.0.y', 'steps.2.body.z'],
    ],
    [
      'several invalid references and a loop',
      () => [aRequest('a', { integration_id: 'x' }), step('b', { next: 'a' }), step('c')],
      ['steps.0', 'steps.0.integration_id', 'steps.1', 'steps.2'],
    ],
  ])('answers 400 for references such as %s', async (_, steps, faults) => {
    expect(verdict(await create(steps()))).toEqual([400, 'invalid_request', faults]);
  });

  it.each<[string, () => Body, string[]]>([
    ['itself', () => [step('a', { next: 'a' })], ['steps.0']],
    ['the first step', () => [step('a'), aCondition('true', branchesTo('a'))], ['steps.0', 'steps.1']],
    [
      'a step in the middle',
      () => [step('a'), step('b'), aCondition('true', { else: 'b' }), step('c')],
      ['steps.1', 'steps.2'],
    ],
  ])('answers 400 for a loop back to %s', async (_, steps, faults) => {
    const answer = await create(steps());
    expect(verdict(answer)).toEqual([400, 'workflow_loop', faults]);
    expect(messagesIn(answer)[0]).toContain('leads back to itself');
  });

  it('names the step that an expression cannot refer to, and the reason', async () => {
    const answer = await create([
      aCondition('has(steps.nope) || has(steps.b)'),
      aNotification('{{ data.id }} {{ steps.b.status }}'),
      step('b'),
    ]);
    expect(messagesIn(answer)).toEqual([
      'Refers to steps.nope, but there is no such step.',
      '{{ steps.b.status }}: Refers to steps.b, which never runs before this step.',
    ]);
  });

  it.each<[string, () => Body]>([
    [
      'a step that runs on one branch only',
      () => [
        aCondition('true', branchesTo('a', 'tell')),
        step('a'),
        aNotification('{{ steps.a.status }}', { next: 'end' }),
        { ...aCondition('has(steps.a)'), id: 'end' },
      ],
    ],
    ['a step named by the data', () => [step('a'), aCondition('steps[data.metadata.step].status == "failed"')]],
    [
      'a local variable named steps',
      () => [aCondition('data.metadata.steps.nope == 1 || data.methods.exists(steps, steps.nope == 1)')],
    ],
    ['all steps', () => [aCondition('size(steps) == 0 || "nope" in steps')]],
  ])('accepts an expression on %s', async (_, steps) => expect((await create(steps())).status).toBe(201));

  it('answers for an integration of another organization as for an unknown one', async () => {
    const theirs = (await anIntegration(host, await anOrganization(host))).id;
    const answers = [
      await create([aRequest('a', { integration_id: theirs })]),
      await create([aRequest('a', { integration_id: 'wfi_01jqeh2s00e8x9v3k5t7w2m4np' })]),
    ];
    expect(answers[0]?.text).toBe(answers[1]?.text);
  });

  it('accepts 25 steps of 32 KB in total, and no more', async () => {
    const text = (length: number) =>
      Array.from({ length: 25 }, (_, n) => aRequest(`s${n}`, { body: { text: 'x'.repeat(length) } }));
    const room = 32 * 1_024 - JSON.stringify(text(0)).length;
    expect((await create(text(Math.floor(room / 25)))).status).toBe(201);
    expect(verdict(await create(text(Math.floor(room / 25) + 1)))).toEqual([400, 'invalid_request', ['steps']]);
  });

  it('accepts a body of ten levels, and not of eleven or thousands', async () => {
    const nested = (depth: number, inner: Body = 1): Body => (depth === 0 ? inner : { a: nested(depth - 1, inner) });
    const { status, body } = await create([aRequest('a', { body: nested(10) })]);
    expect([status, body.steps[0].body]).toEqual([201, nested(10)]);
    expect(verdict(await create([aRequest('a', { body: nested(11) })]))[2]).toHaveLength(1);
    const deep = `{"name":"x","steps":[{"id":"a","type":"http_request","integration_id":"${crm}","body":{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}}]}`;
    const answer = await call('POST', '', deep, { headers: { 'content-type': 'application/json' } });
    expect([answer.status, answer.body.code, answer.body.details.fields.length]).toEqual([400, 'invalid_request', 1]);
  });

  it('requires an idempotency key, and repeats the response for the same key', async () => {
    const how = { idempotencyKey: randomUUID() };
    const first = await create([step('a')], {}, how);
    expect((await create([step('a')], {}, how)).text).toBe(first.text);
    expect((await create([step('b')], {}, how)).body.code).toBe('idempotency_key_reused');
    expect((await create([step('a')], {}, { idempotencyKey: null })).body.code).toBe('idempotency_key_required');
  });

  it('answers 409 for the 101st template', async () => {
    const own = await anOrganization(host);
    for (let n = 0; n < 100; n += 1) await make({}, own);
    expect(await createTemplate(host, own)).toMatchObject({
      status: 409,
      body: { error: 'conflict', code: 'workflow_limit_reached' },
    });
  });
});

describe(`GET ${TEMPLATES}`, () => {
  it('lists the newest first, in pages', async () => {
    const own = await anOrganization(host);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await make({ name: `No ${n}` }, own)).id);
    const first = await call('GET', '?limit=2', undefined, { key: own.key });
    expect(first.body.pagination).toEqual({ limit: 2, offset: 0, total: 3, next_cursor: expect.any(String) });
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await host.call('GET', next.slice(host.info.api.length), undefined, { key: own.key });
    expect([...first.body.templates, ...second.body.templates].map(({ id }: Body) => id)).toEqual(ids);
  });

  it.each(['limit=0', 'offset=x', 'cursor=x', 'name=x'])('answers 400 for ?%s', async (query) => {
    expect((await call('GET', `?${query}`)).body.code).toBe('invalid_request');
  });
});

describe(`PATCH ${TEMPLATES}/{id}`, () => {
  it('creates a version for each change, and none for a request that changes nothing', async () => {
    const made = await make();
    const { status, body } = await call('PATCH', `/${made.id}`, { name: 'New' });
    expect([status, body]).toEqual([200, { ...made, name: 'New', version: 2, updated_at: expect.any(String) }]);
    const steps = [{ id: 'wait', type: 'delay', for: '1m' }];
    expect((await call('PATCH', `/${made.id}`, { steps })).body).toMatchObject({ name: 'New', steps, version: 3 });
    for (const same of [{}, { name: 'New' }, { steps }, { name: 'New', steps }])
      expect((await call('PATCH', `/${made.id}`, same)).body.version).toBe(3);
  });

  it('merges simultaneous changes, each into a version of its own', async () => {
    const { id } = await make();
    const steps = [step('other')];
    const answers = await Promise.all(
      [...Array.from({ length: 10 }, (_, n) => ({ name: `No ${n}` })), { steps }].map((wish) =>
        call('PATCH', `/${id}`, wish),
      ),
    );
    expect(answers.map(({ body }) => body.version).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 11 }, (_, n) => n + 2),
    );
    expect((await call('GET', `/${id}`)).body).toMatchObject({ steps, version: 12 });
  });

  it.each<[string, () => Body, string, string[]]>([
    ['no steps', () => ({ steps: [] }), 'invalid_request', ['steps']],
    ['a version', () => ({ version: 7, id: 'x', name: '' }), 'invalid_request', ['id', 'name', 'version']],
    ['a loop', () => ({ steps: [step('a', { next: 'a' })] }), 'workflow_loop', ['steps.0']],
    [
      'an unknown integration',
      () => ({ steps: [aRequest('a', { integration_id: 'x' })] }),
      'invalid_request',
      ['steps.0.integration_id'],
    ],
    [
      'a reference to a later step',
      () => ({ steps: [aNotification('{{ steps.a.status }}'), step('a')] }),
      'invalid_request',
      ['steps.0.message'],
    ],
  ])('answers 400 for %s, and changes nothing', async (_, body, code, faults) => {
    const made = await make();
    expect(verdict(await call('PATCH', `/${made.id}`, body()))).toEqual([400, code, faults]);
    expect((await call('GET', `/${made.id}`)).body).toEqual(made);
  });

  it('answers 400 for steps that would make rules trigger each other', async () => {
    const own = await anOrganization(host);
    const template = await make({}, own);
    const rule = await aRule(host, own, {
      name: 'Give it back',
      event: 'payment.refunded',
      template_id: template.id,
      enabled: false,
    });
    const answer = await call(
      'PATCH',
      `/${template.id}`,
      { steps: [{ id: 'a', type: 'refund_payment', amount: 1 }] },
      { key: own.key },
    );
    expect([answer.status, answer.body.code, answer.body.details]).toEqual([
      400,
      'workflow_loop',
      { rules: [rule.id] },
    ]);
    expect(answer.body.message).toContain('"Give it back"');
    expect((await call('GET', `/${template.id}`, undefined, { key: own.key })).body).toEqual(template);
  });
});

describe(`DELETE ${TEMPLATES}/{id}`, () => {
  it('deletes it once, and answers 404 afterwards', async () => {
    const { id } = await make();
    expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } });
    for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const)
      expect((await call(method, `/${id}`, body)).body).toMatchObject({
        code: 'not_found',
        message: 'There is no such workflow template.',
      });
  });

  it('answers 409 while a rule uses it', async () => {
    const { id } = await make();
    const rule = await aRule(host, org, { name: 'Mine', template_id: id });
    const refused = await call('DELETE', `/${id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'workflow_template_in_use' } });
    expect(refused.body.message).toContain(`"Mine" (${rule.id})`);
    await host.call('DELETE', `${RULES}/${rule.id}`, undefined, { key: org.key });
    expect((await call('DELETE', `/${id}`)).status).toBe(200);
  });

  it('answers 409 while a connection uses it', async () => {
    const own = await anOrganization(host);
    const { id } = await make({}, own);
    for (const name of ['a', 'b', 'c'])
      await aConnection(host, own, { id: name, workflow_id: name === 'c' ? null : id });
    const drop = () => call('DELETE', `/${id}`, undefined, { key: own.key });
    const refusedBy = (...connections: readonly string[]) => ({
      status: 409,
      body: { code: 'workflow_template_in_use', details: { connections } },
    });
    expect(await drop()).toMatchObject(refusedBy('a', 'b'));
    await host.call('POST', '/v1/connections', { id: 'a', workflow_id: null }, { key: own.key });
    const refused = await drop();
    expect(refused).toMatchObject(refusedBy('b'));
    expect(refused.body.message).toContain('The connection b runs');
    await host.call('DELETE', '/v1/connections/b', undefined, { key: own.key });
    expect((await drop()).status).toBe(200);
  });

  it('lets only one of a deletion and a new rule succeed when both come at once', async () => {
    const ends = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const { id } = await make();
      const rule = () =>
        host.call('POST', RULES, { name: 'x', event: 'payment.failed', template_id: id }, { key: org.key });
      const asks = [() => call('DELETE', `/${id}`), rule];
      const answers = await Promise.all((round % 2 === 0 ? asks : asks.toReversed()).map((each) => each()));
      const [dropped, made] = round % 2 === 0 ? answers : answers.toReversed();
      ends.add([dropped?.status, made?.status].join());
      if (made?.status === 201) await host.call('DELETE', `${RULES}/${made.body.id}`, undefined, { key: org.key });
    }
    for (const end of ends) expect(['200,400', '409,201']).toContain(end);
  });
});

describe.each([
  ['POST', '', { name: 'x', steps: [{ id: 'a', type: 'cancel_payment' }] }, 'workflows:write'],
  ['GET', '', undefined, 'workflows:read'],
  ['GET', '/ID', undefined, 'workflows:read'],
  ['PATCH', '/ID', { name: 'x' }, 'workflows:write'],
  ['DELETE', '/ID', undefined, 'workflows:write'],
])(`%s ${TEMPLATES}%s`, (method, rest, body, scope) => {
  it('requires its scope, and answers 404 for a template of another organization', async () => {
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
    for (const each of [path, '/wft_01jqeh2s00e8x9v3k5t7w2m4np', '/nonsense'])
      expect((await call(method, each, body, { key: host.info.keys.service })).status).toBe(404);
    expect((await call('GET', `/${made.id}`)).body).toEqual(made);
  });
});
