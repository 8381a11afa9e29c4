import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stringify } from 'node:querystring';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Simulators } from '#lib/simulators/simulators.port.ts';
import { startSimulators } from '#lib/simulators/simulators.ts';
import { parseFlutterwaveCallback, verifyFlutterwaveCallback } from '#shared/psp/flutterwave/webhooks.ts';

/**
 * Flutterwave's own library sends what it does to its makers, so it is not installed. Here the simulator gets the
 * requests as that library writes them: the paths, the fields and the texts for numbers of Flutterwave/Node-v3 of
 * 2026-06, services and documentation. Each response has the fields that the documentation's samples have. The hosted
 * page is not in the library; its request is that of Flutterwave's pages.
 */
const KEY = 'FLWSECK_TEST-0123456789abcdef0123456789abcdef-X';
const HASH = 'hash-of-the-shop';

/** JSON of which a test asserts a few fields. */
// biome-ignore lint/suspicious/noExplicitAny: the library types its responses as any object.
type Json = any;

let calls = 0;
const mismatches: string[] = [];

const TRANSACTION = [
  'id tx_ref flw_ref device_fingerprint amount currency charged_amount app_fee merchant_fee processor_response',
  'auth_model ip narration status payment_type created_at account_id',
].join(' ');
const SHAPES: Readonly<Record<string, string>> = {
  charge: `${TRANSACTION} customer.id customer.phone_number customer.name customer.email customer.created_at`,
  card: 'card.first_6digits card.last_4digits card.issuer card.country card.type card.expiry card.token',
  verified: `${TRANSACTION} meta amount_settled customer.id customer.name customer.phone_number customer.email`,
  row: `${TRANSACTION} customer_name customer_email`,
  phone: `${TRANSACTION} fraud_status charge_type customer.id customer.phone_number`,
  refund: 'id account_id tx_id flw_ref wallet_id amount_refunded status destination meta.source created_at',
  balance: 'currency available_balance ledger_balance',
  page: 'link',
};

const valueAt = (value: Json, path: string): unknown => path.split('.').reduce((node, name) => node?.[name], value);

function conforms(shape: string, value: Json): void {
  const missing = (SHAPES[shape] ?? '').split(' ').filter((path) => valueAt(value, path) === undefined);
  mismatches.push(...missing.map((path) => `${shape} lacks ${path}`));
  expect(missing).toEqual([]);
}

async function openEndpoint() {
  const webhooks: { readonly raw: Buffer; readonly hash: string }[] = [];
  const server = createServer(async (request, response) => {
    webhooks.push({ raw: Buffer.concat(await request.toArray()), hash: String(request.headers['verif-hash']) });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { webhooks, server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let simulators: Simulators;
let endpoint: Awaited<ReturnType<typeof openEndpoint>>;

beforeEach(async () => {
  endpoint = await openEndpoint();
  simulators = await startSimulators({
    port: 0,
    database: ':memory:',
    clock: { now: () => new Date('2027-03-01T10:00:00Z') },
    webhookBase: () => endpoint.address,
    protect: { seal: (text) => text, open: (text) => text },
  });
  simulators.registerAccount('flutterwave', { secret_key: KEY, webhook_secret: HASH });
});
afterEach(async () => {
  await simulators.close();
  endpoint.server.closeAllConnections();
  endpoint.server.close();
});
afterAll(() => console.log(`requests of flutterwave-node-v3: ${calls} calls, ${mismatches.length} mismatches`));

/** As the library's own `request`: a GET has its data in the query, and every request says that it is JSON. */
async function call(path: string, data: Json = {}, method = 'POST', key = KEY): Promise<Json> {
  calls += 1;
  const query = method === 'GET' && Object.keys(data).length > 0 ? `?${stringify(data)}` : '';
  const reply = await fetch(`${simulators.base}/flutterwave/${path}${query}`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    ...(method === 'POST' && { body: JSON.stringify(data) }),
  });
  return reply.json();
}

const flw = {
  tokenized: (data: Json) => call('v3/tokenized-charges', data),
  validate: (data: Json) => call('v3/validate-charge', data),
  phone: (type: string, data: Json) => call(`v3/charges?type=${type}`, data),
  payment: (data: Json) => call('v3/payments', data),
  verify: (id: string) => call(`v3/transactions/${id}/verify`, {}, 'GET'),
  verifyByTxRef: (txRef: string) => call(`v3/transactions/verify_by_reference?tx_ref=${txRef}`, {}, 'GET'),
  transactions: (data: Json) => call('v3/transactions', data, 'GET'),
  refund: (data: Json) => call(`v3/transactions/${data.id}/refund`, data),
  refunds: (id: string) => call('v3/refunds', { id }, 'GET'),
  resendHooks: (data: Json) => call(`v3/transactions/${data.id}/resend-hook`, data),
  balances: () => call('v3/balances', {}, 'GET'),
};

const tokenCharge = (more: Json = {}): Json => ({
  token: 'ok',
  currency: 'NGN',
  country: 'NG',
  amount: 2000,
  email: 'user@example.com',
  first_name: 'Kim',
  last_name: 'Doe',
  ip: '192.0.2.1',
  narration: 'Sample tokenized charge',
  tx_ref: 'tokenized-c-001',
  ...more,
});
const phoneCharge = (more: Json = {}): Json => ({
  tx_ref: 'phone-001',
  amount: '1500',
  email: 'user@example.com',
  phone_number: '054709929220',
  fullname: 'Kim Doe',
  ...more,
});
const callbacks = async () => {
  await simulators.idle();
  return endpoint.webhooks;
};

describe('the requests of Flutterwave’s own library at the simulator', () => {
  it('charge a token, and verify by the id and by the reference', async () => {
    const charged = await flw.tokenized(tokenCharge());
    expect(charged).toMatchObject({ status: 'success', message: 'Charge successful', data: { status: 'successful' } });
    conforms('charge', charged.data);
    conforms('card', charged.data);
    const verified = await flw.verify(String(charged.data.id));
    expect(verified).toMatchObject({
      message: 'Transaction fetched successfully',
      data: { amount: 2000, charged_amount: 2000, currency: 'NGN' },
    });
    conforms('verified', verified.data);
    conforms('card', verified.data);
    expect((await flw.verifyByTxRef('tokenized-c-001')).data).toEqual(verified.data);
  });

  it('charge the token that a verified charge shows, with its mail address only', async () => {
    const { data } = await flw.tokenized(tokenCharge());
    const { token } = (await flw.verify(data.id)).data.card;
    expect(await flw.tokenized(tokenCharge({ token, tx_ref: 'tokenized-c-002' }))).toMatchObject({ status: 'success' });
    expect(await flw.tokenized(tokenCharge({ token, email: 'other@example.com' }))).toEqual({
      status: 'error',
      message: 'Wrong token or email passed',
      data: null,
    });
  });

  it.each([
    ['decline_insufficient_funds', 'Insufficient Funds'],
    ['decline_stolen_card_pick_up', 'stolen_card_pick_up'],
    ['decline_no_reason_to_decline', 'no_reason_to_decline'],
    ['decline_server_error', 'A server error has occurred. Please try again.'],
    ['decline_mpesa_limit', '[MpesaCB - ]Declined due to limit rule: would exceed the daily transfer limit.'],
    ['decline_unlisted', 'The bank says something that no list has'],
  ])('are declined by the token %s', async (token, reason) => {
    const declined = await flw.tokenized(tokenCharge({ token }));
    expect(declined).toMatchObject({ status: 'error', message: reason, data: { status: 'failed' } });
    conforms('charge', declined.data);
    expect((await flw.verify(declined.data.id)).data).toMatchObject({ status: 'failed', processor_response: reason });
  });

  it('validate a charge that waits for a code', async () => {
    const { data, meta, ...rest } = await flw.tokenized(tokenCharge({ token: 'needs_otp' }));
    const authorization = meta?.authorization ?? data.meta?.authorization;
    expect([rest.status, data.status, authorization.mode]).toEqual(['success', 'pending', 'otp']);
    expect(await flw.validate({ otp: '00000', flw_ref: data.flw_ref })).toMatchObject({ status: 'error' });
    const validated = await flw.validate({ otp: '12345', flw_ref: data.flw_ref });
    expect(validated).toMatchObject({ status: 'success', message: 'Charge validated', data: { status: 'successful' } });
    conforms('charge', validated.data);
  });

  it.each([
    ['mobile_money_ghana', { currency: 'GHS', network: 'VODAFONE', device_fingerprint: '62wd23423rq324323qew1' }],
    ['mobile_money_ghana', { currency: 'GHS', network: 'AIRTELTIGO' }],
    ['mobile_money_rwanda', { currency: 'RWF', order_id: 'USS_URG_893982923s2323' }],
    [
      'mobile_money_uganda',
      { currency: 'UGX', network: 'MTN', voucher: '128373', redirect_url: 'https://shop.example/back' },
    ],
    ['mobile_money_zambia', { currency: 'ZMW', order_id: 'URF_MMGH_1' }],
  ])('start %s %j, whose response shows no transaction', async (type, more) => {
    const started = await flw.phone(type, phoneCharge(more));
    expect(Object.keys(started).toSorted()).toEqual(['message', 'meta', 'status']);
    expect(started).toMatchObject({
      message: 'Charge initiated',
      meta: { authorization: { mode: 'redirect', redirect: expect.stringMatching(/^http/) } },
    });
    const { data } = await flw.verifyByTxRef('phone-001');
    expect(data).toMatchObject({ status: 'pending', amount: 1500 });
    conforms('phone', data);
  });

  it.each([
    ['mpesa', { currency: 'KES' }, 'mpesa', undefined],
    [
      'mobile_money_franco',
      { currency: 'XAF', country: 'CM' },
      'mobilemoneysn',
      { authorization: { mode: 'callback', redirect_url: null } },
    ],
    ['mobile_money_tanzania', { currency: 'TZS', network: 'HALOPESA' }, 'mobilemoneytz', undefined],
  ])('start %s, which the phone answers', async (type, more, payment_type, meta) => {
    const started = await flw.phone(type, phoneCharge(more));
    expect(started).toMatchObject({ message: 'Charge initiated', data: { status: 'pending', payment_type } });
    expect(started.meta).toEqual(meta);
    conforms('phone', started.data);
    simulators.complete('flutterwave', 'phone-001', 'succeeded');
    expect((await flw.verify(started.data.id)).data.status).toBe('successful');
  });

  it('are told which networks there are', async () => {
    const refused = await flw.phone('mobile_money_ghana', phoneCharge({ currency: 'GHS', network: 'mtn' }));
    expect(refused).toMatchObject({ status: 'error', message: expect.stringContaining('MTN, VODAFONE') });
    expect(await flw.verifyByTxRef('phone-001')).toMatchObject({ status: 'error' });
  });

  it('list transactions by day, reference and status', async () => {
    await flw.tokenized(tokenCharge());
    await flw.tokenized(tokenCharge({ tx_ref: 'tokenized-c-002', token: 'decline_lost_card' }));
    const listed = await flw.transactions({ from: '2027-01-01', to: '2027-05-05' });
    expect(listed).toMatchObject({
      message: 'Transactions fetched',
      meta: { page_info: { total: 2, current_page: 1, total_pages: 1 } },
      data: [{ tx_ref: 'tokenized-c-002' }, { tx_ref: 'tokenized-c-001' }],
    });
    for (const row of listed.data) conforms('row', row);
    expect((await flw.transactions({ from: '2027-03-02' })).data).toEqual([]);
    expect((await flw.transactions({ status: 'failed' })).data).toMatchObject([{ tx_ref: 'tokenized-c-002' }]);
    expect((await flw.transactions({ tx_ref: 'tokenized-c-001' })).data).toHaveLength(1);
  });

  it('refund in part, list the refunds, and cannot refund more', async () => {
    const { data } = await flw.tokenized(tokenCharge());
    const refunded = await flw.refund({ id: String(data.id), amount: '10' });
    expect(refunded).toMatchObject({
      message: 'Transaction refund initiated',
      data: { tx_id: data.id, amount_refunded: 10, status: 'completed' },
    });
    conforms('refund', refunded.data);
    expect((await flw.refunds(String(data.id))).data).toMatchObject([{ id: refunded.data.id }]);
    expect(await flw.refund({ id: String(data.id), amount: '1991' })).toMatchObject({ status: 'error' });
  });

  it('open a hosted page', async () => {
    const opened = await flw.payment({
      tx_ref: 'page-001',
      amount: '7500',
      currency: 'NGN',
      redirect_url: 'https://shop.example/back',
      customer: { email: 'user@example.com', name: 'Kim Doe', phonenumber: '09012345678' },
      customizations: { title: 'Shop' },
      max_retry_attempt: 5,
    });
    expect([opened.status, opened.message]).toEqual(['success', 'Hosted Link']);
    conforms('page', opened.data);
    expect((await fetch(opened.data.link)).status).toBe(200);
  });

  it('read the balances, and get an error for a wrong key', async () => {
    const { data } = await flw.balances();
    for (const balance of data) conforms('balance', balance);
    const refused = await call('v3/balances', {}, 'GET', 'FLWPUBK_TEST-1-X');
    expect(refused).toEqual({ status: 'error', message: 'Invalid authorization key', data: null });
  });

  it.each([
    ['today’s form', 'user@example.com', 'charge.completed'],
    ['the flat form', 'user+flat@example.com', 'CARD_TRANSACTION'],
  ])('are followed by a callback in %s, which is sent again when asked for', async (_, email, type) => {
    const { data } = await flw.tokenized(tokenCharge({ email }));
    expect(await flw.resendHooks({ id: String(data.id) })).toMatchObject({ status: 'success', data: 'hook sent' });
    const sent = await callbacks();
    expect(sent).toHaveLength(2);
    for (const { raw, hash } of sent) {
      const callback = { rawBody: raw, headers: { 'verif-hash': hash }, query: {} };
      const credentials = { secret_key: KEY, webhook_secret: HASH };
      expect(verifyFlutterwaveCallback(callback, { credentials })).toBe(true);
      expect(parseFlutterwaveCallback(callback)).toMatchObject([
        { type, subject: { kind: 'payment', reference: String(data.id), ourId: 'tokenized-c-001' } },
      ]);
    }
  });

  it('find no field missing that the samples have', () => expect(mismatches).toEqual([]));
});
