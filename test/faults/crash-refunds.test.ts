import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type CrashPoint,
  crashPointsOf,
  describePoint,
  eventsAbout,
  moneyOf,
  receiveEvents,
  runScheduledWork,
  strike,
} from '#test/faults/crash-sweep.support.ts';
import { type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import { act, arrange, drain, pay, read } from '#test/support/payment-steps.ts';

/** Processes that die while they learn of a refund, or send one that was not sent before. */
let host: TestHost;
let crashes = 0;
beforeAll(async () => {
  host = await startHost({ rateLimits: false, hangUpAfterMs: HANG_UP_AFTER_MS });
  await receiveEvents(host, 'shop');
});
afterEach(async () => {
  await host.control('DELETE', '/psp/scenario');
  await host.control('DELETE', '/faults');
});
afterAll(async () => {
  console.log(`crash sweep of refunds: ${crashes} crash points`);
  await host?.close();
});

const byHand = (id: string, amount: number): void =>
  expect(host.simulators.refundInDashboard('stripe', id, amount)).toBe(200);

/** The provider repeats a callback that was not answered after a quarter of a second, and then after one second. */
async function settled(id: string, refunded: number): Promise<Body> {
  for (let n = 0; n < 8; n += 1) {
    await drain(host);
    if ((await read(host, id)).amount_refunded === refunded) break;
    await pause(300);
  }
  await runScheduledWork(host);
  return read(host, id);
}

const paid = async (): Promise<Body> => {
  const payment = await pay(host);
  await drain(host);
  return payment;
};

/** Nobody tells us that it was paid. */
const paidUnheard = async (): Promise<Body> => {
  await arrange(host, 'requires_action', { webhook: 'none' });
  const payment = await pay(host);
  await host.control('POST', '/psp/complete', {
    provider: 'stripe',
    reference: payment.psp_reference,
    outcome: 'succeeded',
  });
  return payment;
};

const unsent = async (): Promise<Body> => {
  const payment = await paid();
  await arrange(host, 'refuse_connection', { match: { operation: 'refund' } });
  await act(host, payment.id, 'refund', { amount: 2_000 });
  await drain(host);
  return payment;
};

type Case = readonly [
  sentence: string,
  group: string,
  prepare: () => Promise<Body>,
  work: (payment: Body) => Promise<unknown> | unknown,
];

const CASES: readonly Case[] = [
  ['that was made in the dashboard is told', 'psp-webhooks', paid, ({ id }) => byHand(id, 2_000)],
  ['is told before its payment is known as paid', 'psp-webhooks', paidUnheard, ({ id }) => byHand(id, 2_000)],
  ['that was never sent is sent', 'timers', unsent, () => host.control('POST', '/clock', { advance: '61s' })],
];

describe.each(CASES)('a crash at any point where a refund %s', (_, group, prepare, work) => {
  async function struck(point: CrashPoint): Promise<void> {
    const payment = await prepare();
    if (await strike(host, point, group, async () => work(payment))) crashes += 1;
    const where = describePoint(point);
    const seen = await settled(payment.id, 2_000);
    expect([seen.status, seen.amount_refunded, seen.refunds.length], where).toEqual(['succeeded', 2_000, 1]);
    expect(await moneyOf(host, payment.id), where).toMatchObject({ amount: 5_000, refunded: 2_000, count: 1 });
    expect(await eventsAbout(host, 'shop', payment.id), where).toEqual({
      'payment.created': 1,
      'payment.succeeded': 1,
      'payment.refunded': 1,
    });
  }

  it('loses none and doubles none', async () => {
    const probe = await prepare();
    const points = await crashPointsOf(host, group, async () => {
      await work(probe);
      await drain(host);
    });
    expect(points.length).toBeGreaterThanOrEqual(2);
    const before = crashes;
    for (const point of points) await struck(point);
    expect(crashes - before).toBeGreaterThanOrEqual(Math.min(points.length, 2));
  }, 300_000);
});
