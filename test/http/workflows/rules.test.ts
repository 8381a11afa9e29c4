import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import {
  type ApiResponse,
  anOrganization,
  type Body,
  type CallOptions,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { advance, eventsOf, faultsIn, keyWith } from '#test/support/payment-steps.ts';
import { aWorkflowShop } from '#test/support/workflow-shop.ts';
import { aRule, aTemplate, createRule, RULES, WAIT } from '#test/support/workflows.ts';

let host: TestHost;
let org: TestOrganization;
let template: string;
beforeAll(async () => {
  host = await startHost();
  org = await anOrganization(host);
  template = (await aTemplate(host, org)).id;
});
afterAll(() => host?.close());
/** Rules per event are limited. */
afterEach(async () => {
  for (const { id } of (await call('GET', '?limit=200')).body.rules) await call('DELETE', `/${id}`);
});

const call = (method: string, rest = '', body?: Body, how: CallOptions = {}) =>
  host.call(method, RULES + rest, body, { key: org.key, ...how });
const create = (body: Body = {}, how: CallOptions = {}) =>
  createRule(host, org, { template_id: template, ...body }, how);
const make = (body: Body = {}): Promise<Body> => aRule(host, org, { template_id: template, ...body });
const verdict = (answer: ApiResponse) => [answer.status, answer.body.code, faultsIn(answer).toSorted()];

/**
 * An organization of its own with templates that refund, cancel and pause. Their first step checks the event, so that
 * they can be saved for any event; the check for loops counts all their actions.
 */
async function aShop() {
  const own = await anOrganization(host);
  const only = { id: 'only', type: 'condition', if: 'event.type == "payment.created"' };
  const doing = async (type: string): Promise<string> =>
    (await aTemplate(host, own, { name: type, steps: [only, { id: 'act', type }] })).id;
  const [refunds, cancels, pauses] = await Promise.all(
    ['refund_payment', 'cancel_payment', 'pause_subscription'].map(doing),
  );
  const save = (event: string, template_id: string | undefined, more: Body = {}) =>
    createRule(host, own, { name: `On ${event}`, event, template_id, ...more });
  return { ...own, refunds, cancels, pauses, save };
}

describe(`POST ${RULES}`, () => {
  it('creates an enabled rule for every event of its type by default', async () => {
    const { status, body, headers } = await create();
    expect([status, headers.get('location')]).toEqual([201, `${RULES}/${body.id}`]);
    expect(body).toEqual({
      id: expect.stringMatching(/^wfr_[0-9a-z]{26}$/),
      org_id: org.org_id,
      name: 'On failure',
      event: 'payment.failed',
      condition: null,
      template_id: template,
      enabled: true,
      priority: 0,
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    });
    expect((await call('GET', `/${body.id}`)).body).toEqual(body);
    const more = { condition: 'data.amount > 100 && event.type == "payment.failed"', enabled: false, priority: -7 };
    expect((await create(more)).body).toMatchObject(more);
  });

  it.each<[string, Body, string[]]>([
    [
      'a body without fields',
      { name: undefined, event: undefined, template_id: undefined },
      ['event', 'name', 'template_id'],
    ],
    [
      'several invalid fields, all of them at once',
      {
        name: ' ',
        event: 'payment.exploded',
        condition: 'data.amount >',
        template_id: '',
        enabled: 1,
        priority: 1.5,
        colour: 1,
      },
      ['colour', 'condition', 'enabled', 'event', 'name', 'priority', 'template_id'],
    ],
    ['the event of webhook tests', { event: 'service.webhook.test' }, ['event']],
    ['a wildcard for all events', { event: '*' }, ['event']],
    ['a priority out of bounds', { priority: 1_000_001 }, ['priority']],
    ['an empty condition', { condition: '' }, ['condition']],
    ['a condition that is not a boolean', { condition: 'data.amount + 1 > 0 ? "a" : "b"' }, ['condition']],
    ['a condition with an unknown name', { condition: 'payment.amount > 1' }, ['condition']],
    ['a condition with a pattern', { condition: 'data.id.matches("a*")' }, ['condition']],
    ['a condition on a step', { condition: 'steps.ask.status_code == 200' }, ['condition']],
    ['a condition on a step in brackets', { condition: 'data.amount > 1 && has(steps["ask"].status)' }, ['condition']],
    ['a condition on all steps', { condition: 'size(steps) == 0' }, ['condition']],
    ['an unknown template', { template_id: 'wft_01jqeh2s00e8x9v3k5t7w2m4np' }, ['template_id']],
  ])('answers 400 for %s', async (_, body, faults) => {
    expect(verdict(await create(body))).toEqual([400, 'invalid_request', faults]);
  });

  it('answers for a template of another organization as for an unknown one', async () => {
    const theirs = (await aTemplate(host, await anOrganization(host))).id;
    expect((await create({ template_id: theirs })).text).toBe((await create({ template_id: 'never' })).text);
  });

  it('answers 400 for a rule that triggers itself', async () => {
    const shop = await aShop();
    for (const [event, doing] of [
      ['payment.refunded', shop.refunds],
      ['payment.canceled', shop.cancels],
      ['subscription.paused', shop.pauses],
    ] as const) {
      const answer = await shop.save(event, doing);
      expect([answer.status, answer.body.code, answer.body.message]).toEqual([
        400,
        'workflow_loop',
        expect.stringContaining(`On ${event}`),
      ]);
    }
    expect((await shop.save('payment.refunded', shop.cancels)).status).toBe(201);
  });

  it('answers 400 for a rule that closes a loop, and names the rules of the loop', async () => {
    const shop = await aShop();
    const { body: first } = await shop.save('payment.refunded', shop.cancels, { enabled: false });
    await shop.save('payment.succeeded', shop.refunds);
    const answer = await shop.save('payment.canceled', shop.refunds);
    expect([answer.status, answer.body.code, answer.body.details.rules]).toEqual([
      400,
      'workflow_loop',
      expect.arrayContaining([first.id]),
    ]);
    expect(answer.body.details.rules).toHaveLength(2);
    expect((await call('GET', '', undefined, { key: shop.key })).body.rules).toHaveLength(2);
  });

  it('refuses one of two simultaneous rules that would trigger each other', async () => {
    for (let round = 0; round < 10; round += 1) {
      const shop = await aShop();
      const answers = await Promise.all([
        shop.save('payment.refunded', shop.cancels),
        shop.save('payment.canceled', shop.refunds),
      ]);
      expect(answers.map(({ status, body }) => `${status} ${body.code ?? ''}`).toSorted()).toEqual([
        '201 ',
        '400 workflow_loop',
      ]);
    }
  });

  it('requires an idempotency key, and repeats the response for the same key', async () => {
    const how = { idempotencyKey: randomUUID() };
    const first = await create({}, how);
    expect((await create({}, how)).text).toBe(first.text);
    expect((await create({ name: 'x' }, how)).body.code).toBe('idempotency_key_reused');
    expect((await create({}, { idempotencyKey: null })).body.code).toBe('idempotency_key_required');
  });

  it('accepts a hundred rules, also simultaneous ones, and answers 409 for the next', async () => {
    const own = await anOrganization(host);
    const { id } = await aTemplate(host, own, { steps: [WAIT] });
    const event = (n: number) => EVENT_TYPES[Math.floor(n / 10)];
    for (let n = 0; n < 95; n += 1) await aRule(host, own, { template_id: id, event: event(n) });
    const last = await Promise.all(
      Array.from({ length: 10 }, (_, n) => createRule(host, own, { template_id: id, event: event(100 + n) })),
    );
    expect(last.filter(({ status }) => status === 201)).toHaveLength(5);
    for (const { status, body } of last)
      if (status !== 201) expect([status, body.code]).toEqual([409, 'workflow_limit_reached']);
    expect((await call('GET', '?limit=200', undefined, { key: own.key })).body.rules).toHaveLength(100);
  });
});

describe('the rules of one event', () => {
  const ofFailures = (own: TestOrganization, n: number, template_id: string) =>
    Promise.all(Array.from({ length: n }, () => createRule(host, own, { template_id })));

  it('are limited to ten, disabled ones and simultaneous ones included', async () => {
    const own = await anOrganization(host);
    const { id } = await aTemplate(host, own);
    await aRule(host, own, { template_id: id, enabled: false });
    const answers = await ofFailures(own, 14, id);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(9);
    for (const { status, body } of answers)
      if (status !== 201)
        expect([status, body.code, body.message]).toEqual([
          409,
          'workflow_limit_reached',
          expect.stringContaining('payment.failed'),
        ]);
    expect((await createRule(host, own, { template_id: id, event: 'payment.succeeded' })).status).toBe(201);
  });

  it('cannot exceed ten by a change, while the ten can still change', async () => {
    const own = await anOrganization(host);
    const { id: template_id } = await aTemplate(host, own);
    const [first] = await ofFailures(own, 10, template_id);
    const other = await aRule(host, own, { template_id, event: 'payment.succeeded' });
    const change = (id: string, wish: Body) => call('PATCH', `/${id}`, wish, { key: own.key });
    expect(await change(other.id, { event: 'payment.failed' })).toMatchObject({
      status: 409,
      body: { code: 'workflow_limit_reached' },
    });
    expect((await call('GET', `/${other.id}`, undefined, { key: own.key })).body).toEqual(other);
    expect((await change(first?.body.id, { event: 'payment.failed', priority: 2 })).body.priority).toBe(2);
    expect((await change(first?.body.id, { event: 'payment.canceled' })).status).toBe(200);
    expect((await change(other.id, { event: 'payment.failed' })).status).toBe(200);
  });
});

describe('an event from before a rule applied', () => {
  it.each<[string, Body, Body]>([
    ['was enabled', { enabled: false }, { enabled: true }],
    ['got its event', { event: 'payment.created' }, { event: 'payment.failed' }],
    ['got another condition', { condition: 'data.amount < 0' }, { condition: null }],
    ['was created', { event: 'payment.created' }, {}],
  ])('does not run the rule when it arrives late or again after the rule %s', async (how, about, wish) => {
    const shop = await aWorkflowShop(host);
    const { id: template_id } = await shop.template({ type: 'condition', if: 'true' });
    const rule = await shop.make('rules', { name: 'Late', event: 'payment.failed', template_id, ...about });
    const { id: payment } = await shop.pay({}, 'decline_card_declined');
    const before = (await shop.executions()).length;
    await advance(host, '1s');
    if (how === 'was created') await shop.make('rules', { name: 'Later', event: 'payment.failed', template_id });
    else await shop.change('rules', rule, wish);
    const event = (await eventsOf(host, payment, { key: shop.key })).find(({ type }) => type === 'payment.failed');
    await host.deps.queue.send('workflow-runs', [
      { body: { id: event?.id, type: 'payment.failed', org_id: shop.org_id } },
    ]);
    expect(await shop.executions()).toHaveLength(before);
    await shop.pay({}, 'decline_card_declined');
    expect((await shop.executions()).length).toBeGreaterThan(before);
  });
});

describe(`GET ${RULES}`, () => {
  it('lists the newest first, in pages', async () => {
    const own = await anOrganization(host);
    const { id: template_id } = await aTemplate(host, own);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1)
      ids.unshift((await aRule(host, own, { name: `No ${n}`, template_id, priority: n })).id);
    const first = await call('GET', '?limit=2', undefined, { key: own.key });
    expect(first.body.pagination).toEqual({ limit: 2, offset: 0, total: 3, next_cursor: expect.any(String) });
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await host.call('GET', next.slice(host.info.api.length), undefined, { key: own.key });
    expect([...first.body.rules, ...second.body.rules].map(({ id }: Body) => id)).toEqual(ids);
  });

  it.each(['limit=0', 'offset=x', 'cursor=x', 'event=payment.failed'])('answers 400 for ?%s', async (query) => {
    expect((await call('GET', `?${query}`)).body.code).toBe('invalid_request');
  });
});

describe(`PATCH ${RULES}/{id}`, () => {
  it('changes the fields that are sent, and no others', async () => {
    const made = await make({ condition: 'data.amount > 1' });
    const { status, body } = await call('PATCH', `/${made.id}`, { priority: 3, enabled: false });
    expect([status, body]).toEqual([200, { ...made, priority: 3, enabled: false, updated_at: expect.any(String) }]);
    expect((await call('PATCH', `/${made.id}`, { condition: null })).body).toEqual({
      ...body,
      condition: null,
      updated_at: expect.any(String),
    });
  });

  it('merges simultaneous changes', async () => {
    const { id } = await make();
    await Promise.all(
      [{ priority: 3 }, { enabled: false }, { name: 'New' }, { event: 'payment.succeeded' }].map((wish) =>
        call('PATCH', `/${id}`, wish),
      ),
    );
    expect((await call('GET', `/${id}`)).body).toMatchObject({
      priority: 3,
      enabled: false,
      name: 'New',
      event: 'payment.succeeded',
    });
  });

  it.each<[Body, string[]]>([
    [{ template_id: 'never' }, ['template_id']],
    [{ condition: 'data.', event: 'x', id: 'y' }, ['condition', 'event', 'id']],
    [{ condition: '"ask" in steps' }, ['condition']],
  ])('answers 400 for %j, and changes nothing', async (body, faults) => {
    const made = await make();
    expect(verdict(await call('PATCH', `/${made.id}`, body))).toEqual([400, 'invalid_request', faults]);
    expect((await call('GET', `/${made.id}`)).body).toEqual(made);
  });

  it('answers 400 for a change that closes a loop, and changes nothing', async () => {
    const shop = await aShop();
    await shop.save('payment.refunded', shop.cancels);
    const { body: rule } = await shop.save('payment.succeeded', shop.refunds);
    const answer = await call('PATCH', `/${rule.id}`, { event: 'payment.canceled' }, { key: shop.key });
    expect([answer.status, answer.body.code]).toEqual([400, 'workflow_loop']);
    expect((await call('GET', `/${rule.id}`, undefined, { key: shop.key })).body).toEqual(rule);
  });
});

describe(`DELETE ${RULES}/{id}`, () => {
  it('deletes it once, and answers 404 afterwards', async () => {
    const { id } = await make();
    expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } });
    for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const)
      expect((await call(method, `/${id}`, body)).body).toMatchObject({
        code: 'not_found',
        message: 'There is no such workflow rule.',
      });
  });
});

describe.each([
  ['POST', '', 'workflows:write'],
  ['GET', '', 'workflows:read'],
  ['GET', '/ID', 'workflows:read'],
  ['PATCH', '/ID', 'workflows:write'],
  ['DELETE', '/ID', 'workflows:write'],
])(`%s ${RULES}%s`, (method, rest, scope) => {
  it('requires its scope, and answers 404 for a rule of another organization', async () => {
    const made = await make();
    const path = rest.replace('ID', made.id);
    const bodies: Readonly<Record<string, object>> = {
      POST: { name: 'x', event: 'payment.failed', template_id: template },
      PATCH: { priority: 1 },
    };
    const body = bodies[method];
    expect((await call(method, path, body, { key: null })).status).toBe(401);
    const lacking = await keyWith(host, [scope === 'workflows:read' ? 'workflows:write' : 'workflows:read'], {
      key: org.key,
    });
    expect(await call(method, path, body, { key: lacking })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(scope) },
    });
    if (rest === '') return;
    for (const each of [path, '/wfr_01jqeh2s00e8x9v3k5t7w2m4np', '/nonsense'])
      expect((await call(method, each, body, { key: host.info.keys.service })).status).toBe(404);
    expect((await call('GET', `/${made.id}`)).body).toEqual(made);
  });
});
