import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aGate } from '#test/http/subscriptions/renewals.support.ts';
import {
  billingEventTypes,
  changeSubscription,
  endSubscriptions,
  goTo,
  invoicesOf,
  moveSubscription,
  paymentsOf,
  stopUntil,
  subscribe,
  subscriptionOf,
} from '#test/support/billing.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, arrange, begin, drain, moneyOf } from '#test/support/payment-steps.ts';
import { type FunctionGate, functionGate } from '#test/support/relay-gate.ts';

/** Changes of a subscription before its period ends, while the next one is charged, and in between. */
const gate = aGate();
let host: TestHost;
let worker: FunctionGate;
beforeAll(async () => {
  host = await startHost({ wrapTable: gate.through });
  worker = functionGate(host, 'renewals');
});
afterEach(async () => {
  await host.control('DELETE', '/psp/scenario');
  await endSubscriptions(host);
});
afterAll(() => host?.close());

const pause = (subscription: Body): Promise<ApiResponse> =>
  changeSubscription(host, subscription, { status: 'paused' });
const send = (subscription: Body, move: string, body?: Body): Promise<ApiResponse> =>
  host.call('POST', `/v1/subscriptions/${subscription.id}/${move}`, body);
const statusesOf = async (subscription: Body): Promise<string[]> =>
  (await invoicesOf(host, subscription)).map(({ status }) => status);
const providerCalls = async (): Promise<number> => (await host.control('GET', '/psp/calls')).body.calls.length;

/** The period is due, the sweep has found it, and the worker has not read anything yet. */
async function dueWithoutWorker({ next_renewal_at }: Body): Promise<void> {
  const arrival = worker.shut();
  await host.clock.stand(new Date(next_renewal_at));
  await arrival;
  expect(host.queue.countInFlight()).toBeGreaterThan(0);
}

/** The period is due, and a worker has read the subscription and is about to store the start of the period. */
async function dueWithWorkerAtWrite({ next_renewal_at }: Body): Promise<void> {
  const arrival = gate.shut();
  await host.clock.stand(new Date(next_renewal_at));
  await arrival;
}

/** Releases the worker, and lets time pass. */
async function goOn(): Promise<void> {
  worker.open();
  gate.open();
  await host.clock.run();
  await advance(host, '3m');
}

describe.each([
  ['while the message waits', dueWithoutWorker],
  ['while a worker is about to charge', dueWithWorkerAtWrite],
])('between the due time and the charge, %s', (_, due) => {
  it.each<readonly [string, (subscription: Body) => Promise<ApiResponse>, Body, readonly string[]]>([
    ['a pause', pause, { status: 'paused', next_renewal_at: null }, ['subscription.paused', 'subscription.updated']],
    [
      'a cancel',
      (s) => send(s, 'cancel'),
      { status: 'canceled', next_renewal_at: null, canceled_at: expect.any(String) },
      ['subscription.canceled'],
    ],
  ])('%s keeps the next period from being charged', async (__, act, expected, types) => {
    const subscription = await subscribe(host);
    const before = [await providerCalls(), (await billingEventTypes(host, subscription)).length] as const;
    await due(subscription);
    expect((await act(subscription)).status).toBe(200);
    await goOn();
    expect(await subscriptionOf(host, subscription)).toMatchObject(expected);
    await advance(host, '70d');
    expect([
      await statusesOf(subscription),
      (await paymentsOf(host, subscription)).length,
      await providerCalls(),
    ]).toEqual([['paid'], 1, before[0]]);
    expect((await billingEventTypes(host, subscription)).slice(before[1]).toSorted()).toEqual(types);
  });

  it('charges it once if nothing changes', async () => {
    const subscription = await subscribe(host);
    await due(subscription);
    expect(await statusesOf(subscription)).toEqual(['paid']);
    await goOn();
    expect(await statusesOf(subscription)).toEqual(['paid', 'paid']);
    for (const { id } of await paymentsOf(host, subscription))
      expect(await moneyOf(host, id)).toMatchObject({ refunded: 0, count: 1 });
  });

  it('applies a changed amount from the next period on', async () => {
    const subscription = await subscribe(host);
    await due(subscription);
    await changeSubscription(host, subscription, { amount: 990 });
    await goOn();
    await advance(host, '32d');
    expect((await invoicesOf(host, subscription)).map(({ amount, status }) => [amount, status])).toEqual([
      [1_990, 'paid'],
      [1_990, 'paid'],
      [990, 'paid'],
    ]);
  });

  it('applies a scheduled cancel to the started period, which is charged as the last one', async () => {
    const subscription = await subscribe(host);
    await due(subscription);
    const { body } = await send(subscription, 'cancel', { at_period_end: true });
    expect([body.status, body.next_renewal_at > subscription.next_renewal_at]).toEqual(['active', true]);
    await goOn();
    expect([await statusesOf(subscription), (await subscriptionOf(host, subscription)).next_renewal_at]).toEqual([
      ['paid', 'paid'],
      body.next_renewal_at,
    ]);
    await advance(host, '70d');
    expect(await subscriptionOf(host, subscription)).toMatchObject({
      status: 'canceled',
      canceled_at: body.next_renewal_at,
    });
    expect([await statusesOf(subscription), (await paymentsOf(host, subscription)).length]).toEqual([
      ['paid', 'paid'],
      2,
    ]);
  });

  it('charges it as planned despite a short pause', async () => {
    const subscription = await subscribe(host);
    await due(subscription);
    await pause(subscription);
    const { body } = await send(subscription, 'resume');
    await goOn();
    expect([await statusesOf(subscription), (await subscriptionOf(host, subscription)).next_renewal_at]).toEqual([
      ['paid', 'paid'],
      body.next_renewal_at,
    ]);
    for (const { id } of await paymentsOf(host, subscription))
      expect(await moneyOf(host, id)).toMatchObject({ refunded: 0, count: 1 });
  });
});

describe('while the provider is charging', () => {
  async function charging(act: (subscription: Body) => Promise<ApiResponse>): Promise<Body> {
    const subscription = await subscribe(host);
    await arrange(host, 'slow:400');
    const { answer } = await begin(host, 'create', () => goTo(host, subscription.next_renewal_at));
    expect((await act(subscription)).status).toBe(200);
    await answer;
    await drain(host);
    return subscription;
  }

  it('lets the charge finish before a pause, as the last one', async () => {
    const subscription = await charging(pause);
    await advance(host, '70d');
    expect([await statusesOf(subscription), (await subscriptionOf(host, subscription)).status]).toEqual([
      ['paid', 'paid'],
      'paused',
    ]);
    for (const { id } of await paymentsOf(host, subscription))
      expect(await moneyOf(host, id)).toMatchObject({ refunded: 0, count: 1 });
  });

  it('keeps no money for an invoice that a cancel canceled', async () => {
    const subscription = await charging((s) => send(s, 'cancel'));
    await advance(host, '70d');
    const [, invoice, ...others] = await invoicesOf(host, subscription);
    const { amount, refunded, count } = await moneyOf(host, invoice.payment_id);
    expect([others, count, (await subscriptionOf(host, subscription)).status]).toEqual([[], 1, 'canceled']);
    expect(['paid 1990', 'canceled 0']).toContain(`${invoice.status} ${amount - refunded}`);
  });
});

describe('a scheduled cancel', () => {
  const endLater = (subscription: Body) => moveSubscription(host, subscription, 'cancel', { at_period_end: true });

  it('leaves the subscription as it is until the end of the period, and charges nothing more', async () => {
    const subscription = await subscribe(host);
    const { status, body } = await endLater(subscription);
    expect([status, body]).toEqual([
      200,
      { ...subscription, cancel_at_period_end: true, updated_at: expect.any(String) },
    ]);
    const before = await billingEventTypes(host, subscription);
    expect(before.at(-1)).toBe('subscription.updated');
    await goTo(host, new Date(Date.parse(subscription.next_renewal_at) - 20_000).toISOString());
    expect(await subscriptionOf(host, subscription)).toMatchObject({ status: 'active', canceled_at: null });
    await goTo(host, new Date(Date.parse(subscription.next_renewal_at) + 1_000).toISOString());
    expect(await subscriptionOf(host, subscription)).toMatchObject({
      status: 'canceled',
      canceled_at: subscription.next_renewal_at,
      next_renewal_at: null,
    });
    await advance(host, '70d');
    expect([await statusesOf(subscription), (await paymentsOf(host, subscription)).length]).toEqual([['paid'], 1]);
    expect((await billingEventTypes(host, subscription)).slice(before.length)).toEqual(['subscription.canceled']);
  });

  it('is undone by a resume, and the next period is charged', async () => {
    const subscription = await subscribe(host);
    await endLater(subscription);
    const { status, body } = await moveSubscription(host, subscription, 'resume');
    expect([status, body]).toEqual([200, { ...subscription, updated_at: expect.any(String) }]);
    await goTo(host, subscription.next_renewal_at);
    expect([await statusesOf(subscription), (await subscriptionOf(host, subscription)).status]).toEqual([
      ['paid', 'paid'],
      'active',
    ]);
  });

  it('takes effect even if the subscription is paused by then', async () => {
    const subscription = await subscribe(host);
    await pause(subscription);
    await endLater(subscription);
    await goTo(host, subscription.next_renewal_at);
    expect([await statusesOf(subscription), (await subscriptionOf(host, subscription)).status]).toEqual([
      ['paid'],
      'canceled',
    ]);
  });

  it('means that a subscription which has not started never starts', async () => {
    const start_at = new Date(host.clock.now().getTime() + 86_400_000).toISOString();
    const subscription = await subscribe(host, { start_at });
    await endLater(subscription);
    await advance(host, '40d');
    expect([await statusesOf(subscription), (await subscriptionOf(host, subscription)).status]).toEqual([
      [],
      'canceled',
    ]);
  });
});

describe('a paused subscription', () => {
  it.each([
    ['resume', (s: Body) => send(s, 'resume')],
    ['a change of its status', (s: Body) => changeSubscription(host, s, { status: 'active' })],
  ])('continues at the next date after a pause over two dates, with %s', async (_, resume) => {
    await goTo(host, `${host.clock.now().getUTCFullYear() + 1}-01-01T00:00:00Z`);
    const year = host.clock.now().getUTCFullYear();
    const start_at = `${year}-01-31T12:00:00.000Z`;
    const subscription = await subscribe(host, { start_at });
    await goTo(host, `${year}-02-10T00:00:00Z`);
    expect((await pause(subscription)).body).toMatchObject({ status: 'paused', next_renewal_at: null });
    await goTo(host, `${year}-04-15T00:00:00Z`);
    const { status, body } = await resume(subscription);
    expect([status, body]).toMatchObject([
      200,
      { status: 'active', start_at, next_renewal_at: `${year}-04-30T12:00:00.000Z` },
    ]);
    await drain(host);
    expect(await statusesOf(subscription)).toEqual(['paid']);
    await goTo(host, `${year}-05-31T12:00:00.000Z`);
    const invoices = await invoicesOf(host, subscription);
    expect(
      invoices.map(({ period_start, status: paid, number }) => [period_start.slice(5, 10), paid, number.slice(-4)]),
    ).toEqual([
      ['01-31', 'paid', '0001'],
      ['04-30', 'paid', '0002'],
      ['05-31', 'paid', '0003'],
    ]);
    expect((await paymentsOf(host, subscription)).length).toBe(3);
  });

  it('is charged once at the end of the period if it is resumed within it', async () => {
    const subscription = await subscribe(host);
    await pause(subscription);
    await advance(host, '3d');
    const { body } = await send(subscription, 'resume');
    expect(body).toMatchObject({ status: 'active', next_renewal_at: subscription.next_renewal_at });
    await goTo(host, subscription.next_renewal_at);
    expect(await statusesOf(subscription)).toEqual(['paid', 'paid']);
  });

  it('is charged from the next date on if its start was within the pause', async () => {
    const start_at = new Date(host.clock.now().getTime() + 3_600_000).toISOString();
    const subscription = await subscribe(host, { start_at, interval: 'weekly' });
    await pause(subscription);
    await advance(host, '10d');
    const { body } = await send(subscription, 'resume');
    expect(Date.parse(body.next_renewal_at) - Date.parse(start_at)).toBe(14 * 86_400_000);
    await stopUntil(host, body.next_renewal_at);
    expect((await invoicesOf(host, subscription)).map(({ period_start, status }) => [period_start, status])).toEqual([
      [body.next_renewal_at, 'paid'],
    ]);
  });
});
