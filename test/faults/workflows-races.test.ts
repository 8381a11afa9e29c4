import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import { runScheduledWork } from '#test/faults/crash-sweep.support.ts';
import { type Stop, Turns } from '#test/faults/renewals-turns.support.ts';
import { type Body, callsOf, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain, eventsOf, read } from '#test/support/payment-steps.ts';
import { aWorkflowShop, requestsTo, setRuleEnabled, type WorkflowShop } from '#test/support/workflow-shop.ts';

const GROUP = 'workflow-runs';
const turns = new Turns();
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ wrapTable: turns.through });
  turns.follow(host);
});
afterAll(() => host?.close());

/**
 * A shop with a template of a tag, a request and another tag, to be started manually for one payment after the other.
 */
async function aRunner() {
  const shop = await aWorkflowShop(host);
  const { id: integration_id } = await shop.http(shop.org_id);
  const { id: template_id } = await shop.template(
    { id: 'first', type: 'tag_payment', metadata: { first: true } },
    { id: 'call', type: 'http_request', integration_id },
    { id: 'last', type: 'tag_payment', metadata: { last: true } },
  );
  const make = async () => {
    const payment = await shop.pay();
    const event = (await eventsOf(host, payment.id, shop)).find(({ type }) => type === 'payment.succeeded');
    return { payment, event, start: (): Promise<Body> => shop.make('executions', { template_id, event_id: event.id }) };
  };
  return { shop, make };
}

const executionOf = async (shop: WorkflowShop, id: string): Promise<Body> =>
  (await shop.request('GET', `/v1/workflows/executions/${id}`)).body;

/** The effects of these steps exist once each, and no others. */
async function verify(shop: WorkflowShop, execution: Body, paymentId: string, where: string): Promise<void> {
  const done = execution.steps.filter(({ status }: Body) => status === 'succeeded').map(({ id }: Body) => id);
  const { metadata } = await read(host, paymentId, shop);
  const called = (await requestsTo(host, shop.org_id)).filter(
    ({ headers }) => headers['webhook-id'] === `${execution.id}_call`,
  );
  expect([execution.steps.length, Object.keys(metadata).sort(), called.length], where).toEqual([
    done.length,
    ['first', 'last'].filter((id) => done.includes(id)),
    done.includes('call') ? 1 : 0,
  ]);
}

describe('a cancel while a worker is at', () => {
  it('any of its table calls lets it finish the current step, and start no other', async () => {
    const { shop, make } = await aRunner();
    const probe = await make();
    const calls = (await callsOf(host, () => probe.start().then(() => drain(host)), GROUP)).filter(
      ({ point }) => point === 'table',
    );
    const ends = new Map<string, number>();
    for (const [n, { method }] of calls.entries())
      for (const when of ['before', 'after'] as const) {
        const { payment, start } = await make();
        const started = Promise.withResolvers<Body>();
        const stop: Stop = { group: GROUP, nth: n + 1, when };
        const run = async () => {
          started.resolve(await start());
          await drain(host);
        };
        const cancel = async () =>
          shop.request('POST', `/v1/workflows/executions/${(await started.promise).id}/cancel`);
        const [, { status, body }] = await turns.take({ stop, run }, { run: cancel });
        await drain(host);
        const where = `${when} call ${n + 1} (${method})`;
        const execution = await executionOf(shop, (await started.promise).id);
        expect([status, body.code ?? body.status, execution.status], where).toEqual(
          execution.status === 'canceled'
            ? [200, 'canceled', 'canceled']
            : [409, 'workflow_execution_over', 'succeeded'],
        );
        await verify(shop, execution, payment.id, where);
        const end = `${execution.status} after ${execution.steps.length}`;
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }
    // A cancel arrives before the first step, and after each of them.
    expect([...ends.keys()].sort()).toEqual([
      'canceled after 0',
      'canceled after 1',
      'canceled after 2',
      'canceled after 3',
      'succeeded after 3',
    ]);
    const before = (await requestsTo(host, shop.org_id)).length;
    await runScheduledWork(host);
    expect((await requestsTo(host, shop.org_id)).length).toBe(before);
    expect(await host.queue.deadLetters(GROUP)).toEqual([]);
  }, 120_000);
});

describe('a message that is delivered again', () => {
  /** Until only the blocked worker is running. */
  const restOfIt = async () => {
    while (host.queue.countInFlight() > 1 || (await host.queue.countReady(host.clock.now())) > 0) await pause(5);
  };

  it('while a worker is at any of its calls does not interfere with it', async () => {
    const { shop, make } = await aRunner();
    const probe = await make();
    const calls = (await callsOf(host, () => probe.start().then(() => drain(host)), GROUP)).filter(
      ({ point }) => point === 'table',
    );
    for (const [n, { method }] of calls.entries()) {
      const { payment, start } = await make();
      const started = Promise.withResolvers<Body>();
      const run = async () => {
        started.resolve(await start());
        await drain(host);
      };
      const comeAgain = async () => {
        await host.deps.queue.send(GROUP, [
          { body: { kind: 'execution', id: (await started.promise).id }, group: shop.org_id },
        ]);
        await restOfIt();
      };
      await turns.take({ stop: { group: GROUP, nth: n + 1, when: 'after' }, run }, { run: comeAgain });
      await drain(host);
      const execution = await executionOf(shop, (await started.promise).id);
      const where = `after call ${n + 1} (${method})`;
      expect([execution.status, execution.steps.map(({ tries }: Body) => tries)], where).toEqual([
        'succeeded',
        [1, 1, 1],
      ]);
      await verify(shop, execution, payment.id, where);
    }
    expect(calls.length).toBeGreaterThan(8);
  });
});

describe('one message delivered three times at once', () => {
  const three = async (body: Readonly<Record<string, unknown>>, group: string) => {
    await host.deps.queue.send(
      GROUP,
      Array.from({ length: 3 }, () => ({ body, group })),
    );
    await drain(host);
  };

  it('of an event starts one execution, whose steps run once', async () => {
    const { shop } = await aRunner();
    const { templates } = (await shop.request('GET', '/v1/workflows/templates')).body;
    const rule = await shop.make('rules', { name: 'A rule', event: 'payment.succeeded', template_id: templates[0].id });
    await setRuleEnabled(host, shop, rule, false);
    const made: Body[] = [];
    for (let n = 0; n < 10; n += 1) made.push(await shop.pay());
    await drain(host);
    await setRuleEnabled(host, shop, rule, true);
    for (const { id } of made) {
      const event = (await eventsOf(host, id, shop)).find(({ type }) => type === 'payment.succeeded');
      await three({ id: event.id, type: event.type, org_id: shop.org_id }, shop.org_id);
      const execution = (await shop.executions()).find((each) => each.event.id === event.id);
      expect(execution.status).toBe('succeeded');
      await verify(shop, execution, id, id);
    }
    expect(await shop.executions()).toHaveLength(made.length);
  });

  it('of a due execution is processed by one worker', async () => {
    const { shop } = await aRunner();
    const { id: integration_id } = await shop.http(`late-${shop.org_id}`);
    await shop.when(
      'payment.succeeded',
      { type: 'delay', for: '2h' },
      { type: 'http_request', integration_id },
      { type: 'refund_payment', amount: 7 },
    );
    const made: Body[] = [];
    for (let n = 0; n < 10; n += 1) made.push(await shop.pay());
    const waiting = await shop.executions();
    // The sweep also sends a message for each of them.
    await advance(host, '119m');
    await host.clock.stand(new Date(Math.max(...waiting.map(({ next_step_at }) => Date.parse(next_step_at)))));
    await host.clock.run();
    for (const { id } of waiting) await three({ kind: 'execution', id }, shop.org_id);
    await runScheduledWork(host);
    const done = await shop.executions();
    expect(done.map(({ status, steps }) => [status, ...steps.map(({ tries }: Body) => tries)])).toEqual(
      made.map(() => ['succeeded', 1, 1, 1]),
    );
    expect((await requestsTo(host, `late-${shop.org_id}`)).length).toBe(made.length);
    for (const { id } of made) expect((await read(host, id, shop)).amount_refunded).toBe(7);
  });
});

describe('a template that is deleted while a connection starts to use it', () => {
  type Ask = { readonly group: string; readonly send: () => ReturnType<WorkflowShop['request']> };

  /** A template and a connection, existing or new, and the two requests. */
  async function aPair(isNew: boolean) {
    const shop = await aWorkflowShop(host);
    const template = await shop.template({ id: 'look', type: 'condition', if: 'true' });
    const credentials = randomCredentials('stripe', 'sandbox');
    const body = isNew ? { id: 'new', provider: 'stripe', credentials } : { id: 'main' };
    const drop: Ask = { group: 'workflows', send: () => shop.remove('templates', template) };
    const save: Ask = {
      group: 'connections',
      send: () => shop.request('POST', '/v1/connections', { ...body, workflow_id: template.id }),
    };
    const named = async () => (await shop.request('GET', `/v1/connections/${body.id}`)).body.workflow_id ?? null;
    return { drop, save, named, template, shop };
  }

  it.each([
    ['the deletion', 'of an old one', false],
    ['the deletion', 'of a new one', true],
    ['the connection', 'of an old one', false],
  ])('is kept, or used by no connection, whichever call of %s is blocked: %s', async (held, _, isNew) => {
    const order = ({ drop, save }: Awaited<ReturnType<typeof aPair>>): readonly [Ask, Ask] =>
      held === 'the deletion' ? [drop, save] : [save, drop];
    const [probe] = order(await aPair(isNew));
    const calls = (await callsOf(host, probe.send, probe.group)).filter(({ point }) => point === 'table');
    const ends = new Set<string>();
    for (const [n, { method }] of calls.entries()) {
      const pair = await aPair(isNew);
      const [first, second] = order(pair);
      const answers = await turns.take(
        { stop: { group: first.group, nth: n + 1, when: 'after' }, run: first.send },
        { run: second.send },
      );
      const [dropped, saved] = held === 'the deletion' ? answers : answers.toReversed();
      const end = [dropped?.status, saved?.status, (await pair.named()) === pair.template.id].join();
      expect(['200,400,false', '409,201,true'], `after call ${n + 1} (${method})`).toContain(end);
      ends.add(end);
    }
    expect([calls.length > 4, ends.size]).toEqual([true, 2]);
  });
});
