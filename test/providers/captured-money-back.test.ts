import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { type OwnShop, openShop } from '#test/providers/own-shop.ts';
import { type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain } from '#test/support/payment-steps.ts';

/** Money of charges that are captured later goes back without us: in the PSP's dashboard, and at the customer's bank. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: [] });
});
afterAll(() => host?.close());

type Row = {
  readonly provider: Provider;
  readonly currency: string;
  readonly beside?: Readonly<Record<string, string>>;
  /** What its captures take, the last of them with the end of the authorization. */
  readonly parts: readonly [number, ...number[]];
  /** It refunds nothing while a part is still reserved. */
  readonly refundsLater?: true;
  /** Its dashboard releases the rest by an act of its own. */
  readonly releasesBeside?: true;
};

const ROWS: readonly Row[] = [
  { provider: 'stripe', currency: 'EUR', parts: [1_000, 1_500] },
  { provider: 'adyen', currency: 'EUR', parts: [2_500] },
  { provider: 'checkout', currency: 'EUR', parts: [1_000, 1_500] },
  { provider: 'paypal', currency: 'EUR', parts: [1_000, 1_500] },
  { provider: 'mollie', currency: 'EUR', parts: [1_000, 1_500], refundsLater: true, releasesBeside: true },
  { provider: 'razorpay', currency: 'INR', beside: { phone: '+919900000000' }, parts: [5_000] },
];

describe.each(ROWS)('what was captured later at $provider', (row) => {
  const { provider, currency, beside = {}, parts, refundsLater, releasesBeside } = row;
  let shop: OwnShop;
  beforeAll(async () => {
    const traits = { provider, currency, beside, declines: [], cancel: 'refused', neverArrived: 'sent_again' } as const;
    shop = await openShop(host, traits);
  });
  const whole = parts.reduce((sum, part) => sum + part, 0);
  const authorized = async (): Promise<Body> => {
    const payment = await shop.later(await shop.pay('ok', { capture: 'manual' }));
    expect(payment).toMatchObject({ status: 'authorized' });
    return payment;
  };
  /** The PSP repeats an event that came too early, and the timer asks. */
  const until = async (payment: Body, expected: Body): Promise<void> => {
    for (let n = 0; n < 8; n += 1) {
      const seen = await shop.later(payment);
      if (Object.entries(expected).every(([name, value]) => seen[name] === value)) return;
      await advance(host, '61m');
      await pause(50);
    }
    expect(await shop.later(payment)).toMatchObject(expected);
  };
  type Capture = (payment: Body, amount: number, final: boolean) => Promise<number | undefined>;
  const byUs: Capture = async (payment, amount, final) =>
    (await shop.act(payment, 'capture', { amount, final })).status;
  const byHand: Capture = async ({ id }, amount, final) => {
    const status = await host.simulators.captureInDashboard(provider, id, amount, final);
    await drain(host);
    return final && releasesBeside ? host.simulators.voidInDashboard(provider, id) : status;
  };
  async function captured(capture: Capture, between?: (payment: Body, amount: number) => Promise<void>): Promise<Body> {
    const payment = await authorized();
    for (const [n, part] of parts.entries()) {
      const final = n === parts.length - 1;
      expect(await capture(payment, part, final)).toBeLessThan(300);
      if (final) break;
      await until(payment, { captured_amount: part });
      await between?.(payment, part);
    }
    await until(payment, { status: 'succeeded', captured_amount: whole });
    return payment;
  }
  const refundByHand = async ({ id }: Body, amount: number): Promise<void> => {
    expect(await host.simulators.refundInDashboard(provider, id, amount)).toBeLessThan(300);
    await drain(host);
  };
  const disputesOf = async ({ id }: Body): Promise<readonly Body[]> =>
    (await host.call('GET', `/v1/disputes?payment_id=${id}`, undefined, { key: shop.key })).body.disputes;
  const books = (payment: Body) => shop.money(payment);

  it.each([
    ['us', byUs],
    ['the merchant at the PSP', byHand],
  ])('is taken over when it is refunded in the dashboard, after captures by %s', async (_, capture) => {
    const payment = await captured(capture);
    await refundByHand(payment, 400);
    await until(payment, { status: 'succeeded', amount_refunded: 400 });
    await refundByHand(payment, 300);
    await until(payment, { amount_refunded: 700 });
    expect((await shop.act(payment, 'refund', { amount: whole - 699 })).body.code).toBe('refund_exceeds_remaining');
    // PayPal refunds one capture at a time: first what is left of the first one.
    for (const part of [whole - 1_500, 800])
      expect((await shop.act(payment, 'refund', { amount: part })).status).toBeLessThan(300);
    await until(payment, { status: 'refunded', amount_refunded: whole });
    expect(await books(payment)).toMatchObject({ amount: whole, refunded: whole, count: 1 });
  });

  it('is shown as disputed when the customer disputes it', async () => {
    const payment = await captured(byUs);
    const reference = await host.simulators.openDispute(provider, payment.id, { amount: 500 });
    await until(payment, { amount_disputed: 500 });
    expect(await disputesOf(payment)).toMatchObject([{ psp_reference: reference, amount: 500 }]);
  });

  if (parts.length > 1 && !refundsLater)
    it('is taken over once the payment has succeeded, when a part was refunded before', async () => {
      const payment = await captured(byUs, (early) => refundByHand(early, 400));
      await until(payment, { status: 'succeeded', amount_refunded: 400 });
      expect(await books(payment)).toMatchObject({ amount: whole, refunded: 400 });
    });

  if (parts.length > 1)
    it('shows a dispute of its first part while the rest is still reserved', async () => {
      const payment = await captured(byUs, async (early) => {
        const reference = await host.simulators.openDispute(provider, early.id, { amount: 500 });
        await until(early, { status: 'authorized', amount_disputed: 500 });
        expect(await disputesOf(early)).toMatchObject([{ psp_reference: reference, amount: 500 }]);
      });
      expect(await shop.later(payment)).toMatchObject({ amount_disputed: 500 });
    });
});
