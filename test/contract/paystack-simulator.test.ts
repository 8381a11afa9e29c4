import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Simulators } from '#lib/simulators/simulator.port.ts';
import { startSimulators } from '#lib/simulators/simulators.ts';

const KEY = 'sk_test_shop';
const BACK = 'https://shop.example/back?order=7';

/** JSON of which a test looks at a few fields. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is asserted on field by field.
type Json = any;
type Hook = { readonly event: Json; readonly raw: string; readonly signature: string };

/** Simulators with one learnt account and its endpoint. */
async function stage() {
  const hooks: Hook[] = [];
  const endpoint = createServer(async (request, response) => {
    const raw = (await request.toArray()).join('');
    hooks.push({ event: JSON.parse(raw), raw, signature: String(request.headers['x-paystack-signature']) });
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
  simulators.learnAccount('paystack', { secret_key: KEY });
  const send = async (
    method: string,
    path: string,
    body: object | string | undefined,
    { key = KEY, type = 'application/json', signal }: Sending,
  ) => {
    const headers = {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': type }),
    };
    const sent = typeof body === 'object' ? JSON.stringify(body) : (body ?? null);
    const answer = await fetch(`${simulators.base}/paystack${path}`, {
      method,
      headers,
      body: sent,
      signal: signal ?? null,
    });
    const text = await answer.text();
    const json: Json = text.startsWith('{') ? JSON.parse(text) : undefined;
    return { status: answer.status, headers: answer.headers, text, body: json, data: json?.data };
  };
  return {
    post: (path: string, body: object | string, sending: Sending = {}) => send('POST', path, body, sending),
    get: (path: string, sending: Sending = {}) => send('GET', path, undefined, sending),
    browse: async (url: string, choice?: string) => {
      const answer = await fetch(url, {
        redirect: 'manual',
        ...(choice && { method: 'POST', body: new URLSearchParams({ do: choice }) }),
      });
      return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
    },
    script: (behaviour: string, more: object = {}) =>
      simulators.setScenario({ provider: 'paystack', behaviour, ...more }),
    complete: (reference: string, outcome: 'succeeded' | 'failed' = 'succeeded') =>
      simulators.complete('paystack', reference, outcome),
    money: (paymentId = 'pay_1') => simulators.calls({ payment_id: paymentId }).charges[paymentId],
    calls: () => simulators.calls({}).calls.map(({ operation, payment_id, status }) => [operation, payment_id, status]),
    hooks: async (): Promise<readonly Hook[]> => {
      await simulators.idle();
      return hooks;
    },
    events: async () => {
      await simulators.idle();
      return hooks.map(({ event }) => event.event);
    },
    close: async () => {
      await simulators.close();
      endpoint.closeAllConnections();
      endpoint.close();
    },
  };
}
type Sending = { readonly key?: string; readonly type?: string; readonly signal?: AbortSignal };

let s: Awaited<ReturnType<typeof stage>>;
beforeEach(async () => {
  s = await stage();
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
  it('is charged, and the event of it is signed with the secret key', async () => {
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
    const [hook] = await s.hooks();
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
  ])('%s fails with %s, and no event tells of it', async (token, reason) => {
    const { status, data } = await s.post(STORED, stored(token));
    expect([status, data.status, data.gateway_response]).toEqual([200, 'failed', reason]);
    expect([await s.events(), s.money(), (await verified()).status]).toEqual([[], undefined, 'failed']);
  });

  it('whose bank wants its holder waits for them at a page', async () => {
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

  it('whose holder fails there has failed', async () => {
    const { data } = await s.post(STORED, stored('needs_3ds'));
    await s.browse(data.authorization_url, 'fail');
    expect(await verified()).toMatchObject({ status: 'failed', gateway_response: '3D Secure authentication failed' });
  });

  it.each(['authenticate', 'fail'])('leads its holder back from there, whatever comes of it: %s', async (choice) => {
    const { data } = await s.post(STORED, stored('needs_3ds', { callback_url: BACK }));
    expect((await s.browse(data.authorization_url, choice)).location).toBe(`${BACK}&trxref=ref-1&reference=ref-1`);
    expect((await verified()).status).toBe(choice === 'authenticate' ? 'success' : 'failed');
  });

  it('is pending until somebody says more', async () => {
    expect((await s.post(STORED, stored('pending'))).data.status).toBe('pending');
    expect(s.complete('ref-1')).toBe(true);
    expect([(await verified()).status, s.money()?.count]).toEqual(['success', 1]);
    expect(s.complete('ref-1')).toBe(true);
    expect(s.money()?.count).toBe(1);
  });
});

describe('the authorization that a payment leaves', () => {
  const NOT_YOURS =
    'Email does not match Authorization code. Authorization may be inactive or belong to a different email. Please confirm.';
  const again = (code: string, more: object = {}) => s.post(STORED, stored(code, { reference: 'ref-2', ...more }));

  it('of a card that was paid with on a page charges it again, with nobody there', async () => {
    const { data } = await s.post(INITIALIZE, page());
    expect((await verified()).authorization).toEqual({});
    await s.browse(data.authorization_url, 'pay');
    const { authorization_code, reusable, channel } = (await verified()).authorization;
    expect([authorization_code, reusable, channel]).toEqual([expect.stringMatching(/^AUTH_\w{6,}$/), true, 'card']);
    expect((await again(authorization_code)).data.status).toBe('success');
    expect(s.money()?.count).toBe(2);
  });

  it('belongs to the address that paid', async () => {
    await s.post(STORED, stored('ok'));
    const { authorization_code } = (await verified()).authorization;
    const { status, body } = await again(authorization_code, { email: 'sam@example.com' });
    expect([status, body]).toEqual([400, { status: false, message: NOT_YOURS }]);
    expect((await s.get('/transaction/verify/ref-2')).status).toBe(404);
    expect((await again(authorization_code)).data.status).toBe('success');
  });

  it('of a phone is good for that payment alone', async () => {
    await s.post('/charge', direct({ mobile_money: { phone: '0551234987', provider: 'mtn' } }));
    s.complete('ref-1');
    const { authorization_code, reusable } = (await verified()).authorization;
    expect(reusable).toBe(false);
    expect((await again(authorization_code)).body.message).toBe(NOT_YOURS);
  });
});

describe('a reference', () => {
  it('is taken once, whatever came of it', async () => {
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

  it('is taken by a page that nobody has opened, too, and made up where none is given', async () => {
    await s.post(INITIALIZE, page());
    expect((await s.post(INITIALIZE, page())).status).toBe(400);
    expect((await s.post(INITIALIZE, page({ reference: undefined }))).data.reference).toMatch(/^[a-z0-9]{15}$/);
  });

  it('that is not there, or another account’s, is not found', async () => {
    await s.post(STORED, stored('ok'));
    for (const answer of [
      await s.get('/transaction/verify/none'),
      await s.get('/transaction/verify/ref-1', { key: 'sk_test_other' }),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'transaction_not_found']);
  });
});

describe('a request', () => {
  it.each<[string, string, object | string, Sending, number, string | RegExp]>([
    ['without a key', STORED, stored('ok'), { key: '' }, 401, 'No Authorization Header was found'],
    ['with a revoked key', STORED, stored('ok'), { key: 'sk_test_revoked' }, 401, 'Invalid key'],
    ['with a key of another kind', STORED, stored('ok'), { key: 'pk_test_1' }, 401, 'Invalid key'],
    ['without an address', STORED, stored('ok', { email: undefined }), {}, 400, /email/],
    ['with half an address', STORED, stored('ok', { email: 'kim' }), {}, 400, 'Invalid Email Address Passed'],
    ['without an amount', INITIALIZE, page({ amount: undefined }), {}, 400, /amount/],
    ['with a fraction', INITIALIZE, page({ amount: 10.5 }), {}, 400, /amount/],
    ['with nothing', INITIALIZE, page({ amount: 0 }), {}, 400, /amount/],
    [
      'in a currency of elsewhere',
      STORED,
      stored('ok', { currency: 'EUR' }),
      {},
      403,
      'Currency not supported by merchant',
    ],
    ['with an underscore in its reference', STORED, stored('ok', { reference: 'att_1' }), {}, 400, /reference/],
    [
      'with a card that is none',
      STORED,
      stored('nothing'),
      {},
      400,
      'Authorization code does not exist or has been deactivated',
    ],
    ['with metadata as an object where text is due', STORED, stored('ok', { metadata: {} }), {}, 400, /stringified/],
    ['with a channel of the future', INITIALIZE, page({ channels: ['pigeon'] }), {}, 400, /channels/],
    ['to come back nowhere', INITIALIZE, page({ callback_url: 'nowhere' }), {}, 400, /callback/],
    [
      'to lead the holder of a card nowhere',
      STORED,
      stored('needs_3ds', { callback_url: 'nowhere' }),
      {},
      400,
      /callback/,
    ],
    ['in no way to pay', '/charge', direct({}), {}, 400, /^One of Authorization code/],
    [
      'by a wallet of the future',
      '/charge',
      direct({ mobile_money: { phone: '1', provider: 'x' } }),
      {},
      400,
      /provider/,
    ],
    ['without a phone', '/charge', direct({ mobile_money: { provider: 'mtn' } }), {}, 400, /phone/],
    ['of broken JSON', STORED, '{"email":', {}, 400, /JSON/],
    ['of another media type', STORED, 'a=b', { type: 'text/plain' }, 400, /JSON/],
    ['to nowhere', '/nowhere', {}, {}, 404, 'Entity not found'],
  ])('%s is refused', async (_, path, body, sending, status, message) => {
    const answer = await s.post(path, body, sending);
    expect([answer.status, answer.body.status]).toEqual([status, false]);
    expect(answer.body.message).toMatch(message);
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

  it('to ping tells a balance and no name', async () => {
    expect((await s.get('/balance')).data).toEqual([{ currency: 'NGN', balance: 100_000_000 }]);
  });

  it('is on record with the payment it is about', async () => {
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

  it('leads back with the reference when it was paid', async () => {
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

  it('stays open after a declined try, and when it is left', async () => {
    const { authorization_url } = await open();
    const declined = await s.browse(authorization_url, 'decline');
    expect((await s.browse(declined.location)).text).toContain('role="alert">Declined');
    expect((await s.browse(authorization_url, 'cancel')).status).toBe(200);
    expect((await verified()).status).toBe('abandoned');
    await s.browse(authorization_url, 'pay');
    expect((await verified()).status).toBe('success');
  });

  it('asks the bank where a scenario says so, and comes back to itself after a failure there', async () => {
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
  ])('keeps the scenario %s for the try', async (behaviour, status, amount) => {
    s.script(behaviour, { webhook: 'none' });
    const { authorization_url } = await open();
    await s.browse(authorization_url, 'pay');
    expect([(await verified()).status, s.money()?.amount, await s.events()]).toEqual([status, amount, []]);
  });

  it.each(['ref-1', 'pay_1', 'code'])('is paid or ended from outside by %s', async (name) => {
    const { access_code } = await open();
    expect(s.complete(name === 'code' ? access_code : name, 'failed')).toBe(true);
    expect(await verified()).toMatchObject({ status: 'failed', gateway_response: 'The transaction was not completed' });
    expect(s.complete(name === 'code' ? access_code : name)).toBe(true);
    expect([(await verified()).status, s.money()?.count]).toEqual(['success', 1]);
    expect(s.complete('nothing')).toBe(false);
  });

  it('of nobody is not there', async () => {
    const { authorization_url } = await open();
    expect((await s.browse(authorization_url.replace(/\w+$/, 'none'))).status).toBe(404);
  });
});

describe('a charge without a page', () => {
  const submit = (name: string, given: object) => s.post(`/charge/submit_${name}`, { reference: 'ref-1', ...given });

  it('by mobile money waits for the phone', async () => {
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
  ])('by %s tells what to do', async (_, way, shown) => {
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
  ])('by %s goes step by step', async (_, way, steps) => {
    await s.post('/charge', direct(way));
    for (const [name, given, status] of steps) expect((await submit(name, given)).data.status).toBe(status);
    expect(s.money()?.count).toBe(steps.at(-1)?.[2] === 'success' ? 1 : undefined);
  });

  it('takes nothing that it did not ask for', async () => {
    await s.post('/charge', direct({ authorization_code: 'needs_pin' }));
    expect((await submit('otp', { otp: '123456' })).status).toBe(400);
    expect((await submit('pin', {})).status).toBe(400);
    expect((await s.post('/charge/submit_pin', { pin: '1111', reference: 'none' })).status).toBe(404);
  });

  it('can be declined at a later step by a scenario for it', async () => {
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
    const answer = await s.post(STORED, stored(token));
    expect([answer.status, answer.data?.status, s.money()?.amount]).toEqual([status, state, amount]);
    expect((await s.post(STORED, stored('ok', { reference: 'ref-2' }))).data.status).toBe('success');
  });

  it('rate_limited says when to come again, and both refusals leave the reference free', async () => {
    for (const behaviour of ['rate_limited', 'http_500']) {
      s.script(behaviour);
      const answer = await s.post(STORED, stored('ok'));
      if (behaviour === 'rate_limited') expect(answer.headers.get('retry-after')).toBe('2');
    }
    expect((await s.post(STORED, stored('ok'))).data.status).toBe('success');
  });

  it.each([
    ['timeout_after_charge', 400, 1],
    ['timeout_before_charge', 200, 1],
  ])('%s holds the line, and the reference tells the truth', async (behaviour, status, count) => {
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

  it('is queued, and through a moment later', async () => {
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
    const told = (await s.hooks()).find(({ event }) => event.event === 'refund.processed')?.event.data;
    expect(told).toMatchObject({ transaction_reference: 'ref-1', amount: '500', status: 'processed' });
    expect([told.id, told.metadata]).toEqual([undefined, undefined]);
  });

  it('is made twice where it is asked for twice, and never beyond what was charged', async () => {
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

  it('waits where a scenario says so, until it is completed', async () => {
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
  ])('can fail %s, and what it held is free again', async (_, behaviour) => {
    s.script(behaviour, { match: { operation: 'refund' } });
    const { data } = await refund();
    s.complete(String(data.id), 'failed');
    expect([(await s.get(`/refund/${data.id}`)).data.status, s.money()?.refunded]).toEqual(['failed', 0]);
    expect(await s.events()).toContain('refund.failed');
    expect((await refund()).status).toBe(200);
  });

  it.each([
    ['of nothing', { transaction: undefined }, 400],
    ['of a charge that is not there', { transaction: 'none' }, 404],
    ['in another currency', { currency: 'GHS' }, 400],
    ['of nothing at all', { amount: 0 }, 400],
  ])('%s is refused', async (_, more, status) => {
    expect((await refund(more)).status).toBe(status);
  });

  it('of what was never charged is refused', async () => {
    await s.post(STORED, stored('decline_lost_card', { reference: 'ref-2' }));
    expect((await refund({ transaction: 'ref-2' })).body.code).toBe('transaction_not_charged');
  });

  it('is listed with the account’s others, newest first, page by page and by day', async () => {
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
