import { createVerify, X509Certificate } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSimulators } from '#lib/simulators/simulators.ts';
import { inCi, specsThere } from '#test/contract/openapi-check.ts';
import { paypalShapeFaults } from '#test/contract/paypal-openapi.ts';

const SHOP = {
  client_id: 'client-of-the-shop',
  client_secret: 'secret-of-the-shop',
  webhook_secret: '1JE4291016473214C',
};
const START = Date.parse('2027-03-01T10:00:00Z');
const HOUR = 3_600_000;

/** JSON of which a test asserts a few fields. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert a response field by field.
type Json = any;
type Webhook = { readonly event: Json; readonly raw: string; readonly headers: IncomingHttpHeaders };

const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const money = (value: string, currency_code = 'EUR') => ({ currency_code, value });

/** Simulators with one registered account and its endpoint, on a clock that tests move. */
async function startTestbed() {
  let now = START;
  const webhooks: Webhook[] = [];
  const endpoint = createServer(async (request, response) => {
    const raw = (await request.toArray()).join('');
    webhooks.push({ raw, event: JSON.parse(raw), headers: request.headers });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  const plain = (text: string) => text;
  const simulators = await startSimulators({
    port: 0,
    database: ':memory:',
    clock: { now: () => new Date(now) },
    webhookBase: () => `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`,
    protect: { seal: plain, open: plain },
  });
  simulators.registerAccount('paypal', SHOP);
  const call = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const response = await fetch(`${simulators.base}/paypal${path}`, { method, headers, body: body ?? null });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (text.startsWith('{') ? JSON.parse(text) : undefined) as Json,
    };
  };
  const login = (id = SHOP.client_id, secret = SHOP.client_secret, body = 'grant_type=client_credentials') =>
    call(
      'POST',
      '/v1/oauth2/token',
      { authorization: basic(id, secret), 'content-type': 'application/x-www-form-urlencoded' },
      body,
    );
  const token = (await login()).body.access_token;
  const authorization = `Bearer ${token}`;
  const post = (path: string, body: object, key?: string, headers: Record<string, string> = {}) => {
    const sent = {
      authorization,
      'content-type': 'application/json',
      prefer: 'return=representation',
      ...(key && { 'paypal-request-id': key }),
      ...headers,
    };
    return call('POST', path, sent, JSON.stringify(body));
  };
  return {
    simulators,
    login,
    call,
    post,
    get: (path: string, headers: Record<string, string> = { authorization }) => call('GET', path, headers),
    capture: (id: string, key = `${id}-capture`, headers?: Record<string, string>) =>
      post(`/v2/checkout/orders/${id}/capture`, {}, key, headers),
    refund: (id: string, body: object = {}, key = 'refund-1') => post(`/v2/payments/captures/${id}/refund`, body, key),
    /** Loads a page or presses a button like a customer's browser, without following redirects. */
    browse: async (url: string, choice?: string) => {
      const response = await fetch(url, {
        redirect: 'manual',
        ...(choice && { method: 'POST', body: new URLSearchParams({ do: choice }) }),
      });
      return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
    },
    script: (behaviour: string, rest: object = {}) =>
      simulators.setScenario({ provider: 'paypal', behaviour, ...rest }),
    complete: (reference: string, outcome: 'succeeded' | 'failed') => simulators.complete('paypal', reference, outcome),
    money: (paymentId: string) => simulators.calls({ payment_id: paymentId }).charges[paymentId],
    advance: (ms: number) => {
      now += ms;
    },
    webhooks: async (): Promise<readonly Webhook[]> => {
      await simulators.idle();
      return webhooks;
    },
    close: async () => {
      await simulators.close();
      endpoint.closeAllConnections();
      endpoint.close();
    },
  };
}

let it_: Awaited<ReturnType<typeof startTestbed>>;
beforeEach(async () => {
  it_ = await startTestbed();
});
afterEach(() => it_.close());

const RETURN = 'https://shop.example/back?order=7';
const context = { return_url: RETURN, cancel_url: 'https://shop.example/cart' };
let count = 0;
const unit = (change: object = {}) => ({
  amount: money('20.00'),
  custom_id: 'org_1|conn_1|pay_1',
  invoice_id: `att_${++count}`,
  ...change,
});
const page = (change: object = {}) => ({
  intent: 'CAPTURE',
  purchase_units: [unit(change)],
  payment_source: { paypal: { experience_context: context } },
});
const card = (vault_id: string, change: object = {}) => ({
  intent: 'CAPTURE',
  purchase_units: [unit(change)],
  payment_source: { card: { vault_id, experience_context: context } },
});
const wallet = (vault_id: string) => ({ ...card(vault_id), payment_source: { paypal: { vault_id } } });
const create = (body: object, key = `key-${++count}`) => it_.post('/v2/checkout/orders', body, key);
const captureIn = ({ body }: { readonly body: Json }) => body.purchase_units[0].payments.captures[0];
const linkIn = ({ body }: { readonly body: Json }, rel: string) =>
  body.links.find((link: Json) => link.rel === rel)?.href;
const issueIn = ({ body }: { readonly body: Json }) => body.details?.[0].issue;
const types = async () => (await it_.webhooks()).map(({ event }) => event.event_type);

describe('the login', () => {
  it('returns an access token that works until it expires', async () => {
    expect((await it_.login()).body).toMatchObject({ token_type: 'Bearer', expires_in: 32_400 });
    expect((await it_.get('/v2/checkout/orders/UNKNOWN')).status).toBe(404);
    it_.advance(9 * HOUR);
    expect(await it_.get('/v2/checkout/orders/UNKNOWN')).toMatchObject({
      status: 401,
      body: { error: 'invalid_token' },
    });
  });

  it.each([
    ['short', 'x'],
    ['an-invalid-client', 'secret-of-the-shop'],
  ])('rejects %s', async (id, secret) => {
    expect(await it_.login(id, secret)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('accepts client credentials only', async () => {
    expect(await it_.login(SHOP.client_id, SHOP.client_secret, 'grant_type=password')).toMatchObject({
      status: 400,
      body: { error: 'unsupported_grant_type' },
    });
  });

  it.each([{}, { authorization: 'Bearer A21AAfaked' }, { authorization: basic(SHOP.client_id, SHOP.client_secret) }])(
    'is required: %j is rejected',
    async (headers) => {
      expect(await it_.get('/v2/checkout/orders/1', headers as Record<string, string>)).toMatchObject({
        status: 401,
        body: { error: 'invalid_token' },
      });
    },
  );

  it('gives no access to objects of another account', async () => {
    const { body } = await create(card('ok'));
    const other = (await it_.login('client-of-another', 'secret-of-another')).body.access_token;
    expect((await it_.get(`/v2/checkout/orders/${body.id}`, { authorization: `Bearer ${other}` })).status).toBe(404);
  });
});

describe('an order with a saved card', () => {
  it('is captured at once and announced', async () => {
    const response = await create(card('ok'));
    expect(response).toMatchObject({ status: 201, body: { status: 'COMPLETED' } });
    expect(captureIn(response)).toMatchObject({
      status: 'COMPLETED',
      amount: money('20.00'),
      custom_id: 'org_1|conn_1|pay_1',
    });
    expect(it_.money('pay_1')).toEqual({ amount: 2_000, refunded: 0, currency: 'EUR', count: 1 });
    expect(await types()).toEqual(['PAYMENT.CAPTURE.COMPLETED', 'CHECKOUT.ORDER.COMPLETED']);
    expect((await it_.get(`/v2/payments/captures/${captureIn(response).id}`)).body).toMatchObject({
      supplementary_data: { related_ids: { order_id: response.body.id } },
    });
  });

  it('repeated with its key is one charge with status 200; another body with that key is rejected', async () => {
    const body = card('ok');
    const first = await create(body, 'key');
    expect(await create(body, 'key')).toMatchObject({ status: 200, body: { id: first.body.id } });
    expect(issueIn(await create(card('ok'), 'key'))).toBe('DUPLICATE_REQUEST_ID');
    expect(it_.money('pay_1')?.count).toBe(1);
  });

  it('is one charge for its invoice id, whatever the key is', async () => {
    const body = card('ok');
    await create(body, 'key-a');
    expect(await create(body, 'key-b')).toMatchObject({
      status: 422,
      body: { details: [{ issue: 'DUPLICATE_INVOICE_ID' }] },
    });
    expect(it_.money('pay_1')?.count).toBe(1);
  });

  it('requires an idempotency key', async () => {
    expect(issueIn(await it_.post('/v2/checkout/orders', card('ok')))).toBe('PAYPAL_REQUEST_ID_REQUIRED');
  });

  it.each([
    ['decline_insufficient_funds', '5120'],
    ['decline_lost_card', '9520'],
    ['decline_authentication_required', '5650'],
  ])('%s is completed with a declined capture', async (token, response_code) => {
    const response = await create(card(token));
    expect(response).toMatchObject({ status: 201, body: { status: 'COMPLETED' } });
    expect(captureIn(response)).toMatchObject({ status: 'DECLINED', processor_response: { response_code } });
    expect(it_.money('pay_1')).toBeUndefined();
    expect(await types()).toContain('PAYMENT.CAPTURE.DECLINED');
  });

  it.each([
    ['decline_card_not_supported', 'CARD_BRAND_NOT_SUPPORTED'],
    ['decline_nonsense', 'TOKEN_ID_NOT_FOUND'],
  ])('%s is rejected', async (token, issue) => {
    expect(await create(card(token))).toMatchObject({
      status: 422,
      body: { name: 'UNPROCESSABLE_ENTITY', details: [{ issue }] },
    });
  });

  it('that is pending can later succeed or fail', async () => {
    const good = await create(card('pending'));
    await create(card('pending', { custom_id: 'o|c|pay_2' }));
    expect(captureIn(good)).toMatchObject({ status: 'PENDING', status_details: { reason: 'PENDING_REVIEW' } });
    expect(it_.money('pay_1')).toBeUndefined();
    it_.complete(captureIn(good).id, 'succeeded');
    it_.complete('pay_2', 'failed');
    expect(it_.money('pay_1')?.count).toBe(1);
    expect(it_.money('pay_2')).toBeUndefined();
    expect(await types()).toEqual(
      expect.arrayContaining(['PAYMENT.CAPTURE.PENDING', 'PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.CAPTURE.DENIED']),
    );
  });

  it.each<[string, string, string, string]>([
    ['authenticates', 'pay', 'Y', 'POSSIBLE'],
    ['fails to', 'decline', 'N', 'NO'],
  ])('requires authentication, and the customer %s', async (_, choice, authentication_status, liability_shift) => {
    const asked = await create(card('needs_3ds'));
    expect(asked.body.status).toBe('PAYER_ACTION_REQUIRED');
    expect(issueIn(await it_.capture(asked.body.id, 'early'))).toBe('ORDER_NOT_APPROVED');
    expect((await it_.browse(linkIn(asked, 'payer-action'))).text).toContain('3-D Secure');
    const back = new URL((await it_.browse(linkIn(asked, 'payer-action'), choice)).location);
    expect(back.searchParams.get('token')).toBe(asked.body.id);
    expect((await it_.get(`/v2/checkout/orders/${asked.body.id}`)).body).toMatchObject({
      status: 'APPROVED',
      payment_source: {
        card: { authentication_result: { liability_shift, three_d_secure: { authentication_status } } },
      },
    });
    expect(it_.money('pay_1')).toBeUndefined();
  });

  it("of PayPal's own card test names is declined", async () => {
    const raw = (name: string) => ({
      ...card('ok'),
      payment_source: { card: { number: '4111111111111111', expiry: '2030-01', name } },
    });
    expect(captureIn(await create(raw('Kim')))).toMatchObject({ status: 'COMPLETED' });
    for (const [trigger, response_code] of [
      ['REFUSED', '0500'],
      ['SF', '9500'],
      ['EC', '5400'],
      ['IF', '5120'],
      ['LS', '9520'],
      ['CVV_F', '00N7'],
      ['BANK_ERROR', '5100'],
    ])
      expect(captureIn(await create(raw(`CCREJECT-${trigger}`)))).toMatchObject({
        status: 'DECLINED',
        processor_response: { response_code },
      });
  });

  it.each([
    ['processor_0800', { response_code: '0800' }],
    ['processor_PPIF', { response_code: 'PPIF' }],
    ['processor_5100_advice_03', { response_code: '5100', payment_advice_code: '03' }],
  ])('gives the codes that %s asks for, also for an account', async (token, processor_response) => {
    for (const body of [card(token), wallet(token)])
      expect(captureIn(await create(body))).toMatchObject({ status: 'DECLINED', processor_response });
    expect(it_.money('pay_1')).toBeUndefined();
  });

  it.each<['succeeded' | 'failed', object, number | undefined]>([
    ['succeeded', { status: 'COMPLETED', processor_response: { response_code: '0000' } }, 1],
    ['failed', { status: 'DECLINED', processor_response: { response_code: '5100' } }, undefined],
  ])('whose bank did not answer is found out later: %s', async (outcome, expected, charges) => {
    const { id } = captureIn(await create(card('processor_0800')));
    it_.complete(id, outcome);
    expect((await it_.get(`/v2/payments/captures/${id}`)).body).toMatchObject(expected);
    expect(it_.money('pay_1')?.count).toBe(charges);
  });

  it.each([
    [
      '3ds_Y_U_UNKNOWN',
      { liability_shift: 'UNKNOWN', three_d_secure: { enrollment_status: 'Y', authentication_status: 'U' } },
    ],
    ['3ds_N_-_NO', { liability_shift: 'NO', three_d_secure: { enrollment_status: 'N' } }],
    ['3ds_-_-_NO', { liability_shift: 'NO' }],
  ])('%s ends its authentication with that result', async (token, authentication_result) => {
    const asked = await create(card(token));
    await it_.browse(linkIn(asked, 'payer-action'), 'pay');
    const { status, payment_source } = (await it_.get(`/v2/checkout/orders/${asked.body.id}`)).body;
    expect([status, payment_source.card.authentication_result]).toEqual(['APPROVED', authentication_result]);
  });
});

describe('an off-session order', () => {
  const MERCHANT = { payment_initiator: 'MERCHANT', payment_type: 'RECURRING', usage: 'SUBSEQUENT' };
  const awayCard = (vault_id: string, stored_credential: object = MERCHANT, more: object = {}) => ({
    ...card(vault_id),
    payment_source: { card: { vault_id, stored_credential, ...more } },
  });
  const awayWallet = (
    vault_id: string,
    stored_credential: object = { payment_initiator: 'MERCHANT', usage: 'SUBSEQUENT' },
  ) => ({
    ...card(vault_id),
    payment_source: { paypal: { vault_id, stored_credential } },
  });

  it('is captured at once, and once for its key', async () => {
    const body = awayCard('ok');
    expect(captureIn(await create(body, 'key'))).toMatchObject({ status: 'COMPLETED' });
    expect((await create(body, 'key')).status).toBe(200);
    expect(captureIn(await create(awayWallet('ok')))).toMatchObject({ status: 'COMPLETED' });
    expect(it_.money('pay_1')?.count).toBe(2);
  });

  it.each([
    ['decline_insufficient_funds', { status: 'DECLINED', processor_response: { response_code: '5120' } }],
    ['decline_expired_card', { status: 'DECLINED', processor_response: { response_code: '5400' } }],
    [
      'decline_authorization_revoked',
      { status: 'DECLINED', processor_response: { response_code: '5100', payment_advice_code: '21' } },
    ],
    ['needs_3ds', { status: 'DECLINED', processor_response: { response_code: '5650' } }],
    ['pending', { status: 'PENDING' }],
  ])('with the card %s has a capture of %j', async (token, expected) => {
    expect(captureIn(await create(awayCard(token)))).toMatchObject(expected);
    expect(it_.money('pay_1')).toBeUndefined();
  });

  it.each([
    ['needs_3ds', 'PAYER_ACTION_REQUIRED'],
    ['decline_authorization_revoked', 'AGREEMENT_ALREADY_CANCELLED'],
    ['decline_expired_card', 'INSTRUMENT_DECLINED'],
  ])('with the account %s fails with %s', async (token, issue) => {
    expect(await create(awayWallet(token))).toMatchObject({ status: 422, body: { details: [{ issue }] } });
  });

  it('is declined if a scenario requires an action', async () => {
    it_.script('requires_action');
    expect(captureIn(await create(awayCard('ok')))).toMatchObject({ processor_response: { response_code: '5650' } });
  });

  it('with the same card asks for authentication on-session', async () => {
    const there = awayCard(
      'needs_3ds',
      { ...MERCHANT, payment_initiator: 'CUSTOMER', payment_type: 'ONE_TIME' },
      { experience_context: context },
    );
    const asked = await create(there);
    expect(asked.body.status).toBe('PAYER_ACTION_REQUIRED');
    expect((await it_.browse(linkIn(asked, 'payer-action'), 'pay')).location).toMatch(
      /^https:\/\/shop\.example\/back\?/,
    );
    expect(captureIn(await it_.capture(asked.body.id))).toMatchObject({ status: 'COMPLETED' });
  });

  it.each<[string, object, number, string]>([
    ['no initiator', awayCard('ok', { payment_type: 'RECURRING' }), 400, 'MISSING_REQUIRED_PARAMETER'],
    ['no payment type', awayCard('ok', { payment_initiator: 'MERCHANT' }), 400, 'MISSING_REQUIRED_PARAMETER'],
    ['an unknown value', awayCard('ok', { ...MERCHANT, payment_type: 'SUBSCRIPTION' }), 400, 'INVALID_PARAMETER_VALUE'],
    [
      'a one-time payment',
      awayCard('ok', { ...MERCHANT, payment_type: 'ONE_TIME' }),
      422,
      'INCOMPATIBLE_PARAMETER_VALUE',
    ],
    ['the first of a series', awayCard('ok', { ...MERCHANT, usage: 'FIRST' }), 422, 'INCOMPATIBLE_PARAMETER_VALUE'],
    [
      'a security code',
      awayCard('ok', MERCHANT, { security_code: '123' }),
      422,
      'MERCHANT_INITIATED_WITH_SECURITY_CODE',
    ],
    [
      'an unknown verification method',
      awayCard('ok', MERCHANT, { attributes: { verification: { method: 'SMS' } } }),
      400,
      'INVALID_PARAMETER_VALUE',
    ],
    ['the account’s payer nowhere', awayWallet('ok', { usage: 'SUBSEQUENT' }), 400, 'MISSING_REQUIRED_PARAMETER'],
    [
      'a previous transaction with the payer present',
      awayCard('ok', {
        payment_initiator: 'CUSTOMER',
        payment_type: 'RECURRING',
        previous_network_transaction_reference: { id: '1' },
      }),
      422,
      'INCOMPATIBLE_PARAMETER_VALUE',
    ],
  ])('with %s is rejected', async (_, body, status, issue) => {
    expect(await create(body)).toMatchObject({ status, body: { details: [{ issue }] } });
    expect(it_.money('pay_1')).toBeUndefined();
  });
});

describe('an order on a page', () => {
  it('moves no money when approved, and all of it with one capture', async () => {
    const asked = await create(page());
    const { id } = asked.body;
    expect((await it_.browse(linkIn(asked, 'payer-action'))).text).toContain('Pay 20.00 EUR');
    const back = new URL((await it_.browse(linkIn(asked, 'payer-action'), 'pay')).location);
    expect(back.href.startsWith(RETURN)).toBe(true);
    expect([...back.searchParams.keys()]).toEqual(['order', 'token', 'PayerID']);
    expect(await types()).toEqual(['CHECKOUT.ORDER.APPROVED']);
    expect(it_.money('pay_1')).toBeUndefined();
    const taken = await it_.capture(id);
    expect(taken).toMatchObject({ status: 201, body: { status: 'COMPLETED' } });
    expect((await it_.capture(id)).status).toBe(200);
    expect(issueIn(await it_.capture(id, 'another-key'))).toBe('ORDER_ALREADY_CAPTURED');
    expect(it_.money('pay_1')).toEqual({ amount: 2_000, refunded: 0, currency: 'EUR', count: 1 });
    expect((await it_.browse(linkIn(asked, 'payer-action'))).text).toContain('completed');
  });

  it('redirects to the cart when the customer cancels, and stays open', async () => {
    const asked = await create(page());
    expect((await it_.browse(linkIn(asked, 'payer-action'), 'cancel')).location).toBe(
      `https://shop.example/cart?token=${asked.body.id}`,
    );
    expect((await it_.get(`/v2/checkout/orders/${asked.body.id}`)).body.status).toBe('PAYER_ACTION_REQUIRED');
  });

  it('can be paid again with another key after a decline', async () => {
    const asked = await create(page());
    const { id } = asked.body;
    await it_.browse(linkIn(asked, 'payer-action'), 'decline');
    const before = (await it_.get(`/v2/checkout/orders/${id}`)).body.update_time;
    const declined = await it_.capture(id);
    expect(declined).toMatchObject({ status: 422, body: { details: [{ issue: 'INSTRUMENT_DECLINED' }] } });
    expect((await it_.get(`/v2/checkout/orders/${id}`)).body).toMatchObject({
      status: 'APPROVED',
      update_time: before,
    });
    await it_.browse(linkIn(declined, 'redirect'), 'pay');
    expect((await it_.get(`/v2/checkout/orders/${id}`)).body.update_time > before).toBe(true);
    expect((await it_.capture(id)).status).toBe(422);
    expect((await it_.capture(id, 'second-key')).status).toBe(201);
    expect(it_.money('pay_1')?.count).toBe(1);
  });

  it('applies the scenario of its creation', async () => {
    it_.script('decline:insufficient_funds');
    const asked = await create(page());
    it_.complete(asked.body.id, 'succeeded');
    expect(issueIn(await it_.capture(asked.body.id))).toBe('INSTRUMENT_DECLINED');
  });

  it('is announced as approved but fails at the capture if the payer cannot pay', async () => {
    const asked = await create(page());
    expect(it_.complete('pay_1', 'failed')).toBe(true);
    expect(issueIn(await it_.capture(asked.body.id))).toBe('PAYER_CANNOT_PAY');
    expect(await types()).toEqual(['CHECKOUT.ORDER.APPROVED']);
  });

  it('may require the payer again at the capture', async () => {
    const asked = await create(page());
    it_.complete('pay_1', 'succeeded');
    it_.script('requires_action');
    expect(issueIn(await it_.capture(asked.body.id))).toBe('PAYER_ACTION_REQUIRED');
    expect((await it_.get(`/v2/checkout/orders/${asked.body.id}`)).body.status).toBe('PAYER_ACTION_REQUIRED');
  });
});

describe('a saved account', () => {
  it('is charged at once, or declined with a PayPal issue', async () => {
    expect(captureIn(await create(wallet('ok')))).toMatchObject({ status: 'COMPLETED' });
    expect(issueIn(await create(wallet('decline_insufficient_funds')))).toBe('INSTRUMENT_DECLINED');
    expect(issueIn(await create(wallet('decline_limit_exceeded')))).toBe('TRANSACTION_LIMIT_EXCEEDED');
  });
});

describe('a scenario', () => {
  it('takes another amount', async () => {
    it_.script('wrong_amount');
    expect(captureIn(await create(card('ok'))).amount).toEqual(money('20.01'));
    expect(it_.money('pay_1')?.amount).toBe(2_001);
  });

  it.each<[string, number, string]>([
    ['http_500', 500, 'INTERNAL_SERVER_ERROR'],
    ['rate_limited', 429, 'RATE_LIMIT_REACHED'],
  ])('%s gets status %s and charges nothing', async (behaviour, status, name) => {
    it_.script(behaviour);
    const body = card('ok');
    expect(await create(body, 'key')).toMatchObject({ status, body: { name } });
    expect(it_.money('pay_1')).toBeUndefined();
    expect(await create(body, 'key')).toMatchObject({ status: 201 });
  });

  it('charges and responds with garbage, and the repeated call gets the result', async () => {
    it_.script('garbage');
    const body = card('ok');
    expect((await create(body, 'key')).text).toBe('<html>');
    expect(captureIn(await create(body, 'key'))).toMatchObject({ status: 'COMPLETED' });
    expect(it_.money('pay_1')?.count).toBe(1);
  });

  it('can be set with PayPal’s mock header too', async () => {
    const asked = await create(page());
    it_.complete('pay_1', 'succeeded');
    const mock = { 'paypal-mock-response': '{"mock_application_codes":"INSTRUMENT_DECLINED"}' };
    expect(issueIn(await it_.capture(asked.body.id, 'mocked', mock))).toBe('INSTRUMENT_DECLINED');
    const broken = { 'paypal-mock-response': '{"mock_application_codes":"INTERNAL_SERVER_ERROR"}' };
    expect((await it_.capture(asked.body.id, 'broken', broken)).status).toBe(500);
  });
});

describe('a refund', () => {
  const paid = async (body: object = card('ok')) => captureIn(await create(body)).id;

  it('refunds a part, then the rest, and never more', async () => {
    const id = await paid();
    const part = await it_.refund(id, { amount: money('5.00'), invoice_id: 're_1', custom_id: 'org_1,conn_1,pay_1' });
    expect(part).toMatchObject({
      status: 201,
      body: { status: 'COMPLETED', amount: money('5.00'), invoice_id: 're_1' },
    });
    expect(linkIn(part, 'up')).toContain(`/v2/payments/captures/${id}`);
    expect((await it_.get(`/v2/payments/captures/${id}`)).body.status).toBe('PARTIALLY_REFUNDED');
    expect(issueIn(await it_.refund(id, { amount: money('15.01') }, 'refund-2'))).toBe('REFUND_AMOUNT_EXCEEDED');
    expect((await it_.refund(id, {}, 'refund-3')).body.amount).toEqual(money('15.00'));
    expect((await it_.get(`/v2/payments/captures/${id}`)).body.status).toBe('REFUNDED');
    expect(issueIn(await it_.refund(id, {}, 'refund-4'))).toBe('CAPTURE_FULLY_REFUNDED');
    expect(it_.money('pay_1')).toMatchObject({ amount: 2_000, refunded: 2_000 });
    expect((await types()).filter((type) => type === 'PAYMENT.CAPTURE.REFUNDED')).toHaveLength(2);
  });

  it('is one refund for its key, also a month later, and one for its invoice id', async () => {
    const id = await paid();
    const body = { amount: money('5.00'), invoice_id: 're_1' };
    const first = await it_.refund(id, body);
    expect((await it_.refund(id, body)).body.id).toBe(first.body.id);
    expect(issueIn(await it_.refund(id, body, 'another'))).toBe('DUPLICATE_INVOICE_ID');
    expect(it_.money('pay_1')?.refunded).toBe(500);
  });

  it('can stay pending, reduces the refundable amount, and is settled later', async () => {
    const id = await paid();
    it_.script('pending', { match: { operation: 'refund' } });
    const { body } = await it_.refund(id, { amount: money('15.00') });
    expect(body.status).toBe('PENDING');
    expect(issueIn(await it_.refund(id, { amount: money('10.00') }, 'more'))).toBe('REFUND_AMOUNT_EXCEEDED');
    expect(it_.money('pay_1')?.refunded).toBe(0);
    it_.complete(body.id, 'succeeded');
    expect(it_.money('pay_1')?.refunded).toBe(1_500);
    it_.complete(body.id, 'failed');
    expect(it_.money('pay_1')?.refunded).toBe(0);
    expect((await it_.get(`/v2/payments/refunds/${body.id}`)).body.status).toBe('FAILED');
    expect((await types()).slice(2)).toEqual([
      'PAYMENT.REFUND.PENDING',
      'PAYMENT.CAPTURE.REFUNDED',
      'PAYMENT.REFUND.FAILED',
    ]);
  });

  it('fails if a scenario wants it', async () => {
    const id = await paid();
    it_.script('decline:card_declined', { match: { operation: 'refund' } });
    expect((await it_.refund(id)).body.status).toBe('FAILED');
    expect(it_.money('pay_1')?.refunded).toBe(0);
  });

  it('is rejected for a capture without money and in another currency', async () => {
    expect(issueIn(await it_.refund(await paid(card('pending'))))).toBe('PENDING_CAPTURE');
    expect(issueIn(await it_.refund(await paid(card('decline_card_declined'))))).toBe('REFUND_NOT_ALLOWED');
    expect(issueIn(await it_.refund(await paid(), { amount: money('5.00', 'USD') }))).toBe(
      'REFUND_CAPTURE_CURRENCY_MISMATCH',
    );
    expect((await it_.refund('UNKNOWN')).status).toBe(404);
  });
});

describe('a malformed request', () => {
  const [good] = [page().purchase_units[0]];
  it.each<[string, object, number, string]>([
    ['without an intent', { purchase_units: [good] }, 400, 'MISSING_REQUIRED_PARAMETER'],
    ['without units', { intent: 'CAPTURE' }, 400, 'MISSING_REQUIRED_PARAMETER'],
    ['with no unit', { intent: 'CAPTURE', purchase_units: [] }, 400, 'INVALID_ARRAY_MIN_ITEMS'],
    ['without an amount', page({ amount: undefined }), 400, 'MISSING_REQUIRED_PARAMETER'],
    [
      'with an amount that is a number',
      page({ amount: { currency_code: 'EUR', value: 20 } }),
      400,
      'MISSING_REQUIRED_PARAMETER',
    ],
    ['with an amount that is none', page({ amount: money('1e3') }), 400, 'INVALID_PARAMETER_SYNTAX'],
    ['with too fine an amount', page({ amount: money('1.001') }), 422, 'DECIMAL_PRECISION'],
    ['with decimals of yen', page({ amount: money('10.50', 'JPY') }), 422, 'DECIMAL_PRECISION'],
    ['with decimals of forints', page({ amount: money('10.50', 'HUF') }), 422, 'DECIMAL_PRECISION'],
    ['with nothing to pay', page({ amount: money('0.00') }), 422, 'CANNOT_BE_ZERO_OR_NEGATIVE'],
    ['in a currency that PayPal does not take', page({ amount: money('10', 'XOF') }), 422, 'INVALID_CURRENCY_CODE'],
    ['with too long a label', page({ custom_id: 'x'.repeat(128) }), 400, 'INVALID_STRING_LENGTH'],
    ['with a source that is unknown', { ...page(), payment_source: { sofort: {} } }, 400, 'NOT_SUPPORTED'],
    ['with a broken saved method', card('a b'), 400, 'INVALID_PARAMETER_SYNTAX'],
  ])('%s is rejected with a PayPal error', async (_, body, status, issue) => {
    const response = await create(body);
    expect(response).toMatchObject({
      status,
      body: { debug_id: expect.any(String), details: [{ issue, location: 'body' }] },
    });
    expect(await types()).toEqual([]);
  });

  it('is rejected if it is not JSON, has another content type or an unknown path', async () => {
    const { access_token } = (await it_.login()).body;
    const send = (headers: object, body: string, path = '/v2/checkout/orders') =>
      it_.call(
        'POST',
        path,
        { authorization: `Bearer ${access_token}`, 'content-type': 'application/json', ...headers },
        body,
      );
    expect(issueIn(await send({}, '{'))).toBe('MALFORMED_REQUEST_JSON');
    expect((await send({ 'content-type': 'text/plain' }, '{}')).status).toBe(415);
    expect((await send({}, '{}', '/v2/nowhere')).status).toBe(404);
  });
});

describe('a webhook', () => {
  it('is signed with a served certificate that never expires and that our authority issued', async () => {
    await create(card('ok'));
    const [hook] = await it_.webhooks();
    const { headers, raw } = hook!;
    const url = new URL(String(headers['paypal-cert-url']));
    expect(url.host).toBe('api.sandbox.paypal.com');
    const served = await it_.call('GET', url.pathname, {});
    const certificate = new X509Certificate(served.text);
    const authority = new X509Certificate(
      it_.simulators.rootCertificates.find((pem) => certificate.checkIssued(new X509Certificate(pem))) ?? '',
    );
    expect(certificate.verify(authority.publicKey) && authority.ca && !certificate.ca).toBe(true);
    expect([certificate.validFromDate.getUTCFullYear(), certificate.validToDate.getUTCFullYear()]).toEqual([
      1970, 2100,
    ]);
    const message = [
      headers['paypal-transmission-id'],
      headers['paypal-transmission-time'],
      SHOP.webhook_secret,
      crc32(Buffer.from(raw)),
    ].join('|');
    expect(
      createVerify('RSA-SHA256')
        .update(message)
        .verify(certificate.publicKey, String(headers['paypal-transmission-sig']), 'base64'),
    ).toBe(true);
    expect((await it_.call('GET', '/v1/notifications/certs/CERT-other', {})).status).toBe(404);
  });

  it('contains the object and its merchant', async () => {
    await create(card('ok'));
    const [first, second] = await it_.webhooks();
    expect(first?.event).toMatchObject({
      resource_type: 'capture',
      event_version: '1.0',
      resource: { custom_id: 'org_1|conn_1|pay_1', status: 'COMPLETED' },
    });
    expect(second?.event).toMatchObject({
      resource_type: 'checkout-order',
      resource: { purchase_units: [{ custom_id: 'org_1|conn_1|pay_1' }] },
    });
  });

  it('is not sent if a scenario suppresses it', async () => {
    it_.script('approve', { webhook: 'none' });
    await create(card('ok'));
    expect(await types()).toEqual([]);
  });

  it('can be found by its id', async () => {
    expect(await it_.get(`/v1/notifications/webhooks/${SHOP.webhook_secret}`)).toMatchObject({
      status: 200,
      body: { id: SHOP.webhook_secret },
    });
    expect((await it_.get('/v1/notifications/webhooks/UNKNOWN')).status).toBe(404);
  });
});

describe.runIf(specsThere || inCi)('the official OpenAPI documents', () => {
  it('describe the responses (needs ../shared/psp-specs)', async () => {
    const orders = paypalShapeFaults('checkout_orders_v2');
    const payments = paypalShapeFaults('payments_payment_v2');
    const paid = await create(card('ok'));
    const { id } = captureIn(paid);
    const refunded = await it_.refund(id, {
      amount: money('5.00'),
      invoice_id: 're_1',
      custom_id: 'org_1,conn_1,pay_1',
    });
    const waiting = await create(page());
    it_.complete(waiting.body.id, 'succeeded');
    for (const shown of [
      paid,
      waiting,
      await create(card('decline_card_declined')),
      await it_.get(`/v2/checkout/orders/${waiting.body.id}`),
    ]) {
      expect(orders('order', shown.body)).toEqual([]);
    }
    expect(payments('capture-2', (await it_.get(`/v2/payments/captures/${id}`)).body)).toEqual([]);
    expect(payments('refund', refunded.body)).toEqual([]);
    expect(orders('error_422', (await it_.refund(id, { amount: money('99.00') }, 'more')).body)).toEqual([]);
    expect(orders('error_400', (await create({})).body)).toEqual([]);
  });
});
