import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import { callsAbout, drain } from '#test/support/payment-steps.ts';

/** What anybody at a checkout can send, and what it says of a connection: nothing. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ demoProviders: [] });
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host?.close());

type Asked = { readonly provider: Provider; readonly currency: string; readonly secret: string };

const PROVIDERS: readonly Asked[] = [
  { provider: 'stripe', currency: 'EUR', secret: 'secret_key' },
  { provider: 'adyen', currency: 'EUR', secret: 'api_key' },
  { provider: 'paypal', currency: 'EUR', secret: 'client_secret' },
  { provider: 'checkout', currency: 'EUR', secret: 'secret_key' },
  { provider: 'mollie', currency: 'EUR', secret: 'api_key' },
  { provider: 'paystack', currency: 'NGN', secret: 'secret_key' },
  { provider: 'flutterwave', currency: 'NGN', secret: 'secret_key' },
  { provider: 'razorpay', currency: 'INR', secret: 'key_secret' },
];

const RUBBISH: readonly unknown[] = [
  { x: 'y' },
  'x'.repeat(5_000),
  'wrong.prefix/4711',
  '💳💥',
  { token: '', id: '' },
  { token: { deep: 'er' } },
];
/** Of no provider's form: these the body's own check refuses, and the payment stays as it is. */
const NO_TOKEN: readonly unknown[] = ['', 7, [], true];
const TIMES = 12;

type Shop = { readonly key: string; readonly publicKey: string; readonly currency: string };

/** Payments go to `a` while nothing speaks against it, to `b` otherwise. */
async function aShop({ provider, currency }: Asked, credentials?: Body): Promise<Shop> {
  const { key } = await anOrganization(host);
  await aConnection(host, { key }, { id: 'a', provider, ...(credentials && { credentials }) });
  await aConnection(host, { key }, { id: 'b', provider: provider === 'adyen' ? 'stripe' : 'adyen' });
  const publicKey = (await host.call('POST', '/v1/api-keys', { name: 'browser', kind: 'public', scopes: [] }, { key }))
    .body.key;
  return { key, publicKey, currency };
}

const asked = ({ currency }: Shop) => ({ amount: 5_000, currency, customer_email: 'kim@example.com' });
const methodOf = (token: unknown) => ({ type: 'card', phone: '+919900000000', token });

/** The customer's browser confirms what the shop has begun. */
async function confirm(shop: Shop, token: unknown): Promise<ApiResponse & { readonly id: string }> {
  const { id, client_secret } = (await host.call('POST', '/v1/payments/intents', asked(shop), shop)).body;
  const answer = await host.call(
    'POST',
    `/v1/payments/${id}/confirm-intent`,
    { client_secret, payment_method: methodOf(token) },
    { key: shop.publicKey },
  );
  return { ...answer, id };
}

const pay = async (shop: Shop, token = 'ok'): Promise<Body> =>
  (await host.call('POST', '/v1/payments', { ...asked(shop), payment_method: methodOf(token) }, shop)).body;

async function healthOf(shop: Shop): Promise<Body> {
  await drain(host);
  return (await host.call('GET', '/v1/connections/a', undefined, shop)).body;
}

const isSent = async (id: string): Promise<boolean> =>
  (await callsAbout(host, id)).some(({ operation }) => operation === 'create');

describe.each(PROVIDERS)('$provider', (provider) => {
  it('is not switched off by tokens that are none: they are declined, and the next payments go there as before', async () => {
    const shop = await aShop(provider);
    let sent = 0;
    for (let n = 0; n < TIMES; n += 1) {
      const token = RUBBISH[n % RUBBISH.length];
      const { id, status, body } = await confirm(shop, token);
      // What is an object of objects no provider knows: it is refused with the body.
      if (status === 400)
        expect([token, body.details.fields[0].path]).toEqual([token, expect.stringContaining('payment_method.token')]);
      else
        expect([token, status, body.status, body.failure?.code]).toEqual([
          token,
          200,
          'failed',
          'invalid_payment_method',
        ]);
      if (await isSent(id)) sent += 1;
    }
    const health = await healthOf(shop);
    expect(health).toMatchObject({ total_calls: sent, successful_calls: sent, failed_calls: 0, last_failure_at: null });
    expect(['unknown', 'healthy']).toContain(health.health_status);
    for (let n = 0; n < 3; n += 1)
      expect(await pay(shop)).toMatchObject({ failure: null, connection_id: 'a', provider: provider.provider });
  });

  it.each([[{ x: 'y' }], ['x'.repeat(20_000)]])('counts no call that was never made (%#)', async (token) => {
    const shop = await aShop(provider);
    const ids: string[] = [];
    for (let n = 0; n < TIMES; n += 1) ids.push((await confirm(shop, token)).id);
    const sent = (await Promise.all(ids.map(isSent))).filter(Boolean).length;
    // Mollie alone takes text of that length for a token: an Apple Pay one may be as long.
    expect(sent).toBe(provider.provider === 'mollie' && typeof token === 'string' ? TIMES : 0);
    expect(await healthOf(shop)).toMatchObject({
      total_calls: sent,
      failed_calls: 0,
      health_score: sent === 0 ? null : 100,
    });
  });

  it('leaves a payment as it is where the token is of no form at all', async () => {
    const shop = await aShop(provider);
    for (const token of NO_TOKEN) {
      const { id, status } = await confirm(shop, token);
      expect([token, status]).toEqual([token, 400]);
      expect((await host.call('GET', `/v1/payments/${id}`, undefined, shop)).body).toMatchObject({
        status: 'created',
        attempts: [],
      });
    }
    expect(await healthOf(shop)).toMatchObject({ total_calls: 0 });
  });

  it('is down all the same when its key is revoked', async () => {
    const made = randomCredentials(provider.provider, 'sandbox') as Body;
    const shop = await aShop(provider, {
      ...made,
      [provider.secret]: made[provider.secret].replace(/.{7}$/, 'revoked'),
    });
    const turn = (status: string) => host.call('PATCH', '/v1/connections/b/status', { status }, shop);
    await turn('inactive');
    for (let n = 0; n < 10; n += 1)
      expect(await pay(shop)).toMatchObject({ status: 'failed', failure: { code: 'invalid_configuration' } });
    await turn('active');
    expect(await healthOf(shop)).toMatchObject({ failed_calls: 10, health_score: 0, health_status: 'down' });
    // A few payments still try it.
    const went: string[] = [];
    for (let n = 0; n < 20; n += 1) went.push((await pay(shop)).connection_id);
    expect(went.filter((id) => id === 'b').length).toBeGreaterThan(10);
  });

  it.each(['http_500', 'rate_limited', 'refuse_connection'])('counts %s as a failed call', async (behaviour) => {
    const shop = await aShop(provider);
    await host.control('POST', '/psp/scenario', { provider: provider.provider, behaviour, times: 20 });
    for (let n = 0; n < 2; n += 1) await pay(shop);
    expect(await healthOf(shop)).toMatchObject({ total_calls: 2, failed_calls: 2 });
  });
});

describe('an amount that the provider does not take', () => {
  it('is named, is not to be retried there, and says nothing against the connection', async () => {
    const shop = await aShop({ provider: 'stripe', currency: 'EUR', secret: '' });
    const failure = {
      code: 'amount_not_supported',
      category: 'configuration',
      provider_code: 'amount_too_small',
      retryable: false,
    };
    for (const payment_method of [methodOf('ok'), undefined]) {
      const { body } = await host.call(
        'POST',
        '/v1/payments',
        { amount: 1, currency: 'EUR', ...(payment_method && { payment_method }) },
        shop,
      );
      expect(body.attempts[0]).toMatchObject({
        connection_id: 'a',
        failure: { ...failure, message: expect.stringContaining('amount') },
      });
      if (payment_method) expect(body).toMatchObject({ status: 'failed', failure });
      // Without a token of its own the next provider is asked, which may take it.
      else expect(body).toMatchObject({ status: 'requires_action', connection_id: 'b' });
    }
    expect(await healthOf(shop)).toMatchObject({ total_calls: 2, successful_calls: 2, failed_calls: 0 });
  });
});
