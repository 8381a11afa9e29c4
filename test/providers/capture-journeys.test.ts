import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { type OwnShop, openShop } from '#test/providers/own-shop.ts';
import { type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import { advance } from '#test/support/payment-steps.ts';

/** Charges that are captured later, at each PSP that can: what the payment says is what the PSP's books say. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: [] });
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host?.close());

type Row = {
  readonly provider: Provider;
  readonly currency: string;
  /** Captures an authorization several times. */
  readonly multi: boolean;
  /** After so long, nobody has captured it in time. */
  readonly days: number;
};

const ROWS: readonly Row[] = [
  { provider: 'stripe', currency: 'EUR', multi: true, days: 8 },
  { provider: 'adyen', currency: 'EUR', multi: false, days: 29 },
  { provider: 'checkout', currency: 'EUR', multi: true, days: 8 },
  { provider: 'paypal', currency: 'EUR', multi: true, days: 30 },
];

describe.each(ROWS)('a later capture at $provider', ({ provider, currency, multi, days }) => {
  let shop: OwnShop;
  beforeAll(async () => {
    shop = await openShop(host, { provider, currency, declines: [], cancel: 'refused', neverArrived: 'sent_again' });
  });
  const authorized = async (word: string | null = 'ok'): Promise<Body> =>
    shop.later(await shop.pay(word, { capture: 'manual' }));
  const books = async ({ id }: Body) => (await host.simulators.calls({ payment_id: id })).holds?.[id];
  /** The PSP repeats an event that came too early, and the timer asks. */
  const until = async (payment: Body, isThere: (seen: Body) => boolean): Promise<Body> => {
    for (let n = 0; n < 12; n += 1) {
      const seen = await shop.later(payment);
      if (isThere(seen)) return seen;
      await advance(host, '10m');
      await pause(100);
    }
    return shop.later(payment);
  };
  const untilStatus = (payment: Body, status: string) => until(payment, (seen) => seen.status === status);

  it('takes no money before it is captured, then all of it', async () => {
    const payment = await authorized();
    expect(payment).toMatchObject({ status: 'authorized', authorized_amount: 5_000, captured_amount: 0 });
    expect(await books(payment)).toMatchObject({ authorized: 5_000, captured: 0, released: 0, count: 1 });
    expect((await shop.act(payment, 'capture')).status).toBeLessThan(300);
    expect(await untilStatus(payment, 'succeeded')).toMatchObject({ captured_amount: 5_000, released_amount: 0 });
    expect(await shop.money(payment)).toMatchObject({ amount: 5_000, count: 1 });
  });

  it('takes a part, releases the rest, and refunds what was captured', async () => {
    const payment = await authorized();
    await shop.act(payment, 'capture', { amount: 3_000 });
    expect(await untilStatus(payment, 'succeeded')).toMatchObject({ captured_amount: 3_000, released_amount: 2_000 });
    expect(await books(payment)).toMatchObject({ captured: 3_000, released: 2_000 });
    expect((await shop.act(payment, 'refund', { amount: 3_001 })).status).toBeGreaterThanOrEqual(400);
    await shop.act(payment, 'refund');
    expect(await untilStatus(payment, 'refunded')).toMatchObject({ amount_refunded: 3_000 });
    expect(await shop.money(payment)).toMatchObject({ amount: 3_000, refunded: 3_000 });
  });

  it('is released by a cancel', async () => {
    const payment = await authorized();
    await shop.act(payment, 'cancel');
    expect(await untilStatus(payment, 'canceled')).toMatchObject({ captured_amount: 0, released_amount: 5_000 });
    expect(await books(payment)).toMatchObject({ captured: 0, released: 5_000 });
    expect((await shop.act(payment, 'capture')).status).toBe(409);
  });

  it('takes the money once when the response to the capture is lost', async () => {
    const payment = await authorized();
    await shop.arrange('timeout_after_charge', { match: { operation: 'capture' } });
    await shop.act(payment, 'capture', { amount: 4_000 });
    expect(await untilStatus(payment, 'succeeded')).toMatchObject({ captured_amount: 4_000 });
    expect(await shop.money(payment)).toMatchObject({ amount: 4_000, count: 1 });
  });

  it('takes the money once when the capture never arrived', async () => {
    const payment = await authorized();
    await shop.arrange('timeout_before_charge', { match: { operation: 'capture' } });
    await shop.act(payment, 'capture');
    expect(await untilStatus(payment, 'succeeded')).toMatchObject({ captured_amount: 5_000 });
    expect(await shop.money(payment)).toMatchObject({ amount: 5_000, count: 1 });
  });

  it('stays authorized after a capture that is declined, and can be captured again', async () => {
    const payment = await authorized();
    await shop.arrange('decline:do_not_honor', { match: { operation: 'capture' } });
    await shop.act(payment, 'capture');
    const after = await until(payment, ({ captures }) => captures[0]?.status === 'failed');
    expect(after).toMatchObject({ status: 'authorized', captured_amount: 0, captures: [{ status: 'failed' }] });
    await shop.act(payment, 'capture');
    expect(await untilStatus(payment, 'succeeded')).toMatchObject({ captured_amount: 5_000 });
  });

  it('takes over a capture that the merchant makes at the PSP', async () => {
    const payment = await authorized();
    expect(await host.simulators.captureInDashboard(provider, payment.id, 2_000)).toBeLessThan(300);
    expect(await untilStatus(payment, 'succeeded')).toMatchObject({ captured_amount: 2_000, released_amount: 3_000 });
  });

  it('ends with a void that the merchant makes at the PSP', async () => {
    const payment = await authorized();
    expect(await host.simulators.voidInDashboard(provider, payment.id)).toBeLessThan(300);
    expect(await untilStatus(payment, 'canceled')).toMatchObject({ captured_amount: 0 });
  });

  it('says that only a part was approved, and captures no more than that', async () => {
    await shop.arrange('partial_approval');
    const payment = await authorized();
    expect(payment).toMatchObject({ status: 'authorized', amount: 5_000, authorized_amount: 2_500 });
    expect((await shop.act(payment, 'capture', { amount: 2_501 })).status).toBeGreaterThanOrEqual(400);
    await shop.act(payment, 'capture');
    expect(await untilStatus(payment, 'succeeded')).toMatchObject({ captured_amount: 2_500 });
  });

  it('is authorized on a page of the PSP', async () => {
    const page = await shop.pay(null, { capture: 'manual' });
    expect(page).toMatchObject({ status: 'requires_action' });
    await shop.complete(page.id, 'succeeded');
    const payment = await untilStatus(page, 'authorized');
    expect(payment).toMatchObject({ status: 'authorized', authorized_amount: 5_000 });
    expect(await shop.money(payment)).toMatchObject({ amount: 0 });
    await shop.act(payment, 'capture');
    expect(await untilStatus(payment, 'succeeded')).toMatchObject({ captured_amount: 5_000 });
  });

  it('stays canceled when the customer is said to have paid the page once more', async () => {
    const page = await shop.pay(null, { capture: 'manual' });
    await shop.complete(page.id, 'succeeded');
    const payment = await untilStatus(page, 'authorized');
    await shop.act(payment, 'cancel');
    await untilStatus(payment, 'canceled');
    for (const reference of [page.attempts[0].psp_reference, page.id]) await shop.complete(reference, 'succeeded');
    expect((await shop.later(payment)).status).toBe('canceled');
    expect(await books(payment)).toMatchObject({ authorized: 5_000, captured: 0, released: 5_000, count: 1 });
  });

  if (multi)
    it('is captured in several parts', async () => {
      const payment = await authorized();
      await shop.act(payment, 'capture', { amount: 1_000, final: false });
      const part = await until(payment, (seen) => seen.captured_amount === 1_000);
      expect(part).toMatchObject({ status: 'authorized', captured_amount: 1_000 });
      await shop.act(payment, 'capture', { amount: 1_500, final: false });
      await until(payment, (seen) => seen.captured_amount === 2_500);
      await shop.act(payment, 'cancel');
      expect(await untilStatus(payment, 'succeeded')).toMatchObject({ captured_amount: 2_500, released_amount: 2_500 });
      expect(await books(payment)).toMatchObject({ captured: 2_500, released: 2_500 });
      expect(await shop.money(payment)).toMatchObject({ amount: 2_500, count: 1 });
    });
  else
    it('refuses a capture that is not the last one', async () => {
      const payment = await authorized();
      const { status, body } = await shop.act(payment, 'capture', { amount: 1_000, final: false });
      expect([status, body.detail ?? body.message]).toEqual([
        expect.any(Number),
        expect.stringMatching(/multi_capture/),
      ]);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(await books(payment)).toMatchObject({ captured: 0 });
    });

  if (provider === 'adyen')
    it('waits for the outcome of a capture whose repeat is refused for the account', async () => {
      const payment = await authorized();
      const match = { operation: 'capture' };
      const body = { status: 422, errorCode: '010', errorType: 'security', message: 'Not allowed' };
      await shop.arrange('timeout_after_charge', { match, webhook: 'none', times: 1 });
      await shop.act(payment, 'capture', { amount: 1_000 });
      await shop.arrange('raw', { match, times: 1, raw: { status: 422, body } });
      await advance(host, '2m');
      expect((await shop.later(payment)).captures).toMatchObject([{ status: 'pending', failure: null }]);
    });

  it('fails when nobody captures it in time', async () => {
    const payment = await authorized();
    await advance(host, `${days}d`);

    expect(await untilStatus(payment, 'failed')).toMatchObject({ failure: { code: 'authorization_expired' } });
    expect(await books(payment)).toMatchObject({ captured: 0, released: 5_000 });
  });
});
