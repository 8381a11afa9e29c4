import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  aLimitedHost,
  fillWindow,
  itChecksCredentials,
  itHandlesIdempotencyKeys,
  itLimitsItsRate,
} from '#test/http/payments.support.ts';
import { aPaymentBody, type Body, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  anIntent,
  eventsOf,
  eventTypesOf,
  faultsIn,
  operationsOf,
  pay,
  read,
} from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const intend = (body: Body = aPaymentBody(), how = {}) => host.call('POST', '/v1/payments/intents', body, how);

describe('POST /v1/payments/intents', () => {
  const endpoint = {
    host: () => host,
    method: 'POST',
    path: () => '/v1/payments/intents',
    scope: 'payments:write',
    body: aPaymentBody(),
    ready: async () => ({ id: '' }),
    success: 201,
  } as const;
  itChecksCredentials(endpoint);
  itLimitsItsRate({ ...endpoint, body: {} }, 100);
  itHandlesIdempotencyKeys({ ...endpoint, other: aPaymentBody('ok', { amount: 5_100 }) });

  it('creates a payment that waits for its confirmation, without a call to a provider', async () => {
    const answer = await intend({
      amount: 5_000,
      currency: 'eur',
      method: 'card',
      country: 'de',
      metadata: { order: '7' },
    });
    const { client_secret, ...payment } = answer.body;
    expect([answer.status, answer.headers.get('location')]).toEqual([201, `/v1/payments/${payment.id}`]);
    expect(payment).toMatchObject({
      amount: 5_000,
      currency: 'EUR',
      method: 'card',
      country: 'DE',
      metadata: { order: '7' },
      status: 'created',
    });
    expect(payment).toMatchObject({
      attempts: [],
      connection_id: null,
      provider: null,
      psp_reference: null,
      next_action: null,
      routing: null,
    });
    expect(client_secret).toMatch(new RegExp(`^${payment.id}_secret_[\\w-]{43}$`));
    expect(await read(host, payment.id)).toEqual(payment);
    expect([await operationsOf(host, payment.id), await eventTypesOf(host, payment.id)]).toEqual([[], ['created']]);
  });

  it('shares its rate limit with POST /v1/payments', async () => {
    const limited = await aLimitedHost();
    await fillWindow(limited, 100, () => limited.call('POST', '/v1/payments', {}));
    expect((await limited.call('POST', '/v1/payments/intents', aPaymentBody())).status).toBe(429);
  });

  it.each([
    ['an empty body', {}, ['amount', 'currency']],
    ['a zero amount', aPaymentBody('ok', { amount: 0 }), ['amount']],
    ['an unknown field', aPaymentBody('ok', { confirm: true }), ['confirm']],
    ['a method and another type', aPaymentBody('ok', { method: 'ideal' }), ['payment_method.type']],
  ])('answers 400 for %s', async (_, body, paths) => {
    const answer = await intend(body);
    expect([answer.status, answer.body.code, faultsIn(answer)]).toEqual([400, 'invalid_request', paths]);
  });

  it('answers 400 for a card number', async () => {
    expect(await intend(aPaymentBody('4242424242424242'))).toMatchObject({
      status: 400,
      body: { code: 'raw_card_data' },
    });
  });

  it('has no deadline: an intent does not expire', async () => {
    const { id } = await anIntent(host);
    await advance(host, '30d');
    expect((await read(host, id)).status).toBe('created');
    expect((await act(host, id, 'confirm')).body.status).toBe('succeeded');
  });
});

describe('a client secret', () => {
  it('is shown when the intent is created and when that response is repeated, and nowhere else', async () => {
    const how = { idempotencyKey: randomUUID() };
    const customer_id = `cus_${randomUUID()}`;
    const first = await intend(aPaymentBody('ok', { customer_id }), how);
    const { id, client_secret } = first.body;
    const elsewhere = [
      await host.call('GET', `/v1/payments/${id}`),
      await host.call('GET', `/v1/payments?customer_id=${customer_id}`),
      await act(host, id, 'confirm'),
      await act(host, id, 'refund', { amount: 1_000 }),
      await act(host, id, 'cancel'),
    ];
    for (const { text } of elsewhere) expect(text).not.toContain('secret');
    expect(JSON.stringify([await eventsOf(host, id), host.logged])).not.toContain(client_secret);
    const again = await intend(aPaymentBody('ok', { customer_id }), how);
    expect([again.text, again.headers.get('idempotency-replayed'), (await read(host, id)).status]).toEqual([
      first.text,
      'true',
      'succeeded',
    ]);
  });

  it('is different for each intent', async () => {
    const [one, other] = [await anIntent(host), await anIntent(host)];
    expect(one.client_secret.split('_secret_')[1]).not.toBe(other.client_secret.split('_secret_')[1]);
  });

  it('does not exist for a payment that is charged at once', async () =>
    expect(await pay(host)).not.toHaveProperty('client_secret'));
});
