import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Simulators } from '#lib/simulators/simulators.port.ts';
import { startSimulators } from '#lib/simulators/simulators.ts';

const KEY = `sk_sbox_${'s'.repeat(27)}`;
const SECRET = 'signature-key-of-the-shop';
const START = Date.parse('2027-03-01T10:00:00Z');
const MINUTE = 60_000;

// biome-ignore lint/suspicious/noExplicitAny: tests assert a response field by field.
type Json = any;
type Webhook = { readonly event: Json; readonly raw: string; readonly signature: string };
type RequestOptions = { readonly key?: string; readonly secret?: string; readonly signal?: AbortSignal };

async function openEndpoint() {
  const webhooks: Webhook[] = [];
  const server = createServer(async (request, response) => {
    const raw = (await request.toArray()).join('');
    webhooks.push({ event: JSON.parse(raw), raw, signature: String(request.headers['cko-signature']) });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { webhooks, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function startTestbed() {
  let now = START;
  const endpoint = await openEndpoint();
  const simulators: Simulators = await startSimulators({
    port: 0,
    database: ':memory:',
    clock: { now: () => new Date(now) },
    webhookBase: () => endpoint.address,
    protect: { seal: (text) => text, open: (text) => text },
  });
  simulators.registerAccount('checkout', { secret_key: KEY, webhook_secret: SECRET });
  const send = async (method: string, path: string, { key, secret = KEY, signal }: RequestOptions, body?: object) => {
    const headers = {
      authorization: `Bearer ${secret}`,
      ...(key && { 'cko-idempotency-key': key }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const response = await fetch(`${simulators.base}/checkout${path}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
      signal: signal ?? null,
    });
    const text = await response.text();
    const json: Json = /^[{[]/.test(text) ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, body: json };
  };
  return {
    simulators,
    post: (path: string, body: object, options: RequestOptions = {}) => send('POST', path, options, body),
    get: (path: string, options: RequestOptions = {}) => send('GET', path, options),
    browse: async (url: string, choice?: string) => {
      const response = await fetch(url, {
        redirect: 'manual',
        ...(choice && { method: 'POST', body: new URLSearchParams({ do: choice }) }),
      });
      return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
    },
    advance: (ms: number) => {
      now += ms;
    },
    money: (paymentId: string) => simulators.calls({ payment_id: paymentId }).charges[paymentId],
    webhooks: async (): Promise<readonly Webhook[]> => {
      await simulators.idle();
      return endpoint.webhooks;
    },
    types: async () => {
      await simulators.idle();
      return endpoint.webhooks.map(({ event }) => event.type).sort();
    },
    close: async () => {
      await simulators.close();
      endpoint.close();
    },
  };
}

const charge = (paymentId: string, change: object = {}) => ({
  source: { type: 'token', token: 'ok' },
  amount: 2000,
  currency: 'EUR',
  reference: `ref-${paymentId}`,
  processing_channel_id: 'pc_hpswyyx23geezflc2ocz3exn4y',
  '3ds': { enabled: true, attempt_n3d: true },
  success_url: 'https://shop.example/done?order=7',
  failure_url: 'https://shop.example/sorry',
  metadata: { payment_id: paymentId },
  ...change,
});
const by = (token: string) => ({ source: { type: 'token', token } });
const page = (paymentId: string, change: object = {}) => {
  const { source: _, ...rest } = charge(paymentId);
  return { ...rest, billing: { address: { country: 'DE' } }, cancel_url: 'https://shop.example/cart', ...change };
};

let s: Awaited<ReturnType<typeof startTestbed>>;
beforeEach(async () => {
  s = await startTestbed();
});
afterEach(() => s.close());

const script = (behaviour: string, more: object = {}) =>
  s.simulators.setScenario({ provider: 'checkout', behaviour, ...more });
const complete = (reference: string, outcome: 'succeeded' | 'failed' = 'succeeded') =>
  s.simulators.complete('checkout', reference, outcome);
const status = async (id: string) => (await s.get(`/payments/${id}`)).body.status;

describe('a request', () => {
  it.each([
    ['no key', ''],
    ['a public key', 'pk_sbox_shop'],
    ['a revoked key', 'sk_sbox_revoked'],
  ])('with %s gets 401 without a body', async (_, secret) => {
    const response = await s.post('/payments', charge('pay_1'), { secret });
    expect([response.status, response.text]).toEqual([401, '']);
    expect(s.simulators.calls({}).calls).toMatchObject([{ operation: 'create', payment_id: 'pay_1', status: 401 }]);
  });

  it.each<[object, string]>([
    [{ source: undefined }, 'payment_source_required'],
    [{ source: { type: 'iou' } }, 'source_type_invalid'],
    [by('nonsense'), 'token_invalid'],
    [{ amount: 0 }, 'amount_invalid'],
    [{ amount: 1_000_000_000 }, 'amount_invalid'],
    [{ amount: '2000' }, 'amount_invalid'],
    [{ amount: 1001, currency: 'KWD' }, 'amount_invalid'],
    [{ amount: 150, currency: 'CLP' }, 'amount_invalid'],
    [{ currency: 'eur' }, 'currency_invalid'],
    [{ reference: 'r'.repeat(81) }, 'reference_invalid'],
    [{ processing_channel_id: undefined }, 'processing_channel_id_required'],
    [{ processing_channel_id: 'pc_1' }, 'processing_channel_id_invalid'],
    [{ metadata: { a: { b: 1 } } }, 'metadata_invalid'],
    [{ metadata: { a: 'v'.repeat(256) } }, 'metadata_invalid'],
    [{ metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, 1])) }, 'metadata_invalid'],
    [{ success_url: 'shop' }, 'success_url_invalid'],
    [{ capture: 'yes' }, 'capture_invalid'],
    [{ payment_type: 'Gift' }, 'payment_type_invalid'],
    [{ merchant_initiated: true }, 'payment_type_invalid'],
    [{ merchant_initiated: true, payment_type: 'MOTO' }, 'payment_type_invalid'],
    [{ merchant_initiated: 'yes', payment_type: 'Recurring' }, 'merchant_initiated_invalid'],
    [{ previous_payment_id: 'pay 1' }, 'previous_payment_id_invalid'],
    [{ previous_payment_id: 'p'.repeat(101) }, 'previous_payment_id_invalid'],
    [{ source: { type: 'id', id: 'nonsense' } }, 'source_id_invalid'],
    [{ shipping: { address: { city: 'Berlin' } } }, 'shipping_address_country_invalid'],
    [{ shipping: { address: { city: 'B'.repeat(51), country: 'DE' } } }, 'city_invalid'],
    [{ shipping: { phone: { country_code: '+49', number: '12345' } } }, 'shipping_phone_number_invalid'],
    [{ billing_descriptor: { name: 'SHOP' } }, 'billing_descriptor_city_invalid'],
    [{ billing_descriptor: { name: 'SHOP #1', city: 'Berlin' } }, 'billing_descriptor_name_invalid'],
    [{ billing_descriptor: { name: 'S'.repeat(26), city: 'Berlin' } }, 'name_invalid'],
    [{ items: [{ name: 'Mug', quantity: 0, unit_price: 1 }] }, 'item_quantity_invalid'],
    [{ items: [{ name: 'Mug', quantity: 1, unit_price: -1 }] }, 'item_unit_price_invalid'],
    [{ '3ds': { enabled: true, challenge_indicator: 'always' } }, '3ds_challenge_indicator_invalid'],
    [{ '3ds': { enabled: true, exemption: 'trusted' } }, '3ds_exemption_invalid'],
  ])('with %j gets 422: %s', async (change, code) => {
    const { status, body, headers } = await s.post('/payments', charge('pay_1', change));
    expect([status, body.error_type, body.error_codes]).toEqual([422, 'request_invalid', [code]]);
    expect(body.request_id).toBe(headers.get('cko-request-id'));
    expect(s.money('pay_1')).toBeUndefined();
  });

  it('is rejected if it is not JSON or its path is unknown', async () => {
    const sent = {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: '{',
    };
    const response: Json = await (await fetch(`${s.simulators.base}/checkout/payments`, sent)).json();
    expect(response.error_codes).toEqual(['request_json_invalid']);
    expect((await s.get('/nowhere')).status).toBe(404);
  });

  it('cannot see objects of another account', async () => {
    const { body } = await s.post('/payments', charge('pay_1'));
    const other = { secret: `sk_sbox_${'o'.repeat(27)}` };
    expect([
      (await s.get(`/payments/${body.id}`, other)).status,
      (await s.get(`/payments/${body.id}/actions`, other)).status,
    ]).toEqual([404, 404]);
    expect((await s.get('/payments?reference=ref-pay_1', other)).body.data).toEqual([]);
    expect((await s.post(`/payments/${body.id}/refunds`, {}, other)).status).toBe(404);
  });
});

describe('a payment', () => {
  it('is authorized at once and captured a moment later, with two signed events', async () => {
    const { status: code, body } = await s.post('/payments', charge('pay_1'));
    expect([code, body.status, body.approved, body.response_code]).toEqual([201, 'Authorized', true, '10000']);
    const fetched = (await s.get(`/payments/${body.id}`)).body;
    expect(fetched).toMatchObject({
      status: 'Captured',
      balances: { total_captured: 2000 },
      metadata: { payment_id: 'pay_1' },
      _links: { refund: {} },
    });
    expect(s.money('pay_1')).toEqual({ amount: 2000, refunded: 0, currency: 'EUR', count: 1 });
    expect(await s.types()).toEqual(['payment_approved', 'payment_captured']);
    for (const { raw, signature, event } of await s.webhooks()) {
      expect(signature).toBe(createHmac('sha256', SECRET).update(raw).digest('hex'));
      expect(event.data).toMatchObject({
        id: body.id,
        reference: 'ref-pay_1',
        amount: 2000,
        currency: 'EUR',
        metadata: { payment_id: 'pay_1' },
      });
    }
    const actions = (await s.get(`/payments/${body.id}/actions`)).body;
    expect(actions.map(({ type }: Json) => type)).toEqual(['Capture', 'Authorization']);
  });

  it('can be found by its reference, newest first', async () => {
    const first = (await s.post('/payments', charge('pay_1', by('decline_do_not_honor')))).body;
    const second = (await s.post('/payments', charge('pay_1'))).body;
    const { body } = await s.get('/payments?reference=ref-pay_1&limit=10&skip=0');
    expect([body.total_count, body.data.map(({ id }: Json) => id)]).toEqual([2, [second.id, first.id]]);
    expect((await s.get('/payments?reference=ref-pay_1&limit=1&skip=1')).body.data).toMatchObject([{ id: first.id }]);
    expect((await s.get('/payments')).status).toBe(422);
    expect(s.simulators.calls({ payment_id: 'pay_1' }).calls.map(({ operation }) => operation)).toEqual([
      'create',
      'create',
      'find',
      'find',
    ]);
  });

  it.each([
    ['decline_insufficient_funds', '20051'],
    ['decline_lost_card', '30041'],
    ['decline_authorization_revoked', '200R3'],
    ['decline_fraud_suspected', '20059'],
  ])('%s is declined with 201 and %s, which later only its actions show', async (token, code) => {
    const { status: http, body } = await s.post('/payments', charge('pay_1', by(token)));
    expect([http, body.status, body.approved, body.response_code]).toEqual([201, 'Declined', false, code]);
    expect((await s.get(`/payments/${body.id}`)).body).not.toHaveProperty('response_code');
    expect((await s.get(`/payments/${body.id}/actions`)).body).toMatchObject([
      { approved: false, response_code: code },
    ]);
    expect([await s.types(), s.money('pay_1')]).toEqual([['payment_declined'], undefined]);
  });

  it.each([
    ['decline_20009', '20009', { partner_response_code: '09' }],
    ['decline_200A6', '200A6', { partner_response_code: 'A6' }],
    ['decline_43401', '43401', undefined],
    ['decline_20005_recommendation_03', '20005', { partner_response_code: '05', recommendation_code: '03' }],
    ['decline_20182_advice_26', '20182', { partner_merchant_advice_code: '26' }],
  ])(
    '%s is declined with the documented code %s, the issuer’s code and the advice %j',
    async (token, code, processing) => {
      for (const source of [by(token).source, { type: 'id', id: token }]) {
        const { status: http, body } = await s.post('/payments', charge('pay_1', { source }));
        expect([http, body.status, body.response_code, body.processing]).toEqual([201, 'Declined', code, processing]);
        expect((await s.get(`/payments/${body.id}`)).body.processing).toEqual(processing);
      }
    },
  );

  it.each(['N', 'R', 'U'])('decline_authentication_%s ends with its 3-D Secure, without an action', async (result) => {
    const { status: http, body } = await s.post('/payments', charge('pay_1', by(`decline_authentication_${result}`)));
    expect([http, body.status, body['3ds'].enrolled]).toEqual([202, 'Pending', 'Y']);
    await s.browse(body._links.redirect.href, 'authenticate');
    const fetched = (await s.get(`/payments/${body.id}`)).body;
    expect(fetched).toMatchObject({ status: 'Declined', '3ds': { authentication_response: result } });
    expect((await s.get(`/payments/${body.id}/actions`)).body).toEqual([]);
    expect([await s.types(), s.money('pay_1')]).toEqual([['payment_declined', 'payment_pending'], undefined]);
  });

  it.each(['decline_2000', 'decline_20005_recommendation', 'decline_20005_other_03', 'decline_authentication_'])(
    'takes %s for no token',
    async (token) =>
      expect((await s.post('/payments', charge('pay_1', by(token)))).body.error_codes).toEqual(['token_invalid']),
  );

  it('accepts a library token once, an instrument and the test card repeatedly', async () => {
    for (const [source, codes] of [
      [{ type: 'token', token: 'tok_1' }, [201, 422]],
      [{ type: 'id', id: 'src_1' }, [201, 201]],
      [{ type: 'card', number: '4242424242424242' }, [201, 201]],
    ] as const)
      expect([
        (await s.post('/payments', charge('p', { source }))).status,
        (await s.post('/payments', charge('p', { source }))).status,
      ]).toEqual(codes);
  });

  it.each([
    ['authenticate', 'Captured', 'https://shop.example/done?order=7&cko-session-id='],
    ['fail', 'Declined', 'https://shop.example/sorry?cko-session-id='],
  ])('of an enrolled card waits for the customer to %s', async (choice, after, target) => {
    const { status: http, body } = await s.post('/payments', charge('pay_1', by('needs_3ds')));
    expect([http, body.status]).toEqual([202, 'Pending']);
    expect((await s.browse(body._links.redirect.href)).text).toContain('20.00 EUR');
    const left = await s.browse(body._links.redirect.href, choice);
    expect([left.status, left.location.startsWith(target), await status(body.id)]).toEqual([303, true, after]);
    expect(await status(left.location.split('cko-session-id=')[1]!)).toBe(after);
    expect(await s.types()).toContain(choice === 'fail' ? 'payment_authentication_failed' : 'payment_captured');
    expect((await s.browse(body._links.redirect.href)).status).toBe(303);
  });

  it('with an enrolled card is declined if the request does not want 3-D Secure', async () => {
    for (const change of [{ '3ds': undefined }, { merchant_initiated: true, payment_type: 'Unscheduled' }])
      expect((await s.post('/payments', charge('p', { ...by('needs_3ds'), ...change }))).body.response_code).toBe(
        '20154',
      );
  });

  it('with a local method redirects to the bank, where it can be canceled', async () => {
    const { body } = await s.post('/payments', charge('pay_1', { source: { type: 'ideal', description: 'Order 1' } }));
    const left = await s.browse(body._links.redirect.href, 'fail');
    expect([left.location.startsWith('https://shop.example/sorry?'), await status(body.id)]).toEqual([
      true,
      'Canceled',
    ]);
    expect(await s.types()).toEqual(['payment_canceled', 'payment_pending']);
  });

  it('that is pending has no redirect, and ends as the bank decides', async () => {
    for (const [id, outcome, after] of [
      ['pay_1', 'succeeded', 'Captured'],
      ['pay_2', 'failed', 'Declined'],
    ] as const) {
      const { status: http, body } = await s.post('/payments', charge(id, by('pending')));
      expect([http, body.status, body._links.redirect]).toEqual([202, 'Pending', undefined]);
      expect([complete(id, outcome), await status(body.id), s.money(id)?.count]).toEqual([
        true,
        after,
        outcome === 'succeeded' ? 1 : undefined,
      ]);
    }
    expect(complete('pay_unknown')).toBe(false);
  });

  it('counts Chilean pesos in hundredths and records the charge in pesos', async () => {
    await s.post('/payments', charge('pay_1', { amount: 50_000, currency: 'CLP' }));
    await s.post('/payments', charge('pay_2', { amount: 5000, currency: 'KWD' }));
    expect([s.money('pay_1')?.amount, s.money('pay_2')?.amount]).toEqual([500, 5000]);
  });
});

describe('an off-session charge', () => {
  const saved = (id: string) => ({ source: { type: 'id', id }, '3ds': undefined });
  const offSession = (id: string) => ({
    ...saved(id),
    merchant_initiated: true,
    payment_type: 'Recurring',
    previous_payment_id: 'pay_1',
  });

  it.each([
    ['ok', 201, 'Authorized', '10000', 1],
    ['src_1', 201, 'Authorized', '10000', 1],
    ['pending', 202, 'Pending', undefined, undefined],
    ['needs_3ds', 201, 'Declined', '20154', undefined],
    ['decline_authentication_required', 201, 'Declined', '20154', undefined],
    ['decline_authorization_revoked', 201, 'Declined', '200R3', undefined],
    ['decline_expired_card', 201, 'Declined', '20054', undefined],
  ])('with %s: %i %s %s', async (id, http, state, code, count) => {
    const { status: httpStatus, body } = await s.post('/payments', charge('pay_1', offSession(id)));
    expect([httpStatus, body.status, body.response_code, body._links?.redirect, s.money('pay_1')?.count]).toEqual([
      http,
      state,
      code,
      undefined,
      count,
    ]);
    expect((await s.get(`/payments/${body.id}`)).body.payment_type).toBe('Recurring');
  });

  it('with a card that requires authentication can be paid on-session', async () => {
    expect((await s.post('/payments', charge('pay_1', offSession('needs_3ds')))).body.response_code).toBe('20154');
    const { status: http, body } = await s.post(
      '/payments',
      charge('pay_1', { ...saved('needs_3ds'), '3ds': { enabled: true } }),
    );
    expect([http, body.status]).toEqual([202, 'Pending']);
    await s.browse(body._links.redirect.href, 'authenticate');
    expect([await status(body.id), s.money('pay_1')?.count]).toEqual(['Captured', 1]);
  });

  it('is declined if a scenario requires an action, because no customer is there', async () => {
    script('requires_action');
    expect((await s.post('/payments', charge('pay_1', offSession('ok')))).body).toMatchObject({
      status: 'Declined',
      response_code: '20154',
    });
  });

  it('rejects a library token that was used before', async () => {
    const once = { ...offSession(''), source: { type: 'token', token: 'tok_1' } };
    expect((await s.post('/payments', charge('pay_1', once))).status).toBe(201);
    expect((await s.post('/payments', charge('pay_1', once))).body.error_codes).toEqual(['token_used']);
  });

  it('is executed once for its idempotency key', async () => {
    const responses = [];
    for (const _ of [1, 2])
      responses.push((await s.post('/payments', charge('pay_1', offSession('ok')), { key: 'k' })).body.id);
    expect([responses[0], s.money('pay_1')?.count]).toEqual([responses[1], 1]);
  });
});

describe('an authorization', () => {
  const hold = async (paymentId: string) => (await s.post('/payments', charge(paymentId, { capture: false }))).body.id;

  it('can be partially captured, once', async () => {
    const id = await hold('pay_1');
    expect([
      await status(id),
      s.money('pay_1'),
      (await s.get(`/payments/${id}`)).body._links.capture !== undefined,
    ]).toEqual(['Authorized', undefined, true]);
    expect((await s.post(`/payments/${id}/captures`, { amount: 2001 })).status).toBe(422);
    const { status: http, body } = await s.post(`/payments/${id}/captures`, {
      amount: 700,
      reference: 'cap',
      metadata: { payment_id: 'pay_1' },
    });
    expect([http, body.action_id.startsWith('act_'), body.reference]).toEqual([202, true, 'cap']);
    expect([await status(id), s.money('pay_1')?.amount]).toEqual(['Partially Captured', 700]);
    expect((await s.post(`/payments/${id}/captures`, {})).status).toBe(403);
    expect((await s.webhooks()).at(-1)?.event).toMatchObject({
      type: 'payment_captured',
      data: { action_id: body.action_id, reference: 'cap', amount: 700 },
    });
  });

  it('can be voided unless it is captured or waits for the customer', async () => {
    const id = await hold('pay_1');
    expect((await s.post(`/payments/${id}/voids`, {})).status).toBe(202);
    expect([await status(id), await s.types()]).toEqual(['Voided', ['payment_approved', 'payment_voided']]);
    const waiting = (await s.post('/payments', charge('pay_2', by('needs_3ds')))).body.id;
    const taken = (await s.post('/payments', charge('pay_3'))).body.id;
    expect([
      (await s.post(`/payments/${waiting}/voids`, {})).status,
      (await s.post(`/payments/${taken}/voids`, {})).status,
    ]).toEqual([403, 403]);
  });

  it('still takes the money of a customer who was faster than the void', async () => {
    const id = await hold('pay_1');
    await s.post(`/payments/${id}/captures`, {});
    expect([complete(id, 'failed'), await status(id)]).toEqual([true, 'Captured']);
    const other = (await s.post('/payments', charge('pay_2', by('decline_do_not_honor')))).body.id;
    expect([complete(other), await status(other), s.money('pay_2')?.count]).toEqual([true, 'Captured', 1]);
  });
});

describe('a refund', () => {
  const paid = async (paymentId = 'pay_1') => (await s.post('/payments', charge(paymentId))).body.id;
  const refund = (id: string, amount?: number, key?: string) =>
    s.post(`/payments/${id}/refunds`, { amount, reference: 're_1', metadata: { payment_id: 'pay_1' } }, { key });

  it('is accepted up to the captured amount, and its result follows by webhook', async () => {
    const id = await paid();
    const { status: http, body } = await refund(id, 500);
    expect([http, body.action_id.startsWith('act_'), body.reference]).toEqual([202, true, 're_1']);
    expect([await status(id), s.money('pay_1')?.refunded]).toEqual(['Partially Refunded', 500]);
    expect((await s.get(`/payments/${id}/actions`)).body[0]).toMatchObject({
      id: body.action_id,
      type: 'Refund',
      approved: true,
      reference: 're_1',
      amount: 500,
    });
    expect((await refund(id, 1501)).body.error_codes).toEqual(['refund_amount_exceeds_balance']);
    await refund(id);
    expect([await status(id), s.money('pay_1')?.refunded]).toEqual(['Refunded', 2000]);
    expect((await refund(id)).status).toBe(422);
    const refundEvents = (await s.webhooks()).filter(({ event }) => event.type === 'payment_refunded');
    expect(refundEvents[0]?.event.data).toMatchObject({
      id,
      action_id: body.action_id,
      reference: 're_1',
      amount: 500,
      metadata: { payment_id: 'pay_1' },
    });
  });

  it('of an uncaptured payment is not allowed', async () => {
    const { body } = await s.post('/payments', charge('pay_1', { capture: false }));
    expect((await refund(body.id)).status).toBe(403);
  });

  it.each([
    ['succeeded', true, 500, 'payment_refunded'],
    ['failed', false, 0, 'payment_refund_declined'],
  ] as const)(
    'that is pending reduces the refundable amount until it is %s',
    async (outcome, approved, refunded, event) => {
      const id = await paid();
      script('pending', { match: { operation: 'refund' } });
      const { action_id } = (await refund(id, 500)).body;
      const action = async () => (await s.get(`/payments/${id}/actions`)).body[0];
      expect([(await action()).approved, s.money('pay_1')?.refunded, (await refund(id, 1600)).status]).toEqual([
        undefined,
        0,
        422,
      ]);
      expect([complete(action_id, outcome), (await action()).approved, s.money('pay_1')?.refunded]).toEqual([
        true,
        approved,
        refunded,
      ]);
      expect(await s.types()).toContain(event);
      complete(action_id, 'failed');
      expect((await action()).approved).toBe(approved);
    },
  );

  it('that is declined refunds nothing and can be repeated', async () => {
    const id = await paid();
    script('decline:processing_error', { match: { operation: 'refund' } });
    expect((await refund(id)).status).toBe(202);
    expect((await s.get(`/payments/${id}/actions`)).body[0]).toMatchObject({ approved: false, response_code: '20096' });
    expect([s.money('pay_1')?.refunded, await s.types()]).toEqual([
      0,
      ['payment_approved', 'payment_captured', 'payment_refund_declined'],
    ]);
    await refund(id);
    expect(s.money('pay_1')?.refunded).toBe(2000);
  });
});

describe('an idempotency key', () => {
  it('replays a successful response for a day', async () => {
    const first = await s.post('/payments', charge('pay_1'), { key: 'k' });
    expect((await s.post('/payments', charge('pay_1'), { key: 'k' })).body).toEqual(first.body);
    expect([
      s.money('pay_1')?.count,
      (await s.post('/payments', charge('pay_1', { amount: 1 }), { key: 'k' })).status,
    ]).toEqual([1, 422]);
    s.advance(24 * 60 * MINUTE);
    await s.post('/payments', charge('pay_1'), { key: 'k' });
    expect(s.money('pay_1')?.count).toBe(2);
  });

  it('replays a decline too, because it is a 201', async () => {
    const first = await s.post('/payments', charge('pay_1', by('decline_do_not_honor')), { key: 'k' });
    script('approve');
    expect((await s.post('/payments', charge('pay_1', by('decline_do_not_honor')), { key: 'k' })).body).toEqual(
      first.body,
    );
  });

  it.each(['http_500', 'rate_limited'])('stores no failure: after %s the request is executed', async (behaviour) => {
    script(behaviour);
    expect((await s.post('/payments', charge('pay_1'), { key: 'k' })).status).toBe(
      behaviour === 'http_500' ? 500 : 429,
    );
    expect(s.money('pay_1')).toBeUndefined();
    expect([(await s.post('/payments', charge('pay_1'), { key: 'k' })).status, s.money('pay_1')?.count]).toEqual([
      201, 1,
    ]);
  });

  it('is rejected while its first call still runs', async () => {
    script('slow:200');
    const first = s.post('/payments', charge('pay_1'), { key: 'k' });
    await expect.poll(() => s.simulators.calls({}).calls.length).toBe(1);
    expect((await s.post('/payments', charge('pay_1'), { key: 'k' })).status).toBe(409);
    expect([(await first).status, s.money('pay_1')?.count]).toEqual([201, 1]);
  });

  it('stores no rejected request, and is ignored for hosted pages', async () => {
    expect((await s.post('/payments', charge('pay_1', { amount: 0 }), { key: 'k' })).status).toBe(422);
    expect((await s.post('/payments', charge('pay_1'), { key: 'k' })).status).toBe(201);
    const pages = [
      await s.post('/hosted-payments', page('pay_2'), { key: 'l' }),
      await s.post('/hosted-payments', page('pay_2'), { key: 'l' }),
    ];
    expect(new Set(pages.map(({ body }) => body.id)).size).toBe(2);
  });
});

describe('a scenario', () => {
  it.each([
    ['approve', 'decline_lost_card', 201, 'Authorized', 1],
    ['decline:do_not_honor', 'ok', 201, 'Declined', undefined],
    ['requires_action', 'ok', 202, 'Pending', undefined],
    ['pending', 'ok', 202, 'Pending', undefined],
    ['slow:10', 'ok', 201, 'Authorized', 1],
  ])('%s', async (behaviour, token, http, state, count) => {
    script(behaviour);
    const response = await s.post('/payments', charge('pay_1', by(token)));
    expect([response.status, response.body.status, s.money('pay_1')?.count]).toEqual([http, state, count]);
  });

  it.each([
    ['timeout_after_charge', 1],
    ['timeout_before_charge', undefined],
  ])('%s holds the connection, and the payment can be found by its reference', async (behaviour, count) => {
    script(behaviour);
    await expect(
      s.post('/payments', charge('pay_1'), { key: 'k', signal: AbortSignal.timeout(200) }),
    ).rejects.toThrow();
    expect([s.money('pay_1')?.count, (await s.get('/payments?reference=ref-pay_1')).body.total_count]).toEqual([
      count,
      count ?? 0,
    ]);
    expect([(await s.post('/payments', charge('pay_1'), { key: 'k' })).status, s.money('pay_1')?.count]).toEqual([
      201, 1,
    ]);
  });

  it('garbage charges and responds with garbage, wrong_amount charges one unit more', async () => {
    script('garbage');
    expect([(await s.post('/payments', charge('pay_1'))).text, s.money('pay_1')?.count]).toEqual(['<html>', 1]);
    script('wrong_amount');
    const { body } = await s.post('/payments', charge('pay_2'));
    expect([
      body.amount,
      (await s.get(`/payments/${body.id}`)).body.balances.total_captured,
      s.money('pay_2')?.amount,
    ]).toEqual([2001, 2001, 2001]);
  });

  it('sets how webhooks are delivered', async () => {
    script('approve', { webhook: 'none' });
    await s.post('/payments', charge('pay_1'));
    expect(await s.types()).toEqual([]);
    script('approve', { webhook: 'duplicate' });
    await s.post('/payments', charge('pay_2'));
    expect(await s.types()).toEqual(['payment_approved', 'payment_approved', 'payment_captured', 'payment_captured']);
  });
});

describe('a hosted page', () => {
  const open = async (paymentId = 'pay_1', change: object = {}) =>
    (await s.post('/hosted-payments', page(paymentId, change))).body;
  const look = async (id: string) => (await s.get(`/hosted-payments/${id}`)).body;

  it.each<[object, string]>([
    [{ billing: undefined }, 'billing_address_country_required'],
    [{ billing: { address: { country: 'Germany' } } }, 'billing_address_country_invalid'],
    [{ cancel_url: undefined }, 'cancel_url_required'],
    [{ success_url: `https://shop.example/${'x'.repeat(255)}` }, 'success_url_invalid'],
    [{ allow_payment_methods: 'card' }, 'allow_payment_methods_invalid'],
    [{ amount: undefined }, 'amount_invalid'],
  ])('with %j gets 422: %s', async (change, code) => {
    const { status, body } = await s.post('/hosted-payments', page('pay_1', change));
    expect([status, body.error_codes]).toEqual([422, [code]]);
  });

  it('takes the money of a customer who pays, with our reference', async () => {
    const { id, _links } = await open();
    expect([id.length, (await look(id)).status, s.money('pay_1')]).toEqual([16, 'Payment Pending', undefined]);
    expect((await s.browse(_links.redirect.href)).text).toContain('Pay 20.00 EUR');
    const left = await s.browse(_links.redirect.href, 'pay');
    const { status: after, payment_id } = await look(id);
    expect([after, left.location]).toEqual([
      'Payment Received',
      `https://shop.example/done?order=7&cko-payment-id=${payment_id}`,
    ]);
    expect([
      await status(payment_id),
      s.money('pay_1')?.count,
      (await s.get('/payments?reference=ref-pay_1')).body.total_count,
    ]).toEqual(['Captured', 1, 1]);
    expect((await s.webhooks())[0]?.event.data).toMatchObject({
      id: payment_id,
      reference: 'ref-pay_1',
      metadata: { payment_id: 'pay_1' },
    });
    expect((await s.browse(_links.redirect.href, 'pay')).text).toContain('closed');
  });

  it('stays open when the customer is declined or returns', async () => {
    const { id, _links } = await open();
    expect((await s.browse(_links.redirect.href, 'cancel')).location).toBe('https://shop.example/cart');
    expect((await s.browse(_links.redirect.href, 'decline')).location).toContain('https://shop.example/sorry?');
    expect([(await look(id)).status, await s.types()]).toEqual(['Payment Pending', ['payment_declined']]);
    await s.browse(_links.redirect.href, 'pay');
    expect([(await look(id)).status, s.money('pay_1')?.count]).toEqual(['Payment Received', 1]);
  });

  it('applies the scenario that was set when it was created', async () => {
    script('requires_action');
    const { id, _links } = await open();
    const bank = await s.browse(_links.redirect.href, 'pay');
    expect([bank.location.includes('/3ds/'), (await look(id)).status]).toEqual([true, 'Payment Pending']);
    expect((await s.browse(bank.location, 'authenticate')).location).toContain('https://shop.example/done?');
    expect([(await look(id)).status, s.money('pay_1')?.count]).toEqual(['Payment Received', 1]);
    script('wrong_amount', { webhook: 'none' });
    await open('pay_2');
    complete('pay_2');
    expect(s.money('pay_2')?.amount).toBe(2001);
    script('pending');
    const slow = await open('pay_3');
    complete('pay_3');
    expect([(await look(slow.id)).status, s.money('pay_3')]).toEqual(['Payment Received', undefined]);
    complete(slow.id);
    expect(s.money('pay_3')?.count).toBe(1);
  });

  it('expires or can be completed, and takes money even after that', async () => {
    const [first, second] = [await open('pay_1'), await open('pay_2')];
    complete(first.id, 'failed');
    s.advance(30 * MINUTE);
    await s.simulators.idle();
    expect([(await look(first.id)).status, (await look(second.id)).status]).toEqual(['Expired', 'Expired']);
    expect((await s.browse(second._links.redirect.href)).text).toContain('Expired');
    expect([complete(second.id), s.money('pay_2')?.count, (await look(second.id)).status]).toEqual([
      true,
      1,
      'Payment Received',
    ]);
  });

  it('is not found for an unknown id', async () => {
    for (const path of ['/pay/hpp_guess', '/3ds/pay_guess'])
      expect((await s.browse(`${s.simulators.base}/checkout${path}`)).status).toBe(404);
  });
});
