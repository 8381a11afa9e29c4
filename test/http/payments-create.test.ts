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
  arrange,
  aShop,
  askProvider,
  complete,
  create,
  drain,
  eventsOf,
  eventTypesOf,
  faultsIn,
  keyWith,
  moneyOf,
  operationsOf,
  pay,
  payAnywhere,
  payOnPage,
  read,
} from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const CARD = '4242424242424242';

describe('POST /v1/payments', () => {
  const endpoint = {
    host: () => host,
    method: 'POST',
    path: () => '/v1/payments',
    scope: 'payments:write',
    body: aPaymentBody(),
    ready: async () => ({ id: '' }),
    success: 201,
  } as const;
  itChecksCredentials(endpoint);
  itLimitsItsRate({ ...endpoint, body: {} }, 100);
  itHandlesIdempotencyKeys({ ...endpoint, other: aPaymentBody('ok', { amount: 5_100 }), slow: 'create' });

  it('charges at once and returns the payment', async () => {
    const told = {
      customer_id: 'cus_1',
      customer_email: 'jo@example.com',
      customer_ip: '203.0.113.7',
      description: 'Two books',
    };
    const answer = await create(
      host,
      aPaymentBody('ok', { ...told, currency: 'eur', country: 'de', metadata: { order: 7, gift: true, note: 'ü' } }),
    );
    const attempt = {
      id: expect.stringMatching(/^att_[0-9a-z]{26}$/),
      connection_id: host.info.connections.stripe,
      provider: 'stripe',
      status: 'succeeded',
      failure: null,
      psp_reference: expect.stringMatching(/^pi_/),
      latency_ms: expect.any(Number),
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    };
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        ...told,
        id: expect.stringMatching(/^pay_[0-9a-z]{26}$/),
        org_id: host.info.org_id,
        mode: 'sandbox',
        amount: 5_000,
        currency: 'EUR',
        status: 'succeeded',
        method: 'card',
        country: 'DE',
        metadata: { order: 7, gift: true, note: 'ü' },
        connection_id: host.info.connections.stripe,
        provider: 'stripe',
        psp_reference: answer.body.attempts[0].psp_reference,
        amount_refunded: 0,
        refunds: [],
        attempts: [attempt],
        next_action: null,
        failure: null,
        late_success: false,
        review: null,
        routing: {
          source: 'default',
          considered: [{ connection_id: host.info.connections.stripe, usable: true, reason: null }],
        },
        fraud: null,
        capture: 'automatic',
        payment_link_id: null,
        created_at: attempt.started_at,
        updated_at: attempt.started_at,
      },
    ]);
    expect(answer.headers.get('location')).toBe(`/v1/payments/${answer.body.id}`);
    expect(await read(host, answer.body.id)).toEqual(answer.body);
    expect(await moneyOf(host, answer.body.id)).toEqual({ amount: 5_000, refunded: 0, currency: 'EUR', count: 1 });
    expect(await eventTypesOf(host, answer.body.id)).toEqual(['created', 'succeeded']);
  });

  it.each([
    ['JPY', 500],
    ['KWD', 12_340],
    ['USD', 99_999_999],
  ])('uses the minor units of %s', async (currency, amount) => {
    const { id, status } = await pay(host, 'ok', { currency, amount });
    expect([status, await moneyOf(host, id)]).toEqual(['succeeded', { amount, refunded: 0, currency, count: 1 }]);
  });

  it("sends the provider the payment's id, and none of the merchant's metadata", async () => {
    const { org_id, key, credentials } = await aShop(host, { a: {} });
    const metadata = {
      org_id: 'org_other',
      connection_id: 'other',
      payment_id: 'pay_other',
      customer_email: 'other@example.com',
      order: 'secret-7',
    };
    const payment = await pay(host, 'ok', { customer_email: 'jo@example.com', metadata }, { key });
    const charged = await askProvider(
      host,
      credentials.a!.secret_key,
      'GET',
      `/v1/payment_intents/${payment.psp_reference}`,
    );
    expect(charged.metadata).toEqual({
      org_id,
      connection_id: 'a',
      payment_id: payment.id,
      customer_email: 'jo@example.com',
    });
    expect([payment.status, payment.metadata]).toEqual(['succeeded', metadata]);
  });

  it('shows tokens nowhere', async () => {
    const token = 'pm_card_visa_debit';
    const { id } = await pay(host, token);
    const events = await eventsOf(host, id);
    expect(JSON.stringify([await read(host, id), events, host.logged])).not.toContain(token);
  });
});

describe('an invalid request', () => {
  const faults = async (body: Body) => {
    const answer = await create(host, body);
    expect([answer.status, answer.body.error, answer.body.code]).toEqual([400, 'invalid_request', 'invalid_request']);
    for (const { message } of answer.body.details.fields) expect(message).toMatch(/^[A-Z].*\.$/);
    return faultsIn(answer).toSorted();
  };

  it.each([
    ['an empty body', {}, ['amount', 'currency']],
    ['a zero amount', aPaymentBody('ok', { amount: 0 }), ['amount']],
    ['a negative amount', aPaymentBody('ok', { amount: -1 }), ['amount']],
    ['half a cent', aPaymentBody('ok', { amount: 10.5 }), ['amount']],
    ['an amount as text', aPaymentBody('ok', { amount: '5000' }), ['amount']],
    ['an amount beyond all bounds', aPaymentBody('ok', { amount: 100_000_000_000 }), ['amount']],
    ['an unknown currency', aPaymentBody('ok', { currency: 'EUX' }), ['currency']],
    ['an unknown country', aPaymentBody('ok', { country: 'XX' }), ['country']],
    [
      'an invalid IP address',
      aPaymentBody('ok', { customer_email: 'jo', customer_ip: '1.2.3' }),
      ['customer_email', 'customer_ip'],
    ],
    ['an invalid method', { amount: 1, currency: 'EUR', method: 'Card!' }, ['method']],
    ['a method and another type', aPaymentBody('ok', { method: 'ideal' }), ['payment_method.type']],
    ['an unknown field', aPaymentBody('ok', { colour: 'red' }), ['colour']],
    [
      'an unknown field inside',
      { amount: 1, currency: 'EUR', payment_method: { type: 'card', number: '1' } },
      ['payment_method.number'],
    ],
    [
      'a token of an unknown provider',
      { amount: 1, currency: 'EUR', payment_method: { type: 'card', tokens: { acme: 'x' } } },
      ['payment_method.tokens.acme'],
    ],
    ['an empty token', aPaymentBody(''), ['payment_method.token']],
    [
      'a script as return URL',
      { amount: 1, currency: 'EUR', payment_method: { type: 'card', return_url: 'javascript:alert(1)' } },
      ['payment_method.return_url'],
    ],
    ['nested metadata', aPaymentBody('ok', { metadata: { a: { b: 1 }, c: null } }), ['metadata.a', 'metadata.c']],
    ['metadata that is too long', aPaymentBody('ok', { metadata: { a: 'x'.repeat(501) } }), ['metadata.a']],
    [
      'too much metadata',
      aPaymentBody('ok', { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])) }),
      ['metadata'],
    ],
    ['a description that is too long', aPaymentBody('ok', { description: 'x'.repeat(501) }), ['description']],
    [
      'many errors at once',
      { amount: 0, currency: 'X', country: 'X', metadata: 1, colour: 1 },
      ['amount', 'colour', 'country', 'currency', 'metadata'],
    ],
  ])('gets 400 for %s, with the path of each error', async (_, body, paths) =>
    expect(await faults(body)).toEqual(paths),
  );

  it('gets 400 for a query parameter', async () => {
    const answer = await host.call('POST', '/v1/payments?dry_run=1', aPaymentBody());
    expect([answer.status, faultsIn(answer)]).toEqual([400, ['query.dry_run']]);
  });

  it.each([
    ['broken JSON', '{"amount":', {}, 'malformed_json'],
    ['bytes that are not text', new Uint8Array([0x22, 0xff, 0x22]), {}, 'malformed_json'],
    ['a form', 'amount=1', { 'content-type': 'application/x-www-form-urlencoded' }, 'unsupported_content_type'],
    ['a card number for a token', aPaymentBody(CARD), {}, 'raw_card_data'],
    ['a card number in a text', aPaymentBody('ok', { description: `Paid by ${CARD}` }), {}, 'raw_card_data'],
    [
      'a card number in metadata',
      aPaymentBody('ok', { metadata: { card: '4242 4242 4242 4242' } }),
      {},
      'raw_card_data',
    ],
  ])('gets 400 for %s', async (_, body, headers, code) => {
    expect(await create(host, body, { headers })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', code, message: expect.any(String) },
    });
  });

  it.each([
    ['a list', []],
    ['a text', '"pay"'],
    ['null', 'null'],
  ])('gets 400 for %s in place of an object', async (_, body) =>
    expect(await create(host, body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } }),
  );

  it('gets 400 without a body', async () => expect((await create(host, '')).status).toBe(400));

  it('leaves no card number in any log', () => expect(JSON.stringify(host.logged)).not.toMatch(/4242 ?4242/));
});

describe('the order of checks', () => {
  const isLarge = { ...aPaymentBody(), description: 'x'.repeat(300_000) };

  it('starts with the route', async () => {
    expect(await host.call('POST', '/v1/payment', 'x'.repeat(300_000), { key: null })).toMatchObject({
      status: 404,
      body: { code: 'route_not_found' },
    });
  });

  it('puts the size before the credential', async () => {
    expect(await create(host, isLarge, { key: null })).toMatchObject({
      status: 413,
      body: { error: 'invalid_request', code: 'body_too_large' },
    });
  });

  it('puts the credential before organization and body', async () => {
    expect(await create(host, '{', { key: null, headers: { 'x-org-id': 'org_other' } })).toMatchObject({
      status: 401,
      body: { code: 'invalid_api_key' },
    });
  });

  it('puts organization and scope before headers and body', async () => {
    const key = await keyWith(host, ['payments:read']);
    expect(await create(host, '{', { key, idempotencyKey: null, headers: { 'x-org-id': 'org_other' } })).toMatchObject({
      body: { code: 'org_mismatch' },
    });
    expect(await create(host, '{', { key, idempotencyKey: null })).toMatchObject({
      status: 403,
      body: { code: 'missing_scope' },
    });
  });

  it('puts the scope before the rate limit, and the rate limit before the body', async () => {
    const limited = await aLimitedHost();
    const weak = await keyWith(limited, ['payments:read']);
    await fillWindow(limited, 100, () => create(limited, {}, { key: weak }));
    expect((await create(limited, {}, { key: weak })).status).toBe(403);
    await fillWindow(limited, 100, () => create(limited, {}));
    expect((await create(limited, '{', { idempotencyKey: null })).status).toBe(429);
  });

  it('puts headers and body before the claim of the idempotency key', async () => {
    const how = { idempotencyKey: randomUUID() };
    expect((await create(host, aPaymentBody(), how)).status).toBe(201);
    expect((await create(host, aPaymentBody('ok', { amount: 0 }), how)).status).toBe(400);
    expect((await create(host, aPaymentBody('ok', { amount: 1_234 }), how)).status).toBe(422);
  });
});

describe('the idempotency key of a payment', () => {
  it('returns the first response again even if the payment has changed', async () => {
    const how = { idempotencyKey: randomUUID() };
    const first = await create(host, aPaymentBody(), how);
    await act(host, first.body.id, 'refund');
    const again = await create(host, aPaymentBody(), how);
    expect([again.text, (await read(host, first.body.id)).status]).toEqual([first.text, 'refunded']);
  });

  it.each(['confirm', 'retry', 'cancel', 'refund'])(
    'cannot be used for another request: /%s refuses it, and vice versa',
    async (action) => {
      const [how, other] = [{ idempotencyKey: randomUUID() }, { idempotencyKey: randomUUID() }];
      const { id } = (await create(host, aPaymentBody(), how)).body;
      expect(await host.call('POST', `/v1/payments/${id}/${action}`, {}, how)).toMatchObject({
        status: 422,
        body: { code: 'idempotency_key_reused' },
      });
      await host.call('POST', `/v1/payments/${id}/${action}`, {}, other);
      expect(await create(host, aPaymentBody(), other)).toMatchObject({
        status: 422,
        body: { code: 'idempotency_key_reused' },
      });
    },
  );

  it('belongs to its organization', async () => {
    const { key } = await aShop(host, { a: {} });
    const how = { idempotencyKey: randomUUID() };
    const [ours, theirs] = [
      await create(host, aPaymentBody(), how),
      await create(host, aPaymentBody(), { ...how, key }),
    ];
    expect([ours.status, theirs.status, ours.body.id === theirs.body.id]).toEqual([201, 201, false]);
  });

  it('is shared by the keys of an organization', async () => {
    const how = { idempotencyKey: randomUUID() };
    const first = await create(host, aPaymentBody(), how);
    expect((await create(host, aPaymentBody(), { ...how, key: host.info.keys.secret })).text).toBe(first.text);
  });

  it('is free again after 24 hours, and not before', async () => {
    const how = { idempotencyKey: randomUUID() };
    const first = await create(host, aPaymentBody(), how);
    await advance(host, '23h');
    expect((await create(host, aPaymentBody(), how)).text).toBe(first.text);
    await advance(host, '61m');
    const second = await create(host, aPaymentBody(), how);
    expect([second.status, second.headers.get('idempotency-replayed'), second.body.id === first.body.id]).toEqual([
      201,
      null,
      false,
    ]);
    expect((await create(host, aPaymentBody(), how)).text).toBe(second.text);
  });
});

describe('a card that is declined', () => {
  it.each([
    ['insufficient_funds', 'soft_decline', true],
    ['card_declined', 'soft_decline', true],
    ['do_not_honor', 'soft_decline', true],
    ['limit_exceeded', 'soft_decline', true],
    ['try_again_later', 'soft_decline', true],
    ['issuer_unavailable', 'soft_decline', true],
    ['authentication_required', 'soft_decline', true],
    ['authentication_failed', 'soft_decline', true],
    ['incorrect_cvc', 'soft_decline', true],
    ['invalid_expiry', 'soft_decline', true],
    ['incorrect_pin', 'soft_decline', true],
    ['call_issuer', 'soft_decline', true],
    ['customer_canceled', 'soft_decline', true],
    ['expired_card', 'hard_decline', true],
    ['card_not_supported', 'hard_decline', true],
    ['transaction_not_allowed', 'hard_decline', true],
    ['invalid_number', 'hard_decline', false],
    ['lost_card', 'hard_decline', false],
    ['stolen_card', 'hard_decline', false],
    ['restricted_card', 'hard_decline', false],
    ['invalid_account', 'hard_decline', false],
    ['authorization_revoked', 'hard_decline', false],
    ['fraud_suspected', 'fraud', false],
    ['processing_error', 'provider_error', true],
    ['currency_not_supported', 'configuration', true],
  ])('with %s creates a failed payment, not an error: %s', async (code, category, retryable) => {
    const { status, body } = await create(host, aPaymentBody(`decline_${code}`));
    const failure = { code, category, message: expect.any(String), provider_code: expect.any(String), retryable };
    expect([status, body.status, body.failure, body.next_action]).toEqual([201, 'failed', failure, null]);
    expect(body.attempts).toEqual([expect.objectContaining({ status: 'failed', failure: body.failure })]);
    expect((await moneyOf(host, body.id)).count).toBe(0);
    const [created, failed, ...rest] = await eventsOf(host, body.id);
    expect([created.type, failed.type, failed.data.status, failed.data.failure, rest]).toEqual([
      'payment.created',
      'payment.failed',
      'failed',
      body.failure,
      [],
    ]);
  });
});

describe('a customer who has to act', () => {
  it('is sent to the bank for 3-D Secure, and has paid on return', async () => {
    const payment = await pay(host, 'needs_3ds');
    expect([payment.status, payment.next_action, payment.attempts[0].status]).toEqual([
      'requires_action',
      { type: 'redirect', url: expect.stringMatching(/^http/), method: 'GET' },
      'requires_action',
    ]);
    await complete(host, payment.id, 'succeeded');
    expect(await read(host, payment.id)).toMatchObject({ status: 'succeeded', next_action: null, late_success: false });
    expect([(await moneyOf(host, payment.id)).count, await eventTypesOf(host, payment.id)]).toEqual([
      1,
      ['created', 'succeeded'],
    ]);
  });

  it('has not paid if the authentication fails', async () => {
    const { id } = await pay(host, 'needs_3ds');
    await complete(host, id, 'failed');
    expect(await read(host, id)).toMatchObject({
      status: 'failed',
      next_action: null,
      failure: { code: 'authentication_failed', retryable: true },
    });
    expect([(await moneyOf(host, id)).count, await eventTypesOf(host, id)]).toEqual([0, ['created', 'failed']]);
  });

  it("is sent to the provider's page without a token", async () => {
    const payment = await payOnPage(host);
    expect(payment).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'redirect', url: expect.stringMatching(/^http/), method: 'GET' },
    });
    await complete(host, payment.id, 'succeeded');
    expect(await read(host, payment.id)).toMatchObject({
      status: 'succeeded',
      next_action: null,
      psp_reference: expect.stringMatching(/^pi_/),
    });
    expect([(await moneyOf(host, payment.id)).count, await eventTypesOf(host, payment.id)]).toEqual([
      1,
      ['created', 'succeeded'],
    ]);
  });

  it('can try another card on the page after a decline', async () => {
    const { id, next_action } = await payOnPage(host);
    await fetch(next_action.url, { method: 'POST', body: new URLSearchParams({ do: 'decline' }), redirect: 'manual' });
    await drain(host);
    expect(await read(host, id)).toMatchObject({ status: 'requires_action', failure: null, next_action });
    await fetch(next_action.url, { method: 'POST', body: new URLSearchParams({ do: 'pay' }), redirect: 'manual' });
    await drain(host);
    expect([(await read(host, id)).status, await eventTypesOf(host, id)]).toEqual([
      'succeeded',
      ['created', 'succeeded'],
    ]);
  });

  it.each([
    ['closes the page', async (id: string) => complete(host, id, 'failed')],
    ['waits for a day', async () => advance(host, '25h')],
  ])('has not paid when the customer %s; money that arrives later is still accepted', async (_, give) => {
    const { id } = await payOnPage(host);
    await give(id);
    expect(await read(host, id)).toMatchObject({
      status: 'failed',
      next_action: null,
      failure: { code: 'expired', category: 'expired', retryable: true },
    });
    await complete(host, id, 'succeeded');
    expect(await read(host, id)).toMatchObject({ status: 'succeeded', late_success: true, failure: null, refunds: [] });
    expect(await moneyOf(host, id)).toMatchObject({ amount: 5_000, refunded: 0, count: 1 });
    expect(await eventTypesOf(host, id)).toEqual(['created', 'failed', 'succeeded']);
  });

  it('has a day for 3-D Secure as well', async () => {
    const { id } = await pay(host, 'needs_3ds');
    await advance(host, '23h');
    expect((await read(host, id)).status).toBe('requires_action');
    await advance(host, '2h');
    expect(await read(host, id)).toMatchObject({ status: 'failed', failure: { code: 'expired' } });
    await complete(host, id, 'succeeded');
    expect(await read(host, id)).toMatchObject({ status: 'succeeded', late_success: true });
  });
});

describe('a payment that the provider has accepted and not settled', () => {
  it.each([
    ['succeeded', { status: 'succeeded', failure: null, late_success: false }, 1],
    ['failed', { status: 'failed', failure: { code: 'card_declined' } }, 0],
  ] as const)('stays processing until a callback reports that it %s', async (outcome, end, count) => {
    const payment = await pay(host, 'pending');
    expect(payment).toMatchObject({
      status: 'processing',
      next_action: null,
      psp_reference: expect.stringMatching(/^pi_/),
    });
    await complete(host, payment.id, outcome);
    expect(await read(host, payment.id)).toMatchObject(end);
    expect([(await moneyOf(host, payment.id)).count, await eventTypesOf(host, payment.id)]).toEqual([
      count,
      ['created', outcome],
    ]);
  });

  it('is looked up when no callback comes', async () => {
    await arrange(host, 'pending', { webhook: 'none' });
    const { id } = await pay(host);
    await complete(host, id, 'succeeded');
    expect((await read(host, id)).status).toBe('processing');
    await advance(host, '2m');
    expect((await read(host, id)).status).toBe('succeeded');
  });
});

describe('a charge of another amount', () => {
  it('is not a success: a review starts, and the payment stays processing', async () => {
    await arrange(host, 'wrong_amount');
    const { status, body } = await create(host);
    const review = {
      reason: 'amount_mismatch',
      at: expect.any(String),
      attempt_id: body.attempts[0].id,
      psp_amount: 5_001,
      psp_currency: 'EUR',
    };
    expect([status, body.status, body.review]).toEqual([201, 'processing', review]);
    await advance(host, '10d');
    expect(await read(host, body.id)).toMatchObject({
      status: 'processing',
      review: { reason: 'amount_mismatch' },
      refunds: [],
    });
    expect(await eventTypesOf(host, body.id)).toEqual(['created']);
  });
});

describe('a payment that no connection can take', () => {
  it.each([
    ['inactive', { status: 'inactive' }, {}],
    ['method_not_supported', {}, { payment_method: { type: 'mobile_money' } }],
    ['currency_not_supported', { capabilities: { currencies: ['USD'] } }, {}],
    ['country_not_supported', { capabilities: { countries: ['US'] } }, { country: 'FR' }],
    ['amount_not_supported', {}, { currency: 'KWD', amount: 12_345 }],
    ['no_token', {}, { payment_method: { type: 'card', tokens: { adyen: 'x' } } }],
  ])('fails without a call to a provider: %s', async (reason, connection, wish) => {
    const { key } = await aShop(host, { a: connection });
    const { status, body } = await create(host, aPaymentBody('ok', wish), { key });
    expect([status, body.status, body.attempts, body.connection_id]).toEqual([201, 'failed', [], null]);
    expect(body.failure).toEqual({
      code: 'no_route',
      category: 'configuration',
      message: expect.any(String),
      provider_code: null,
      retryable: true,
    });
    expect(body.routing).toEqual({ source: 'default', considered: [{ connection_id: 'a', usable: false, reason }] });
    expect([await operationsOf(host, body.id), await eventTypesOf(host, body.id, { key })]).toEqual([
      [],
      ['created', 'failed'],
    ]);
  });
});

describe('a payment that can fail over', () => {
  // Preferred despite failures: a failing connection would move back in the order.
  const shop = () => aShop(host, { a: { routing_hints: { method_bias: { card: 1 } } }, b: {} });
  const waysOf = ({ attempts }: Body) => attempts.map(({ connection_id, status }: Body) => [connection_id, status]);

  it.each([
    'decline:do_not_honor',
    'decline:card_declined',
    'decline:issuer_unavailable',
    'decline:processing_error',
    'decline:currency_not_supported',
    'refuse_connection',
    'rate_limited',
  ])('fails over to the second connection after %s at the first', async (behaviour) => {
    const { key } = await shop();
    await arrange(host, behaviour);
    const payment = await payAnywhere(host, 'ok', {}, { key });
    expect([payment.status, payment.connection_id, waysOf(payment)]).toEqual([
      'succeeded',
      'b',
      [
        ['a', 'failed'],
        ['b', 'succeeded'],
      ],
    ]);
    expect([payment.failure, payment.attempts[0].failure.code]).toEqual([null, expect.any(String)]);
    expect((await moneyOf(host, payment.id)).count).toBe(1);
    expect(await eventTypesOf(host, payment.id, { key })).toEqual(['created', 'succeeded']);
  });

  it.each([
    'lost_card',
    'stolen_card',
    'invalid_number',
    'fraud_suspected',
    'expired_card',
    'insufficient_funds',
    'incorrect_cvc',
  ])('does not fail over after %s', async (code) => {
    const { key } = await shop();
    const payment = await payAnywhere(host, `decline_${code}`, {}, { key });
    expect([payment.status, payment.failure.code, waysOf(payment)]).toEqual(['failed', code, [['a', 'failed']]]);
    expect((await operationsOf(host, payment.id)).filter((operation) => operation === 'create')).toHaveLength(1);
  });

  it('does not fail over with a single token, which belongs to one provider', async () => {
    const { key } = await shop();
    for (const behaviour of ['decline:do_not_honor', 'refuse_connection', 'rate_limited']) {
      await arrange(host, behaviour);
      expect(waysOf(await pay(host, 'ok', {}, { key }))).toEqual([['a', 'failed']]);
    }
  });

  it('opens its page at the second connection when the first is not reached', async () => {
    const { key } = await shop();
    await arrange(host, 'refuse_connection');
    const payment = await payOnPage(host, {}, { key });
    expect([payment.status, payment.next_action.type, waysOf(payment)]).toEqual([
      'requires_action',
      'redirect',
      [
        ['a', 'failed'],
        ['b', 'requires_action'],
      ],
    ]);
  });

  it('does not fail over once the customer was asked to act', async () => {
    const { key } = await shop();
    const { id } = await payAnywhere(host, 'pm_card_threeDSecureRequiredChargeDeclined', {}, { key });
    await complete(host, id, 'succeeded');
    const payment = await read(host, id, { key });
    expect([payment.status, payment.failure.code, waysOf(payment)]).toEqual([
      'failed',
      'card_declined',
      [['a', 'failed']],
    ]);
  });

  it('tries three connections at most', async () => {
    const { key } = await aShop(host, { a: {}, b: {}, c: {}, d: {} });
    const payment = await payAnywhere(host, 'decline_do_not_honor', {}, { key });
    expect(waysOf(payment)).toEqual([
      ['a', 'failed'],
      ['b', 'failed'],
      ['c', 'failed'],
    ]);
    expect([payment.status, payment.failure.code, await eventTypesOf(host, payment.id, { key })]).toEqual([
      'failed',
      'do_not_honor',
      ['created', 'failed'],
    ]);
  });

  it('uses the connections in the order of their hints', async () => {
    const hints = {
      a: { fallback_only: true },
      b: {},
      c: { method_bias: { card: 0.5 } },
      d: { country_preference: ['DE'] },
    };
    const { key } = await aShop(
      host,
      Object.fromEntries(Object.entries(hints).map(([id, routing_hints]) => [id, { routing_hints }])),
    );
    const { routing, connection_id } = await payAnywhere(host, 'ok', { country: 'DE' }, { key });
    expect([connection_id, routing.considered.map((c: Body) => c.connection_id)]).toEqual(['d', ['d', 'c', 'b', 'a']]);
  });
});
