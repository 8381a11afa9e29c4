import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Simulators } from '#lib/simulators/simulators.port.ts';
import { startSimulators } from '#lib/simulators/simulators.ts';
import recorded from '#test/fixtures/paystack/recorded-answers.json' with { type: 'json' };

/**
 * Paystack's own library is published without its code, so no library can drive the simulator. The requests here are
 * written as Paystack's samples write them (github.com/PaystackOSS/doc-code-snippets, read 2026-11): amounts as text,
 * JSON with and without a content type, networks in capitals. A response must have every field of the documented one.
 */
const KEY = 'sk_test_r3m3mb3r2pu70nasm1l3';
const FEE_KEY = 'sk_test_customerfee_pu70nasm1l3';

// biome-ignore lint/suspicious/noExplicitAny: the documented JSON is compared field by field.
type Json = any;
type Webhook = { readonly raw: string; readonly signature: string };

let calls = 0;
let compared = 0;
let mismatches = 0;
let simulators: Simulators;
let webhooks: Webhook[];
let closeEndpoint: () => void;

beforeEach(async () => {
  webhooks = [];
  const endpoint = createServer(async (request, response) => {
    webhooks.push({
      raw: (await request.toArray()).join(''),
      signature: String(request.headers['x-paystack-signature']),
    });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  closeEndpoint = () => {
    endpoint.closeAllConnections();
    endpoint.close();
  };
  simulators = await startSimulators({
    port: 0,
    database: ':memory:',
    clock: { now: () => new Date('2027-03-01T10:00:00Z') },
    webhookBase: () => `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`,
    protect: { seal: (text) => text, open: (text) => text },
  });
  for (const secret_key of [KEY, FEE_KEY]) simulators.registerAccount('paystack', { secret_key });
});
afterEach(async () => {
  await simulators.close();
  closeEndpoint();
});
afterAll(() =>
  console.log(`paystack, by its samples: ${calls} calls, ${compared} responses compared, ${mismatches} mismatches`),
);

type Sending = { readonly key?: string; readonly type?: string | null };

async function call(
  method: string,
  path: string,
  body?: object,
  { key = KEY, type = 'application/json' }: Sending = {},
) {
  calls += 1;
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    ...(type !== null && { 'content-type': type }),
  };
  // A buffer gets no content type of its own.
  const sent = body === undefined ? null : new TextEncoder().encode(JSON.stringify(body));
  const response = await fetch(`${simulators.base}/paystack${path}`, { method, headers, body: sent });
  const json: Json = await response.json();
  return { status: response.status, body: json, data: json.data };
}

/** The documented data of an answer. */
function documented(given: string): Json {
  const found = recorded.find((answer) => answer.given === given)?.answers.at(-1)?.body as Json;
  if (found === undefined) throw new Error(`No recorded answer is named ${given}.`);
  return found.data;
}

/** Every field of the documented object, also within objects, is in ours. */
function lacking(ours: Json, theirs: Json, at = ''): readonly string[] {
  return Object.entries(theirs).flatMap(([name, value]) => {
    if (!(name in ours)) return [`${at}${name}`];
    const inner = ours[name];
    const isObject = [value, inner].every((each) => typeof each === 'object' && each !== null && !Array.isArray(each));
    return isObject ? lacking(inner, value, `${at}${name}.`) : [];
  });
}

function expectDocumented(ours: Json, given: string, unless: readonly string[] = []): void {
  const missing = lacking(ours, documented(given)).filter((name) => !unless.includes(name));
  compared += 1;
  mismatches += missing.length;
  expect(missing).toEqual([]);
}

const card = { email: 'customer@email.com', amount: '20000', authorization_code: 'AUTH_72btv547' };

describe('the requests of Paystack’s samples on the simulator', () => {
  it('open a page, and verify it before and after it is paid', async () => {
    const opened = await call('POST', '/transaction/initialize', { email: 'customer@email.com', amount: '20000' });
    expect(opened).toMatchObject({ status: 200, body: { status: true, message: 'Authorization URL created' } });
    expectDocumented(opened.data, 'a page for the customer');
    const verify = () => call('GET', `/transaction/verify/${opened.data.reference}`);
    expect((await verify()).data).toMatchObject({ status: 'abandoned', amount: 20_000, fees: null });
    simulators.complete('paystack', opened.data.reference, 'succeeded');
    const { body, data } = await verify();
    expect([body.message, data.status]).toEqual(['Verification successful', 'success']);
    expectDocumented(data, 'a look-up of a charge whose customer bears the fees');
    expect((await call('GET', `/transaction/${data.id}`)).data).toMatchObject({ reference: opened.data.reference });
  });

  it.each([
    ['with a content type', 'application/json'],
    ['without one', null],
  ])('charge a stored card, in JSON %s', async (_, type) => {
    const charged = await call('POST', '/transaction/charge_authorization', card, { type });
    expect(charged).toMatchObject({ status: 200, body: { status: true, message: 'Charge attempted' } });
    expect(charged.data).toMatchObject({ status: 'success', amount: 20_000, currency: 'NGN' });
    expectDocumented(charged.data, 'a stored card that was charged');
  });

  it('charge an account whose customers bear the fees', async () => {
    const { data } = await call('POST', '/transaction/charge_authorization', card, { key: FEE_KEY });
    expect(data).toMatchObject({ requested_amount: 20_000, fees: 300, amount: 20_300 });
    const refunded = await call('POST', '/refund', { transaction: data.reference }, { key: FEE_KEY });
    expect(refunded.data.amount).toBe(20_300);
  });

  it.each([
    ['Security_violation', 'Security violation'],
    ['Transaction_Pending', 'Transaction Pending'],
    ['Duplicate_transaction', 'Duplicate transaction'],
  ])('are declined in the words that the test card says_%s asks for', async (words, sentence) => {
    const declined = { ...card, authorization_code: `says_${words}`, reference: 'ref-1' };
    const { status, data } = await call('POST', '/transaction/charge_authorization', declined);
    expect([status, data.status, data.gateway_response]).toEqual([200, 'failed', sentence]);
    expectDocumented(data, 'a failed charge: “Declined”');
    expect((await call('GET', '/transaction/verify/ref-1')).data).toMatchObject({ gateway_response: sentence });
  });

  it('charge a phone, with the network in capitals as in small letters', async () => {
    for (const provider of ['MTN', 'mtn']) {
      const mobile_money = { phone: '0553241149', provider };
      const asked = { email: 'customer@email.com', amount: 1000, currency: 'GHS', mobile_money };
      const { data } = await call('POST', '/charge', asked);
      expect(data).toMatchObject({ status: 'pay_offline' });
      expectDocumented(data, 'mobile money that the customer confirms on the phone');
      expect((await call('GET', `/charge/${data.reference}`)).data.status).toBe('pay_offline');
      simulators.complete('paystack', data.reference, 'succeeded');
      expect((await call('GET', `/charge/${data.reference}`)).data).toMatchObject({ status: 'success', amount: 1000 });
    }
  });

  it('charge a bank account step by step', async () => {
    const bank = { code: '057', account_number: '0000000000' };
    const asked = await call('POST', '/charge', { email: 'customer@email.com', amount: '10000', bank });
    expectDocumented(asked.data, 'a charge that waits for the customer: send_birthday');
    const { reference } = asked.data;
    const born = await call('POST', '/charge/submit_birthday', { birthday: '1961-09-21', reference });
    expect(born.data.status).toBe('send_otp');
    expect((await call('POST', '/charge/submit_otp', { otp: '123456', reference })).data.status).toBe('success');
  });

  it('refund a charge, list the refunds of a day and fetch one', async () => {
    const charged = await call('POST', '/transaction/charge_authorization', card);
    const refunded = await call('POST', '/refund', { transaction: charged.data.reference, amount: '5000' });
    expect(refunded.body).toMatchObject({ status: true, message: 'Refund has been queued for processing' });
    expect(refunded.data).toMatchObject({ status: 'pending', amount: 5_000, transaction: { id: charged.data.id } });
    const listed = await call('GET', '/refund?perPage=50&page=1&from=2027-03-01');
    expect(listed.data).toMatchObject([{ id: refunded.data.id, transaction: charged.data.id, status: 'processed' }]);
    expect(listed.data[0]).not.toHaveProperty('transaction_reference');
    expectDocumented(listed.data[0], 'a refund that is processed');
    const fetched = await call('GET', `/refund/${refunded.data.id}`);
    expectDocumented(fetched.data, 'a refund that is processed');
    expect(fetched.data).toMatchObject({ transaction: charged.data.id, currency: 'NGN' });
  });

  it('are refused with a sentence, and what to do next', async () => {
    const unknown = await call('GET', '/transaction/verify/unknown');
    expect(unknown).toMatchObject({ status: 404, body: { status: false, code: 'transaction_not_found' } });
    const empty = await call('POST', '/transaction/initialize', { amount: '20000' });
    expect(empty).toMatchObject({ status: 400, body: { status: false, meta: { nextStep: expect.any(String) } } });
    expect(await call('GET', '/balance', undefined, { key: 'pk_test_1' })).toMatchObject({ status: 401 });
    await call('POST', '/transaction/charge_authorization', { ...card, reference: 'ref-1' });
    const again = await call('POST', '/transaction/charge_authorization', { ...card, reference: 'ref-1' });
    expect(again.body).toMatchObject({ status: false, message: 'Duplicate Transaction Reference' });
  });

  it('lead to a callback that the documented signature verifies', async () => {
    const { data } = await call('POST', '/transaction/charge_authorization', card);
    await simulators.idle();
    const [{ raw, signature }] = webhooks as [Webhook];
    const event = JSON.parse(raw);
    expect(event).toMatchObject({ event: 'charge.success', data: { reference: data.reference } });
    const signatures = [KEY, FEE_KEY].map((key) => createHmac('sha512', key).update(raw).digest('hex'));
    expect(signatures).toContain(signature);
    expectDocumented(event.data, 'a look-up of a charge whose customer bears the fees');
  });
});
