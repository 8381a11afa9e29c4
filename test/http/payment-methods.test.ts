import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  aPaymentBody,
  type Body,
  type CallOptions,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import { act, arrange, aShop, create, faultsIn, keyWith, read } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

let number = 0;
const aCustomer = (): string => {
  number += 1;
  return `customer-${number}`;
};

const TOKENS = { stripe: 'ok' };
const ADYEN = { storedPaymentMethodId: 'ok', shopperReference: 'shopper' };
const save = (body: Body, how: CallOptions = {}): Promise<ApiResponse> =>
  host.call('POST', '/v1/payment-methods', { type: 'card', tokens: TOKENS, ...body }, how);
async function saved(body: Body, how: CallOptions = {}): Promise<Body> {
  const reply = await save(body, how);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}
const methodsOf = async (customer_id: string, how: CallOptions = {}): Promise<Body[]> =>
  (await host.call('GET', `/v1/payment-methods?customer_id=${encodeURIComponent(customer_id)}`, undefined, how)).body
    .payment_methods;
const defaultsOf = async (customer: string) => (await methodsOf(customer)).filter((each) => each.default);
const change = (id: string, body: Body, how: CallOptions = {}) =>
  host.call('PATCH', `/v1/payment-methods/${id}`, body, how);
const remove = (id: string, how: CallOptions = {}) => host.call('DELETE', `/v1/payment-methods/${id}`, undefined, how);
const payWith = (id: string, more: Body = {}, how: CallOptions = {}) => {
  const { payment_method: _, ...body } = aPaymentBody('ok', more);
  return create(host, { ...body, payment_method: { id } }, how);
};

describe('a saved payment method', () => {
  it('is shown with its providers, and never with its tokens', async () => {
    const customer_id = aCustomer();
    const card = {
      brand: 'visa',
      last4: '4242',
      exp_month: 12,
      exp_year: 2030,
      funding: 'credit',
      issuer_country: 'DE',
    };
    const tokens = {
      stripe: { customer: 'cus_1', payment_method: 'pm_secret_of_stripe' },
      adyen: ADYEN,
    };
    const reply = await save({ customer_id, card, tokens, network_transaction_id: 'NTI123' });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`/v1/payment-methods/${reply.body.id}`);
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^pm_/),
      org_id: host.info.org_id,
      mode: 'sandbox',
      customer_id,
      type: 'card',
      card,
      providers: ['adyen', 'stripe'],
      network_transaction_id: 'NTI123',
      default: true,
      created_at: expect.any(String),
      updated_at: reply.body.created_at,
    });
    expect((await host.call('GET', `/v1/payment-methods/${reply.body.id}`)).body).toEqual(reply.body);
    expect(await methodsOf(customer_id)).toEqual([reply.body]);
    const stored = await (await host.deps.paymentMethods()).get(host.info.org_id, reply.body.id);
    expect(JSON.stringify(stored)).not.toContain('pm_secret_of_stripe');
  });

  it('is made once by a request that is repeated with its key', async () => {
    const customer_id = aCustomer();
    const how = { headers: { 'idempotency-key': `once-${customer_id}` } };
    const [first, second] = [await saved({ customer_id }, how), await saved({ customer_id }, how)];
    expect(second).toEqual(first);
    expect(await methodsOf(customer_id)).toHaveLength(1);
  });

  it.each<[string, Body, string]>([
    ['no customer', { customer_id: undefined }, 'customer_id'],
    ['no token', { tokens: {} }, 'tokens'],
    ['an unknown provider', { tokens: { nobody: 'ok' } }, 'tokens.nobody'],
    ['a token that is good for one charge only', { tokens: { stripe: 'tok_1abc' } }, 'tokens.stripe'],
    ['last digits that are none', { card: { last4: '12345' } }, 'card.last4'],
    ['a month that is none', { card: { exp_month: 13 } }, 'card.exp_month'],
    ['an unknown field', { token: 'ok' }, 'token'],
    ['a method that shall not be the default', { default: false }, 'default'],
  ])('is refused with %s, and nothing is kept', async (_, body, path) => {
    const customer_id = aCustomer();
    const reply = await save({ customer_id, ...body });
    expect([reply.status, reply.body.code, faultsIn(reply)]).toEqual([400, 'invalid_request', [path]]);
    expect(await methodsOf(customer_id)).toEqual([]);
  });

  it('is refused with a card number in a token or in the name of a brand', async () => {
    const named = await save({ customer_id: aCustomer(), card: { brand: 'visa_4242424242424242' } });
    expect([named.status, named.text]).toEqual([400, expect.not.stringContaining('4242424242')]);
    const reply = await save({ customer_id: aCustomer(), tokens: { stripe: '4242424242424242' } });
    expect([reply.status, reply.body.code]).toEqual([400, 'raw_card_data']);
  });

  it('gets, replaces and loses tokens, but never the last one', async () => {
    const { id } = await saved({ customer_id: aCustomer() });
    expect((await change(id, { tokens: { adyen: ADYEN } })).body.providers).toEqual(['adyen', 'stripe']);
    expect((await change(id, { tokens: { stripe: null } })).body.providers).toEqual(['adyen']);
    const last = await change(id, { tokens: { adyen: null } });
    expect([last.status, faultsIn(last)]).toEqual([400, ['tokens']]);
    expect((await change(id, { card: { brand: 'visa' } })).body).toMatchObject({
      providers: ['adyen'],
      card: { brand: 'visa' },
    });
  });

  it('is gone after it was deleted', async () => {
    const { id, customer_id } = await saved({ customer_id: aCustomer() });
    expect((await remove(id)).body).toEqual({ id, deleted: true });
    expect((await host.call('GET', `/v1/payment-methods/${id}`)).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
    expect(await methodsOf(customer_id)).toEqual([]);
    const refused = await payWith(id);
    expect([refused.status, faultsIn(refused)]).toEqual([400, ['payment_method.id']]);
  });

  it('needs the scope of payments', async () => {
    const [reads, writes] = [await keyWith(host, ['payments:read']), await keyWith(host, ['payments:write'])];
    const { id, customer_id } = await saved({ customer_id: aCustomer() }, { key: writes });
    expect((await save({ customer_id }, { key: reads })).status).toBe(403);
    expect((await remove(id, { key: reads })).status).toBe(403);
    expect(await methodsOf(customer_id, { key: reads })).toHaveLength(1);
  });
});

describe('the default method of a customer', () => {
  it('is the first one until another one is made it', async () => {
    const customer_id = aCustomer();
    const [first, second] = [await saved({ customer_id }), await saved({ customer_id })];
    expect([first.default, second.default]).toEqual([true, false]);
    expect((await change(second.id, { default: true })).body.default).toBe(true);
    expect((await defaultsOf(customer_id)).map(({ id }) => id)).toEqual([second.id]);
    const third = await saved({ customer_id, default: true });
    expect((await defaultsOf(customer_id)).map(({ id }) => id)).toEqual([third.id]);
  });

  it('is the newest of the others once it is deleted', async () => {
    const customer_id = aCustomer();
    const [first, , third] = [await saved({ customer_id }), await saved({ customer_id }), await saved({ customer_id })];
    await remove(first.id);
    expect((await defaultsOf(customer_id)).map(({ id }) => id)).toEqual([third.id]);
  });

  it('is exactly one after twenty requests at once', async () => {
    const customer_id = aCustomer();
    const made = await Promise.all(Array.from({ length: 20 }, () => save({ customer_id, default: true })));
    expect(made.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(await methodsOf(customer_id)).toHaveLength(20);
    expect(await defaultsOf(customer_id)).toHaveLength(1);
  });

  it('is among up to fifty methods, which the list pages through', async () => {
    const customer_id = aCustomer();
    for (let n = 0; n < 50; n += 10) await Promise.all(Array.from({ length: 10 }, () => saved({ customer_id })));
    const full = await save({ customer_id });
    expect([full.status, full.body.code]).toEqual([409, 'payment_method_limit']);
    const page = await host.call('GET', `/v1/payment-methods?customer_id=${customer_id}&limit=30`);
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    const rest = await host.call('GET', next.slice(next.indexOf('/v1/')));
    const ids = [...page.body.payment_methods, ...rest.body.payment_methods].map(({ id }: Body) => id);
    expect([page.body.pagination, new Set(ids).size]).toEqual([
      { limit: 30, offset: 0, total: 50, next_cursor: expect.any(String) },
      50,
    ]);
  });
});

describe('a payment with a saved method', () => {
  it('is charged with its token, for its customer', async () => {
    const { id, customer_id } = await saved({ customer_id: aCustomer() });
    const { status, body } = await payWith(id);
    expect([status, body.status, body.method, body.customer_id, body.payment_method_id]).toEqual([
      201,
      'succeeded',
      'card',
      customer_id,
      id,
    ]);
  });

  it('goes only to providers that it has a token of, and fails over among them', async () => {
    const credentials = (provider: 'razorpay' | 'adyen') => randomCredentials(provider, 'sandbox');
    const shop = await aShop(host, {
      conn_a: { provider: 'razorpay', credentials: credentials('razorpay') },
      conn_b: { provider: 'stripe' },
      conn_c: { provider: 'adyen', credentials: credentials('adyen') },
    });
    const { id } = await saved({ customer_id: aCustomer(), tokens: { ...TOKENS, adyen: ADYEN } }, { key: shop.key });
    await arrange(host, 'refuse_connection', { provider: 'stripe' });
    const { body } = await payWith(id, {}, { key: shop.key });
    expect(body.attempts.map(({ provider }: Body) => provider)).toEqual(['stripe', 'adyen']);
    expect(body.status).toBe('succeeded');
  });

  it('is refused for another customer, another type or another organization', async () => {
    const { id } = await saved({ customer_id: aCustomer() });
    const other = await payWith(id, { customer_id: 'somebody else' });
    expect([other.status, faultsIn(other)]).toEqual([400, ['payment_method.id']]);
    const type = await payWith(id, { method: 'ideal' });
    expect([type.status, faultsIn(type)]).toEqual([400, ['method']]);
    const stranger = await anOrganization(host);
    await aConnection(host, stranger);
    const foreign = await payWith(id, {}, { key: stranger.key });
    expect([foreign.status, faultsIn(foreign)]).toEqual([400, ['payment_method.id']]);
    expect((await host.call('GET', `/v1/payment-methods/${id}`, undefined, { key: stranger.key })).status).toBe(404);
  });

  it('takes nothing beside the id that says who pays', async () => {
    const { id } = await saved({ customer_id: aCustomer() });
    const reply = await create(host, { ...aPaymentBody(), payment_method: { id, token: 'ok' } });
    expect([reply.status, faultsIn(reply)]).toEqual([400, ['payment_method.id']]);
    const none = await create(host, { ...aPaymentBody(), payment_method: { return_url: 'https://shop.example' } });
    expect([none.status, faultsIn(none)]).toEqual([400, ['payment_method.type']]);
  });

  it('is answered as before by a repeat after the method was deleted', async () => {
    const { id } = await saved({ customer_id: aCustomer() });
    const how = { headers: { 'idempotency-key': `deleted-${id}` } };
    const first = await payWith(id, {}, how);
    await remove(id);
    expect((await payWith(id, {}, how)).body).toEqual(first.body);
  });

  it('confirms an intent, which is then of its customer', async () => {
    const { id, customer_id } = await saved({ customer_id: aCustomer() });
    const { payment_method: _, ...body } = aPaymentBody();
    const intent = (await host.call('POST', '/v1/payments/intents', body)).body;
    const confirmed = await act(host, intent.id, 'confirm', { payment_method: { id } });
    expect(confirmed.body).toMatchObject({ status: 'succeeded', customer_id, payment_method_id: id });
  });

  it('cannot be named with a public key', async () => {
    const { id } = await saved({ customer_id: aCustomer() });
    const { payment_method: _, ...body } = aPaymentBody();
    const intent = (await host.call('POST', '/v1/payments/intents', body)).body;
    const { client_secret } = intent;
    const path = `/v1/payments/${intent.id}/confirm-intent`;
    const reply = await host.call(
      'POST',
      path,
      { client_secret, payment_method: { id } },
      { key: host.info.keys.public },
    );
    expect([reply.status, faultsIn(reply).toSorted()]).toEqual([400, ['payment_method.id', 'payment_method.type']]);
  });

  it('is retried with another saved method, and names that one', async () => {
    const customer_id = aCustomer();
    const [bad, good] = [
      await saved({ customer_id, tokens: { stripe: 'decline_insufficient_funds' } }),
      await saved({ customer_id }),
    ];
    const failed = (await payWith(bad.id)).body;
    expect([failed.status, failed.payment_method_id]).toEqual(['failed', bad.id]);
    const retried = await act(host, failed.id, 'retry', { payment_method: { id: good.id } });
    expect(retried.body).toMatchObject({ status: 'succeeded', payment_method_id: good.id });
    expect(await read(host, failed.id)).toMatchObject({ payment_method_id: good.id });
  });
});
