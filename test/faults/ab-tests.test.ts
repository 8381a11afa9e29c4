import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crashPointsOf, describePoint, expireLease, retryUntilDone } from '#test/faults/crash-sweep.support.ts';
import {
  aLab,
  createTest,
  type Lab,
  makeTest,
  PATH,
  readTest,
  resultsOf,
  startTest,
  variantsOf,
} from '#test/support/ab-test-steps.ts';
import { type ApiResponse, aPaymentBody, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain } from '#test/support/payment-steps.ts';

/**
 * A process that crashes at any of its calls: the same request again finds the A/B test in its new state or moves it
 * there, and everything counts once.
 */
let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

const drop = (lab: Lab, id: string) => host.call('DELETE', `/v1/routing-rules/${id}`, undefined, lab.how);
const step = (lab: Lab, id: string, name: string, idempotencyKey: string = randomUUID()): Promise<ApiResponse> =>
  host.call('POST', `${PATH}/${id}/${name}`, undefined, { ...lab.how, idempotencyKey });

describe('a crash at any point', () => {
  it('of starting or completing an A/B test moves it once, and releases its rules in the end', async () => {
    const probe = await aLab(host);
    const { id: probed } = await makeTest(probe);
    const points = await crashPointsOf(host, 'ab-tests', () => step(probe, probed, 'start'));
    expect(points.length).toBeGreaterThanOrEqual(4);
    for (const name of ['start', 'complete']) {
      for (const { point, nth, when, method } of points) {
        const where = `${name}, ${describePoint({ point, nth, when, method })}`;
        const lab = await aLab(host);
        const { id } = name === 'start' ? await makeTest(lab) : await startTest(lab);
        const key = randomUUID();
        await host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler: 'ab-tests' });
        expect((await step(lab, id, name, key)).status, where).toBe(503);
        await expireLease(host);
        const { body } = await retryUntilDone(host, () => step(lab, id, name, key));
        expect(body.status, where).toBe(name === 'start' ? 'running' : 'completed');
        if (name === 'start') expect((await drop(lab, lab.rules.a)).body.code, where).toBe('routing_rule_in_use');
        if (name === 'start') await step(lab, id, 'complete');
        for (const rule of Object.values(lab.rules)) expect((await drop(lab, rule)).status, where).toBe(200);
      }
    }
  }, 120_000);

  it('of creating an A/B test leaves exactly one', async () => {
    const probe = await aLab(host);
    for (const { point, nth, when, method } of await crashPointsOf(host, 'ab-tests', () => createTest(probe))) {
      const lab = await aLab(host);
      const idempotencyKey = randomUUID();
      await host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler: 'ab-tests' });
      const where = describePoint({ point, nth, when, method });
      expect((await createTest(lab, {}, { idempotencyKey })).status, where).toBe(503);
      await expireLease(host);
      const { body } = await retryUntilDone(host, () => createTest(lab, {}, { idempotencyKey }));
      const { ab_tests } = (await host.call('GET', PATH, undefined, lab.how)).body;
      expect(
        ab_tests.map(({ id }: Body) => id),
        where,
      ).toEqual([body.id]);
    }
  }, 60_000);

  it('of a payment, or of counting it, counts the payment once', async () => {
    const lab = await aLab(host);
    const { id } = await startTest(lab, { variants: variantsOf(lab) });
    const payWith = (idempotencyKey: string) =>
      host.call('POST', '/v1/payments', aPaymentBody('ok', { customer_id: 'kim' }), { ...lab.how, idempotencyKey });
    const points = await crashPointsOf(host, 'payments', () => payWith(randomUUID()));
    const counting = [1, 2].flatMap((nth) =>
      (['before', 'after'] as const).map((when) => ({
        point: 'table' as const,
        nth,
        when,
        method: 'update',
        handler: 'projector',
      })),
    );
    const all = [...points.map((each) => ({ ...each, handler: 'payments' })), ...counting];
    for (const { point, nth, when, handler } of all) {
      const key = randomUUID();
      await host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler });
      await payWith(key);
      await expireLease(host);
      await host.control('DELETE', '/faults');
      expect((await retryUntilDone(host, () => payWith(key))).body.status).toBe('succeeded');
    }
    await advance(host, '5m');
    await drain(host);
    const counted = (await resultsOf(lab, id)).filter(({ transactions }: Body) => transactions > 0);
    expect(counted).toMatchObject([
      { transactions: all.length + 1, successful: all.length + 1, failed: 0, total_amount: 5_000 * (all.length + 1) },
    ]);
    expect((await readTest(lab, id)).total_transactions).toBe(all.length + 1);
  }, 120_000);
});
