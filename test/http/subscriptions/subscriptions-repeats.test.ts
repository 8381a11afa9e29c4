import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  crashesAt,
  crashPointsOf,
  describePoint,
  expireLease,
  retryUntilDone,
} from '#test/faults/crash-sweep.support.ts';
import {
  aSubscriptionBody,
  at,
  cancel,
  DAY,
  invoicesOf,
  resume,
  SUBSCRIPTIONS,
  show,
  subscribe,
  subscribeLater,
  typesOf,
  update,
} from '#test/http/subscriptions/subscriptions.support.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, aShop, moneyOf, type Shop } from '#test/support/payment-steps.ts';

/**
 * A process that crashes at any step of a request: a repeat of the request gets the normal response, and everything
 * takes effect once.
 */
let host: TestHost;
let shop: Shop;
beforeAll(async () => {
  host = await startHost();
  shop = await aShop(host, { a: {} });
});
afterAll(() => host?.close());

const keyed = (idempotencyKey: string = randomUUID()) => ({ key: shop.key, idempotencyKey });
const how = () => ({ key: shop.key });

it('creates and charges a repeated new subscription once', async () => {
  const send = (customer_id: string, key?: string) =>
    host.call('POST', SUBSCRIPTIONS, aSubscriptionBody({ customer_id }), keyed(key));
  const points = await crashPointsOf(host, 'subscriptions', () => send('probe'));
  expect(points.map(({ point }) => point)).toContain('queue');
  for (const point of points) {
    const [customer, key, where] = [randomUUID(), randomUUID(), describePoint(point)];
    await host.control('POST', '/faults', { ...point, method: undefined, kind: 'crash', handler: 'subscriptions' });
    if (!(await crashesAt(host, () => send(customer, key), where))) continue;
    await expireLease(host);
    const answer = await retryUntilDone(host, () => send(customer, key));
    expect(answer.status, where).toBe(201);
    const { body } = await host.call('GET', `${SUBSCRIPTIONS}?customer_id=${customer}`, undefined, how());
    expect([body.length, body[0].id], where).toEqual([1, answer.body.id]);
    await advance(host, '10m');
    const invoices = await invoicesOf(host, body[0], how());
    expect(invoices, where).toMatchObject([{ status: 'paid' }]);
    expect(await moneyOf(host, invoices[0]?.payment_id), where).toMatchObject({ amount: 5_000, count: 1 });
    expect(await typesOf(host, body[0].id, how()), where).toEqual(['created']);
  }
}, 120_000);

type Case = {
  readonly make: () => Promise<Body>;
  readonly send: (id: string, how: { readonly idempotencyKey: string }) => Promise<ApiResponse>;
  readonly becomes: Body;
  readonly told: readonly string[];
};
const later = () => subscribeLater(host, { start_at: at(host, 300 * DAY) }, how());
const after = async (made: Promise<Body>, step: (id: string) => Promise<unknown>): Promise<Body> => {
  const body = await made;
  await step(body.id);
  return body;
};
const owing = () =>
  after(subscribe(host, { payment_method: { type: 'card', token: 'decline_insufficient_funds' } }, how()), async (id) =>
    invoicesOf(host, { id }, how()),
  );

const CASES: Readonly<Record<string, Case>> = {
  'changing it': {
    make: later,
    send: (id, key) =>
      update(host, id, { amount: 7_000, payment_method: { type: 'card', token: 'pm_card_mastercard' } }, key),
    becomes: { status: 'active', amount: 7_000 },
    told: ['created', 'updated'],
  },
  'pausing it': {
    make: later,
    send: (id, key) => update(host, id, { status: 'paused' }, key),
    becomes: { status: 'paused', next_renewal_at: null },
    told: ['created', 'paused', 'updated'],
  },
  'resuming it': {
    make: () => after(later(), (id) => update(host, id, { status: 'paused' }, how())),
    send: (id, key) => resume(host, id, key),
    becomes: { status: 'active' },
    told: ['created', 'paused', 'updated', 'resumed'],
  },
  'withdrawing its cancel': {
    make: () => after(later(), (id) => cancel(host, id, { at_period_end: true }, how())),
    send: (id, key) => resume(host, id, key),
    becomes: { status: 'active', cancel_at_period_end: false },
    told: ['created', 'updated', 'updated'],
  },
  'canceling it at the end of its period': {
    make: later,
    send: (id, key) => cancel(host, id, { at_period_end: true }, key),
    becomes: { status: 'active', cancel_at_period_end: true },
    told: ['created', 'updated'],
  },
  'canceling it with what it owes': {
    make: owing,
    send: (id, key) => cancel(host, id, undefined, key),
    becomes: { status: 'canceled', next_renewal_at: null },
    told: ['created', 'canceled'],
  },
};

describe.each(Object.keys(CASES))('%s', (name) => {
  it('takes effect once', async () => {
    const { make, send, becomes, told } = CASES[name]!;
    const probe = await make();
    const points = await crashPointsOf(host, 'subscriptions', () => send(probe.id, keyed()));
    expect(points.length).toBeGreaterThanOrEqual(4);
    for (const point of points) {
      const [{ id }, key, where] = [await make(), keyed(), describePoint(point)];
      await host.control('POST', '/faults', { ...point, method: undefined, kind: 'crash', handler: 'subscriptions' });
      if (!(await crashesAt(host, () => send(id, key), where))) continue;
      await expireLease(host);
      const answer = await retryUntilDone(host, () => send(id, key));
      expect([answer.status, answer.body], where).toMatchObject([200, becomes]);
      for (const { status } of await invoicesOf(host, { id }, how())) expect(status, where).toBe('canceled');
      await advance(host, '10d');
      expect(await show(host, id, how()), where).toMatchObject(becomes);
      expect(await typesOf(host, id, how()), where).toEqual(told);
    }
  }, 120_000);
});
