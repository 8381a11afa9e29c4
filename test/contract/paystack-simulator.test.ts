import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Simulators } from '#lib/simulators/simulators.port.ts';
import { startSimulators } from '#lib/simulators/simulators.ts';

const KEY = 'sk_test_shop';
const BACK = 'https://shop.example/back?order=7';

/** JSON of which a test asserts a few fields. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert a response field by field.
type Json = any;
type Webhook = { readonly event: Json; readonly raw: string; readonly signature: string };

/** Simulators with one registered account and its endpoint. */
async function startTestbed() {
  const webhooks: Webhook[] = [];
  const endpoint = createServer(async (request, response) => {
    const raw = (await request.toArray()).join('');
    webhooks.push({ event: JSON.parse(raw), raw, signature: String(request.headers['x-paystack-signature']) });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  const simulators: Simulators = await startSimulators({
    port: 0,
    database: ':memory:',
    clock: { now: () => new Date('2027-03-01T10:00:00Z') },
    webhookBase: () => `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`,
    protect: { seal: (text) => text, open: (sealed) => sealed },
  });
  simulators.registerAccount('paystack', { secret_key: KEY });
  const send = async (
    method: string,
    path: string,
    body: object | string | undefined,
    { key = KEY, type = 'application/json', signal }: RequestOptions,
  ) => {
    const headers = {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': type }),
    };
    const sent = typeof body === 'object' ? JSON.stringify(body) : (body ?? null);
    const response = await fetch(`${simulators.base}/paystack${path}`, {
      method,
      headers,
      body: sent,
      signal: signal ?? null,
    });
    const text = await response.text();
    const json: Json = text.startsWith('{') ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, body: json, data: json?.data };
  };
  return {
    post: (path: string, body: object | string, options: RequestOptions = {}) => send('POST', path, body, options),
    get: (path: string, options: RequestOptions = {}) => send('GET', path, undefined, options),
    browse: async (url: string, choice?: string) => {
      const response = await fetch(url, {
        redirect: 'manual',
        ...(choice && { method: 'POST', body: new URLSearchParams({ do: choice }) }),
      });
      return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
    },
    script: (behaviour: string, more: object = {}) =>
      simulators.setScenario({ provider: 'paystack', behaviour, ...more }),
    complete: (reference: string, outcome: 'succeeded' | 'failed' = 'succeeded') =>
      simulators.complete('paystack', reference, outcome),
    money: (paymentId = 'pay_1') => simulators.calls({ payment_id: paymentId }).charges[paymentId],
    calls: () => simulators.calls({}).calls.map(({ operation, payment_id, status }) => [operation, payment_id, status]),
    webhooks: async (): Promise<readonly Webhook[]> => {
      await simulators.idle();
      return webhooks;
    },
    events: async () => {
      await simulators.idle();
      return webhooks.map(({ event }) => event.event);
    },
    close: async () => {
      await simulators.close();
      endpoint.closeAllConnections();
      endpoint.close();
    },
  };
}
type RequestOptions = { readonly key?: string; readonly type?: string; readonly signal?: AbortSignal };

let s: Awaited<ReturnType<typeof startTestbed>>;
beforeEach(async () => {
  s = await startTestbed();
});
afterEach(() => s.close());

const INITIALIZE = '/transaction/initialize';
const STORED = '/transaction/charge_authorization';

const base = { email: 'kim@example.com', amount: 2000, currency: 'NGN', reference: 'ref-1' };
const stored = (authorization_code: string, more: object = {}) => ({
  ...base,
  authorization_code,
  metadata: JSON.stringify({ payment_id: 'pay_1' }),
  ...more,
});
const page = (more: object = {}) => ({
  ...base,
  channels: ['card'],
  callback_url: BACK,
  metadata: { payment_id: 'pay_1' },
  ...more,
});
const direct = (more: object) => ({ ...base, metadata: { payment_id: 'pay_1' }, ...more });
const verified = async (reference = 'ref-1') => (await s.get(`/transaction/verify/${reference}`)).data;

describe('a stored card', () => {
  it('is charged, and its event is signed with the secret key', async () => {
    const { status, body, data } = await s.post(STORED, stored('AUTH_pmx3mgawyd'));
    expect([status, body.status, body.message]).toEqual([200, true, 'Charge attempted']);
    expect(data).toMatchObject({
      status: 'success',
      reference: 'ref-1',
      amount: 2000,
      currency: 'NGN',
      gateway_response: 'Successful',
    });
    expect(s.money()).toEqual({ amount: 2000, refunded: 0, currency: 'NGN', count: 1 });
    const [hook] = await s.webhooks();
    expect(hook!.event).toMatchObject({
      event: 'charge.success',
      data: { id: data.id, reference: 'ref-1', status: 'success', metadata: { payment_id: 'pay_1' } },
    });
    expect(hook!.signature).toBe(createHmac('sha512', KEY).update(hook!.raw).digest('hex'));
    expect(await verified()).toEqual(hook!.event.data);
    expect((await s.get(`/transaction/${data.id}`)).data).toEqual(hook!.event.data);
  });

  it.each([
    ['decline_insufficient_funds', 'Insufficient Funds'],
    ['decline_lost_card', 'Lost Card, Pick-Up'],
    ['decline_do_not_honor', 'Do Not Honor'],
    ['decline_no_route', 'Declined'],
  ])('%s fails with %s and sends no event', async (token, reason) => {
    const { status, data } = await s.post(STORED, stored(token));
    expect([status, data.status, data.gateway_response]).toEqual([200, 'failed', reason]);
    expect([await s.events(), s.money(), (await verified()).status]).toEqual([[], undefined, 'failed']);
  });

  it('that requires authentication redirects to a page', async () => {
    const { data } = await s.post(STORED, stored('needs_3ds'));
    expect(data).toMatchObject({ paused: true, reference: 'ref-1' });
    expect((await verified()).status).toBe('ongoing');
    expect((await s.get('/charge/ref-1')).data).toEqual({
      reference: 'ref-1',
      status: 'open_url',
      url: data.authorization_url,
    });
    expect((await s.browse(data.authorization_url)).text).toContain('NGN 20.00');
    await s.browse(data.authorization_url, 'authenticate');
    expect([(await verified()).status, s.money()?.count, await s.events()]).toEqual(['success', 1, ['charge.success']]);
  });

  it('fails if its holder fails the authentication', async () => {
    const { data } = await s.post(STORED, stored('needs_3ds'));
    await s.browse(data.authorization_url, 'fail');
    expect(await verified()).toMatchObject({ status: 'failed', gateway_response: '3D Secure authentication failed' });
  });

  it.each(['authenticate', 'fail'])('redirects its holder back to the shop after: %s', async (choice) => {
    const { data } = await s.post(STORED, stored('needs_3ds', { callback_url: BACK }));
    expect((await s.browse(data.authorization_url, choice)).location).toBe(`${BACK}&trxref=ref-1&reference=ref-1`);
    expect((await verified()).status).toBe(choice === 'authenticate' ? 'success' : 'failed');
  });

  it('is pending until it is completed', async () => {
    expect((await s.post(STORED, stored('pending'))).data.status).toBe('pending');
    expect(s.complete('ref-1')).toBe(true);
    expect([(await verified()).status, s.money()?.count]).toEqual(['success', 1]);
    expect(s.complete('ref-1')).toBe(true);
    expect(s.money()?.count).toBe(1);
  });
});

describe('the authorization that a payment creates', () => {
  const NOT_YOURS =
    'Email does not match Authorization code. Authorization may be inactive or belong to a different email. Please confirm.';
  const again = (code: string, more: object = {}) => s.post(STORED, stored(code, { reference: 'ref-2', ...more }));

  it('of a card used on a page charges it again off-session', async () => {
    const { data } = await s.post(INITIALIZE, page());
    expect((await verified()).authorization).toEqual({});
    await s.browse(data.authorization_url, 'pay');
    const { authorization_code, reusable, channel } = (await verified()).authorization;
    expect([authorization_code, reusable, channel]).toEqual([expect.stringMatching(/^AUTH_\w{6,}$/), true, 'card']);
    expect((await again(authorization_code)).data.status).toBe('success');
    expect(s.money()?.count).toBe(2);
  });

  it('works only with the e-mail address that paid', async () => {
    await s.post(STORED, stored('ok'));
    const { authorization_code } = (await verified()).authorization;
    const { status, body } = await again(authorization_code, { email: 'sam@example.com' });
    expect([status, body]).toEqual([400, { status: false, message: NOT_YOURS }]);
    expect((await s.get('/transaction/verify/ref-2')).status).toBe(404);
    expect((await again(authorization_code)).data.status).toBe('success');
  });

  it('of a mobile money payment is not reusable', async () => {
    await s.post('/charge', direct({ mobile_money: { phone: '0551234987', provider: 'mtn' } }));
    s.complete('ref-1');
    const { authorization_code, reusable } = (await verified()).authorization;
    expect(reusable).toBe(false);
    expect((await again(authorization_code)).body.message).toBe(NOT_YOURS);
  });
});

describe('a reference', () => {
  it('can be used once, whatever the result is', async () => {
    for (const token of ['ok', 'decline_do_not_honor']) {
      const reference = `ref-${token.length}`;
      await s.post(STORED, stored(token, { reference }));
      const again = await s.post(STORED, stored('ok', { reference }));
      expect([again.status, again.body]).toMatchObject([
        400,
        { status: false, code: 'duplicate_reference', message: 'Duplicate Transaction Reference' },
      ]);
      expect((await s.post(INITIALIZE, page({ reference }))).body.code).toBe('duplicate_reference');
    }
    expect(s.money()?.count).toBe(1);
  });

  it('is used up by an unopened page too, and is generated if it is missing', async () => {
    await s.post(INITIALIZE, page());
    expect((await s.post(INITIALIZE, page())).status).toBe(400);
    expect((await s.post(INITIALIZE, page({ reference: undefined }))).data.reference).toMatch(/^[a-z0-9]{15}$/);
  });

  it('that is unknown or belongs to another account is not found', async () => {
    await s.post(STORED, stored('ok'));
    for (const response of [
      await s.get('/transaction/verify/none'),
      await s.get('/transaction/verify/ref-1', { key: 'sk_test_other' }),
    ])
      expect([response.status, response.body.code]).toEqual([404, 'transaction_not_found']);
  });
});

describe('a request', () => {
  it.each<[string, string, object | string, RequestOptions, number, string | RegExp]>([
    ['without a key', STORED, stored('ok'), { key: '' }, 401, 'No Authorization Header was found'],
    ['with a revoked key', STORED, stored('ok'), { key: 'sk_test_revoked' }, 401, 'Invalid key'],
    ['with a key of another kind', STORED, stored('ok'), { key: 'pk_test_1' }, 401, 'Invalid key'],
    ['without an address', STORED, stored('ok', { email: undefined }), {}, 400, /email/],
    ['with half an address', STORED, stored('ok', { email: 'kim' }), {}, 400, 'Invalid Email Address Passed'],
    ['without an amount', INITIALIZE, page({ amount: undefined }), {}, 400, /amount/],
    ['with a fraction', INITIALIZE, page({ amount: 10.5 }), {}, 400, /amount/],
    ['with nothing', INITIALIZE, page({ amount: 0 }), {}, 400, /amount/],
    [
      'in an unsupported currency',
      STORED,
      stored('ok', { currency: 'EUR' }),
      {},
      403,
      'Currency not supported by merchant',
    ],
    ['with an underscore in its reference', STORED, stored('ok', { reference: 'att_1' }), {}, 400, /reference/],
    [
      'with an unknown card',
      STORED,
      stored('nothing'),
      {},
      400,
      'Authorization code does not exist or has been deactivated',
    ],
    ['with metadata as an object where text is due', STORED, stored('ok', { metadata: {} }), {}, 400, /stringified/],
    ['with an unknown channel', INITIALIZE, page({ channels: ['pigeon'] }), {}, 400, /channels/],
    ['with an invalid callback URL', INITIALIZE, page({ callback_url: 'nowhere' }), {}, 400, /callback/],
    [
      'with an invalid callback URL for a saved card',
      STORED,
      stored('needs_3ds', { callback_url: 'nowhere' }),
      {},
      400,
      /callback/,
    ],
    ['in no way to pay', '/charge', direct({}), {}, 400, /^One of Authorization code/],
    ['with an unknown wallet', '/charge', direct({ mobile_money: { phone: '1', provider: 'x' } }), {}, 400, /provider/],
    ['without a phone', '/charge', direct({ mobile_money: { provider: 'mtn' } }), {}, 400, /phone/],
    ['of broken JSON', STORED, '{"email":', {}, 400, /JSON/],
    ['of another media type', STORED, 'a=b', { type: 'text/plain' }, 400, /JSON/],
    ['to nowhere', '/nowhere', {}, {}, 404, 'Entity not found'],
  ])('%s is rejected', async (_, path, body, options, status, message) => {
    const response = await s.post(path, body, options);
    expect([response.status, response.body.status]).toEqual([status, false]);
    expect(response.body.message).toMatch(message);
    expect(s.money()).toBeUndefined();
  });

  it('may be a form', async () => {
    const form = new URLSearchParams({
      ...base,
      amount: '2000',
      authorization_code: 'ok',
      metadata: '{"payment_id":"pay_1"}',
    }).toString();
    expect((await s.post(STORED, form, { type: 'application/x-www-form-urlencoded' })).data.status).toBe('success');
  });

  it('to ping returns a balance and no name', async () => {
    expect((await s.get('/balance')).data).toEqual([{ currency: 'NGN', balance: 100_000_000 }]);
  });

  it('is recorded with the payment it is about', async () => {
    await s.post(STORED, stored('ok'));
    await verified();
    await s.post('/refund', { transaction: 'ref-1', amount: 500 });
    await s.get('/refund');
    const expected = [
      ['create', 'pay_1', 200],
      ['fetch', 'pay_1', 200],
      ['refund', 'pay_1', 200],
      ['fetch_refund', null, 200],
    ];
    expect(s.calls()).toEqual(expected);
  });
});

describe('a page', () => {
  const open = async (more: object = {}) =>
    (await s.post(INITIALIZE, page(more))).data as { authorization_url: string; access_code: string };

  it('redirects with the reference when it is paid', async () => {
    const { authorization_url } = await open();
    expect((await verified()).status).toBe('abandoned');
    expect((await s.get('/charge/ref-1')).status).toBe(400);
    expect((await s.browse(authorization_url)).text).toContain('Pay NGN 20.00');
    const back = await s.browse(authorization_url, 'pay');
    expect([back.status, back.location]).toEqual([303, `${BACK}&trxref=ref-1&reference=ref-1`]);
    expect([(await verified()).status, s.money()?.count, await s.events()]).toEqual(['success', 1, ['charge.success']]);
    expect((await s.browse(authorization_url, 'pay')).text).toContain('This page is closed');
    expect(s.money()?.count).toBe(1);
  });

  it('stays open after a declined attempt and when the customer leaves', async () => {
    const { authorization_url } = await open();
    const declined = await s.browse(authorization_url, 'decline');
    expect((await s.browse(declined.location)).text).toContain('role="alert">Declined');
    expect((await s.browse(authorization_url, 'cancel')).status).toBe(200);
    expect((await verified()).status).toBe('abandoned');
    await s.browse(authorization_url, 'pay');
    expect((await verified()).status).toBe('success');
  });

  it('redirects to the bank if a scenario wants it, and returns to itself after a failure', async () => {
    s.script('requires_action');
    const { authorization_url } = await open();
    const bank = (await s.browse(authorization_url, 'pay')).location;
    expect(bank).toContain('/3ds/');
    expect((await s.browse(bank, 'fail')).location).toContain('/checkout/');
    await s.browse(authorization_url, 'pay');
    expect((await verified()).status).toBe('success');
  });

  it.each([
    ['decline:lost_card', 'abandoned', undefined],
    ['pending', 'pending', undefined],
    ['wrong_amount', 'success', 2001],
    ['approve', 'success', 2000],
  ])('applies the scenario %s to the attempt', async (behaviour, status, amount) => {
    s.script(behaviour, { webhook: 'none' });
    const { authorization_url } = await open();
    await s.browse(authorization_url, 'pay');
    expect([(await verified()).status, s.money()?.amount, await s.events()]).toEqual([status, amount, []]);
  });

  it.each(['ref-1', 'pay_1', 'code'])('can be completed by %s', async (name) => {
    const { access_code } = await open();
    expect(s.complete(name === 'code' ? access_code : name, 'failed')).toBe(true);
    expect(await verified()).toMatchObject({ status: 'failed', gateway_response: 'The transaction was not completed' });
    expect(s.complete(name === 'code' ? access_code : name)).toBe(true);
    expect([(await verified()).status, s.money()?.count]).toEqual(['success', 1]);
    expect(s.complete('nothing')).toBe(false);
  });

  it('is not found for an unknown id', async () => {
    const { authorization_url } = await open();
    expect((await s.browse(authorization_url.replace(/\w+$/, 'none'))).status).toBe(404);
  });
});

describe('a charge without a page', () => {
  const submit = (name: string, fields: object) => s.post(`/charge/submit_${name}`, { reference: 'ref-1', ...fields });

  it('with mobile money waits for the phone', async () => {
    expect(
      (await s.post('/charge', direct({ currency: 'GHS', mobile_money: { phone: '0551234987', provider: 'mtn' } })))
        .data,
    ).toMatchObject({
      status: 'pay_offline',
    });
    expect([(await verified()).status, (await s.get('/charge/ref-1')).data.status]).toEqual(['pending', 'pay_offline']);
    s.complete('ref-1');
    expect([(await s.get('/charge/ref-1')).data.status, s.money()]).toEqual([
      'success',
      { amount: 2000, refunded: 0, currency: 'GHS', count: 1 },
    ]);
  });

  it.each<[string, object, object]>([
    ['ussd', { ussd: { type: '737' } }, { status: 'pay_offline', ussd_code: '*737*33*4*18791#' }],
    [
      'transfer',
      { bank_transfer: {} },
      { status: 'pending_bank_transfer', account_number: '1238259363', account_expires_at: '2027-03-01T10:30:00.000Z' },
    ],
    ['QR', { qr: { provider: 'visa' } }, { status: 'pay_offline', qr_image: expect.stringContaining('http') }],
    ['EFT', { eft: { provider: 'ozow' } }, { status: 'open_url', url: expect.stringContaining('/3ds/') }],
    ['a voucher', { mobile_money: { phone: '1', provider: 'vod' } }, { status: 'send_otp' }],
  ])('by %s returns the next step', async (_, way, shown) => {
    expect((await s.post('/charge', direct(way))).data).toMatchObject(shown);
  });

  it.each<[string, object, readonly [string, object, string][]]>([
    [
      'a card with a PIN',
      { authorization_code: 'needs_pin' },
      [
        ['pin', { pin: '1111' }, 'send_otp'],
        ['otp', { otp: '123456' }, 'success'],
      ],
    ],
    [
      'a card with a phone',
      { authorization_code: 'needs_phone' },
      [
        ['phone', { phone: '08012345678' }, 'send_otp'],
        ['otp', { otp: '123456' }, 'success'],
      ],
    ],
    [
      'a card with an address',
      { authorization_code: 'needs_address' },
      [['address', { address: 'a', city: 'b', state: 'c', zip_code: 'd' }, 'success']],
    ],
    [
      'a bank account',
      { bank: { code: '057', account_number: '0000000000' } },
      [
        ['birthday', { birthday: '1961-09-21' }, 'send_otp'],
        ['otp', { otp: '123456' }, 'success'],
      ],
    ],
    ['a wrong PIN', { authorization_code: 'needs_pin' }, [['pin', { pin: '0000' }, 'failed']]],
    [
      'a wrong code',
      { authorization_code: 'needs_pin' },
      [
        ['pin', { pin: '1111' }, 'send_otp'],
        ['otp', { otp: '000000' }, 'failed'],
      ],
    ],
  ])('by %s requires its steps in order', async (_, way, steps) => {
    await s.post('/charge', direct(way));
    for (const [name, fields, status] of steps) expect((await submit(name, fields)).data.status).toBe(status);
    expect(s.money()?.count).toBe(steps.at(-1)?.[2] === 'success' ? 1 : undefined);
  });

  it('accepts only the step that it waits for', async () => {
    await s.post('/charge', direct({ authorization_code: 'needs_pin' }));
    expect((await submit('otp', { otp: '123456' })).status).toBe(400);
    expect((await submit('pin', {})).status).toBe(400);
    expect((await s.post('/charge/submit_pin', { pin: '1111', reference: 'none' })).status).toBe(404);
  });

  it('can be declined at a later step by a scenario', async () => {
    await s.post('/charge', direct({ authorization_code: 'needs_pin' }));
    s.script('decline:expired_card', { match: { operation: 'confirm' } });
    expect((await submit('pin', { pin: '1111' })).data).toMatchObject({
      status: 'failed',
      gateway_response: 'Expired Card',
    });
  });
});

describe('a scenario', () => {
  it.each([
    ['approve', 'decline_lost_card', 200, 'success', 2000],
    ['decline:do_not_honor', 'ok', 200, 'failed', undefined],
    ['requires_action', 'ok', 200, undefined, undefined],
    ['pending', 'ok', 200, 'pending', undefined],
    ['wrong_amount', 'ok', 200, 'success', 2001],
    ['http_500', 'ok', 500, undefined, undefined],
    ['rate_limited', 'ok', 429, undefined, undefined],
    ['garbage', 'ok', 200, undefined, 2000],
    ['slow:10', 'ok', 200, 'success', 2000],
  ])('%s with %s', async (behaviour, token, status, state, amount) => {
    s.script(behaviour);
    const response = await s.post(STORED, stored(token));
    expect([response.status, response.data?.status, s.money()?.amount]).toEqual([status, state, amount]);
    expect((await s.post(STORED, stored('ok', { reference: 'ref-2' }))).data.status).toBe('success');
  });

  it('rate_limited sends Retry-After, and both errors leave the reference unused', async () => {
    for (const behaviour of ['rate_limited', 'http_500']) {
      s.script(behaviour);
      const response = await s.post(STORED, stored('ok'));
      if (behaviour === 'rate_limited') expect(response.headers.get('retry-after')).toBe('2');
    }
    expect((await s.post(STORED, stored('ok'))).data.status).toBe('success');
  });

  it.each([
    ['timeout_after_charge', 400, 1],
    ['timeout_before_charge', 200, 1],
  ])('%s holds the connection, and the transaction can be found by its reference', async (behaviour, status, count) => {
    s.script(behaviour);
    await expect(s.post(STORED, stored('ok'), { signal: AbortSignal.timeout(200) })).rejects.toThrow();
    expect([(await s.post(STORED, stored('ok'))).status, s.money()?.count]).toEqual([status, count]);
    expect((await verified()).status).toBe('success');
  });

  it.each([
    ['duplicate', 2],
    ['none', 0],
  ])('with webhooks %s sends %d', async (webhook, count) => {
    s.script('approve', { webhook });
    await s.post(STORED, stored('ok'));
    expect((await s.events()).length).toBe(count);
  });
});

describe('a refund', () => {
  const refund = (more: object = {}) => s.post('/refund', { transaction: 'ref-1', ...more });
  const EVENTS = ['charge.success', 'refund.pending', 'refund.processing', 'refund.processed'];
  beforeEach(async () => {
    await s.post(STORED, stored('ok'));
  });

  it('is queued, and processed a moment later', async () => {
    const { body, data } = await refund({ amount: 500, merchant_note: 'note-1' });
    expect([body.message, data.status, data.transaction.reference]).toEqual([
      'Refund has been queued for processing',
      'pending',
      'ref-1',
    ]);
    expect((await s.get(`/refund/${data.id}`)).data).toMatchObject({
      status: 'processed',
      amount: 500,
      merchant_note: 'note-1',
      transaction_reference: 'ref-1',
    });
    expect([s.money()?.refunded, (await s.events()).toSorted()]).toEqual([500, EVENTS.toSorted()]);
    const event = (await s.webhooks()).find(({ event }) => event.event === 'refund.processed')?.event.data;
    expect(event).toMatchObject({ transaction_reference: 'ref-1', amount: '500', status: 'processed' });
    expect([event.id, event.metadata]).toEqual([undefined, undefined]);
  });

  it('is created twice when it is repeated, but never beyond the charged amount', async () => {
    await refund({ amount: 1500 });
    expect((await refund({ amount: 1500 })).body).toMatchObject({
      status: false,
      message: 'Refund amount cannot be more than transaction amount',
    });
    await refund({ amount: 250 });
    await refund({ amount: 250 });
    expect([s.money()?.refunded, (await verified()).status]).toEqual([2000, 'reversed']);
    expect((await refund()).body.code).toBe('transaction_reversed');
  });

  it('stays pending if a scenario wants it, until it is completed', async () => {
    s.script('pending', { match: { operation: 'refund' } });
    const { data } = await refund();
    expect([(await s.get(`/refund/${data.id}`)).data.status, s.money()?.refunded]).toEqual(['pending', 0]);
    expect((await refund({ amount: 1 })).status).toBe(400);
    s.complete(String(data.id));
    expect([(await s.get(`/refund/${data.id}`)).data.status, s.money()?.refunded, (await verified()).status]).toEqual([
      'processed',
      2000,
      'reversed',
    ]);
  });

  it.each([
    ['at once', 'decline:card_declined'],
    ['later', 'pending'],
  ])('can fail %s, and its amount is refundable again', async (_, behaviour) => {
    s.script(behaviour, { match: { operation: 'refund' } });
    const { data } = await refund();
    s.complete(String(data.id), 'failed');
    expect([(await s.get(`/refund/${data.id}`)).data.status, s.money()?.refunded]).toEqual(['failed', 0]);
    expect(await s.events()).toContain('refund.failed');
    expect((await refund()).status).toBe(200);
  });

  it.each([
    ['of nothing', { transaction: undefined }, 400],
    ['of an unknown charge', { transaction: 'none' }, 404],
    ['in another currency', { currency: 'GHS' }, 400],
    ['of zero', { amount: 0 }, 400],
  ])('%s is rejected', async (_, more, status) => {
    expect((await refund(more)).status).toBe(status);
  });

  it('of an uncharged transaction is rejected', async () => {
    await s.post(STORED, stored('decline_lost_card', { reference: 'ref-2' }));
    expect((await refund({ transaction: 'ref-2' })).body.code).toBe('transaction_not_charged');
  });

  it('is listed with the other refunds of the account, newest first, in pages and by day', async () => {
    for (const amount of [1, 2, 3]) await refund({ amount });
    const amounts = async (query: string, key = KEY) =>
      (await s.get(`/refund${query}`, { key })).data.map(({ amount }: Json) => amount);
    expect(await amounts('')).toEqual([3, 2, 1]);
    expect([
      await amounts('?perPage=2&page=1'),
      await amounts('?perPage=2&page=2'),
      await amounts('?perPage=2&page=3'),
    ]).toEqual([[3, 2], [1], []]);
    expect([
      await amounts('?from=2027-03-01&to=2027-03-01'),
      await amounts('?from=2027-03-02'),
      await amounts('?to=2027-02-28'),
    ]).toEqual([[3, 2, 1], [], []]);
    expect(await amounts('', 'sk_test_other')).toEqual([]);
    expect((await s.get('/refund?page=x')).status).toBe(400);
    expect((await s.get('/refund/7')).status).toBe(404);
  });
});
