import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aLiveShop, type LiveHost, startLiveHost } from '#test/http/live-host.support.ts';
import {
  changeSubscription,
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

/** Changes while a started period is not charged yet apply from the next period on. */
let host: LiveHost;
let shop: TestOrganization;
let year = 2060;
beforeAll(async () => {
  host = await startLiveHost();
});
afterEach(() => endSubscriptions(host, shop));
afterAll(() => host?.close());

const on = (day: string) => `${year}-${day}T06:00:00.000Z`;
const change = (subscription: Body, changes: Body) => changeSubscription(host, subscription, changes, shop);
const move = (subscription: Body, to: 'cancel' | 'resume', body?: Body) =>
  moveSubscription(host, subscription, to, body, shop);
const shown = (subscription: Body) => subscriptionOf(host, subscription, shop);
const told = async (subscription: Body) =>
  (await invoicesOf(host, subscription, shop)).map(
    ({ period_start, amount, plan_id, status }) => `${period_start.slice(5, 10)} ${amount} ${plan_id} ${status}`,
  );

/**
 * A weekly subscription from 2 March on, of a shop whose plan is used up on that day, so that nothing is charged at
 * first.
 */
async function aWaitingSubscription(more: Body = {}): Promise<Body> {
  year += 1;
  await goTo(host, on('03-01'));
  shop = await aLiveShop(host, { plan: 'free', kyc: 'approved' });
  const subscription = await subscribe(
    host,
    { interval: 'weekly', start_at: on('03-02'), metadata: { seats: 1 }, ...more },
    shop,
  );
  await host.spend(shop.org_id, 'payments', 100);
  return subscription;
}

/** Postponed periods are charged within the hour. */
async function allow(until: string): Promise<void> {
  await host.decide(shop.org_id, { plan: 'growth' });
  await goTo(host, until);
}

describe('a started period that is not charged yet', () => {
  it('keeps the amount, plan and metadata with which it started', async () => {
    const subscription = await aWaitingSubscription();
    await goTo(host, on('03-03'));
    const changes = { amount: 700, plan_id: 'gold', metadata: { seats: 2 } };
    expect((await change(subscription, changes)).body).toMatchObject(changes);
    await allow(on('03-10'));
    expect(await told(subscription)).toEqual(['03-02 1990 basic paid', '03-09 700 gold paid']);
    const payments = await paymentsOf(host, subscription, shop);
    expect(payments.map(({ amount, metadata }) => [amount, metadata])).toEqual([
      [1_990, { seats: 1 }],
      [700, { seats: 2 }],
    ]);
    for (const { id, amount } of payments)
      expect(await moneyOf(host, id)).toMatchObject({ amount, refunded: 0, count: 1 });
  });

  it('keeps the terms that applied when it started, among several changes', async () => {
    const subscription = await aWaitingSubscription();
    await goTo(host, on('03-03'));
    await change(subscription, { amount: 200 });
    await change(subscription, { amount: 300, plan_id: 'gold' });
    await goTo(host, on('03-17'));
    await change(subscription, { amount: 400 });
    await change(subscription, { metadata: { seats: 9 } });
    await goTo(host, on('03-24'));
    await allow(on('03-30'));
    expect(await told(subscription)).toEqual([
      '03-02 1990 basic paid',
      '03-09 300 gold paid',
      '03-16 300 gold paid',
      '03-23 400 gold paid',
      '03-30 400 gold paid',
    ]);
    const seats = new Map((await paymentsOf(host, subscription, shop)).map(({ id, metadata }) => [id, metadata.seats]));
    expect((await invoicesOf(host, subscription, shop)).map(({ payment_id }) => seats.get(payment_id))).toEqual([
      1, 1, 1, 9, 9,
    ]);
  });

  it('is charged to the current payment method', async () => {
    const subscription = await aWaitingSubscription({ payment_method: savedCard('decline_stolen_card') });
    await goTo(host, on('03-03'));
    await change(subscription, { payment_method: savedCard('ok'), amount: 700 });
    await allow(on('03-04'));
    expect(await told(subscription)).toEqual(['03-02 1990 basic paid']);
  });

  it('is charged before a scheduled cancel ends the subscription', async () => {
    const subscription = await aWaitingSubscription();
    await goTo(host, on('03-10'));
    expect((await move(subscription, 'cancel', { at_period_end: true })).body).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
      next_renewal_at: on('03-16'),
    });
    await allow(on('03-15'));
    expect(await told(subscription)).toEqual(['03-02 1990 basic paid', '03-09 1990 basic paid']);
    expect(await shown(subscription)).toMatchObject({ status: 'active', next_renewal_at: on('03-16') });
    await goTo(host, on('03-30'));
    expect(await told(subscription)).toHaveLength(2);
    expect(await shown(subscription)).toMatchObject({
      status: 'canceled',
      canceled_at: on('03-16'),
      next_renewal_at: null,
    });
  });

  it('is charged even after the scheduled end, and nothing after it is', async () => {
    const subscription = await aWaitingSubscription();
    await goTo(host, on('03-03'));
    await move(subscription, 'cancel', { at_period_end: true });
    await goTo(host, on('03-25'));
    expect(await shown(subscription)).toMatchObject({ status: 'active', next_renewal_at: on('03-09') });
    await allow(on('03-26'));
    expect([await told(subscription), (await shown(subscription)).status]).toEqual([
      ['03-02 1990 basic paid'],
      'canceled',
    ]);
  });

  it('is charged once the paused subscription is resumed, unlike periods that started during the pause', async () => {
    const subscription = await aWaitingSubscription();
    await goTo(host, on('03-10'));
    await change(subscription, { status: 'paused' });
    await allow(on('03-25'));
    expect(await told(subscription)).toEqual([]);
    expect((await move(subscription, 'resume')).body).toMatchObject({ status: 'active', next_renewal_at: on('03-30') });
    await goTo(host, on('03-26'));
    expect(await told(subscription)).toEqual(['03-02 1990 basic paid', '03-09 1990 basic paid']);
    expect((await shown(subscription)).next_renewal_at).toBe(on('03-30'));
    await goTo(host, on('03-30'));
    expect(await told(subscription)).toEqual([
      '03-02 1990 basic paid',
      '03-09 1990 basic paid',
      '03-30 1990 basic paid',
    ]);
  });

  it('is charged on its own terms despite short pauses within it or around it', async () => {
    const subscription = await aWaitingSubscription();
    await goTo(host, on('03-03'));
    await change(subscription, { status: 'paused' });
    await change(subscription, { status: 'active', amount: 200 });
    await goTo(host, on('03-10'));
    await change(subscription, { status: 'paused', amount: 300 });
    await goTo(host, on('03-17'));
    await change(subscription, { amount: 400 });
    await change(subscription, { status: 'active' });
    await goTo(host, on('03-24'));
    await allow(on('03-25'));
    expect(await told(subscription)).toEqual(['03-02 1990 basic paid', '03-09 200 basic paid', '03-23 400 basic paid']);
  });

  it('is not charged any more if the subscription is canceled immediately', async () => {
    const subscription = await aWaitingSubscription();
    await goTo(host, on('03-10'));
    await change(subscription, { amount: 5 });
    await move(subscription, 'cancel');
    await allow(on('03-30'));
    expect(await told(subscription)).toEqual([]);
  });

  it('is followed by the next one if the scheduled cancel is undone', async () => {
    const subscription = await aWaitingSubscription();
    await goTo(host, on('03-03'));
    await move(subscription, 'cancel', { at_period_end: true });
    expect((await move(subscription, 'resume')).body).toMatchObject({
      cancel_at_period_end: false,
      next_renewal_at: on('03-09'),
    });
    await allow(on('03-16'));
    expect(await told(subscription)).toHaveLength(3);
  });
});

describe('a paused subscription with a scheduled cancel', () => {
  it('ends when its next period would start, however long it was paused', async () => {
    const subscription = await aWaitingSubscription();
    await change(subscription, { status: 'paused' });
    await goTo(host, on('03-20'));
    await move(subscription, 'cancel', { at_period_end: true });
    await goTo(host, on('03-22'));
    expect((await shown(subscription)).status).toBe('paused');
    await goTo(host, on('03-23'));
    expect([await shown(subscription), await told(subscription)]).toMatchObject([
      { status: 'canceled', canceled_at: on('03-23') },
      [],
    ]);
  });
});
