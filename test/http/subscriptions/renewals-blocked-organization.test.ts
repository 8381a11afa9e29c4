import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aLiveShop, type LiveHost, startLiveHost } from '#test/http/live-host.support.ts';
import {
  billingEventTypes,
  endSubscriptions,
  goTo,
  invoicesOf,
  moveSubscription,
  paymentsOf,
  savedCard,
  subscribe,
  subscriptionOf,
} from '#test/support/billing.ts';
import type { Body, TestOrganization } from '#test/support/host.ts';
import { moneyOf } from '#test/support/payment-steps.ts';

/** Renewals of organizations that may not take payments for a while. */
let host: LiveHost;
let shop: TestOrganization;
let year = 2040;
beforeAll(async () => {
  host = await startLiveHost();
});
afterEach(async () => {
  await host.decide(shop.org_id, { kyc: 'approved' });
  await endSubscriptions(host, shop);
});
afterAll(() => host?.close());

/** A weekly subscription of a shop on the smallest plan, which starts on 2 March of its own year. */
async function aSubscriber(): Promise<Body> {
  year += 1;
  await goTo(host, on('03-01'));
  shop = await aLiveShop(host, { plan: 'free', kyc: 'approved' });
  const subscription = await subscribe(host, { interval: 'weekly', start_at: on('03-02') }, shop);
  await goTo(host, on('03-02'));
  expect(await periodsOf(subscription)).toEqual(['03-02 paid']);
  return subscription;
}

const on = (day: string) => `${year}-${day}T06:00:00.000Z`;
const periodsOf = async (subscription: Body) =>
  (await invoicesOf(host, subscription, shop)).map(
    ({ period_start, status }) => `${period_start.slice(5, 10)} ${status}`,
  );
const held = (subscription: Body) =>
  host.logged.filter(({ event, fields }) => event === 'renewal_held' && fields.subscription_id === subscription.id)
    .length;
const providerCalls = async (): Promise<number> => (await host.control('GET', '/psp/calls')).body.calls.length;
const spendAll = () => host.spend(shop.org_id, 'payments', 99);

async function verifyCharges(subscription: Body): Promise<void> {
  const [invoices, payments] = [await invoicesOf(host, subscription, shop), await paymentsOf(host, subscription, shop)];
  expect(payments.map(({ id }) => id).toSorted()).toEqual(invoices.map(({ payment_id }) => payment_id).toSorted());
  for (const { id } of payments)
    expect(await moneyOf(host, id)).toMatchObject({ amount: 1_990, refunded: 0, count: 1 });
}

describe('a renewal of an organization that may not take payments', () => {
  it.each<readonly [string, () => Promise<void>, () => Promise<void>]>([
    ['its plan is used up, and it chooses a larger one', spendAll, () => host.decide(shop.org_id, { plan: 'growth' })],
    [
      'its verification is open, and is given',
      () => host.decide(shop.org_id, { kyc: 'pending' }),
      () => host.decide(shop.org_id, { kyc: 'approved' }),
    ],
  ])('waits while %s, and then charges the missed periods in order', async (_, stop, goOn) => {
    const subscription = await aSubscriber();
    const before = [await billingEventTypes(host, subscription, shop), await providerCalls()] as const;
    await stop();
    await goTo(host, on('03-18'));
    // Once an hour, for nine days.
    expect(Math.abs(held(subscription) - 9 * 24)).toBeLessThan(3);
    expect(await providerCalls()).toBe(before[1]);
    await goOn();
    expect([await periodsOf(subscription), await billingEventTypes(host, subscription, shop)]).toEqual([
      ['03-02 paid'],
      before[0],
    ]);
    expect(await subscriptionOf(host, subscription, shop)).toMatchObject({
      status: 'active',
      next_renewal_at: on('03-09'),
    });
    await goTo(host, `${year}-03-18T07:01:00Z`);
    expect(await periodsOf(subscription)).toEqual(['03-02 paid', '03-09 paid', '03-16 paid']);
    expect(await subscriptionOf(host, subscription, shop)).toMatchObject({
      status: 'active',
      next_renewal_at: on('03-23'),
    });
    expect(
      (await billingEventTypes(host, subscription, shop))
        .slice(before[0].length)
        .filter((type) => type === 'subscription.renewed'),
    ).toHaveLength(2);
    await verifyCharges(subscription);
    await goTo(host, on('03-23'));
    expect(await periodsOf(subscription)).toEqual(['03-02 paid', '03-09 paid', '03-16 paid', '03-23 paid']);
  });

  it("waits for the next month if the plan's payments are used up", async () => {
    const subscription = await aSubscriber();
    await goTo(host, on('03-24'));
    await spendAll();
    await goTo(host, `${year}-03-31T23:59:00Z`);
    const march = ['03-02 paid', '03-09 paid', '03-16 paid', '03-23 paid'];
    expect(await periodsOf(subscription)).toEqual(march);
    await goTo(host, `${year}-04-01T01:01:00Z`);
    expect(await periodsOf(subscription)).toEqual([...march, '03-30 paid']);
    await verifyCharges(subscription);
  });

  it("counts towards the plan's limit like any other payment", async () => {
    const subscription = await aSubscriber();
    await goTo(host, on('03-17'));
    expect([(await periodsOf(subscription)).length, await host.usage(shop.org_id)]).toEqual([
      3,
      { [`payments:${year}-03`]: 3 },
    ]);
  });

  it('is not charged later if the subscription was canceled meanwhile', async () => {
    const subscription = await aSubscriber();
    await spendAll();
    await goTo(host, on('03-12'));
    expect((await moveSubscription(host, subscription, 'cancel', undefined, shop)).body).toMatchObject({
      status: 'canceled',
      canceled_at: expect.any(String),
    });
    await goTo(host, on('04-12'));
    expect([await periodsOf(subscription), held(subscription) > 0]).toEqual([['03-02 paid'], true]);
  });

  it('still ends at a scheduled cancel', async () => {
    const subscription = await aSubscriber();
    await spendAll();
    await moveSubscription(host, subscription, 'cancel', { at_period_end: true }, shop);
    await goTo(host, on('03-09'));
    expect([(await subscriptionOf(host, subscription, shop)).status, held(subscription)]).toEqual(['canceled', 0]);
  });

  it('does not delay other organizations on the same host', async () => {
    const stopped = await aSubscriber();
    const stoppedShop = shop;
    await spendAll();
    shop = await aLiveShop(host, { plan: 'growth', kyc: 'approved' });
    const other = await subscribe(host, { interval: 'daily', payment_method: savedCard('ok') }, shop);
    await goTo(host, on('03-12'));
    expect((await invoicesOf(host, other, shop)).length).toBeGreaterThanOrEqual(10);
    expect((await invoicesOf(host, stopped, stoppedShop)).length).toBe(1);
    await endSubscriptions(host, stoppedShop);
  });
});
