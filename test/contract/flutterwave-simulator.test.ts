import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Simulators } from '#lib/simulators/simulators.port.ts';
import { startSimulators } from '#lib/simulators/simulators.ts';

const KEY = 'FLWSECK_TEST-shop-X';
const HASH = 'hash-of-the-shop';
const BACK = 'https://shop.example/back?order=7';
const START = Date.parse('2027-03-01T10:00:00Z');

/** JSON of which a test asserts a few fields. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert a response field by field.
type Json = any;
type Webhook = { readonly event: Json; readonly hash: string };

async function openEndpoint() {
  const webhooks: Webhook[] = [];
  const server = createServer(async (request, response) => {
    webhooks.push({
      event: JSON.parse((await request.toArray()).join('')),
      hash: String(request.headers['verif-hash']),
    });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { webhooks, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

let simulators: Simulators;
let endpoint: Awaited<ReturnType<typeof openEndpoint>>;
let now = START;

beforeEach(async () => {
  now = START;
  endpoint = await openEndpoint();
  const plain = (text: string) => text;
  const clock = { now: () => new Date(now) };
  simulators = await startSimulators({
    port: 0,
    database: ':memory:',
    clock,
    webhookBase: () => endpoint.address,
    protect: { seal: plain, open: plain },
  });
  simulators.registerAccount('flutterwave', { secret_key: KEY, webhook_secret: HASH });
});
afterEach(async () => {
  await simulators.close();
  endpoint.close();
});

async function send(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Json }> {
  const sent = { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }), ...headers };
  const reply = await fetch(`${simulators.base}/flutterwave/v3${path}`, {
    method,
    headers: sent,
    body: body ? JSON.stringify(body) : null,
  });
  return { status: reply.status, body: await reply.json() };
}
const post = (path: string, body: object = {}, headers?: Record<string, string>) => send('POST', path, body, headers);
const get = (path: string, headers?: Record<string, string>) => send('GET', path, undefined, headers);
const browse = async (url: string, choice?: string) => {
  const reply = await fetch(url, {
    redirect: 'manual',
    ...(choice && { method: 'POST', body: new URLSearchParams({ do: choice }) }),
  });
  return { status: reply.status, location: reply.headers.get('location') ?? '', text: await reply.text() };
};

const charge = (paymentId: string, change: object = {}) => ({
  token: 'ok',
  tx_ref: `ref_${paymentId}`,
  amount: 19.99,
  currency: 'NGN',
  email: 'kim@example.com',
  redirect_url: BACK,
  meta: { org_id: 'org_1', payment_id: paymentId },
  ...change,
});
const page = (paymentId: string, change: object = {}) => {
  const { token: _, email, ...common } = charge(paymentId);
  return { ...common, customer: { email }, session_duration: 60, ...change };
};
const phone = (paymentId: string, change: object = {}) => {
  const { token: _, ...common } = charge(paymentId);
  return { ...common, amount: 1500, currency: 'KES', phone_number: '254700000000', ...change };
};
const script = (behaviour: string, more: object = {}) =>
  simulators.setScenario({ provider: 'flutterwave', behaviour, ...more });
const complete = (reference: string, outcome: 'succeeded' | 'failed' = 'succeeded') =>
  simulators.complete('flutterwave', reference, outcome);
const money = (paymentId: string) => simulators.calls({ payment_id: paymentId }).charges[paymentId];
const operations = (paymentId: string) =>
  simulators.calls({ payment_id: paymentId }).calls.map(({ operation, status }) => `${operation} ${status}`);
const webhooks = async () => {
  await simulators.idle();
  return endpoint.webhooks;
};
const statuses = async () => (await webhooks()).map(({ event }) => event.data.status);
const verify = async (id: number) => (await get(`/transactions/${id}/verify`)).body.data;

describe('credentials', () => {
  it.each([
    ['no key', {}, 'Authorization required'],
    ['a public key', { authorization: 'Bearer FLWPUBK_TEST-shop-X' }, 'Invalid authorization key'],
    ['a revoked key', { authorization: 'Bearer FLWSECK-revoked-X' }, 'Invalid authorization key'],
  ])('%s gets 401', async (_, headers, message) => {
    const sent = 'authorization' in headers ? headers : { authorization: '' };
    expect(await get('/balances', sent)).toEqual({ status: 401, body: { status: 'error', message, data: null } });
  });

  it('hide the transactions of other accounts', async () => {
    const { body } = await post('/tokenized-charges', charge('pay_1'));
    const other = { authorization: 'Bearer FLWSECK_TEST-other-X' };
    expect((await get(`/transactions/${body.data.id}/verify`, other)).status).toBe(404);
    expect((await get('/transactions/verify_by_reference?tx_ref=ref_pay_1', other)).status).toBe(404);
    expect((await post(`/transactions/${body.data.id}/refund`, {}, other)).status).toBe(404);
  });

  it('give access to the balances', async () => {
    expect((await get('/balances')).body).toMatchObject({ status: 'success', data: [{ currency: 'NGN' }, {}, {}] });
  });
});

describe('a charge by token', () => {
  it('takes the money, can be found by id and reference, and sends a webhook with the hash', async () => {
    const { status, body } = await post('/tokenized-charges', charge('pay_1'));
    expect([status, body.status, body.data.status, body.data.amount, body.data.currency]).toEqual([
      200,
      'success',
      'successful',
      19.99,
      'NGN',
    ]);
    expect(money('pay_1')).toEqual({ amount: 1999, refunded: 0, currency: 'NGN', count: 1 });
    const fetched = await verify(body.data.id);
    expect(fetched).toMatchObject({
      tx_ref: 'ref_pay_1',
      meta: { payment_id: 'pay_1' },
      processor_response: 'Approved by Financial Institution',
    });
    expect((await get('/transactions/verify_by_reference?tx_ref=ref_pay_1')).body.data).toEqual(fetched);
    const [hook] = await webhooks();
    expect(hook).toMatchObject({
      hash: HASH,
      event: {
        event: 'charge.completed',
        data: { id: body.data.id, status: 'successful' },
        meta_data: { payment_id: 'pay_1' },
        'event.type': 'CARD_TRANSACTION',
      },
    });
    expect(operations('pay_1')).toEqual(['create 200', 'fetch 200', 'find 200']);
  });

  it('charges again when it is repeated, because there are no idempotency keys', async () => {
    await post('/tokenized-charges', charge('pay_1'));
    await post('/tokenized-charges', charge('pay_1'), { 'idempotency-key': 'k' });
    expect(money('pay_1')?.count).toBe(2);
  });

  it.each([
    ['decline_insufficient_funds', 'Insufficient Funds'],
    ['decline_lost_card', 'Lost card'],
    ['decline_no_route', 'Transaction declined'],
  ])('%s fails with "%s"', async (token, reason) => {
    const { status, body } = await post('/tokenized-charges', charge('pay_1', { token }));
    expect([status, body.status, body.data.status, body.data.processor_response]).toEqual([
      400,
      'error',
      'failed',
      reason,
    ]);
    expect(await statuses()).toEqual(['failed']);
    expect(money('pay_1')).toBeUndefined();
  });

  it.each([
    ['authenticate', 'successful', 1],
    ['fail', 'failed', undefined],
  ])('that requires 3-D Secure ends as the customer decides: %s', async (choice, status, count) => {
    const { body } = await post('/tokenized-charges', charge('pay_1', { token: 'needs_3ds' }));
    const { mode, redirect } = body.data.meta.authorization;
    expect([body.data.status, body.data.auth_model, mode, await statuses()]).toEqual([
      'pending',
      'VBVSECURECODE',
      'redirect',
      [],
    ]);
    expect((await browse(redirect)).text).toContain('NGN 19.99');
    const { location } = await browse(redirect, choice);
    expect(Object.fromEntries(new URL(location).searchParams)).toEqual({
      order: '7',
      status,
      tx_ref: 'ref_pay_1',
      transaction_id: String(body.data.id),
    });
    expect([await statuses(), money('pay_1')?.count]).toEqual([[status], count]);
    expect((await browse(redirect, 'authenticate')).location).toBe(location);
  });

  it('that requires an OTP accepts only the correct one, and only once', async () => {
    const { body } = await post('/tokenized-charges', charge('pay_1', { token: 'needs_otp' }));
    const { flw_ref } = body.data;
    expect(body.data.meta.authorization.mode).toBe('otp');
    expect((await post('/validate-charge', { otp: '999', flw_ref })).body.message).toContain('Invalid OTP');
    expect((await post('/validate-charge', { otp: '12345', flw_ref, type: 'card' })).body.data.status).toBe(
      'successful',
    );
    expect((await post('/validate-charge', { otp: '12345', flw_ref })).status).toBe(400);
    expect((await post('/validate-charge', { otp: '12345', flw_ref: 'FLW-MOCK-1' })).status).toBe(404);
    expect(money('pay_1')?.count).toBe(1);
  });

  it('that is pending is decided later, and may succeed after a failure', async () => {
    const { body } = await post('/tokenized-charges', charge('pay_1', { token: 'pending' }));
    expect([body.data.status, body.data.meta]).toEqual(['pending', { org_id: 'org_1', payment_id: 'pay_1' }]);
    complete(String(body.data.id), 'failed');
    expect((await verify(body.data.id)).status).toBe('failed');
    complete('ref_pay_1');
    complete('pay_1');
    expect([await statuses(), money('pay_1')?.count]).toEqual([['failed', 'successful'], 1]);
  });
});

describe('the token that a payment creates', () => {
  const tokenOf = async (txRef: string) =>
    (await get(`/transactions/verify_by_reference?tx_ref=${txRef}`)).body.data.card?.token;
  const offSession = (paymentId: string, token: string, change: object = {}) =>
    post('/tokenized-charges', charge(paymentId, { token, ...change }));

  it('is in the fetched payment and in no event', async () => {
    await post('/tokenized-charges', charge('pay_1'));
    expect(await tokenOf('ref_pay_1')).toMatch(/^flw-t1nf-[0-9a-f]{32}-m03k$/);
    expect(JSON.stringify(await webhooks())).not.toContain('flw-t1nf');
    await post('/tokenized-charges', charge('pay_2', { token: 'decline_lost_card' }));
    expect(await tokenOf('ref_pay_2')).toBeUndefined();
  });

  it('of a card used on a page charges it again off-session', async () => {
    const { link } = (await post('/payments', page('pay_1'))).body.data;
    await browse(link, 'pay');
    const { body } = await offSession('pay_2', await tokenOf('ref_pay_1'), { redirect_url: undefined });
    expect([body.status, body.data.status, money('pay_2')?.count]).toEqual(['success', 'successful', 1]);
  });

  it('works only with the e-mail address that paid, and only in its account', async () => {
    await post('/tokenized-charges', charge('pay_1'));
    const token = await tokenOf('ref_pay_1');
    const refused = { status: 400, body: { status: 'error', message: 'Wrong token or email passed', data: null } };
    expect(await offSession('pay_2', token, { email: 'sam@example.com' })).toEqual(refused);
    expect([money('pay_2'), (await get('/transactions/verify_by_reference?tx_ref=ref_pay_2')).status]).toEqual([
      undefined,
      404,
    ]);
  });

  it('exists only for cards', async () => {
    const { data } = (await post('/charges?type=mpesa', phone('pay_1'))).body;
    complete(String(data.id));
    const paid = await verify(data.id);
    expect([paid.status, paid.card]).toEqual(['successful', undefined]);
  });
});

describe('a rejected request', () => {
  it.each<[string, object, string]>([
    ['no tx_ref', { tx_ref: undefined }, 'tx_ref is required'],
    ['a long tx_ref', { tx_ref: 'x'.repeat(101) }, 'tx_ref length must be less than or equal to 100 characters long'],
    ['no amount', { amount: undefined }, 'amount is required'],
    ['an amount of nothing', { amount: 0 }, 'amount must be greater than 0'],
    ['too fine an amount', { amount: 1.001 }, 'amount must not have more than 2 decimal places'],
    ['a negative amount', { amount: -1 }, 'amount must be a valid number'],
    ['an unknown currency', { currency: 'XXX' }, 'currency is not supported'],
    ['no mail address', { email: 'kim' }, 'email must be a valid email'],
    ['a meta that is text', { meta: 'x' }, 'meta must be an object'],
    ['a meta name with a dash', { meta: { 'a-b': 'x' } }, 'meta.a-b is not allowed'],
    ['an unknown field', { colour: 'red' }, 'colour is not allowed'],
    ['an unknown token', { token: 'tok_1' }, 'Invalid token passed'],
    ['a broken address', { redirect_url: 'shop' }, 'redirect_url must be a valid uri'],
  ])('%s', async (_, change, message) => {
    expect(await post('/tokenized-charges', charge('pay_1', change))).toEqual({
      status: 400,
      body: { status: 'error', message, data: null },
    });
    expect(money('pay_1')).toBeUndefined();
  });

  it('has another content type or an unknown path', async () => {
    expect((await post('/payments', page('pay_1'), { 'content-type': 'text/plain' })).status).toBe(400);
    expect(await get('/nothing')).toEqual({
      status: 404,
      body: { status: 'error', message: 'Cannot GET /v3/nothing', data: null },
    });
  });

  it.each([
    ['a type of the future', '?type=telepathy', {}],
    ['no network in Ghana', '?type=mobile_money_ghana', { currency: 'GHS' }],
    ['another currency', '?type=mpesa', { currency: 'NGN' }],
    ['no phone', '?type=mpesa', { phone_number: 'x' }],
  ])('by phone: %s', async (_, type, change) => {
    expect((await post(`/charges${type}`, phone('pay_1', change))).status).toBe(400);
  });
});

describe('a charge by phone', () => {
  it('waits for the customer, and its response contains the transaction', async () => {
    const { body } = await post('/charges?type=mpesa', phone('pay_1'));
    expect(body).toMatchObject({ status: 'success', data: { status: 'pending', payment_type: 'mpesa' } });
    complete('pay_1');
    expect(money('pay_1')).toMatchObject({ amount: 150_000, currency: 'KES' });
    expect((await webhooks())[0]?.event['event.type']).toBe('MOBILEMONEY_TRANSACTION');
  });

  it('has no transaction in the response of some countries, and can be found by its reference', async () => {
    const { body } = await post(
      '/charges?type=mobile_money_ghana',
      phone('pay_1', { currency: 'GHS', network: 'MTN' }),
    );
    expect([body.data, body.meta.authorization.mode]).toEqual([undefined, 'redirect']);
    const { data } = (await get('/transactions/verify_by_reference?tx_ref=ref_pay_1')).body;
    expect(data.status).toBe('pending');
    await browse(body.meta.authorization.redirect, 'authenticate');
    expect((await verify(data.id)).status).toBe('successful');
  });
});

describe('a hosted page', () => {
  const open = async (change: object = {}) => (await post('/payments', page('pay_1', change))).body.data.link as string;

  it('is paid and redirects to the shop', async () => {
    const link = await open();
    expect((await browse(link)).text).toContain('Pay NGN 19.99');
    const { location } = await browse(link, 'pay');
    const { data } = (await get('/transactions/verify_by_reference?tx_ref=ref_pay_1')).body;
    expect(Object.fromEntries(new URL(location).searchParams)).toEqual({
      order: '7',
      status: 'successful',
      tx_ref: 'ref_pay_1',
      transaction_id: String(data.id),
    });
    expect((await browse(link)).text).toContain('This page is closed');
    expect([await statuses(), money('pay_1')?.count]).toEqual([['successful'], 1]);
  });

  it('stays open after a declined attempt, and each attempt is a transaction', async () => {
    const link = await open();
    const { location } = await browse(link, 'decline');
    expect((await browse(location)).text).toContain('Transaction declined');
    await browse(link, 'pay');
    expect(await statuses()).toEqual(['failed', 'successful']);
    expect((await get('/transactions/verify_by_reference?tx_ref=ref_pay_1')).body.data.status).toBe('successful');
  });

  it('has no transaction if the customer leaves it', async () => {
    const { location } = await browse(await open(), 'cancel');
    expect(new URL(location).searchParams.get('status')).toBe('cancelled');
    expect((await get('/transactions/verify_by_reference?tx_ref=ref_pay_1')).body.message).toBe(
      'No transaction was found for this id',
    );
  });

  it('closes when it expires', async () => {
    const link = await open({ session_duration: 60 });
    now += 3_600_000;
    await simulators.idle();
    expect((await browse(link, 'pay')).text).toContain('The payment is closed');
    expect(money('pay_1')).toBeUndefined();
    complete('pay_1');
    expect(money('pay_1')?.count).toBe(1);
  });

  it('applies the scenario of its creation to the first attempt only', async () => {
    script('decline:stolen_card', { webhook: 'duplicate' });
    const link = await open();
    expect((await browse(link, 'pay')).location).toContain('Stolen%20card');
    await browse(link, 'pay');
    expect(await statuses()).toEqual(['failed', 'failed', 'successful', 'successful']);
  });

  it.each([
    ['a session of more than a day', { session_duration: 1441 }],
    ['no customer', { customer: {} }],
    ['no way back', { redirect_url: undefined }],
  ])('is not created with %s', async (_, change) => {
    expect((await post('/payments', page('pay_1', change))).status).toBe(400);
  });

  it('can be completed by any of its ids', async () => {
    const link = await open();
    expect(complete(link.split('/').at(-1) ?? '', 'failed')).toBe(true);
    expect([await statuses(), (await browse(link)).text.includes('closed')]).toEqual([[], true]);
    expect([complete('ref_pay_1'), complete('nobody')]).toEqual([true, false]);
    expect(await statuses()).toEqual(['successful']);
  });
});

describe('a refund', () => {
  const paid = async () => (await post('/tokenized-charges', charge('pay_1'))).body.data.id as number;
  it('refunds a part, then the rest, and no more', async () => {
    const id = await paid();
    const first = await post(`/transactions/${id}/refund`, { amount: 5, comments: 're_1' });
    expect(first.body.data).toMatchObject({ tx_id: id, amount_refunded: 5, status: 'completed', comments: 're_1' });
    expect((await post(`/transactions/${id}/refund`, { amount: 15 })).status).toBe(400);
    expect((await post(`/transactions/${id}/refund`)).body.data.amount_refunded).toBe(14.99);
    expect(money('pay_1')).toMatchObject({ amount: 1999, refunded: 1999 });
    expect((await get(`/refunds?id=${id}`)).body).toMatchObject({
      meta: { page_info: { total: 2, total_pages: 1 } },
      data: [{}, { comments: 're_1' }],
    });
    expect((await get(`/refunds/${first.body.data.id}`)).body.data.amount_refunded).toBe(5);
    const { event } = (await webhooks()).find((hook) => hook.event.event === 'refund.completed')!;
    expect(event.data).toMatchObject({ TransactionId: id, status: 'completed' });
  });

  it('may stay pending, then succeed, then fail', async () => {
    const id = await paid();
    script('pending', { match: { operation: 'refund' } });
    const { body } = await post(`/transactions/${id}/refund`, { amount: 5 });
    expect([body.data.status, money('pay_1')?.refunded]).toEqual(['pending', 0]);
    complete(String(body.data.id));
    expect(money('pay_1')?.refunded).toBe(500);
    complete(String(body.data.id), 'failed');
    expect([(await get(`/refunds/${body.data.id}`)).body.data.status, money('pay_1')?.refunded]).toEqual(['failed', 0]);
  });

  it('may fail, and is rejected for a charge that took no money', async () => {
    const id = await paid();
    script('decline:card_declined', { match: { operation: 'refund' } });
    expect((await post(`/transactions/${id}/refund`)).body.data.status).toBe('failed');
    const waiting = (await post('/tokenized-charges', charge('pay_2', { token: 'pending' }))).body.data.id;
    expect((await post(`/transactions/${waiting}/refund`)).status).toBe(400);
    expect((await get('/refunds/1')).status).toBe(404);
  });
});

describe('a scenario', () => {
  it.each([
    ['approve', 200, 1],
    ['decline:do_not_honor', 400, undefined],
    ['http_500', 500, undefined],
    ['rate_limited', 429, undefined],
    ['slow:5', 200, 1],
  ])('%s gets status %d', async (behaviour, status, count) => {
    script(behaviour);
    expect((await post('/tokenized-charges', charge('pay_1'))).status).toBe(status);
    expect(money('pay_1')?.count).toBe(count);
  });

  it('wrong_amount takes another amount than requested', async () => {
    script('wrong_amount');
    expect((await post('/tokenized-charges', charge('pay_1'))).body.data.amount).toBe(20);
    expect(money('pay_1')?.amount).toBe(2000);
  });

  it('requires_action and pending override the behaviour of the token', async () => {
    script('requires_action');
    expect((await post('/tokenized-charges', charge('pay_1'))).body.data.meta.authorization.mode).toBe('redirect');
    script('pending');
    expect((await post('/tokenized-charges', charge('pay_2'))).body.data.status).toBe('pending');
  });

  it('timeout_after_charge takes the money, timeout_before_charge does not', async () => {
    for (const [behaviour, id] of [
      ['timeout_after_charge', 'pay_1'],
      ['timeout_before_charge', 'pay_2'],
    ] as const) {
      script(behaviour);
      const body = JSON.stringify(charge(id));
      const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
      const call = fetch(`${simulators.base}/flutterwave/v3/tokenized-charges`, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(100),
      });
      await expect(call).rejects.toThrow();
    }
    expect([money('pay_1')?.count, money('pay_2')]).toEqual([1, undefined]);
    expect((await get('/transactions/verify_by_reference?tx_ref=ref_pay_1')).body.data.status).toBe('successful');
    expect((await get('/transactions/verify_by_reference?tx_ref=ref_pay_2')).status).toBe(404);
  });
});
