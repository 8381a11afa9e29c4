import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describePoint, runScheduledWork } from '#test/faults/crash-sweep.support.ts';
import { type LiveHost, startLiveHost } from '#test/http/live-host.support.ts';
import { changeSubscription, moveSubscription, subscribe, subscriptionOf } from '#test/support/billing.ts';
import { type Body, callsOf, startHost, type TestHost } from '#test/support/host.ts';
import { drain, eventsOf, read } from '#test/support/payment-steps.ts';
import { aWorkflowShop, type WorkflowShop } from '#test/support/workflow-shop.ts';

const GROUP = 'workflow-runs';

let host: TestHost;
let live: LiveHost;
beforeAll(async () => {
  [host, live] = await Promise.all([startHost(), startLiveHost()]);
});
afterAll(() => Promise.all([host?.close(), live?.close()]));

const tableCallsOf = async (at: TestHost, work: () => Promise<unknown>) =>
  (await callsOf(at, work, GROUP)).filter(({ point }) => point === 'table');

/** Starts a template for an event. */
async function start(shop: WorkflowShop, template_id: string, event: Body): Promise<Body> {
  const execution = await shop.make('executions', { template_id, event_id: event.id });
  await drain(host);
  return execution;
}

/**
 * The same for another event, but the worker crashes after the action and before the record of it; a run for a
 * similar payment shows at which call that is.
 */
async function startDying(shop: WorkflowShop, template_id: string, likeIt: Body, event: Body): Promise<Body> {
  const calls = await tableCallsOf(host, () => start(shop, template_id, likeIt));
  const nth = calls.findLastIndex(({ method }) => method === 'put') + 1;
  await host.control('POST', '/faults', { point: 'table', nth, kind: 'crash', when: 'before', handler: GROUP });
  const execution = await start(shop, template_id, event);
  expect([host.faults.waiting, (await executionOf(shop, execution)).steps]).toMatchObject([
    [],
    [{ status: 'running', tries: 1, ended_at: null }],
  ]);
  return execution;
}

const executionOf = async (shop: WorkflowShop, { id }: Body): Promise<Body> =>
  (await shop.request('GET', `/v1/workflows/executions/${id}`)).body;

describe('a step that runs again because its result was not recorded', () => {
  it.each([
    ['does not restore a tag that was changed since', {}],
    ['does not restore a tag that was changed since, when the tag was already there', { stage: 'new' }],
  ])('%s', async (_, metadata) => {
    const shop = await aWorkflowShop(host);
    const aTag = async (stage: string): Promise<string> =>
      (await shop.template({ type: 'tag_payment', metadata: { stage } })).id;
    const [first, second] = [await aTag('new'), await aTag('done')];
    const eventOf = async ({ id }: Body) =>
      (await eventsOf(host, id, shop)).find(({ type }) => type === 'payment.succeeded');
    const [likeIt, payment] = [await shop.pay({ metadata }), await shop.pay({ metadata })];
    const event = await eventOf(payment);
    const died = await startDying(shop, first, await eventOf(likeIt), event);
    expect((await read(host, payment.id, shop)).metadata).toEqual({ stage: 'new' });
    await start(shop, second, event);
    await runScheduledWork(host);
    expect(await executionOf(shop, died)).toMatchObject({ status: 'succeeded', steps: [{ status: 'succeeded' }] });
    const after = await read(host, payment.id, shop);
    expect([after.metadata, JSON.stringify(after).includes('last_acts')]).toEqual([{ stage: 'done' }, false]);
  });

  it.each([
    ['paused', 0],
    ['active', 0],
    ['active', 9],
  ] as const)(
    'does not pause a subscription that was resumed since, which was %s before and changed %i times in between',
    async (status, others) => {
      const shop = await aWorkflowShop(host);
      const { id: template_id } = await shop.template({ type: 'pause_subscription' });
      const make = async () => {
        const subscription = await subscribe(host, {}, shop);
        const { events } = (await shop.request('GET', '/v1/webhooks/events?type=subscription.created')).body;
        if (status === 'paused') await changeSubscription(host, subscription, { status }, shop);
        await drain(host);
        return { subscription, event: events.find(({ data }: Body) => data.id === subscription.id) };
      };
      const [likeIt, { subscription, event }] = [await make(), await make()];
      const died = await startDying(shop, template_id, likeIt.event, event);
      expect((await subscriptionOf(host, subscription, shop)).status).toBe('paused');
      await moveSubscription(host, subscription, 'resume', undefined, shop);
      for (let n = 1; n <= others; n += 1) await changeSubscription(host, subscription, { amount: 2_000 + n }, shop);
      await runScheduledWork(host);
      expect(await executionOf(shop, died)).toMatchObject({ status: 'succeeded', steps: [{ status: 'succeeded' }] });
      expect((await subscriptionOf(host, subscription, shop)).status).toBe('active');
    },
  );
});

describe('a worker that crashes while it starts the executions of an event', () => {
  it('runs those that the plan allowed when the event came, and no others', async () => {
    const PRIORITIES = [50, 40, 30, 20, 10, 0];
    const make = async () => {
      const shop = await aWorkflowShop(live, { plan: 'free' });
      const { id: template_id } = await shop.template({ type: 'condition', if: 'true' });
      const ids = new Map<string, number>();
      for (const priority of PRIORITIES)
        ids.set(
          (await shop.make('rules', { name: 'A rule', event: 'payment.succeeded', template_id, priority })).id,
          priority,
        );
      await live.spend(shop.org_id, 'workflow_executions', 47);
      await drain(live);
      return { shop, ids };
    };
    const probe = await make();
    const calls = await tableCallsOf(live, () => probe.shop.pay().then(() => drain(live)));
    let died = 0;
    for (const [n, { method }] of calls.entries()) {
      const { shop, ids } = await make();
      await live.control('POST', '/faults', {
        point: 'table',
        nth: n + 1,
        kind: 'crash',
        when: 'after',
        handler: GROUP,
      });
      await shop.pay();
      await drain(live);
      if (live.faults.waiting.length === 0) died += 1;
      await runScheduledWork(live);
      const began = (await shop.executions()).map(({ rule_id, status }: Body) => `${ids.get(rule_id)} ${status}`);
      const where = describePoint({ point: 'table', nth: n + 1, when: 'after', method });
      const expected = PRIORITIES.map((priority) => `${priority} ${priority >= 30 ? 'succeeded' : 'refused'}`);
      expect(began.toSorted(), where).toEqual(expected.toSorted());
      expect(Object.values(await live.usage(shop.org_id)).toSorted(), where).toEqual([1, 50]);
    }
    // The winner of a race makes one call more.
    expect([calls.length > 20, died > calls.length - 3]).toEqual([true, true]);
  }, 240_000);
});
