import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sweepDue } from '#functions/timers/sweep-due.usecase.ts';
import { startTappedHost, type TappedHost } from '#test/http/subscriptions/renewals.support.ts';
import {
  billingEventTypes,
  changeSubscription,
  endSubscriptions,
  goTo,
  invoicesOf,
  moveSubscription,
  paymentsOf,
  savedCard,
  stopUntil,
  subscribe,
  subscriptionOf,
} from '#test/support/billing.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { hostStore } from '#test/support/host-store.ts';
import { advance, arrange, drain, moneyOf } from '#test/support/payment-steps.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { testTime } from '#test/support/test-time.ts';

/** Periods that were not charged when they started. */
let host: TappedHost;
beforeAll(async () => {
  host = await startTappedHost();
});
afterEach(async () => {
  await host.control('DELETE', '/psp/scenario');
  await endSubscriptions(host);
});
afterAll(() => host?.close());

const DAY = 86_400_000;
const later = (time: string, days: number): string => new Date(Date.parse(time) + days * DAY).toISOString();
/** The payments that were sent to the provider, in order. */
const charged = (ids: readonly string[]): string[] =>
  host.sent
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => body?.['metadata[payment_id]'])
    .filter((id) => ids.includes(id));

/** Each period once, without gaps, numbered in order, each paid by one charge. */
async function verifyChain(at: TestHost, subscription: Body, count: number): Promise<Body[]> {
  const invoices = await invoicesOf(at, subscription);
  expect(invoices).toHaveLength(count);
  expect(invoices.map(({ status, attempts }) => [status, attempts])).toEqual(invoices.map(() => ['paid', 1]));
  expect(invoices.map(({ period_start }) => period_start)).toEqual([
    subscription.start_at,
    ...invoices.slice(0, -1).map(({ period_end }) => period_end),
  ]);
  expect(invoices.map(({ number }) => Number(number.slice(-4)))).toEqual(invoices.map((_, n) => n + 1));
  expect(invoices.map(({ created_at }) => created_at)).toEqual(invoices.map(({ created_at }) => created_at).toSorted());
  const payments = await paymentsOf(at, subscription);
  expect(payments.map(({ id }) => id).toSorted()).toEqual(invoices.map(({ payment_id }) => payment_id).toSorted());
  for (const { id } of payments)
    expect(await moneyOf(at, id)).toMatchObject({ amount: subscription.amount, refunded: 0, count: 1 });
  return invoices;
}

const countOf = (types: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(types, (type) => type)].map(([type, all]) => [type, all.length]));
const eventsFor = (periods: number) => ({
  'subscription.created': 1,
  'invoice.created': periods,
  'invoice.paid': periods,
  'payment.created': periods,
  'payment.succeeded': periods,
  'subscription.renewed': periods - 1,
});

describe('a late sweep', () => {
  it.each([
    ['three months', 'monthly', '2041-01-31T10:00:00.000Z', '2041-05-15T00:00:00Z', 4, '2041-05-31T10:00:00.000Z'],
    ['a month of days', 'daily', '2042-02-01T10:00:00.000Z', '2042-03-03T09:59:59Z', 30, '2042-03-03T10:00:00.000Z'],
    ['seven years', 'yearly', '2044-02-29T10:00:00.000Z', '2051-03-01T00:00:00Z', 8, '2052-02-29T10:00:00.000Z'],
  ])('catches up with %s, in order and once each', async (_, interval, start_at, until, count, next) => {
    await goTo(host, later(start_at, -1));
    const subscription = await subscribe(host, { interval, start_at });
    await goTo(host, start_at);
    expect(await invoicesOf(host, subscription)).toHaveLength(1);
    await stopUntil(host, until);
    const invoices = await verifyChain(host, subscription, count);
    const ids = invoices.map(({ payment_id }) => payment_id);
    expect(charged(ids)).toEqual(ids);
    expect(invoices.slice(1).every(({ created_at }) => created_at >= new Date(until).toISOString())).toBe(true);
    expect(await subscriptionOf(host, subscription)).toMatchObject({ status: 'active', next_renewal_at: next });
    expect(countOf(await billingEventTypes(host, subscription))).toEqual(eventsFor(count));
    await goTo(host, new Date(Date.parse(next) - 20_000).toISOString());
    await verifyChain(host, subscription, count);
    await goTo(host, next);
    await verifyChain(host, subscription, count + 1);
  });

  it('needs no further sweep, because each missed period enqueues the next one', async () => {
    const subscription = await subscribe(host, { interval: 'daily' });
    await host.clock.stand(new Date(later(subscription.start_at, 20.5)));
    await sweepDue(host.deps);
    await drain(host);
    await verifyChain(host, subscription, 21);
    await host.clock.run();
  });

  it('charges each missed period on its own terms', async () => {
    const subscription = await subscribe(host);
    await changeSubscription(host, subscription, { amount: 700 });
    await stopUntil(host, later(subscription.next_renewal_at, 35));
    expect((await invoicesOf(host, subscription)).map(({ amount, status }) => [amount, status])).toEqual([
      [1_990, 'paid'],
      [700, 'paid'],
      [700, 'paid'],
    ]);
  });

  it('charges no missed period after a scheduled cancel', async () => {
    const subscription = await subscribe(host);
    await moveSubscription(host, subscription, 'cancel', { at_period_end: true });
    await stopUntil(host, later(subscription.next_renewal_at, 65));
    expect([(await invoicesOf(host, subscription)).length, (await subscriptionOf(host, subscription)).status]).toEqual([
      1,
      'canceled',
    ]);
  });

  it('continues with the next period after a soft decline, which is retried separately', async () => {
    const subscription = await subscribe(host);
    await arrange(host, 'decline:insufficient_funds', { times: 1 });
    await stopUntil(host, later(subscription.next_renewal_at, 65));
    const invoices = await invoicesOf(host, subscription);
    expect(invoices.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['paid', 1],
      ['open', 1],
      ['paid', 1],
      ['paid', 1],
    ]);
    await advance(host, '25h');
    expect((await invoicesOf(host, subscription)).map(({ status, attempts }) => [status, attempts])).toEqual([
      ['paid', 1],
      ['paid', 2],
      ['paid', 1],
      ['paid', 1],
    ]);
    for (const { id } of await paymentsOf(host, subscription))
      expect(await moneyOf(host, id)).toMatchObject({ refunded: 0, count: 1 });
  });

  it('stops at a period with a hard decline', async () => {
    const subscription = await subscribe(host);
    await changeSubscription(host, subscription, { payment_method: savedCard('decline_stolen_card') });
    await stopUntil(host, later(subscription.next_renewal_at, 65));
    expect((await invoicesOf(host, subscription)).map(({ status }) => status)).toEqual(['paid', 'failed']);
    expect([(await subscriptionOf(host, subscription)).status, (await paymentsOf(host, subscription)).length]).toEqual([
      'paused',
      2,
    ]);
  });
});

describe('concurrent sweeps and repeated messages', () => {
  it('charge each period once', async () => {
    const subscription = await subscribe(host);
    await host.clock.stand(new Date(later(subscription.next_renewal_at, 65)));
    const body = {
      kind: 'subscription',
      id: subscription.id,
      pk: `SUB#${subscription.id}`,
      at: subscription.next_renewal_at,
    };
    // Each in its own group, so that all workers take one at the same time.
    const repeats = Array.from({ length: 12 }, (_, n) => ({ body, group: `group-${n}` }));
    await Promise.all([
      ...Array.from({ length: 6 }, () => sweepDue(host.deps)),
      host.deps.queue.send('renewals', repeats),
    ]);
    await drain(host);
    await host.clock.run();
    await advance(host, '5m');
    await verifyChain(host, subscription, 4);
  });

  it('charge each of many subscriptions', async () => {
    const subscriptions = await Promise.all(Array.from({ length: 12 }, () => subscribe(host, { interval: 'weekly' })));
    await stopUntil(host, later(subscriptions[0].next_renewal_at, 15));
    for (const subscription of subscriptions) await verifyChain(host, subscription, 4);
  });
});

describe('a host that was down', () => {
  /** Moves the stored clock forward while no host runs. */
  function setForward(file: string, by: number): void {
    const database = new DatabaseSync(file);
    database.prepare('UPDATE local_clock SET offset_ms = offset_ms + ?').run(by);
    database.close();
  }

  it('catches up with three months when it starts, including messages in its queue', async () => {
    const { path, remove } = await temporaryFolder();
    onTestFinished(remove);
    const { store } = hostStore();
    const first = await startHost({ dataDir: path('') });
    await advance(first, '1s');
    const renewing = await subscribe(first);
    // No worker can take messages any more, so new ones stay in the queue.
    for (let nth = 1; nth <= 20; nth += 1)
      await first.control('POST', '/faults', {
        point: 'table',
        nth,
        kind: 'crash',
        when: 'before',
        handler: 'renewals',
      });
    const { status, body: waiting } = await first.call('POST', '/v1/subscriptions', {
      ...sameAs(renewing),
      customer_id: 'customer-waiting',
    });
    expect(status).toBe(201);
    expect([(await invoicesOf(first, renewing)).length, (await invoicesOf(first, waiting)).length]).toEqual([1, 0]);
    await first.close();
    setForward(
      path(store === 'sqlite' ? 'sandbox.sqlite' : `sandbox-${store}.sqlite`),
      Date.parse(later(renewing.next_renewal_at, 65)) - testTime.now().getTime(),
    );

    const second = await startHost({ dataDir: path('') });
    onTestFinished(() => second.close());
    expect(second.clock.now().toISOString() > later(renewing.next_renewal_at, 64)).toBe(true);
    await advance(second, '1m');
    await verifyChain(second, renewing, 4);
    await verifyChain(second, waiting, 4);
    await advance(second, '1h');
    await verifyChain(second, renewing, 4);
    expect(countOf(await billingEventTypes(second, waiting))).toEqual(eventsFor(4));
  });

  const sameAs = ({ plan_id, amount, currency, interval }: Body) => ({
    plan_id,
    amount,
    currency,
    interval,
    payment_method: savedCard(),
  });
});
