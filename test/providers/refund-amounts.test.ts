import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { type OwnShop, openShop } from '#test/providers/own-shop.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { callsAbout, eventTypesOf } from '#test/support/payment-steps.ts';

/** Refunds of what a PSP can't be asked for: they are refused as such charges are, and not carried to it. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ demoProviders: [] });
});
afterAll(() => host?.close());

type Line = readonly [provider: Provider, currency: string, amount: number, not: number];

/** `not`: a part of the amount that this PSP has no way to say. */
const LINES: readonly Line[] = [
  ['stripe', 'KWD', 50_010, 5],
  ['stripe', 'MGA', 50_000, 50],
  ['adyen', 'IDR', 5_000_000, 50],
  ['adyen', 'CVE', 50_000, 1],
  ['checkout', 'BHD', 50_010, 5],
  ['paypal', 'HUF', 500_000, 50],
  ['paypal', 'TWD', 50_000, 1],
  ['razorpay', 'INR', 5_000, 50],
];

/** Razorpay wants the customer's number beside a token. */
const open = (provider: Line[0], currency: string) =>
  openShop(host, {
    provider,
    currency,
    beside: { phone: '+919900000000' },
    declines: [],
    cancel: 'refused',
    neverArrived: 'sent_again',
  });

describe.each(LINES)('a refund at %s in %s of which it takes no part such as', (provider, currency, amount, not) => {
  let shop: OwnShop;
  let paid: Awaited<ReturnType<OwnShop['pay']>>;
  const operations = async () => (await callsAbout(host, paid.id)).map(({ operation }) => operation);
  beforeAll(async () => {
    shop = await open(provider, currency);
    paid = await shop.later(await shop.pay('ok', { amount }));
    expect([paid.status, paid.failure]).toEqual(['succeeded', null]);
  });

  it('is refused before anything is stored, and nobody is asked', async () => {
    const { status, body } = await shop.act(paid, 'refund', { amount: not });
    expect([status, body]).toEqual([
      400,
      {
        error: 'invalid_request',
        code: 'amount_not_supported',
        message: expect.stringContaining(`${not} minor units`),
        doc_url: expect.any(String),
      },
    ]);
    expect((await shop.later(paid)).refunds).toEqual([]);
    expect([(await operations()).includes('refund'), await eventTypesOf(host, paid.id, { key: shop.key })]).toEqual([
      false,
      ['created', 'succeeded'],
    ]);
  });

  it('is not said to be too much where it is, and the whole still goes back', async () => {
    expect(await shop.act(paid, 'refund', { amount: amount + not })).toMatchObject({
      status: 400,
      body: { code: 'refund_exceeds_remaining' },
    });
    const { status, body } = await shop.act(paid, 'refund');
    expect([status, body.refunds]).toMatchObject([200, [{ amount, failure: null }]]);
  });
});

describe('a part that leaves a rest which can’t be refunded', () => {
  it('goes back, and the rest is refused for what it is', async () => {
    const shop = await open('razorpay', 'INR');
    const paid = await shop.later(await shop.pay('ok', { amount: 5_000 }));
    expect((await shop.act(paid, 'refund', { amount: 4_950 })).body.refunds).toMatchObject([
      { amount: 4_950, failure: null },
    ]);
    expect(await shop.act(paid, 'refund')).toMatchObject({ status: 400, body: { code: 'amount_not_supported' } });
    expect((await shop.later(paid)).refunds).toHaveLength(1);
  });
});
