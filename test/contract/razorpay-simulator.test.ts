import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSimulators } from '#lib/simulators/simulators.ts';

const KEY = {
  key_id: 'rzp_test_shop',
  key_secret: 'key_secret_of_the_shop',
  webhook_secret: 'webhook secret of the shop',
};
const START = Date.parse('2027-03-01T10:00:00Z');
const DAY = 86_400_000;

/** JSON of which a test asserts a few fields. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert a response field by field.
type Json = any;
type Webhook = { readonly event: Json; readonly raw: string; readonly headers: IncomingHttpHeaders };

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

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
  simulators.registerAccount('razorpay', KEY);
  const call = async (
    method: string,
    path: string,
    body?: object | string,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ) => {
    const response = await fetch(`${simulators.base}/razorpay/v1${path}`, {
      method,
      headers: {
        authorization: basic(KEY.key_id, KEY.key_secret),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
      signal: signal ?? null,
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (text.startsWith('{') ? JSON.parse(text) : undefined) as Json,
    };
  };
  return {
    simulators,
    get: (path: string, headers?: Record<string, string>) => call('GET', path, undefined, headers),
    post: (path: string, body: object | string = {}, headers?: Record<string, string>, signal?: AbortSignal) =>
      call('POST', path, body, headers, signal),
    /** Loads a page or presses a button like a customer's browser, without following redirects. */
    browse: async (url: string, choice?: string) => {
      const response = await fetch(url, {
        redirect: 'manual',
        ...(choice && { method: 'POST', body: new URLSearchParams({ do: choice }) }),
      });
      return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
    },
    script: (behaviour: string, rest: object = {}) =>
      simulators.setScenario({ provider: 'razorpay', behaviour, ...rest }),
    complete: (reference: string, outcome: 'succeeded' | 'failed') =>
      simulators.complete('razorpay', reference, outcome),
    money: (paymentId: string) => simulators.calls({ payment_id: paymentId }).charges[paymentId],
    advance: (ms: number) => {
      now += ms;
    },
    webhooks: async () => {
      await simulators.idle();
      return webhooks;
    },
    types: async () => {
      await simulators.idle();
      return webhooks.map(({ event }) => event.event).sort();
    },
    close: async () => {
      await simulators.close();
      endpoint.closeAllConnections();
      endpoint.close();
    },
  };
}

let s: Awaited<ReturnType<typeof startTestbed>>;
beforeEach(async () => {
  s = await startTestbed();
});
afterEach(() => s.close());

const order = (paymentId: string, fields: object = {}) => ({
  amount: 2000,
  currency: 'INR',
  receipt: `att ${paymentId}`,
  unique_receipt: true,
  notes: { payment_id: paymentId },
  ...fields,
});
const payment = (paymentId: string, order_id: string, fields: object = {}) => ({
  amount: 2000,
  currency: 'INR',
  order_id,
  email: 'kim@example.com',
  contact: '+919876543210',
  method: 'card',
  token: 'ok',
  callback_url: 'https://shop.example/back?order=7',
  notes: { payment_id: paymentId },
  ...fields,
});
const link = (paymentId: string, fields: object = {}) => ({
  amount: 2000,
  currency: 'INR',
  reference_id: `att ${paymentId}`,
  notes: { payment_id: paymentId },
  callback_url: 'https://shop.example/back?order=7',
  callback_method: 'get',
  expire_by: START / 1000 + 3600,
  ...fields,
});
const anOrder = async (paymentId = 'pay_1', fields: object = {}): Promise<string> =>
  (await s.post('/orders', order(paymentId, fields))).body.id;
const pay = async (fields: object = {}, paymentId = 'pay_1', orderFields: object = {}) =>
  s.post('/payments/create/json', payment(paymentId, await anOrder(paymentId, orderFields), fields));
const CHARGED = ['order.paid', 'payment.authorized', 'payment.captured'];

describe('an order', () => {
  it('is shown as documented, with empty notes as a list', async () => {
    const { status, body } = await s.post('/orders', { amount: 50_000, currency: 'INR' });
    expect([status, body]).toMatchObject([
      200,
      { entity: 'order', amount_due: 50_000, amount_paid: 0, status: 'created', attempts: 0, receipt: null, notes: [] },
    ]);
    expect(body.id).toMatch(/^order_[A-Za-z0-9]{14}$/);
    expect((await s.get(`/orders/${body.id}`)).body).toEqual(body);
  });

  it('is the same for the same receipt, and rejected for another amount', async () => {
    const first = await anOrder();
    expect(await anOrder()).toBe(first);
    expect((await s.post('/orders', order('pay_1', { amount: 3000 }))).body.error).toMatchObject({
      code: 'BAD_REQUEST_ERROR',
      description: 'Order receipt should be unique.',
    });
    expect(await anOrder('pay_1', { unique_receipt: false })).not.toBe(first);
  });

  it('can be found by its receipt, with its payments', async () => {
    const id = await anOrder();
    await s.post('/payments/create/json', payment('pay_1', id));
    expect((await s.get('/orders?receipt=att%20pay_1&count=10')).body).toMatchObject({
      entity: 'collection',
      count: 1,
      items: [{ id, status: 'paid', attempts: 1, amount_paid: 2000 }],
    });
    expect((await s.get(`/orders/${id}/payments`)).body.items).toMatchObject([{ status: 'captured', order_id: id }]);
    expect((await s.get('/orders?receipt=another')).body.items).toEqual([]);
  });

  it.each<[string, object | string, string]>([
    ['no amount', { currency: 'INR' }, 'amount: is required.'],
    ['an amount that is no whole number', order('p', { amount: 10.5 }), 'The amount must be an integer.'],
    ['less than a rupee', order('p', { amount: 99 }), 'Order amount less than minimum amount allowed'],
    [
      'a last digit that is not 0',
      order('p', { amount: 1001, currency: 'KWD' }),
      'The last digit of an amount of KWD must be 0.',
    ],
    ['a long receipt', order('p', { receipt: 'x'.repeat(41) }), 'The receipt may not be greater than 40 characters.'],
    [
      'too long a note',
      order('p', { notes: { a: 'x'.repeat(257) } }),
      'Notes value cannot be greater than 256 characters',
    ],
    [
      'too many notes',
      order('p', { notes: Object.fromEntries(Array.from({ length: 16 }, (_, n) => [n, 'x'])) }),
      'Number of fields in notes should be less than or equal to 15',
    ],
    [
      'a field that it does not know',
      order('p', { colour: 'red' }),
      'colour is/are not required and should not be sent',
    ],
    ['a body that is no JSON', '{"amount"', 'The request body could not be parsed as JSON.'],
  ])('with %s is rejected', async (_, body, description) => {
    const response = await s.post('/orders', body);
    expect([response.status, response.body.error]).toMatchObject([
      400,
      { code: 'BAD_REQUEST_ERROR', description, source: 'business', metadata: {} },
    ]);
  });
});

describe('a payment', () => {
  it('with a saved method is captured at once, with a signed response', async () => {
    const { status, body } = await pay();
    expect(status).toBe(200);
    expect(body.razorpay_signature).toBe(hmac(KEY.key_secret, `${body.razorpay_order_id}|${body.razorpay_payment_id}`));
    expect((await s.get(`/payments/${body.razorpay_payment_id}`)).body).toMatchObject({
      entity: 'payment',
      status: 'captured',
      captured: true,
      amount: 2000,
      error_code: null,
    });
    expect(s.money('pay_1')).toEqual({ amount: 2000, refunded: 0, currency: 'INR', count: 1 });
    expect(await s.types()).toEqual(CHARGED);
  });

  it('is the only one of a paid order', async () => {
    const id = await anOrder();
    await s.post('/payments/create/json', payment('pay_1', id));
    expect((await s.post('/payments/create/json', payment('pay_1', id))).body.error).toMatchObject({
      reason: 'order_already_paid',
    });
    expect(s.money('pay_1')?.count).toBe(1);
  });

  it.each<[string, string, string]>([
    ['decline_insufficient_funds', 'insufficient_funds', 'customer'],
    ['decline_card_declined', 'card_declined', 'issuer_bank'],
    ['decline_fraud_suspected', 'payment_risk_check_failed', 'internal'],
  ])('with %s fails with %s, and the error has its id', async (token, reason, source) => {
    const { status, body } = await pay({ token });
    expect([status, body.error]).toMatchObject([
      400,
      { code: 'BAD_REQUEST_ERROR', reason, source, metadata: { payment_id: expect.stringMatching(/^pay_/) } },
    ]);
    expect((await s.get(`/payments/${body.error.metadata.payment_id}`)).body).toMatchObject({
      status: 'failed',
      error_reason: reason,
      captured: false,
    });
    expect([s.money('pay_1'), await s.types()]).toEqual([undefined, ['payment.failed']]);
  });

  it('that waits for the bank succeeds or fails later, and may succeed after a failure', async () => {
    const { body } = await pay({ token: 'pending' });
    expect(body).toEqual({ razorpay_payment_id: expect.stringMatching(/^pay_/) });
    const status = async () => (await s.get(`/payments/${body.razorpay_payment_id}`)).body.status;
    expect([await status(), s.money('pay_1')]).toEqual(['created', undefined]);
    s.complete('pay_1', 'failed');
    expect(await status()).toBe('failed');
    s.complete(body.razorpay_payment_id, 'succeeded');
    expect([await status(), s.money('pay_1')?.count]).toEqual(['captured', 1]);
    s.complete('pay_1', 'succeeded');
    expect([await s.types(), s.money('pay_1')?.count]).toEqual([[...CHARGED, 'payment.failed'], 1]);
  });

  it.each([
    ['authenticate', 'captured', 'razorpay_signature'],
    ['fail', 'failed', 'error[reason]'],
  ])('on the bank’s page after %s is %s and returns with %s', async (choice, status, parameter) => {
    const { body } = await pay({ token: 'needs_3ds' });
    expect(body.next.map(({ action }: Json) => action)).toEqual(['redirect', 'otp_generate']);
    expect((await s.browse(body.next[0].url)).text).toContain('value="authenticate"');
    const { location } = await s.browse(body.next[0].url, choice);
    const back = new URL(location);
    expect([back.origin + back.pathname, back.searchParams.get('order'), back.searchParams.has(parameter)]).toEqual([
      'https://shop.example/back',
      '7',
      true,
    ]);
    expect((await s.get(`/payments/${body.razorpay_payment_id}`)).body.status).toBe(status);
    expect((await s.browse(body.next[0].url)).status).toBe(303);
  });

  it('continues with an OTP of four to ten digits, and fails after three wrong ones', async () => {
    const { body } = await pay({
      card: { number: '4100 2800 0000 1007', name: 'Kim', expiry_month: '11', expiry_year: '30', cvv: '100' },
      token: undefined,
    });
    const at = `/payments/${body.razorpay_payment_id}`;
    expect((await s.post(`${at}/otp_generate`)).body.next[0].action).toBe('otp_submit');
    expect((await s.post(`${at}/otp/submit`, { otp: '12' })).body.error.reason).toBe('incorrect_otp');
    expect((await s.post(`${at}/otp/submit`, { otp: '123456' })).body).toMatchObject({
      razorpay_payment_id: body.razorpay_payment_id,
    });
    expect(s.money('pay_1')?.count).toBe(1);
    const other = (await pay({ token: 'needs_3ds' }, 'pay_2')).body.razorpay_payment_id;
    for (const _ of [1, 2, 3]) await s.post(`/payments/${other}/otp/submit`, { otp: '1' });
    expect((await s.get(`/payments/${other}`)).body).toMatchObject({
      status: 'failed',
      error_reason: 'otp_attempts_exceeded',
    });
  });

  it.each([
    ['4100280000080001', 'insufficient_funds'],
    ['4100280000060003', 'card_declined'],
    ['4100280000020007', 'gateway_technical_error'],
  ])('with the documented card %s fails with %s after the bank’s page', async (number, reason) => {
    const { body } = await pay({ card: { number }, token: undefined });
    await s.browse(body.next[0].url, 'authenticate');
    expect((await s.get(`/payments/${body.razorpay_payment_id}`)).body.error_reason).toBe(reason);
  });

  it.each<[object, string[]]>([
    [{ method: 'upi', upi: { flow: 'intent' } }, ['intent', 'poll']],
    [{ method: 'netbanking', bank: 'HDFC' }, ['redirect']],
    [{ method: 'wallet', wallet: 'payzapp' }, ['redirect']],
  ])('with %j requires %j', async (fields, actions) => {
    const { body } = await pay({ token: undefined, ...fields });
    expect(body.next.map(({ action }: Json) => action)).toEqual(actions);
    s.complete(body.razorpay_payment_id, 'succeeded');
    expect(s.money('pay_1')?.count).toBe(1);
  });

  describe('off-session', () => {
    const recurring = async (
      paymentId: string,
      token: string,
      fields: object = {},
      ofOrder: object = { payment_capture: true },
    ) => {
      const { id } = (await s.post('/orders', order(paymentId, ofOrder))).body;
      const { method, callback_url, ...rest } = payment(paymentId, id, {
        token,
        customer_id: 'cust_1',
        recurring: true,
        ...fields,
      }) as Json;
      return s.post('/payments/create/recurring', rest);
    };
    const look = async (id: string) => (await s.get(`/payments/${id}`)).body;

    it('is captured, and its response contains only its id', async () => {
      const { body } = await recurring('pay_1', 'ok');
      expect(body).toEqual({ razorpay_payment_id: expect.stringMatching(/^pay_/) });
      expect(await look(body.razorpay_payment_id)).toMatchObject({
        status: 'captured',
        notes: { payment_id: 'pay_1' },
      });
      expect(s.money('pay_1')?.count).toBe(1);
    });

    it.each([
      ['needs_3ds', 'authentication_failed'],
      ['needs_otp', 'authentication_failed'],
      ['decline_authentication_required', 'authentication_failed'],
      ['decline_authorization_revoked', 'mandate_not_active'],
      ['decline_expired_card', 'card_expired'],
      ['decline_insufficient_funds', 'insufficient_funds'],
    ])('of %s fails with %s, and the error has the payment id', async (token, reason) => {
      const { status, body } = await recurring('pay_1', token);
      expect([status, body.error.reason]).toEqual([400, reason]);
      expect(await look(body.error.metadata.payment_id)).toMatchObject({ status: 'failed', error_reason: reason });
      expect(s.money('pay_1')).toBeUndefined();
    });

    it('fails if a scenario requires an action', async () => {
      s.script('requires_action');
      expect((await recurring('pay_1', 'ok')).body.error.reason).toBe('authentication_failed');
    });

    it('may be pending for days, and is captured then', async () => {
      const { razorpay_payment_id: id } = (await recurring('pay_1', 'pending')).body;
      expect((await look(id)).status).toBe('created');
      s.advance(2 * DAY);
      s.complete(id, 'succeeded');
      expect([(await look(id)).status, s.money('pay_1')?.count]).toEqual(['captured', 1]);
    });

    it('is only authorized if its order wants manual capture', async () => {
      const { body } = await recurring('pay_1', 'ok', {}, { payment_capture: false });
      expect([(await look(body.razorpay_payment_id)).status, s.money('pay_1')]).toEqual(['authorized', undefined]);
    });

    it('is executed once for its order', async () => {
      await recurring('pay_1', 'ok');
      expect((await recurring('pay_1', 'ok')).body.error.reason).toBe('order_already_paid');
      expect(s.money('pay_1')?.count).toBe(1);
    });

    it.each<[string, object, string]>([
      ['no customer', { customer_id: undefined }, 'customer_id: is required.'],
      ['an unknown customer', { customer_id: 'somebody' }, 'The id provided does not exist'],
      ['no token', { token: undefined }, 'token: is required.'],
      ['no mail address', { email: undefined }, 'email: is required.'],
      ['no phone number', { contact: undefined }, 'contact: is required.'],
      ['no recurring flag', { recurring: undefined }, 'recurring: is required.'],
      ['a recurring flag that is false', { recurring: false }, 'The recurring field must be true.'],
      ['the customer’s IP address', { ip: '192.0.2.1' }, 'ip is/are not required and should not be sent'],
    ])('with %s is rejected', async (_, fields, description) => {
      const { status, body } = await recurring('pay_1', 'ok', fields);
      expect([status, body.error.description]).toEqual([400, description]);
      expect(s.money('pay_1')).toBeUndefined();
    });
  });

  it.each<[string, object, string]>([
    [
      'another amount than its order',
      { amount: 2001 },
      'Payment failed because the amount is different from your order amount.',
    ],
    ['no phone number', { contact: undefined }, 'contact: is required.'],
    ['an order that does not exist', { order_id: 'order_1' }, 'The id provided does not exist'],
    [
      'a token that does not exist',
      { token: 'decline_no_such_reason' },
      'The payment method of the request does not exist or is not enabled for this account.',
    ],
    [
      'a UPI address',
      { token: undefined, method: 'upi', upi: { flow: 'collect', vpa: 'success@razorpay' } },
      'The payment method of the request does not exist or is not enabled for this account.',
    ],
  ])('with %s is rejected', async (_, fields, description) => {
    const { status, body } = await pay(fields);
    expect([status, body.error.description]).toEqual([400, description]);
  });
});

describe('an authorized payment', () => {
  const manual = { payment: { capture: 'manual' } };
  const late = {
    payment: {
      capture: 'automatic',
      capture_options: { automatic_expiry_period: 12, manual_expiry_period: 4320, refund_speed: 'normal' },
    },
  };

  it('can be captured in full, once', async () => {
    const id = (await pay({}, 'pay_1', manual)).body.razorpay_payment_id;
    expect([(await s.get(`/payments/${id}`)).body.status, s.money('pay_1')]).toEqual(['authorized', undefined]);
    expect(
      (await s.post(`/payments/${id}/capture`, { amount: 1000, currency: 'INR' })).body.error.description,
    ).toContain('must be equal');
    expect((await s.post(`/payments/${id}/capture`, { amount: 2000, currency: 'INR' })).body).toMatchObject({
      status: 'captured',
      captured: true,
    });
    expect(
      (await s.post(`/payments/${id}/capture`, { amount: 2000, currency: 'INR' })).body.error.description,
    ).toContain('already been captured');
    expect([s.money('pay_1')?.count, await s.types()]).toEqual([1, CHARGED]);
  });

  it('that is late is not captured automatically, and is returned after three days', async () => {
    const id = (await pay({ token: 'pending' }, 'pay_1', late)).body.razorpay_payment_id;
    s.advance(13 * 60_000);
    s.complete(id, 'succeeded');
    expect((await s.get(`/payments/${id}`)).body.status).toBe('authorized');
    s.advance(3 * DAY);
    expect(await s.types()).toEqual(['payment.authorized']);
    expect((await s.get(`/payments/${id}`)).body).toMatchObject({
      status: 'refunded',
      captured: false,
      refund_status: 'full',
    });
    expect(s.money('pay_1')).toBeUndefined();
  });

  const held = () => s.simulators.calls({ payment_id: 'pay_1' }).holds?.pay_1;
  const forADay = { payment: { capture: 'manual', capture_options: { manual_expiry_period: 1440 } } };

  it('is returned once the time that its order names is over, and never later than five days', async () => {
    const id = (await pay({}, 'pay_1', forADay)).body.razorpay_payment_id;
    expect(held()).toMatchObject({ authorized: 2000, captured: 0, released: 0 });
    s.advance(DAY);
    expect(await s.types()).toEqual(['payment.authorized']);
    expect((await s.get(`/payments/${id}`)).body).toMatchObject({ status: 'refunded', captured: false });
    expect(held()).toMatchObject({ captured: 0, released: 2000 });
    const tooLong = order('pay_2', { payment: { capture: 'manual', capture_options: { manual_expiry_period: 7201 } } });
    expect((await s.post('/orders', tooLong)).body.error.field).toBe('manual_expiry_period');
  });

  it('stays authorized when the bank declines the capture', async () => {
    const id = (await pay({}, 'pay_1', manual)).body.razorpay_payment_id;
    s.script('decline:card_declined', { match: { operation: 'capture' } });
    const refused = await s.post(`/payments/${id}/capture`, { amount: 2000, currency: 'INR' });
    expect([refused.status, refused.body.error.reason]).toEqual([400, 'card_declined']);
    expect((await s.get(`/payments/${id}`)).body.status).toBe('authorized');
    expect(s.simulators.captureInDashboard('razorpay', 'pay_1', 2000)).toBe(200);
    expect([held()?.captured, s.money('pay_1')]).toEqual([2000, expect.objectContaining({ amount: 2000, count: 1 })]);
  });

  it('may hold half of what was asked for, and captures exactly that', async () => {
    s.script('partial_approval');
    const id = (await pay({}, 'pay_1', manual)).body.razorpay_payment_id;
    expect((await s.post(`/payments/${id}/capture`, { amount: 2000, currency: 'INR' })).status).toBe(400);
    expect((await s.post(`/payments/${id}/capture`, { amount: 1000, currency: 'INR' })).status).toBe(200);
  });
});

describe('a payment link', () => {
  const fetched = async (id: string) => (await s.get(`/payment_links/${id}`)).body;

  it('is paid on its page, and the customer returns with a signature', async () => {
    const { status, body } = await s.post('/payment_links', link('pay_1'));
    expect([status, body]).toMatchObject([
      200,
      {
        status: 'created',
        payments: null,
        amount_paid: 0,
        reference_id: 'att pay_1',
        short_url: `${s.simulators.base}/razorpay/l/${body.id}`,
      },
    ]);
    expect((await s.browse(body.short_url)).text).toContain('INR 20.00');
    const back = new URL((await s.browse(body.short_url, 'pay')).location).searchParams;
    const parts = [
      'razorpay_payment_link_id',
      'razorpay_payment_link_reference_id',
      'razorpay_payment_link_status',
      'razorpay_payment_id',
    ].map((name) => back.get(name));
    expect(parts.slice(0, 3)).toEqual([body.id, 'att pay_1', 'paid']);
    expect(back.get('razorpay_signature')).toBe(hmac(KEY.key_secret, parts.join('|')));
    expect(await fetched(body.id)).toMatchObject({
      status: 'paid',
      amount_paid: 2000,
      payments: [{ payment_id: parts[3], status: 'captured' }],
    });
    expect((await s.get(`/payments/${parts[3]}`)).body).toMatchObject({
      notes: { payment_id: 'pay_1' },
      description: `#${body.id.slice(6)}`,
    });
    expect(await s.types()).toEqual(['order.paid', 'payment.authorized', 'payment.captured', 'payment_link.paid']);
    expect((await s.browse(body.short_url)).text).toContain('closed');
  });

  it('accepts another attempt after a failed one', async () => {
    const { body } = await s.post('/payment_links', link('pay_1'));
    const { location } = await s.browse(body.short_url, 'decline');
    expect((await s.browse(location)).text).toContain('role="alert"');
    expect((await fetched(body.id)).status).toBe('created');
    await s.browse(body.short_url, 'pay');
    expect([s.money('pay_1')?.count, (await s.types()).filter((type) => type === 'payment.failed')]).toEqual([
      1,
      ['payment.failed'],
    ]);
  });

  it('applies the scenario of its creation, on its page and for completions', async () => {
    s.script('requires_action');
    const { body } = await s.post('/payment_links', link('pay_1'));
    const bank = await s.browse(body.short_url, 'pay');
    expect(bank.location).toContain('/authorize');
    expect((await s.browse(bank.location, 'authenticate')).location).toContain('razorpay_payment_link_status=paid');
    s.script('decline:insufficient_funds');
    const other = (await s.post('/payment_links', link('pay_2'))).body;
    s.complete('pay_2', 'succeeded');
    expect([(await fetched(other.id)).status, s.money('pay_2')]).toEqual(['created', undefined]);
    s.complete(other.id, 'succeeded');
    expect([(await fetched(other.id)).status, s.money('pay_2')?.count]).toEqual(['paid', 1]);
  });

  it('is unique for its reference and can be found by it', async () => {
    const { body } = await s.post('/payment_links', link('pay_1'));
    expect((await s.post('/payment_links', link('pay_1'))).body.error.description).toContain('already exists');
    expect((await s.get('/payment_links?reference_id=att%20pay_1')).body.payment_links).toMatchObject([
      { id: body.id },
    ]);
    expect((await s.get('/payment_links?reference_id=another')).body.payment_links).toEqual([]);
  });

  it('can be canceled while it is unpaid, and may still be paid', async () => {
    const { body } = await s.post('/payment_links', link('pay_1'));
    expect((await s.post(`/payment_links/${body.id}/cancel`)).body.status).toBe('cancelled');
    expect((await s.post(`/payment_links/${body.id}/cancel`)).body.error.description).toBe(
      'cannot cancel or expire an cancelled link',
    );
    s.complete(body.id, 'succeeded');
    const after = await fetched(body.id);
    expect([after.status, s.money('pay_1')?.count]).toEqual(['cancelled', 1]);
    expect((await s.get(`/orders/${after.order_id}/payments`)).body.items).toMatchObject([{ status: 'captured' }]);
    expect(await s.types()).toEqual(['order.paid', 'payment.authorized', 'payment.captured', 'payment_link.cancelled']);
  });

  it('expires, or ends when the customer gives up', async () => {
    const [first, second] = [
      (await s.post('/payment_links', link('pay_1'))).body.id,
      (await s.post('/payment_links', link('pay_2'))).body.id,
    ];
    s.complete(second, 'failed');
    s.advance(3_600_000);
    expect(await s.types()).toEqual(['payment_link.expired', 'payment_link.expired']);
    expect([(await fetched(first)).status, (await fetched(second)).status]).toEqual(['expired', 'expired']);
  });

  it.each<[string, object, string]>([
    ['an end too soon', { expire_by: START / 1000 + 600 }, 'expire_by should be at least 15 minutes from now.'],
    ['an end too late', { expire_by: START / 1000 + 200 * 86_400 }, 'expire_by should be within six months.'],
    ['an invalid callback URL', { callback_url: 'shop' }, 'The callback url format is invalid.'],
    ['a callback URL without its method', { callback_method: undefined }, 'callback_method: is required.'],
    ['another method', { callback_method: 'post' }, 'The selected callback_method is invalid.'],
    [
      'an unknown option',
      { options: { checkout: { method: { card: 'yes' } } } },
      'The card field must be true or false.',
    ],
  ])('with %s is rejected', async (_, fields, description) => {
    expect((await s.post('/payment_links', link('pay_1', fields))).body.error.description).toBe(description);
  });
});

describe('a refund', () => {
  const refund = (id: string, body: object = {}, key?: string) =>
    s.post(`/payments/${id}/refund`, body, key === undefined ? {} : { 'x-refund-idempotency': key });

  it('of a part and of the rest', async () => {
    const id = (await pay()).body.razorpay_payment_id;
    expect((await refund(id, { amount: 500, receipt: 're 1', notes: { payment_id: 'pay_1' } })).body).toMatchObject({
      entity: 'refund',
      status: 'processed',
      amount: 500,
      receipt: 're 1',
    });
    expect((await s.get(`/payments/${id}`)).body).toMatchObject({
      status: 'captured',
      refund_status: 'partial',
      amount_refunded: 500,
    });
    expect((await refund(id, { amount: 1501 })).body.error.description).toContain('greater than');
    const rest = (await refund(id)).body;
    expect((await s.get(`/payments/${id}`)).body).toMatchObject({
      status: 'refunded',
      refund_status: 'full',
      captured: true,
    });
    expect((await refund(id)).body.error.description).toContain('fully refunded');
    expect((await s.get(`/payments/${id}/refunds?count=1&skip=1`)).body.items).toMatchObject([{ amount: 500 }]);
    expect((await s.get(`/payments/${id}/refunds/${rest.id}`)).body).toEqual((await s.get(`/refunds/${rest.id}`)).body);
    expect(s.money('pay_1')).toMatchObject({ amount: 2000, refunded: 2000 });
  });

  it('is executed once for its key', async () => {
    const id = (await pay()).body.razorpay_payment_id;
    const first = await refund(id, { amount: 500 }, 're_0123456789');
    expect((await refund(id, { amount: 500 }, 're_0123456789')).body).toEqual(first.body);
    expect((await refund(id, { amount: 600 }, 're_0123456789')).body.error.description).toContain('Different request');
    expect((await refund(id, { amount: 600 }, 'short')).status).toBe(400);
    expect(s.money('pay_1')?.refunded).toBe(500);
  });

  it('may stay pending, fail, or fail after it was processed', async () => {
    const id = (await pay()).body.razorpay_payment_id;
    s.script('pending', { match: { operation: 'refund' } });
    const pending = (await refund(id, { amount: 500 })).body;
    expect([pending.status, s.money('pay_1')?.refunded]).toEqual(['pending', 0]);
    s.complete(pending.id, 'succeeded');
    expect([(await s.get(`/refunds/${pending.id}`)).body.status, s.money('pay_1')?.refunded]).toEqual([
      'processed',
      500,
    ]);
    s.complete(pending.id, 'failed');
    expect([(await s.get(`/refunds/${pending.id}`)).body.status, s.money('pay_1')?.refunded]).toEqual(['failed', 0]);
    s.script('decline:processing_error', { match: { operation: 'refund' } });
    expect((await refund(id, { amount: 700 })).body.status).toBe('failed');
    expect((await s.get(`/payments/${id}`)).body).toMatchObject({
      status: 'captured',
      amount_refunded: 0,
      refund_status: null,
    });
    const types = (await s.types()).filter((type) => type.startsWith('refund.'));
    expect(types).toEqual(['refund.created', 'refund.created', 'refund.failed', 'refund.failed', 'refund.processed']);
  });

  it('requires a captured payment', async () => {
    const id = (await pay({ token: 'pending' })).body.razorpay_payment_id;
    expect((await refund(id)).body.error.description).toContain('should be captured');
  });
});

describe('a caller', () => {
  it.each<[string, Record<string, string>, string]>([
    ['with another scheme', { authorization: 'Bearer x' }, 'The api key provided is invalid'],
    ['with no key', { authorization: basic('shop', 'secret') }, 'The api key provided is invalid'],
    ['with a revoked key', { authorization: basic('rzp_test_revoked', 'secret') }, 'The api key provided is invalid'],
  ])('%s is rejected', async (_, headers, description) => {
    const { status, body } = await s.get('/payments?count=1', headers);
    expect([status, body.error]).toMatchObject([401, { code: 'BAD_REQUEST_ERROR', description }]);
  });

  it('with valid credentials may list payments, and sees nothing of another account', async () => {
    expect((await s.get('/payments?count=1')).body).toEqual({ entity: 'collection', count: 0, items: [] });
    expect((await s.get('/payments?count=101')).status).toBe(400);
    const id = (await pay()).body.razorpay_payment_id;
    const other = { authorization: basic('rzp_test_other', 'secret') };
    expect((await s.get(`/payments/${id}`, other)).body.error.description).toBe('The id provided does not exist');
    expect((await s.get('/orders?receipt=att%20pay_1', other)).body.items).toEqual([]);
    expect((await fetch(`${s.simulators.base}/razorpay/v1/payments?count=1`)).status).toBe(401);
    expect((await s.get('/nothing')).status).toBe(404);
  });
});

describe('a scenario', () => {
  it.each<[string, string, number, string]>([
    ['approve', 'decline_card_declined', 200, 'captured'],
    ['decline:insufficient_funds', 'ok', 400, 'failed'],
    ['requires_action', 'ok', 200, 'created'],
    ['pending', 'ok', 200, 'created'],
  ])(
    '%s overrides the token %s once, and creating the order does not use it',
    async (behaviour, token, status, state) => {
      s.script(behaviour);
      const response = await pay({ token });
      expect(response.status).toBe(status);
      const id = response.body.razorpay_payment_id ?? response.body.error.metadata.payment_id;
      expect((await s.get(`/payments/${id}`)).body.status).toBe(state);
      expect((await pay({}, 'pay_2')).body.razorpay_signature).toBeDefined();
    },
  );

  it.each([
    ['timeout_after_charge', 1],
    ['timeout_before_charge', undefined],
  ])('%s holds the connection, and the order shows the payment', async (behaviour, count) => {
    s.script(behaviour);
    const id = await anOrder();
    await expect(s.post('/payments/create/json', payment('pay_1', id), {}, AbortSignal.timeout(200))).rejects.toThrow();
    expect([s.money('pay_1')?.count, (await s.get(`/orders/${id}/payments`)).body.count]).toEqual([count, count ?? 0]);
  });

  it('http_500, rate_limited, garbage and wrong_amount behave as they are named', async () => {
    s.script('http_500');
    expect((await pay()).body.error.code).toBe('SERVER_ERROR');
    s.script('rate_limited');
    expect((await pay()).headers.get('retry-after')).toBe('2');
    expect(s.money('pay_1')).toBeUndefined();
    s.script('garbage');
    expect([(await pay()).text, s.money('pay_1')?.count]).toEqual(['<html>', 1]);
    s.script('wrong_amount');
    expect((await s.get(`/payments/${(await pay({}, 'pay_2')).body.razorpay_payment_id}`)).body.amount).toBe(2001);
    expect(s.money('pay_2')?.amount).toBe(2001);
  });

  it('finds our payment id on the object of the call, and the operation by the route', async () => {
    const id = (await pay()).body.razorpay_payment_id;
    await s.get(`/payments/${id}`);
    await s.get('/orders?receipt=att%20pay_1');
    await s.post(`/payments/${id}/refund`, {}, { 'x-refund-idempotency': 're_0123456789' });
    const { calls } = s.simulators.calls({ payment_id: 'pay_1' });
    expect(calls.map(({ operation, idempotency_key }) => [operation, idempotency_key])).toEqual([
      ['order', null],
      ['create', null],
      ['fetch', null],
      ['find', null],
      ['refund', 're_0123456789'],
    ]);
  });
});

describe('a webhook', () => {
  it('is signed with the newest secret, and keeps its event id over retries', async () => {
    s.simulators.registerAccount('razorpay', { ...KEY, webhook_secret: 'a newer secret' });
    s.script('approve', { webhook: 'duplicate' });
    await pay();
    const webhooks = await s.webhooks();
    expect(webhooks).toHaveLength(6);
    for (const { raw, headers } of webhooks) expect(headers['x-razorpay-signature']).toBe(hmac('a newer secret', raw));
    expect(new Set(webhooks.map(({ headers }) => headers['x-razorpay-event-id'])).size).toBe(3);
    const [paid] = webhooks.filter(({ event }) => event.event === 'order.paid');
    expect(paid?.event).toMatchObject({
      entity: 'event',
      account_id: expect.stringMatching(/^acc_/),
      contains: ['payment', 'order'],
      payload: {
        payment: { entity: { status: 'captured', notes: { payment_id: 'pay_1' } } },
        order: { entity: { status: 'paid' } },
      },
    });
  });

  it('contains the state at the time of the event', async () => {
    await pay();
    const authorized = (await s.webhooks()).find(({ event }) => event.event === 'payment.authorized');
    expect(authorized?.event.payload.payment.entity).toMatchObject({ status: 'authorized', captured: false });
  });

  it('of a payment without webhooks is not sent', async () => {
    s.script('approve', { webhook: 'none' });
    await pay();
    expect(await s.webhooks()).toEqual([]);
  });
});
