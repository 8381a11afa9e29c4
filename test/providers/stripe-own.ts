import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Traits } from '#test/providers/journeys.ts';
import { type OwnShop, openShop } from '#test/providers/own-shop.ts';
import {
  aConnection,
  anOrganization,
  type Body,
  HANG_UP_AFTER_MS,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';

/** What Stripe alone has: its own decline codes and advice, and amounts in its units. */
export function describeStripeOwn(traits: Traits): void {
  let host: TestHost;
  let shop: OwnShop;
  let both: TestOrganization;
  beforeAll(async () => {
    host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: ['stripe'] });
    shop = await openShop(host, traits);
    both = await anOrganization(host);
    const { id: connection_id } = await aConnection(host, both, { provider: 'stripe' });
    await aConnection(host, both, { provider: 'adyen' });
    const rule = { name: 'Germany', countries: ['DE'], connection_id, fallback_to_default: true };
    expect((await host.call('POST', '/v1/routing-rules', rule, { key: both.key })).status).toBe(201);
  });
  afterEach(() => host.control('DELETE', '/psp/scenario'));
  afterAll(() => host?.close());

  const pay = async (token: string, more: Body = {}): Promise<Body> => {
    const payment_method = { type: 'card', tokens: { stripe: token, adyen: 'ok' } };
    const body = { amount: 5_000, currency: 'EUR', country: 'DE', payment_method, ...more };
    return (await host.call('POST', '/v1/payments', body, { key: both.key })).body;
  };
  const providersOf = ({ attempts }: Body) => attempts.map(({ provider }: Body) => provider);

  it.each(['generic_decline', 'do_not_honor', 'reenter_transaction', 'partner_generic_decline'])(
    'goes to another provider for the harmless decline %s',
    async (code) => {
      const payment = await pay(`decline_${code}`);
      expect([payment.status, providersOf(payment)]).toEqual(['succeeded', ['stripe', 'adyen']]);
    },
  );

  it.each([
    ['do_not_honor:do_not_try_again', 'do_not_honor', false],
    ['do_not_honor:03', 'do_not_honor', false],
    ['generic_decline:try_again_later', 'card_declined', true],
    ['generic_decline:01', 'card_declined', true],
    ['do_not_try_again', 'card_declined', false],
    ['security_violation', 'fraud_suspected', false],
    ['duplicate_transaction', 'card_declined', true],
    ['partner_payment_not_found', 'card_declined', true],
  ])('stays at Stripe for %s', async (token, code, retryable) => {
    const payment = await pay(`decline_${token}`);
    expect(payment).toMatchObject({ status: 'failed', failure: { code, retryable } });
    expect(providersOf(payment)).toEqual(['stripe']);
  });

  it('stays at Stripe for a reason that no list has, and may be tried again', async () => {
    const error = { type: 'card_error', code: 'card_declined', decline_code: 'moon_phase', message: 'No.' };
    await host.control('POST', '/psp/scenario', {
      provider: 'stripe',
      behaviour: 'raw',
      match: { operation: 'create' },
      raw: { status: 402, body: { error } },
    });
    const payment = await pay('ok');
    expect(payment).toMatchObject({
      status: 'failed',
      failure: { code: 'card_declined', category: 'soft_decline', provider_code: 'moon_phase', retryable: true },
    });
    expect(providersOf(payment)).toEqual(['stripe']);
  });

  it.each([
    [5_000, 'UGX'],
    [1_500, 'ISK'],
    [150_000_000, 'IDR'],
    [150_000_000, 'JPY'],
    [100_000_000, 'EUR'],
  ])('charges and refunds %i %s as Stripe counts it', async (amount, currency) => {
    const payment = await shop.later(await shop.pay('ok', { amount, currency }));
    expect(payment).toMatchObject({ status: 'succeeded', amount });
    expect(await shop.money(payment)).toMatchObject({ amount, refunded: 0, currency, count: 1 });
    expect((await shop.act(payment, 'refund', { amount: amount / 2 })).body).toMatchObject({
      refunds: [{ status: 'succeeded', amount: amount / 2 }],
    });
    expect(await shop.money(payment)).toMatchObject({ amount, refunded: amount / 2 });
  });

  it('leaves out what a method cannot take, and takes it by card', async () => {
    const large = { amount: 100_000_000, currency: 'EUR' };
    const sepa = { method: 'sepa_debit', payment_method: { type: 'sepa_debit', tokens: { stripe: 'pm_1' } } };
    expect((await pay('ok', { ...large, ...sepa })).failure ?? {}).toMatchObject({ code: 'no_route' });
    expect((await pay('ok', large)).status).toBe('succeeded');
  });
}
