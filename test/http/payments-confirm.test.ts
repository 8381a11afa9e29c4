import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  itChecksCredentials,
  itHandlesIdempotencyKeys,
  itHidesOtherPayments,
  itLimitsItsRate,
} from '#test/http/payments.support.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  anIntent,
  arrange,
  aShop,
  complete,
  eventTypesOf,
  faultsIn,
  moneyOf,
  pay,
  payOnPage,
  read,
} from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const confirm = (id: string, body?: Body, how = {}) => act(host, id, 'confirm', body, how);
const withToken = (token: string, more = {}) => ({ payment_method: { type: 'card', token, ...more } });
const bare = { amount: 5_000, currency: 'EUR' };
const bareIntent = async (more = {}, how = {}): Promise<Body> =>
  (await host.call('POST', '/v1/payments/intents', { ...bare, ...more }, how)).body;

describe('POST /v1/payments/{id}/confirm', () => {
  const endpoint = {
    host: () => host,
    method: 'POST',
    path: (id: string) => `/v1/payments/${id}/confirm`,
    scope: 'payments:write',
    ready: () => anIntent(host),
    success: 200,
  } as const;
  itChecksCredentials(endpoint);
  itHidesOtherPayments(endpoint);
  itLimitsItsRate(endpoint, 100);
  itHandlesIdempotencyKeys({ ...endpoint, other: withToken('ok'), slow: 'create' });

  it('charges the method of the intent', async () => {
    const { id, created_at } = await anIntent(host, 'ok', { metadata: { order: '7' } });
    const { status, body } = await confirm(id);
    expect([status, body]).toEqual([200, await read(host, id)]);
    expect(body).toMatchObject({
      id,
      status: 'succeeded',
      metadata: { order: '7' },
      created_at,
      connection_id: host.info.connections.stripe,
      provider: 'stripe',
    });
    expect(body.attempts).toEqual([
      expect.objectContaining({ status: 'succeeded', psp_reference: body.psp_reference }),
    ]);
    expect(body).not.toHaveProperty('client_secret');
    expect(await moneyOf(host, id)).toEqual({ amount: 5_000, refunded: 0, currency: 'EUR', count: 1 });
    expect(await eventTypesOf(host, id)).toEqual(['created', 'succeeded']);
  });

  it.each([
    ['succeeded', 'ok', { failure: null }],
    ['failed', 'decline_lost_card', { failure: { code: 'lost_card' } }],
    ['requires_action', 'needs_3ds', { next_action: { type: 'redirect' } }],
    ['processing', 'pending', {}],
  ])('charges the method of the request, and shows a payment that %s', async (status, token, more) => {
    const { id } = await bareIntent();
    expect(await confirm(id, withToken(token))).toMatchObject({ status: 200, body: { status, ...more } });
  });

  it('prefers the method of the request', async () => {
    const { id } = await anIntent(host, 'decline_lost_card');
    expect((await confirm(id, withToken('ok'))).body.status).toBe('succeeded');
  });

  it("returns the provider's page if there is no method", async () => {
    const { id } = await bareIntent();
    expect((await confirm(id)).body).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect' } });
  });

  it('sends the customer back to the return URL of the request', async () => {
    const { id } = await bareIntent({ payment_method: { type: 'card', return_url: 'https://shop.example/old' } });
    const { next_action } = (
      await confirm(id, { payment_method: { type: 'card', return_url: 'https://shop.example/new' } })
    ).body;
    const paid = await fetch(next_action.url, {
      method: 'POST',
      body: new URLSearchParams({ do: 'pay' }),
      redirect: 'manual',
    });
    const back = await fetch(paid.headers.get('location') ?? '', { redirect: 'manual' });
    expect(back.headers.get('location')).toBe(`https://shop.example/new?payment_id=${id}&status=succeeded`);
  });

  it('fails over to the second connection if the first declines for reasons of its own', async () => {
    const { key } = await aShop(host, { a: {}, b: {} });
    const { id } = await bareIntent({}, { key });
    await arrange(host, 'decline:do_not_honor');
    const { body } = await confirm(id, { payment_method: { type: 'card', tokens: { stripe: 'ok' } } }, { key });
    expect([body.status, body.attempts.map((a: Body) => [a.connection_id, a.status])]).toEqual([
      'succeeded',
      [
        ['a', 'failed'],
        ['b', 'succeeded'],
      ],
    ]);
    expect((await moneyOf(host, id)).count).toBe(1);
  });

  it('fails without a call to a provider if none can take the payment', async () => {
    const { key } = await aShop(host, {});
    const { id } = await bareIntent({}, { key });
    expect(await confirm(id, withToken('ok'), { key })).toMatchObject({
      status: 200,
      body: { status: 'failed', failure: { code: 'no_route' }, attempts: [] },
    });
  });

  it('settles a page that the customer has paid when no callback came', async () => {
    await arrange(host, 'approve', { webhook: 'none' });
    const { id } = await payOnPage(host);
    expect((await confirm(id)).body.status).toBe('requires_action');
    await complete(host, id, 'succeeded');
    expect((await confirm(id)).body.status).toBe('succeeded');
    expect([(await moneyOf(host, id)).count, await eventTypesOf(host, id)]).toEqual([1, ['created', 'succeeded']]);
  });

  it.each([
    ['processing', () => pay(host, 'pending')],
    ['succeeded', () => pay(host)],
    ['failed', () => pay(host, 'decline_card_declined')],
    ['canceled', async () => (await act(host, (await anIntent(host)).id, 'cancel')).body],
    ['refunded', async () => (await act(host, (await pay(host)).id, 'refund')).body],
  ])('answers 409 for a %s payment', async (state, make) => {
    const payment = await make();
    expect(payment.status).toBe(state);
    const { status, body } = await confirm(payment.id, withToken('ok'));
    expect([status, body]).toEqual([
      409,
      {
        error: 'conflict',
        code: 'payment_not_confirmable',
        message: expect.stringContaining(state),
        doc_url: expect.any(String),
      },
    ]);
    expect((await read(host, payment.id)).status).toBe(state);
  });

  it.each([
    ['a method of another type', { payment_method: { type: 'ideal' } }, ['payment_method.type']],
    ['an unknown field', { amount: 1 }, ['amount']],
    ['a method without its type', { payment_method: { token: 'ok' } }, ['payment_method.type']],
    ['input that is not text', { input: { otp: ['1'] } }, ['input.otp']],
    ['input without a next action', { ...withToken('ok'), input: { otp: '1', pin: '2' } }, ['input.otp', 'input.pin']],
    [
      'too many input fields',
      { input: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f${n}`, '1'])) },
      ['input'],
    ],
  ])('answers 400 for %s', async (_, body, paths) => {
    const { id } = await anIntent(host);
    const answer = await confirm(id, body);
    expect([answer.status, answer.body.code, faultsIn(answer)]).toEqual([400, 'invalid_request', paths]);
    expect((await read(host, id)).status).toBe('created');
  });

  it.each([
    ['another method', withToken('ok'), ['payment_method']],
    ['unrequested input', { input: { otp: '123456' } }, ['input.otp']],
    ['both', { ...withToken('ok'), input: { redirectResult: 'x' } }, ['payment_method', 'input.redirectResult']],
  ])(
    'answers 400 for %s on a payment whose customer is at a page, while a confirmation without fields returns it',
    async (_, body, paths) => {
      const { id, next_action } = await payOnPage(host);
      const answer = await confirm(id, body);
      expect([answer.status, answer.body.code, faultsIn(answer)]).toEqual([400, 'invalid_request', paths]);
      for (const nothing of [undefined, {}, { input: {} }])
        expect((await confirm(id, nothing)).body).toMatchObject({ status: 'requires_action', next_action });
      expect((await moneyOf(host, id)).count).toBe(0);
    },
  );

  it('answers 400 for a card number', async () => {
    expect(await confirm((await anIntent(host)).id, withToken('4242424242424242'))).toMatchObject({
      status: 400,
      body: { code: 'raw_card_data' },
    });
  });

  it('returns the first response again even if the payment has changed', async () => {
    const { id } = await bareIntent();
    const how = { idempotencyKey: randomUUID() };
    const first = await confirm(id, withToken('needs_3ds'), how);
    await complete(host, id, 'succeeded');
    expect([(await confirm(id, withToken('needs_3ds'), how)).text, (await read(host, id)).status]).toEqual([
      first.text,
      'succeeded',
    ]);
  });
});
