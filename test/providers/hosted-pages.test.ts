import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnShop, openShop, press } from '#test/providers/own-shop.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, callsAbout, eventTypesOf } from '#test/support/payment-steps.ts';

/** A page at the PSP: what is tried there in vain, how long it stays open, and money that comes after that. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ demoProviders: [] });
});
afterAll(() => host?.close());

/** `open`: so long a page is open at least; Mollie closes a card's early by itself. */
const PAGES: readonly (readonly [provider: string, currency: string, open: string])[] = [
  ['stripe', 'EUR', '23h'],
  ['adyen', 'EUR', '23h'],
  ['checkout', 'EUR', '23h'],
  ['mollie', 'EUR', '5m'],
  ['paypal', 'EUR', '23h'],
  ['paystack', 'NGN', '23h'],
  ['flutterwave', 'NGN', '23h'],
  ['razorpay', 'INR', '23h'],
];

/** Nothing ends their pages but money and time. */
const NEVER_ENDED: ReadonlySet<string> = new Set(['checkout', 'paystack', 'flutterwave']);

describe.each(PAGES)('a page at %s', (provider, currency, open) => {
  let shop: OwnShop;
  beforeAll(async () => {
    shop = await openShop(host, { provider, currency, declines: [], cancel: 'refused', neverArrived: 'sent_again' });
  });
  const told = ({ id }: Body) => eventTypesOf(host, id, { key: shop.key });
  const opened = async (): Promise<Body> => {
    const payment = await shop.pay(null, { country: 'NL' });
    expect(payment.next_action, JSON.stringify(payment.failure)).toMatchObject({ type: 'redirect' });
    return payment;
  };

  // At Mollie a page has one try; the next is another page of the same payment of its own.
  if (provider !== 'mollie')
    it('stays open after a try that was declined, and may be paid on', async () => {
      const payment = await opened();
      await press(payment.next_action.url, 'decline');
      const seen = await shop.later(payment);
      expect([seen.status, seen.failure, await told(payment)]).toEqual(['requires_action', null, ['created']]);
      await press(payment.next_action.url, 'pay');
      await shop.act(payment, 'confirm', {});
      expect(await shop.later(payment)).toMatchObject({
        status: 'succeeded',
        late_success: false,
        attempts: [{ status: 'succeeded' }],
      });
      expect([(await shop.money(payment)).count, await told(payment)]).toEqual([1, ['created', 'succeeded']]);
    });

  it('ends after a day, at the provider too where that can be, and not before', async () => {
    const payment = await opened();
    await advance(host, open);
    expect((await shop.later(payment)).status).toBe('requires_action');
    await advance(host, '25h');
    expect(await shop.later(payment)).toMatchObject({
      status: 'failed',
      next_action: null,
      failure: { code: 'expired', category: 'expired', retryable: true },
    });
    expect(await told(payment)).toEqual(['created', 'failed']);
    const ended = (await callsAbout(host, payment.id)).map(({ operation }) => operation).includes('cancel');
    if (ended) await press(payment.next_action.url, 'pay');
    expect((await shop.money(payment)).count).toBe(0);
  });

  if (NEVER_ENDED.has(provider))
    it('is not canceled while it can be paid, and nothing that is paid there goes back', async () => {
      const payment = await opened();
      expect(await shop.act(payment, 'cancel')).toMatchObject({
        status: 409,
        body: { code: 'payment_not_cancelable' },
      });
      expect([(await shop.later(payment)).status, await told(payment)]).toEqual(['requires_action', ['created']]);
      await press(payment.next_action.url, 'pay');
      expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', late_success: false, refunds: [] });
    });

  it('that was paid on all the same after it had ended is a late success', async () => {
    const payment = await opened();
    await advance(host, '25h');
    expect((await shop.later(payment)).status).toBe('failed');
    await shop.complete(payment.id, 'succeeded');
    await advance(host, '30m');
    const [seen, money] = [await shop.later(payment), await shop.money(payment)];
    if (money.count === 0) return expect([seen.status, seen.failure.code]).toEqual(['failed', 'expired']);
    expect(seen).toMatchObject({ status: 'succeeded', late_success: true, failure: null });
    expect([money.amount - money.refunded, money.count, await told(payment)]).toEqual([
      5_000,
      1,
      ['created', 'failed', 'succeeded'],
    ]);
  });
});
