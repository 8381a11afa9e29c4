import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LiveHost, startLiveHost } from '#test/http/live-host.support.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain, eventsOf, read } from '#test/support/payment-steps.ts';
import { relayGate } from '#test/support/relay-gate.ts';
import { answerWith, aWorkshop, requestsTo, stepsOf, type WishedStep, workshopOf } from '#test/support/workshop.ts';

let host: TestHost;
let live: LiveHost;
beforeAll(async () => {
  [host, live] = await Promise.all([startHost(), startLiveHost()]);
});
afterAll(() => Promise.all([host?.close(), live?.close()]));

const tag = (name: string): WishedStep => ({ type: 'tag_payment', metadata: { [name]: true } });
const LOOK: WishedStep = { type: 'condition', if: 'true' };

describe('a rule', () => {
  it.each<[string, Body, Body, boolean]>([
    ['without a condition', {}, {}, true],
    ['of an amount that is reached', { condition: 'data.amount >= 10000' }, { amount: 10_000 }, true],
    ['of an amount that is not', { condition: 'data.amount >= 10000' }, { amount: 9_999 }, false],
    ['of a share of an amount', { condition: 'data.amount / 100 == 50 && data.currency == "EUR"' }, {}, true],
    ['of metadata', { condition: 'data.metadata.tier == "gold"' }, { metadata: { tier: 'gold' } }, true],
    ['of other metadata', { condition: 'data.metadata.tier == "gold"' }, { metadata: { tier: 'iron' } }, false],
    ['of metadata that are missing', { condition: 'data.metadata.tier == "gold"' }, {}, false],
    [
      'that asks whether there are metadata',
      { condition: 'has(data.metadata.tier) && data.metadata.tier == "gold"' },
      {},
      false,
    ],
    ['that asks whether there are none', { condition: '!has(data.metadata.tier)' }, {}, true],
    ['of numbers in metadata', { condition: 'data.metadata.score > 7' }, { metadata: { score: 8 } }, true],
    ['of the event', { condition: 'event.type.endsWith(".succeeded") && data.status == "succeeded"' }, {}, true],
    ['that is off', { enabled: false }, {}, false],
  ])('%s: %j, %j', async (_, about, payment, runs) => {
    const shop = await aWorkshop(host);
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

  it('runs for its own event, and for no other', async () => {
    const shop = await aWorkshop(host);
    await shop.when('payment.failed', LOOK);
    await shop.pay();
    expect(await shop.executions()).toEqual([]);
    await shop.pay({}, 'decline_card_declined');
    expect((await shop.execution()).event.type).toBe('payment.failed');
  });

  it('runs beside the others of the same event, whatever their priorities', async () => {
    const shop = await aWorkshop(host);
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

  it('that is made after an event does not run for it, however often the event comes', async () => {
    const shop = await aWorkshop(host);
    const { id } = await shop.pay();
    const event = (await eventsOf(host, id, shop)).find(({ type }) => type === 'payment.succeeded');
    await advance(host, '1s');
    await shop.when('payment.succeeded', LOOK);
    await host.deps.queue.send('workflow-runs', [
      { body: { id: event.id, type: event.type, org_id: shop.org_id }, group: shop.org_id },
    ]);
    expect(await shop.executions()).toEqual([]);
  });

  it('runs once for an event that comes several times', async () => {
    const shop = await aWorkshop(host);
    await shop.when('payment.succeeded', LOOK);
    await shop.pay();
    const { id, event } = await shop.execution();
    const message = { body: { ...event, org_id: shop.org_id }, group: shop.org_id };
    await host.deps.queue.send('workflow-runs', [message, message, message]);
    expect(await shop.execution()).toMatchObject({ id, status: 'succeeded' });
  });

  it('that is deleted, or turned off, runs no more, and what it has begun goes on', async () => {
    const shop = await aWorkshop(host);
    const rule = await shop.when('payment.succeeded', { type: 'delay', for: '1h' }, tag('late'));
    const { id } = await shop.pay();
    expect(await shop.execution()).toMatchObject({ status: 'waiting' });
    expect((await shop.remove('rules', rule)).status).toBe(200);
    await shop.pay();
    await advance(host, '61m');
    expect(await shop.execution()).toMatchObject({ status: 'succeeded' });
    expect((await read(host, id, shop)).metadata).toEqual({ late: true });
  });

  it('of another organization sees nothing of it', async () => {
    const [shop, other] = [await aWorkshop(host), await aWorkshop(host)];
    await other.when('payment.succeeded', LOOK);
    const rule = await shop.when('payment.succeeded', LOOK);
    await shop.pay();
    const mine = await shop.execution();
    expect([mine.rule_id, await other.executions()]).toEqual([rule.id, []]);
    const templates = (await shop.ask('GET', '/v1/workflows/templates')).body.templates;
    const asked = await Promise.all([
      other.ask('GET', `/v1/workflows/executions/${mine.id}`),
      other.ask('POST', `/v1/workflows/executions/${mine.id}/cancel`),
      other.ask('POST', '/v1/workflows/executions', { template_id: templates[0].id, event_id: mine.event.id }),
      other.ask('POST', '/v1/workflows/executions', {
        template_id: (await other.template(LOOK)).id,
        event_id: mine.event.id,
      }),
    ]);
    expect(asked.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 4 }, () => [404, 'not_found']),
    );
    expect(await other.executions()).toEqual([]);
  });

  it('that sets off another one sets off what that leads to, and there it ends', async () => {
    const shop = await aWorkshop(host);
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
  it('whose workflow was deleted since leaves a word about it with the payment', async () => {
    const shop = await aWorkshop(host);
    const relay = relayGate(host);
    const template = await shop.template(LOOK);
    await shop.ask('POST', '/v1/connections', { id: 'main', workflow_id: template.id });
    relay.set('holds');
    const { status } = await shop.pay();
    await shop.ask('POST', '/v1/connections', { id: 'main', workflow_id: null });
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

  it('and a rule that call for the same template run it once each', async () => {
    const shop = await aWorkshop(host);
    const rule = await shop.when('payment.succeeded', LOOK);
    await shop.ask('POST', '/v1/connections', { id: 'main', workflow_id: rule.template_id });
    await shop.pay();
    const executions = await shop.executions();
    const causes = executions.map(
      ({ event, rule_id, connection_id }: Body) => `${event.type} ${rule_id ?? connection_id}`,
    );
    expect(causes.sort()).toEqual(
      ['payment.created main', 'payment.succeeded main', `payment.succeeded ${rule.id}`].sort(),
    );
  });

  it('of another organization, with the same id, runs nothing', async () => {
    const [shop, other] = [await aWorkshop(host), await aWorkshop(host)];
    const { id: workflow_id } = await shop.template(LOOK);
    await shop.ask('POST', '/v1/connections', { id: 'main', workflow_id });
    await other.pay();
    expect([await shop.executions(), await other.executions()]).toEqual([[], []]);
  });
});

describe('a plan that is used up', () => {
  const reset = () =>
    new Date(Date.UTC(live.clock.now().getUTCFullYear(), live.clock.now().getUTCMonth() + 1)).toISOString();

  it('answers a request with 402 and what the plan holds, and tells as much of what an event calls for', async () => {
    const shop = await aWorkshop(live, { plan: 'free' });
    const { id: template_id } = await shop.template(tag('seen'));
    await shop.make('rules', { name: 'A rule', event: 'payment.succeeded', template_id });
    await live.spend(shop.org_id, 'workflow_executions', 50);
    const before = await live.usage(shop.org_id);
    const { id } = await shop.pay();
    const [event] = await eventsOf(live, id, shop);
    const details = { metric: 'workflow_executions', used: '50', limit: '50', reset: reset() };
    const byHand = await shop.ask('POST', '/v1/workflows/executions', { template_id, event_id: event.id });
    expect([byHand.status, byHand.body]).toMatchObject([
      402,
      { error: 'payment_required', code: 'plan_limit_reached', details },
    ]);
    const refused = await shop.execution();
    const { error: _, ...problem } = byHand.body;
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
    expect((await shop.ask('POST', `/v1/workflows/executions/${refused.id}/cancel`)).body.code).toBe(
      'workflow_execution_over',
    );
  });

  it('lets so many run, of what one event calls for, as it has left: those of the highest priority', async () => {
    const shop = await aWorkshop(live, { plan: 'free' });
    const { id: template_id } = await shop.template(LOOK);
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

  it('leaves what was refused as it is when there is room again, and runs what comes then', async () => {
    const shop = await aWorkshop(live, { plan: 'free' });
    await shop.when('payment.succeeded', tag('seen'));
    await live.spend(shop.org_id, 'workflow_executions', 50);
    await shop.pay();
    const { event } = await shop.execution();
    await live.decide(shop.org_id, { plan: 'growth' });
    await live.deps.queue.send('workflow-runs', [{ body: { ...event, org_id: shop.org_id }, group: shop.org_id }]);
    await shop.pay();
    expect((await shop.executions()).map(({ status }: Body) => status)).toEqual(['refused', 'succeeded']);
  });

  it('is no hindrance to what has begun', async () => {
    const shop = await aWorkshop(live, { plan: 'free' });
    await shop.when('payment.succeeded', { type: 'delay', for: '2h' }, tag('late'));
    await shop.pay();
    await drain(live);
    await live.spend(shop.org_id, 'workflow_executions', 50);
    await advance(live, '121m');
    expect(stepsOf(await shop.execution())).toEqual({ delay: 'succeeded', tag_payment: 'succeeded' });
  });
});

describe('a message that comes late', () => {
  it('finds nothing to do for an execution that is over, waits, or was never there', async () => {
    const shop = workshopOf(host, await aWorkshop(host));
    const { id: integration_id } = await shop.http(shop.org_id);
    await answerWith(host, shop.org_id, 500, 200);
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
