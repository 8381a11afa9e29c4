import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OwnShop, openShop } from '#test/providers/own-shop.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, callsAbout, drain, operationsOf } from '#test/support/payment-steps.ts';

/**
 * The schedule of lookups for an unsettled payment, and what happens after the last one.
 */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ pspBudgetMs: 300, demoProviders: [] });
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host?.close());

const opened = (provider: string, currency: string): Promise<OwnShop> =>
  openShop(host, { provider, currency, declines: [], cancel: 'refused', neverArrived: 'sent_again' });

/** Minutes from the first call to each call. */
const minutesOf = async ({ id }: Body): Promise<number[]> => {
  const calls = await callsAbout(host, id);
  return calls.map(({ at }) => Math.round((Date.parse(at) - Date.parse(calls[0]!.at)) / 60_000));
};
/** The number of all calls to the provider, because lookups of an unknown charge do not name the payment. */
const questionsTo = async (provider: string): Promise<number> =>
  (await host.control('GET', `/psp/calls?provider=${provider}`)).body.calls.length;
const asked = (days: number) => [
  0,
  1,
  6,
  11,
  16,
  21,
  26,
  86,
  ...Array.from({ length: days }, (_, n) => 86 + (n + 1) * 1_440),
];
const alarmsOf = ({ id }: Body) =>
  host.logged
    .filter(({ event, fields }) => /^(payment_needs_review|review_begun)$/.test(event) && fields.payment_id === id)
    .map(({ level, event, fields }) => [level, event, fields.reason]);
const ONE_ALARM = [
  ['error', 'payment_needs_review', undefined],
  ['info', 'review_begun', 'no_verdict'],
];

describe('a charge that the provider accepted and never settles', () => {
  it.each([
    ['card', 7],
    ['sepa_debit', 21],
  ])('is looked up on schedule for %s for %i days, then goes to review once', async (method, days) => {
    const shop = await opened('stripe', 'EUR');
    await shop.arrange('pending', { webhook: 'none' });
    const payment = await shop.pay(null, { method, payment_method: { type: method, tokens: { stripe: 'ok' } } });
    expect(payment.status).toBe('processing');
    await advance(host, `${days}d`);
    expect([(await shop.later(payment)).review, alarmsOf(payment)]).toEqual([null, []]);
    await advance(host, '2h');
    expect(await shop.later(payment)).toMatchObject({ status: 'processing', review: { reason: 'no_verdict' } });
    expect(await minutesOf(payment)).toEqual(asked(days));
    await advance(host, '30d');
    expect([await minutesOf(payment), alarmsOf(payment)]).toEqual([asked(days), ONE_ALARM]);
  });

  it('is settled by the first lookup that has an outcome', async () => {
    const shop = await opened('stripe', 'EUR');
    await shop.arrange('pending', { webhook: 'none' });
    const payment = await shop.pay('ok');
    await advance(host, '2d');
    await shop.complete(payment.id, 'succeeded');
    const asks = (await operationsOf(host, payment.id)).length;
    expect((await shop.later(payment)).status).toBe('processing');
    await advance(host, '1d');
    expect((await shop.later(payment)).status).toBe('succeeded');
    await advance(host, '30d');
    // A charge found paid late may have been refunded at the provider meanwhile, so its refunds are read once.
    expect((await operationsOf(host, payment.id)).slice(asks)).toEqual(['fetch', 'fetch_refund']);
  });
});

describe('a charge without a response', () => {
  it('ends in a review with an alarm', async () => {
    const shop = await opened('stripe', 'EUR');
    await shop.arrange('http_500', { webhook: 'none' });
    const payment = await shop.pay('ok');
    await advance(host, '8d');
    expect((await shop.later(payment)).review).toMatchObject({ reason: 'no_verdict' });
    expect([await minutesOf(payment), alarmsOf(payment)]).toEqual([asked(7), ONE_ALARM]);
  });

  it.each([
    ['checkout', 'EUR', 'succeeded', 1],
    ['paystack', 'NGN', 'succeeded', 1],
    ['flutterwave', 'NGN', 'failed', 0],
  ])(
    'counts as never sent two minutes after the send if %s does not know it',
    async (provider, currency, status, charges) => {
      const shop = await opened(provider, currency);
      await shop.arrange('timeout_before_charge', { webhook: 'none' });
      const payment = await shop.pay('ok');
      for (const by of ['11s', '50s', '50s']) {
        const before = await questionsTo(provider);
        await advance(host, by);
        const seen = await shop.later(payment);
        expect(await questionsTo(provider)).toBeGreaterThan(before);
        expect([
          seen.status,
          (await operationsOf(host, payment.id)).filter((operation) => operation === 'create').length,
        ]).toEqual(['processing', 1]);
      }
      await advance(host, '11s');
      await shop.later(payment);
      await drain(host);
      const settled = await shop.later(payment);
      expect([settled.status, settled.failure?.code ?? null, (await shop.money(payment)).count]).toEqual([
        status,
        status === 'failed' ? 'provider_unavailable' : null,
        charges,
      ]);
    },
  );

  it('is not sent again if too little time is left to wait for its response', async () => {
    const shop = await opened('checkout', 'EUR');
    await shop.arrange('timeout_before_charge', { webhook: 'none' });
    const payment = await shop.pay('ok');
    await advance(host, '50s');
    await shop.arrange('slow:230', { match: { operation: 'find' }, times: 2 });
    await advance(host, '80s');
    expect((await shop.later(payment)).status).toBe('processing');
    expect((await operationsOf(host, payment.id)).filter((operation) => operation === 'create').length).toBe(1);
    await advance(host, '5m');
    expect([(await shop.later(payment)).status, (await shop.money(payment)).count]).toEqual(['succeeded', 1]);
  });

  it('is looked up when somebody reads it, at most every ten seconds', async () => {
    const shop = await opened('checkout', 'EUR');
    await shop.arrange('timeout_before_charge', { webhook: 'none' });
    const payment = await shop.pay('ok');
    const before = await questionsTo('checkout');
    await Promise.all([shop.later(payment), shop.later(payment)]);
    expect(await questionsTo('checkout')).toBe(before);
    await advance(host, '11s');
    await shop.later(payment);
    const after = await questionsTo('checkout');
    expect(after).toBeGreaterThan(before);
    await shop.later(payment);
    expect(await questionsTo('checkout')).toBe(after);
  });
});
