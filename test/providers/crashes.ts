import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aCustomer,
  type CrashPoint,
  crashPointsOf,
  describePoint,
  eventsAbout,
  expireLease,
  moneyOf,
  paymentsOf,
  receiveEvents,
  retryUntilDone,
  runScheduledWork,
} from '#test/faults/crash-sweep.support.ts';
import { bodyOf, type Traits } from '#test/providers/journeys.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';

/**
 * Whatever the PSP has to make a repeat safe, or has not: a process that dies at any step charges once and gives back
 * once.
 */
export function describeCrashes(traits: Traits): void {
  const { provider } = traits;
  let host: TestHost;
  let struck = 0;
  beforeAll(async () => {
    host = await startHost({ demoProviders: [provider] });
    await receiveEvents(host, 'shop');
  });
  afterAll(async () => {
    console.log(`${provider}: ${struck} crash points`);
    await host?.close();
  });

  const create = (customer: string, key: string, word = 'ok'): Promise<ApiResponse> =>
    host.call('POST', '/v1/payments', bodyOf(traits, word, { customer_id: customer }), { idempotencyKey: key });
  const refund = (id: string, key: string): Promise<ApiResponse> =>
    host.call('POST', `/v1/payments/${id}/refund`, { amount: 2_000 }, { idempotencyKey: key });
  const read = async (id: string): Promise<Body> => (await host.call('GET', `/v1/payments/${id}`)).body;
  const made = async (word = 'ok'): Promise<Body> => {
    const { body } = await create(aCustomer(), randomUUID(), word);
    await host.control('POST', '/drain');
    return body;
  };
  /** Dies at this point in `work`. */
  const crashing = async (
    handler: string,
    { point, nth, when }: CrashPoint,
    work: () => Promise<unknown>,
  ): Promise<boolean> => {
    await host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler });
    await work();
    const happened = host.faults.waiting.length === 0;
    struck += Number(happened);
    return happened;
  };
  /** Where a charge cannot be sent again, one that a process died before sending has failed, and nothing was taken. */
  const verifySettled = async (id: string, where: string) => {
    if (traits.neverArrived === 'sent_again' || (await read(id)).status === 'succeeded') return verifyPaid(id, where);
    expect([(await read(id)).status, (await read(id)).failure?.code, (await moneyOf(host, id)).count], where).toEqual([
      'failed',
      'provider_unavailable',
      0,
    ]);
    expect(await eventsAbout(host, 'shop', id), where).toEqual({ 'payment.created': 1, 'payment.failed': 1 });
  };
  const verifyPaid = async (id: string, where: string) => {
    expect([(await read(id)).status, (await read(id)).attempts.length], where).toEqual(['succeeded', 1]);
    expect(await moneyOf(host, id), where).toMatchObject({ amount: 5_000, refunded: 0, count: 1 });
    expect(await eventsAbout(host, 'shop', id), where).toEqual({ 'payment.created': 1, 'payment.succeeded': 1 });
  };

  it('a crash at any step of creating a payment leaves one charge, with the same request again and without', async () => {
    // An access token that is fetched once and kept would count among the first payment's calls only.
    await made();
    const points = await crashPointsOf(host, 'payments', () => create(aCustomer(), randomUUID()));
    expect(points.length).toBeGreaterThanOrEqual(4);
    for (const point of points) {
      const [again, never] = [aCustomer(), aCustomer()];
      for (const customer of [again, never]) {
        const died = await crashing('payments', point, async () =>
          expect((await create(customer, customer)).status, describePoint(point)).toBe(503),
        );
        expect(died, describePoint(point)).toBe(true);
      }
      await expireLease(host);
      const answer = await retryUntilDone(host, () => create(again, again));
      expect(answer.status, describePoint(point)).toBe(201);
      await runScheduledWork(host);
      expect((await paymentsOf(host, again)).map(({ id }) => id)).toEqual([answer.body.id]);
      for (const { id } of [...(await paymentsOf(host, again)), ...(await paymentsOf(host, never))])
        await verifySettled(id, describePoint(point));
    }
  }, 300_000);

  it('a crash at any step of a refund gives the money back once', async () => {
    const probe = await made();
    const points = await crashPointsOf(host, 'payment-actions', () => refund(probe.id, randomUUID()));
    expect(points.length).toBeGreaterThanOrEqual(7);
    for (const point of points) {
      const [payment, key] = [await made(), randomUUID()];
      expect(await crashing('payment-actions', point, () => refund(payment.id, key)), describePoint(point)).toBe(true);
      await expireLease(host);
      expect((await retryUntilDone(host, () => refund(payment.id, key))).status, describePoint(point)).toBe(200);
      await runScheduledWork(host);
      expect(await read(payment.id), describePoint(point)).toMatchObject({
        status: 'succeeded',
        amount_refunded: 2_000,
        refunds: [{ status: 'succeeded' }],
      });
      expect(await moneyOf(host, payment.id), describePoint(point)).toMatchObject({ refunded: 2_000, count: 1 });
      expect((await eventsAbout(host, 'shop', payment.id))['payment.refunded'], describePoint(point)).toBe(1);
    }
  }, 300_000);

  describe('a crash at any step of taking a callback', () => {
    it('loses none: the provider says it again', async () => {
      const complete = (id: string) =>
        host.control('POST', '/psp/complete', { provider, reference: id, outcome: 'succeeded' });
      const finished = async (id: string) => {
        await complete(id);
        await host.control('POST', '/drain');
      };
      const probe = await made('pending');
      const points = await crashPointsOf(host, 'psp-webhooks', () => finished(probe.id));
      expect(points.length).toBeGreaterThanOrEqual(3);
      for (const point of points) {
        const payment = await made('pending');
        await crashing('psp-webhooks', point, () => finished(payment.id));
        await runScheduledWork(host);
        await verifyPaid(payment.id, describePoint(point));
      }
    }, 300_000);
  });
}
