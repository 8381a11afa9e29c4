import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aLiveShop, type LiveHost, startLiveHost } from '#test/http/live-host.support.ts';
import {
  type ApiResponse,
  anOrganization,
  type Body,
  type CallOptions,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { advance, drain, faultsIn, keyWith } from '#test/support/payment-steps.ts';
import { anEvent, aTemplate, EXECUTIONS, TEMPLATES, WAIT } from '#test/support/workflows.ts';

let host: TestHost;
let org: TestOrganization;
let template: string;
let event: Body;
beforeAll(async () => {
  host = await startHost();
  org = await anOrganization(host);
  template = (await aTemplate(host, org, { steps: [WAIT] })).id;
  event = await anEvent(host, org);
});
afterAll(() => host?.close());

const call = (method: string, rest = '', body?: Body, how: CallOptions = {}) =>
  host.call(method, EXECUTIONS + rest, body, { key: org.key, ...how });
const start = (body: Body = {}, how: CallOptions = {}) =>
  call('POST', '', { template_id: template, event_id: event.id, ...body }, how);
const begin = async (): Promise<Body> => (await start()).body;
const read = async (id: string): Promise<Body> => (await call('GET', `/${id}`)).body;
const verdict = (answer: ApiResponse) => [answer.status, answer.body.code, faultsIn(answer).toSorted()];

describe(`POST ${EXECUTIONS}`, () => {
  it('starts an execution of a template for an existing event', async () => {
    const { status, body, headers } = await start();
    expect([status, headers.get('location')]).toEqual([201, `${EXECUTIONS}/${body.id}`]);
    expect(body).toEqual({
      id: expect.stringMatching(/^wfx_[0-9a-z]{26}$/),
      org_id: org.org_id,
      template_id: template,
      template_version: 1,
      rule_id: null,
      connection_id: null,
      event: { id: event.id, type: 'service.webhook.test' },
      status: 'pending',
      steps: [],
      error: null,
      next_step_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
      started_at: null,
      ended_at: null,
    });
    await drain(host);
    expect(await read(body.id)).toMatchObject({
      status: 'waiting',
      steps: [{ id: 'wait', type: 'delay', status: 'running', tries: 1 }],
    });
    await advance(host, '25h');
    expect(await read(body.id)).toMatchObject({
      status: 'succeeded',
      next_step_at: null,
      ended_at: expect.stringMatching(/Z$/),
    });
  });

  it('runs the version of the template at the time of the start, even if the template changes later', async () => {
    const own = await aTemplate(host, org, { steps: [WAIT, { ...WAIT, id: 'again' }] });
    const { id } = (await start({ template_id: own.id })).body;
    await drain(host);
    await host.call('PATCH', `${TEMPLATES}/${own.id}`, { steps: [WAIT] }, { key: org.key });
    await host.call('DELETE', `${TEMPLATES}/${own.id}`, undefined, { key: org.key });
    for (const _ of [1, 2]) await advance(host, '25h');
    expect((await read(id)).steps.map((step: Body) => step.id)).toEqual(['wait', 'again']);
    expect((await read(id)).status).toBe('succeeded');
  });

  it.each<[string, Body, string[]]>([
    ['a body without fields', { template_id: undefined, event_id: undefined }, ['event_id', 'template_id']],
    [
      'several invalid fields, all of them at once',
      { template_id: '', event_id: 5, rule_id: 'x' },
      ['event_id', 'rule_id', 'template_id'],
    ],
  ])('answers 400 for %s', async (_, body, faults) => {
    expect(verdict(await start(body))).toEqual([400, 'invalid_request', faults]);
  });

  it('answers 404 for a template or event that does not exist or belongs to another organization', async () => {
    const others = await anOrganization(host);
    const theirs = { template_id: (await aTemplate(host, others)).id, event_id: (await anEvent(host, others)).id };
    for (const template_id of [theirs.template_id, 'wft_01jqeh2s00e8x9v3k5t7w2m4np', 'x'])
      expect((await start({ template_id })).body).toEqual({
        error: 'not_found',
        code: 'not_found',
        message: 'There is no such workflow template.',
        doc_url: expect.any(String),
      });
    for (const event_id of [theirs.event_id, 'evt_01jqeh2s00e8x9v3k5t7w2m4np', 'x'])
      expect((await start({ event_id })).body).toEqual({
        error: 'not_found',
        code: 'not_found',
        message: 'There is no such event.',
        doc_url: expect.any(String),
      });
  });

  it('requires an idempotency key, and repeats the response for the same key', async () => {
    const own = (await aTemplate(host, org, { steps: [WAIT] })).id;
    const how = { idempotencyKey: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 5 }, () => start({ template_id: own }, how)));
    const [first] = answers.filter(({ status }) => status === 201);
    for (const { status, text, body } of answers)
      expect(status === 201 ? text : body.code).toBe(status === 201 ? first?.text : 'idempotency_in_progress');
    expect((await start({ template_id: own }, how)).text).toBe(first?.text);
    expect((await start({ template_id: own, event_id: 'x' }, how)).body.code).toBe('idempotency_key_reused');
    expect((await start({ template_id: own }, { idempotencyKey: null })).body.code).toBe('idempotency_key_required');
    expect((await call('GET', `?template_id=${own}`)).body.executions.map(({ id }: Body) => id)).toEqual([
      first?.body.id,
    ]);
  });
});

describe('the plan', () => {
  let live: LiveHost;
  beforeAll(async () => {
    live = await startLiveHost();
  });
  afterAll(() => live?.close());

  it('allows its number of executions a month, and records nothing for a start that is refused', async () => {
    const shop = await aLiveShop(live, { plan: 'free' });
    const ids = {
      template_id: (await aTemplate(live, shop, { steps: [WAIT] })).id,
      event_id: (await anEvent(live, shop)).id,
    };
    const ask = (how: CallOptions = {}) => live.call('POST', EXECUTIONS, ids, { key: shop.key, ...how });
    await live.spend(shop.org_id, 'workflow_executions', 49);
    expect((await ask()).status).toBe(201);
    expect(await live.usage(shop.org_id)).toEqual({
      [`workflow_executions:${live.clock.now().toISOString().slice(0, 7)}`]: 50,
    });
    const how = { idempotencyKey: randomUUID() };
    expect(await ask(how)).toMatchObject({
      status: 402,
      body: {
        error: 'payment_required',
        code: 'plan_limit_reached',
        details: { metric: 'workflow_executions', used: '50', limit: '50' },
      },
    });
    expect((await live.call('GET', EXECUTIONS, undefined, { key: shop.key })).body.executions).toHaveLength(1);
    await live.decide(shop.org_id, { plan: 'growth' });
    expect((await ask(how)).status).toBe(201);
  });
});

describe(`GET ${EXECUTIONS}`, () => {
  it('lists the newest first, in pages, and filters by template, status and time', async () => {
    const own = (await aTemplate(host, org, { steps: [WAIT] })).id;
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.unshift((await start({ template_id: own })).body.id);
      await advance(host, '1s');
    }
    await drain(host);
    const list = async (query: string) =>
      (await call('GET', `?template_id=${own}${query}`)).body.executions.map(({ id }: Body) => id);
    expect(await list('')).toEqual(ids);
    const first = await call('GET', `?template_id=${own}&limit=2`);
    expect(first.body.pagination).toEqual({ limit: 2, offset: 0, has_more: true, next_cursor: expect.any(String) });
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(
      (await host.call('GET', next.slice(host.info.api.length), undefined, { key: org.key })).body.executions.map(
        ({ id }: Body) => id,
      ),
    ).toEqual([ids[2]]);
    expect(await list('&offset=1')).toEqual(ids.slice(1));
    await call('POST', `/${ids[1]}/cancel`);
    expect([await list('&status=canceled'), await list('&status=waiting'), await list('&status=failed')]).toEqual([
      [ids[1]],
      [ids[0], ids[2]],
      [],
    ]);
    const { created_at } = await read(ids[1] ?? '');
    expect([await list(`&created_after=${created_at}`), await list(`&created_before=${created_at}`)]).toEqual([
      ids.slice(0, 2),
      [ids[2]],
    ]);
    expect((await call('GET', '?template_id=x')).body.executions).toEqual([]);
    expect((await call('GET', '?status=canceled')).body.executions.map(({ id }: Body) => id)).toContain(ids[1]);
  });

  it.each(['limit=0', 'offset=-1', 'cursor=x', 'status=over', 'rule_id=x', 'created_after=soon'])(
    'answers 400 for ?%s',
    async (query) => {
      expect((await call('GET', `?${query}`)).body.code).toBe('invalid_request');
    },
  );
});

describe(`POST ${EXECUTIONS}/{id}/cancel`, () => {
  it('cancels a waiting execution for good', async () => {
    const { id } = await begin();
    await drain(host);
    const { status, body } = await call('POST', `/${id}/cancel`);
    expect([status, body]).toMatchObject([
      200,
      { id, status: 'canceled', next_step_at: null, ended_at: expect.stringMatching(/Z$/) },
    ]);
    await advance(host, '25h');
    expect(await read(id)).toEqual(body);
  });

  it('cancels an execution before its first step', async () => {
    const { id } = await begin();
    expect((await call('POST', `/${id}/cancel`)).body.status).toBe('canceled');
    await drain(host);
    expect((await read(id)).status).toBe('canceled');
  });

  it('answers 409 for an execution that is over, and repeats the response for the same idempotency key', async () => {
    const { id } = await begin();
    const how = { idempotencyKey: randomUUID() };
    const first = await call('POST', `/${id}/cancel`, undefined, how);
    expect((await call('POST', `/${id}/cancel`, undefined, how)).text).toBe(first.text);
    expect(await call('POST', `/${id}/cancel`)).toMatchObject({
      status: 409,
      body: { error: 'conflict', code: 'workflow_execution_over' },
    });
    expect((await call('POST', `/${id}/cancel`, undefined, { idempotencyKey: null })).body.code).toBe(
      'idempotency_key_required',
    );
    expect(verdict(await call('POST', `/${id}/cancel`, { reason: 'x' }))).toEqual([400, 'invalid_request', ['reason']]);
  });

  it('succeeds for one of several simultaneous requests', async () => {
    const { id } = await begin();
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('POST', `/${id}/cancel`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
  });
});

describe.each([
  ['POST', '', 'workflows:write'],
  ['GET', '', 'workflows:read'],
  ['GET', '/ID', 'workflows:read'],
  ['POST', '/ID/cancel', 'workflows:write'],
])(`%s ${EXECUTIONS}%s`, (method, rest, scope) => {
  it('requires its scope, and answers 404 for an execution of another organization', async () => {
    const { id } = await begin();
    const [path, body] = [
      rest.replace('ID', id),
      rest === '' && method === 'POST' ? { template_id: template, event_id: event.id } : undefined,
    ];
    expect((await call(method, path, body, { key: null })).status).toBe(401);
    const lacking = await keyWith(host, [scope === 'workflows:read' ? 'workflows:write' : 'workflows:read'], {
      key: org.key,
    });
    expect(await call(method, path, body, { key: lacking })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(scope) },
    });
    if (rest === '') return;
    for (const each of [id, 'wfx_01jqeh2s00e8x9v3k5t7w2m4np', 'nonsense'])
      expect((await call(method, rest.replace('ID', each), body, { key: host.info.keys.service })).body).toMatchObject({
        code: 'not_found',
        message: 'There is no such workflow execution.',
      });
    expect((await read(id)).status).not.toBe('canceled');
  });
});
