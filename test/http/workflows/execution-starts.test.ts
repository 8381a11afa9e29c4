import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LiveHost, startLiveHost } from '#test/http/live-host.support.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain, eventsOf, read } from '#test/support/payment-steps.ts';
import { relayGate } from '#test/support/relay-gate.ts';
import {
  aWorkflowShop,
  requestsTo,
  respondWith,
  type StepInput,
  stepsOf,
  workflowShopOf,
} from '#test/support/workflow-shop.ts';

let host: TestHost;
let live: LiveHost;
beforeAll(async () => {
  [host, live] = await Promise.all([startHost(), startLiveHost()]);
});
afterAll(() => Promise.all([host?.close(), live?.close()]));

const tag = (name: string): StepInput => ({ type: 'tag_payment', metadata: { [name]: true } });
const ANY_EVENT: StepInput = { type: 'condition', if: 'true' };

describe('a rule', () => {
  it.each<[string, Body, Body, boolean]>([
    ['a rule without a condition runs for every event of its type', {}, {}, true],
    [
      'a rule runs when the amount reaches the one in its condition',
      { condition: 'data.amount >= 10000' },
      { amount: 10_000 },
      true,
    ],
    [
      'a rule does not run when the amount is below the one in its condition',
      { condition: 'data.amount >= 10000' },
      { amount: 9_999 },
      false,
    ],
    [
      'a condition can divide an amount and compare the currency',
      { condition: 'data.amount / 100 == 50 && data.currency == "EUR"' },
      {},
      true,
    ],
    [
      'a rule runs when the metadata match its condition',
      { condition: 'data.metadata.tier == "gold"' },
      { metadata: { tier: 'gold' } },
      true,
    ],
    [
      'a rule does not run when the metadata differ from its condition',
      { condition: 'data.metadata.tier == "gold"' },
      { metadata: { tier: 'iron' } },
      false,
    ],
    [
      'a rule does not run when the metadata that its condition compares are missing',
      { condition: 'data.metadata.tier == "gold"' },
      {},
      false,
    ],
    [
      'has() in a condition is false for missing metadata',
      { condition: 'has(data.metadata.tier) && data.metadata.tier == "gold"' },
      {},
      false,
    ],
    ['!has() in a condition is true for missing metadata', { condition: '!has(data.metadata.tier)' }, {}, true],
    [
      'a condition can compare numbers in metadata',
      { condition: 'data.metadata.score > 7' },
      { metadata: { score: 8 } },
      true,
    ],
    [
      'a condition can read the type of the event and the status of the payment',
      { condition: 'event.type.endsWith(".succeeded") && data.status == "succeeded"' },
      {},
      true,
    ],
    ['a disabled rule does not run', { enabled: false }, {}, false],
  ])('%s: %j, %j', async (_, about, payment, runs) => {
    const shop = await aWorkflowShop(host);
    const { id: template_id } = await shop.template(tag('seen'));
    const rule = await shop.make('rules', { name: 'A rule', event: 'payment.succeeded', template_id, ...about });
    const { id } = await shop.pay(payment);
    const executions = await shop.executions();
    expect(
      executions.map(({ rule_id, template_id: template, connection_id, status }: Body) => [
        rule_id,
        template,
        connection_id,
        status,
      ]),
    ).toEqual(runs ? [[rule.id, template_id, null, 'succeeded']] : []);
    expect((await read(host, id, shop)).metadata.seen).toBe(runs || undefined);
  });

  it('runs for events of its own type only', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.failed', ANY_EVENT);
    await shop.pay();
    expect(await shop.executions()).toEqual([]);
    await shop.pay({}, 'decline_card_declined');
    expect((await shop.execution()).event.type).toBe('payment.failed');
  });

  it('runs together with the other rules of the same event, whatever their priorities', async () => {
    const shop = await aWorkflowShop(host);
    const { id: integration_id } = await shop.http(shop.org_id);
    const priorities = [0, 30, -10, 20];
    for (const priority of priorities) {
      const { id: template_id } = await shop.template({ type: 'http_request', integration_id, body: { priority } });
      await shop.make('rules', { name: 'A rule', event: 'payment.succeeded', template_id, priority });
    }
    await shop.pay();
    expect((await shop.executions()).map(({ status }: Body) => status)).toEqual(priorities.map(() => 'succeeded'));
    expect((await requestsTo(host, shop.org_id)).map(({ body }) => body.priority).toSorted()).toEqual(
      priorities.toSorted(),
    );
  });

  it('does not run for an event that is older than the rule, even when the event is delivered again', async () => {
    const shop = await aWorkflowShop(host);
    const { id } = await shop.pay();
    const event = (await eventsOf(host, id, shop)).find(({ type }) => type === 'payment.succeeded');
    await advance(host, '1s');
    await shop.when('payment.succeeded', ANY_EVENT);
    await host.deps.queue.send('workflow-runs', [
      { body: { id: event.id, type: event.type, org_id: shop.org_id }, group: shop.org_id },
    ]);
    expect(await shop.executions()).toEqual([]);
  });

  it('runs once for an event that is delivered several times', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.succeeded', ANY_EVENT);
    await shop.pay();
    const { id, event } = await shop.execution();
    const message = { body: { ...event, org_id: shop.org_id }, group: shop.org_id };
    await host.deps.queue.send('workflow-runs', [message, message, message]);
    expect(await shop.execution()).toMatchObject({ id, status: 'succeeded' });
  });

  it('starts no execution once it is deleted or disabled, while running executions continue', async () => {
    const shop = await aWorkflowShop(host);
    const rule = await shop.when('payment.succeeded', { type: 'delay', for: '1h' }, tag('late'));
    const { id } = await shop.pay();
    expect(await shop.execution()).toMatchObject({ status: 'waiting' });
    expect((await shop.remove('rules', rule)).status).toBe(200);
    await shop.pay();
    await advance(host, '61m');
    expect(await shop.execution()).toMatchObject({ status: 'succeeded' });
    expect((await read(host, id, shop)).metadata).toEqual({ late: true });
  });

  it('does not run for events of another organization, which cannot see its executions either', async () => {
    const [shop, other] = [await aWorkflowShop(host), await aWorkflowShop(host)];
    await other.when('payment.succeeded', ANY_EVENT);
    const rule = await shop.when('payment.succeeded', ANY_EVENT);
    await shop.pay();
    const mine = await shop.execution();
    expect([mine.rule_id, await other.executions()]).toEqual([rule.id, []]);
    const templates = (await shop.request('GET', '/v1/workflows/templates')).body.templates;
    const asked = await Promise.all([
      other.request('GET', `/v1/workflows/executions/${mine.id}`),
      other.request('POST', `/v1/workflows/executions/${mine.id}/cancel`),
      other.request('POST', '/v1/workflows/executions', { template_id: templates[0].id, event_id: mine.event.id }),
      other.request('POST', '/v1/workflows/executions', {
        template_id: (await other.template(ANY_EVENT)).id,
        event_id: mine.event.id,
      }),
    ]);
    expect(asked.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 4 }, () => [404, 'not_found']),
    );
    expect(await other.executions()).toEqual([]);
  });

  it('starts the rules of the events that its own steps cause, and the chain ends there', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.succeeded', { type: 'refund_payment' });
    await shop.when('payment.refunded', tag('refunded'));
    const { id } = await shop.pay();
    const executions = await shop.executions();
    expect(executions.map(({ event, status }: Body) => [event.type, status])).toEqual([
      ['payment.succeeded', 'succeeded'],
      ['payment.refunded', 'succeeded'],
    ]);
    expect((await read(host, id, shop)).metadata).toEqual({ refunded: true });
  });
});

describe('a connection', () => {
  it('records a refused execution when its workflow was deleted in the meantime', async () => {
    const shop = await aWorkflowShop(host);
    const relay = relayGate(host);
    const template = await shop.template(ANY_EVENT);
    await shop.request('POST', '/v1/connections', { id: 'main', workflow_id: template.id });
    relay.set('holds');
    const { status } = await shop.pay();
    await shop.request('POST', '/v1/connections', { id: 'main', workflow_id: null });
    expect((await shop.remove('templates', template)).status).toBe(200);
    relay.set('works');
    const executions = await shop.executions();
    expect([status, executions.length]).toEqual(['succeeded', 2]);
    for (const execution of executions)
      expect(execution).toMatchObject({
        status: 'refused',
        connection_id: 'main',
        template_id: template.id,
        steps: [],
        error: { code: 'not_found', message: expect.stringContaining(template.id) },
      });
  });

  it('runs a template once for itself and once for a rule that names the same template', async () => {
    const shop = await aWorkflowShop(host);
    const rule = await shop.when('payment.succeeded', ANY_EVENT);
    await shop.request('POST', '/v1/connections', { id: 'main', workflow_id: rule.template_id });
    await shop.pay();
    const executions = await shop.executions();
    const causes = executions.map(
      ({ event, rule_id, connection_id }: Body) => `${event.type} ${rule_id ?? connection_id}`,
    );
    expect(causes.sort()).toEqual(
      ['payment.created main', 'payment.succeeded main', `payment.succeeded ${rule.id}`].sort(),
    );
  });

  it('runs nothing for a connection with the same id in another organization', async () => {
    const [shop, other] = [await aWorkflowShop(host), await aWorkflowShop(host)];
    const { id: workflow_id } = await shop.template(ANY_EVENT);
    await shop.request('POST', '/v1/connections', { id: 'main', workflow_id });
    await other.pay();
    expect([await shop.executions(), await other.executions()]).toEqual([[], []]);
  });
});

describe('a plan whose executions are used up', () => {
  const reset = () =>
    new Date(Date.UTC(live.clock.now().getUTCFullYear(), live.clock.now().getUTCMonth() + 1)).toISOString();

  it('answers a manual start with 402 and the usage, and records the same problem for an event', async () => {
    const shop = await aWorkflowShop(live, { plan: 'free' });
    const { id: template_id } = await shop.template(tag('seen'));
    await shop.make('rules', { name: 'A rule', event: 'payment.succeeded', template_id });
    await live.spend(shop.org_id, 'workflow_executions', 50);
    const before = await live.usage(shop.org_id);
    const { id } = await shop.pay();
    const [event] = await eventsOf(live, id, shop);
    const details = { metric: 'workflow_executions', used: '50', limit: '50', reset: reset() };
    const byHand = await shop.request('POST', '/v1/workflows/executions', { template_id, event_id: event.id });
    expect([byHand.status, byHand.body]).toMatchObject([
      402,
      { error: 'payment_required', code: 'plan_limit_reached', details },
    ]);
    const refused = await shop.execution();
    const { error: _, doc_url: __, ...problem } = byHand.body;
    expect(refused).toMatchObject({
      status: 'refused',
      steps: [],
      started_at: null,
      next_step_at: null,
      error: problem,
    });
    expect((await read(live, id, shop)).metadata).toEqual({});
    const payments = Object.fromEntries(
      Object.entries(before).map(([name]) => [name.replace('workflow_executions', 'payments'), 1]),
    );
    expect(await live.usage(shop.org_id)).toEqual({ ...payments, ...before });
    expect((await shop.request('POST', `/v1/workflows/executions/${refused.id}/cancel`)).body.code).toBe(
      'workflow_execution_over',
    );
  });

  it('lets the rules of the highest priority run when too few executions are left for all rules of an event', async () => {
    const shop = await aWorkflowShop(live, { plan: 'free' });
    const { id: template_id } = await shop.template(ANY_EVENT);
    const priorityOf = new Map<string, number>();
    for (const priority of [0, 30, -10, 20, 10]) {
      const rule = await shop.make('rules', { name: 'A rule', event: 'payment.succeeded', template_id, priority });
      priorityOf.set(rule.id, priority);
    }
    await live.spend(shop.org_id, 'workflow_executions', 48);
    await shop.pay();
    const seen = async () => {
      const executions = await shop.executions();
      return executions
        .map((each) => [priorityOf.get(each.rule_id), each.status, each.error?.details])
        .toSorted(([a], [b]) => Number(b) - Number(a));
    };
    const details = { metric: 'workflow_executions', used: '50', limit: '50', reset: reset() };
    const expected = [30, 20, 10, 0, -10].map((priority) =>
      priority >= 20 ? [priority, 'succeeded', undefined] : [priority, 'refused', details],
    );
    expect(await seen()).toEqual(expected);
    expect(Object.values(await live.usage(shop.org_id)).toSorted()).toEqual([1, 50]);

    const [{ event }] = (await shop.executions()) as [Body];
    await live.deps.queue.send('workflow-runs', [{ body: { ...event, org_id: shop.org_id }, group: shop.org_id }]);
    expect(await seen()).toEqual(expected);
  });

  it('leaves refused executions refused after an upgrade, and runs those of later events', async () => {
    const shop = await aWorkflowShop(live, { plan: 'free' });
    await shop.when('payment.succeeded', tag('seen'));
    await live.spend(shop.org_id, 'workflow_executions', 50);
    await shop.pay();
    const { event } = await shop.execution();
    await live.decide(shop.org_id, { plan: 'growth' });
    await live.deps.queue.send('workflow-runs', [{ body: { ...event, org_id: shop.org_id }, group: shop.org_id }]);
    await shop.pay();
    expect((await shop.executions()).map(({ status }: Body) => status)).toEqual(['refused', 'succeeded']);
  });

  it('does not stop an execution that has started', async () => {
    const shop = await aWorkflowShop(live, { plan: 'free' });
    await shop.when('payment.succeeded', { type: 'delay', for: '2h' }, tag('late'));
    await shop.pay();
    await drain(live);
    await live.spend(shop.org_id, 'workflow_executions', 50);
    await advance(live, '121m');
    expect(stepsOf(await shop.execution())).toEqual({ delay: 'succeeded', tag_payment: 'succeeded' });
  });
});

describe('a message that arrives late', () => {
  it('does nothing for an execution that is over, waiting or unknown', async () => {
    const shop = workflowShopOf(host, await aWorkflowShop(host));
    const { id: integration_id } = await shop.http(shop.org_id);
    await respondWith(host, shop.org_id, 500, 200);
    await shop.when('payment.succeeded', { type: 'http_request', integration_id });
    await shop.pay();
    const { id } = await shop.execution();
    const send = (of: string) =>
      host.deps.queue.send('workflow-runs', [{ body: { kind: 'execution', id: of }, group: shop.org_id }]);
    await send(id);
    await send('wfx_01jqeh2s00e8x9v3k5t7w2m4np');
    await send('nonsense');
    expect([(await shop.execution()).status, (await requestsTo(host, shop.org_id)).length]).toEqual(['waiting', 1]);
    await advance(host, '5s');
    await send(id);
    expect([(await shop.execution()).status, (await requestsTo(host, shop.org_id)).length]).toEqual(['succeeded', 2]);
    expect(await host.queue.deadLetters('workflow-runs')).toEqual([]);
  });
});
