import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PROVIDERS } from '#shared/psp/providers.ts';
import { aPaymentBody, type Body, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ demoProviders: PROVIDERS });
});
afterAll(() => host.close());
afterEach(() => host.control('DELETE', '/psp/scenario'));

const scenario = (provider: string, raw: unknown, more: object = {}) =>
  host.control('POST', '/psp/scenario', { provider, behaviour: 'raw', raw, ...more });

/** Only this provider has a token, so the payment can go nowhere else. */
const payAt = async (provider: string, more: object = {}, customer?: string): Promise<Body> => {
  const token = customer === undefined ? 'ok' : { payment_method: 'ok', customer };
  const payment_method = { type: 'card', tokens: { [provider]: token } };
  return (await host.call('POST', '/v1/payments', { ...aPaymentBody(), payment_method, ...more })).body;
};
const callsOf = async (payment: Body): Promise<Body> =>
  (await host.control('GET', `/psp/calls?payment_id=${payment.id}`)).body;

const STOLEN = {
  status: 402,
  body: { error: { type: 'card_error', code: 'card_declined', decline_code: 'stolen_card', message: 'Declined.' } },
};

describe('a raw scenario', () => {
  it('is what the adapter of Stripe reads, and nothing is charged', async () => {
    await scenario('stripe', STOLEN);
    const payment = await payAt('stripe');
    expect(payment).toMatchObject({ status: 'failed', failure: { code: 'stolen_card', provider_code: 'stolen_card' } });
    const { calls, charges } = await callsOf(payment);
    expect([calls.map(({ status }: Body) => status), charges]).toEqual([[402], {}]);
  });

  it('is what the adapter of Adyen reads, with the reference of the request filled in', async () => {
    await scenario('adyen', {
      status: 200,
      body: {
        pspReference: 'RAWRAWRAWRAW0001',
        merchantReference: '{{request.reference}}',
        resultCode: 'Refused',
        refusalReason: 'Expired Card',
        refusalReasonCode: '6',
      },
    });
    const payment = await payAt('adyen');
    expect(payment).toMatchObject({
      status: 'failed',
      failure: { code: 'expired_card' },
      attempts: [{ psp_reference: 'RAWRAWRAWRAW0001' }],
    });
    expect((await callsOf(payment)).charges).toEqual({});
  });

  it('leaves the outcome open where the answer is no JSON, and the payment is charged once in the end', async () => {
    await scenario('stripe', { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>502</h1>' });
    const payment = await payAt('stripe');
    expect([payment.status, (await callsOf(payment)).charges]).toEqual(['processing', {}]);
    await host.control('POST', '/clock', { advance: '2m' });
    expect((await host.call('GET', `/v1/payments/${payment.id}`)).body.status).toBe('succeeded');
    expect((await callsOf(payment)).charges[payment.id]).toMatchObject({ count: 1, amount: 5_000 });
  });

  it('applies to the calls that it matches, as often as it says', async () => {
    await scenario('stripe', STOLEN, { times: 2, match: { customer_id: 'cus_raw' } });
    const statuses = [];
    for (const customer of ['cus_other', 'cus_raw', 'cus_raw', 'cus_raw'])
      statuses.push((await payAt('stripe', {}, customer)).status);
    expect(statuses).toEqual(['succeeded', 'failed', 'failed', 'succeeded']);
  });

  it('answers another operation than a charge where it names one', async () => {
    const payment = await payAt('flutterwave', { customer_email: 'ada@shop.example', currency: 'NGN' });
    await scenario(
      'flutterwave',
      { status: 400, body: { status: 'error', message: 'Insufficient balance for refund', data: null } },
      { match: { operation: 'refund' } },
    );
    const { body } = await host.call('POST', `/v1/payments/${payment.id}/refund`, { amount: 1_000 });
    expect(body.refunds).toMatchObject([{ amount: 1_000, status: 'failed' }]);
    expect((await callsOf(payment)).charges[payment.id]).toMatchObject({ amount: 5_000, refunded: 0 });
  });
});

/** What a provider needs besides a token. */
const MORE: Readonly<Record<string, object>> = {
  flutterwave: { currency: 'NGN', customer_email: 'ada@shop.example' },
  paystack: { currency: 'NGN', customer_email: 'ada@shop.example' },
  razorpay: { currency: 'INR', customer_email: 'ada@shop.example' },
};

describe.each(PROVIDERS)('a raw response of %s', (provider) => {
  it('reaches the adapter with its status, and takes no money', async () => {
    await scenario(provider, { status: 503, headers: { 'content-type': 'text/plain' }, body: 'Maintenance.' });
    const payment = await payAt(provider, MORE[provider]);
    const { calls, charges } = await callsOf(payment);
    expect(calls.map(({ status }: Body) => status)).toContain(503);
    expect([payment.provider, charges]).toEqual([provider, {}]);
  });
});

describe('POST /psp/scenario', () => {
  it('returns the raw scenario that now waits', async () => {
    const { status, body } = await scenario('stripe', STOLEN);
    expect([status, body]).toEqual([200, { provider: 'stripe', behaviour: 'raw', raw: STOLEN }]);
  });

  it.each([
    ['raw without a response', { behaviour: 'raw' }, /needs the response to send/],
    ['a response for another behaviour', { behaviour: 'approve', raw: STOLEN }, /approve takes no raw response/],
    ['a status that ends no response', { behaviour: 'raw', raw: { status: 101, body: '' } }, /raw\.status/],
    ['a response without a body', { behaviour: 'raw', raw: { status: 200 } }, /raw\.body.*an object.*or a text/],
    ['a body that is a number', { behaviour: 'raw', raw: { status: 200, body: 7 } }, /raw\.body.*an object.*or a text/],
    [
      'a header that HTTP does not allow',
      { behaviour: 'raw', raw: { status: 200, headers: { 'x y': 'z' }, body: '' } },
      /raw\.headers.*HTTP allows/,
    ],
    ['an unknown field', { behaviour: 'raw', raw: { ...STOLEN, code: 1 } }, /raw.*code/],
    [
      'an unknown way to send webhooks, and lists those there are',
      { behaviour: 'approve', webhook: 'twice' },
      /twice.*normal.*duplicate.*late:/,
    ],
    ['an unknown behaviour, and lists those there are', { behaviour: 'dance' }, /approve.*decline:.*raw/],
  ])('rejects %s', async (_, body, message) => {
    expect(await host.controlReply('POST', '/psp/scenario', { provider: 'stripe', ...body })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message) },
    });
  });
});

describe('GET /psp/calls', () => {
  it('rejects an unknown provider, and lists those there are', async () => {
    const { status, body } = await host.controlReply('GET', '/psp/calls?provider=strip');
    expect([status, body.message]).toEqual([400, expect.stringMatching(/provider.*adyen.*stripe/)]);
  });

  it('takes empty filters as if they were absent', async () => {
    const { status, body } = await host.control('GET', '/psp/calls?provider=&payment_id=');
    expect([status, body.calls.length > 0]).toEqual([200, true]);
  });
});
