import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  armCrash,
  crashesAt,
  crashPointsOf,
  describePoint,
  expireLease,
  retryUntilDone,
} from '#test/faults/crash-sweep.support.ts';
import { type OwnShop, openShop, press } from '#test/providers/own-shop.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, eventTypesOf } from '#test/support/payment-steps.ts';

/**
 * A process that crashes while it passes on the customer's input: the same request again finds the outcome, and the
 * customer pays once.
 */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ demoProviders: [] });
});
afterAll(() => host?.close());

type Continuing = {
  readonly provider: string;
  readonly currency: string;
  readonly paying: Body;
  readonly input: (action: Body) => Body | undefined;
};

/** The last input that the customer is asked for, and what the customer enters. */
const CONTINUING: readonly Continuing[] = [
  {
    provider: 'flutterwave',
    currency: 'NGN',
    paying: { payment_method: { type: 'card', token: 'needs_otp' } },
    input: () => ({ otp: '12345' }),
  },
  {
    provider: 'paystack',
    currency: 'GHS',
    paying: {
      method: 'mobile_money',
      payment_method: { type: 'mobile_money', phone: '+233551234987', network: 'vod' },
    },
    input: () => ({ otp: '123456' }),
  },
  {
    provider: 'razorpay',
    currency: 'INR',
    paying: { payment_method: { type: 'card', token: 'needs_otp', phone: '+919900000000' } },
    input: () => ({ otp: '123456' }),
  },
  {
    provider: 'adyen',
    currency: 'EUR',
    paying: { payment_method: { type: 'card', token: 'needs_3ds_component' } },
    input: ({ data }) => {
      const { authorisationToken } = JSON.parse(data.action);
      return {
        threeDSResult: Buffer.from(JSON.stringify({ authorisationToken, transStatus: 'Y' })).toString('base64'),
      };
    },
  },
  { provider: 'paypal', currency: 'EUR', paying: {}, input: () => undefined },
];

describe.each(CONTINUING)(
  'a crash at any point of continuing a charge at $provider',
  ({ provider, currency, paying, input }) => {
    let shop: OwnShop;
    beforeAll(async () => {
      shop = await openShop(host, { provider, currency, declines: [], cancel: 'refused', neverArrived: 'sent_again' });
      // An access token that is fetched once and cached would count among the calls of the first payment only.
      await shop.pay(null);
    });
    /** No callback comes: only the request itself and lookups can find the outcome. */
    const waiting = async (): Promise<Body> => {
      await shop.arrange('slow:1', { webhook: 'none' });
      const payment = await shop.pay(null, { currency, customer_email: 'kim@example.com', ...paying });
      await host.control('DELETE', '/psp/scenario');
      expect(payment.status).toBe('requires_action');
      if (input(payment.next_action) === undefined) await press(payment.next_action.url, 'pay');
      return payment;
    };
    const confirm = ({ id, next_action }: Body, idempotencyKey: string = randomUUID()): Promise<ApiResponse> =>
      host.call(
        'POST',
        `/v1/payments/${id}/confirm`,
        { input: input(next_action) ?? {} },
        { key: shop.key, idempotencyKey },
      );

    it('lets the customer pay once, and the repeated request shows it', async () => {
      const probe = await waiting();
      const points = await crashPointsOf(host, 'payments', () => confirm(probe));
      expect((await shop.later(probe)).status).toBe('succeeded');
      expect(points.length).toBeGreaterThanOrEqual(6);
      for (const point of points) {
        const [payment, key] = [await waiting(), randomUUID()];
        await armCrash(host, point, 'payments');
        const where = describePoint(point);
        if (!(await crashesAt(host, () => confirm(payment, key), where))) continue;
        await expireLease(host);
        expect((await retryUntilDone(host, () => confirm(payment, key))).body.status, where).toBe('succeeded');
        await advance(host, '30m');
        expect(await shop.money(payment), where).toMatchObject({ amount: 5_000, refunded: 0, count: 1 });
        expect(await eventTypesOf(host, payment.id, { key: shop.key }), where).toEqual(['created', 'succeeded']);
      }
    }, 120_000);

    // Adyen reports a payment only in its notification.
    if (provider === 'adyen') return;
    it('is resolved when the time of the customer ends, even if the request is not repeated', async () => {
      const [probe, payment] = [await waiting(), await waiting()];
      const points = await crashPointsOf(host, 'payments', () => confirm(probe));
      const { nth } = points.findLast(({ point }) => point === 'psp')!;
      await host.control('POST', '/faults', { point: 'psp', nth, kind: 'crash', when: 'after', handler: 'payments' });
      expect((await confirm(payment)).status).toBe(503);
      expect((await shop.later(payment)).status).toBe('requires_action');
      await advance(host, '26h');
      expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', late_success: false });
      expect((await shop.money(payment)).count).toBe(1);
    });
  },
);
