import { Client, HTTPClient } from 'mollie-api-typescript';
import { SignatureValidator } from 'mollie-api-typescript/utils/webhooks/signature_validator.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mollieDocument } from '#test/contract/mollie-requests.support.ts';
import { KEY, startTestbed, type Testbed } from '#test/contract/mollie-simulator.support.ts';
import { specsThere } from '#test/contract/openapi-check.ts';

/**
 * Mollie's own library makes real calls to the simulator. It checks each answer against its schemas, and throws where a
 * field is missing or of another type. Where Mollie's document is at hand, each answer is held against it as well.
 */
const SECRET = 'secret_of_the_shop';
const { answerFaults } = specsThere ? mollieDocument() : { answerFaults: () => [] };

let s: Testbed;
let calls = 0;
const mismatches: string[] = [];

async function throughSimulator(input: unknown, init?: RequestInit): Promise<Response> {
  const response = await fetch(input as Request, init);
  const { pathname } = new URL(response.url);
  const { method } = input as Request;
  calls += 1;
  const text = await response.clone().text();
  // The document names no 401, which every call can get.
  if (text !== '' && response.status !== 401)
    mismatches.push(...answerFaults(method, pathname.replace(/^\/mollie/, ''), response.status, JSON.parse(text)));
  return response;
}

const clientOf = (apiKey = KEY) =>
  new Client({
    security: { apiKey },
    serverURL: `${s.simulators.base}/mollie`,
    httpClient: new HTTPClient({ fetcher: throughSimulator as typeof fetch }),
    retryConfig: { strategy: 'none' },
  });

let mollie: Client;
beforeAll(async () => {
  s = await startTestbed({ secret: SECRET });
  mollie = clientOf();
});
afterAll(async () => {
  console.log(`mollie-api-typescript: ${calls} calls, ${mismatches.length} mismatches`);
  await s.close();
});

type CreateRequest = NonNullable<Parameters<Client['payments']['create']>[0]>;
type PaymentRequest = NonNullable<CreateRequest['paymentRequest']>;

const charge = (paymentId: string, change: Partial<PaymentRequest> = {}): CreateRequest => ({
  paymentRequest: {
    description: 'Order 7',
    amount: { currency: 'EUR', value: '20.00' },
    redirectUrl: 'http://localhost:3000/back',
    webhookUrl: `https://pay.example/webhooks/mollie?payment_id=${paymentId}`,
    metadata: { payment_id: paymentId },
    method: 'creditcard',
    ...change,
  },
});
const create = (paymentId: string, change?: Partial<PaymentRequest>) =>
  mollie.payments.create(charge(paymentId, change));
const byToken = (paymentId: string, cardToken: string) => create(paymentId, { cardToken });
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('The call should have failed.'),
    (error: unknown) => error,
  );

describe('Mollie’s library on payments of the simulator', () => {
  it.each<[string, string, object]>([
    ['a paid card', 'ok', { status: 'paid', details: { cardLabel: 'Mastercard' } }],
    ['a pending charge', 'pending', { status: 'pending' }],
    ['an authorized charge', 'authorized', { status: 'authorized' }],
    ['a card that must be authenticated', 'needs_3ds', { status: 'open' }],
    [
      'a card without money',
      'decline_insufficient_funds',
      {
        status: 'failed',
        details: { failureReason: 'insufficient_funds' },
        statusReason: { code: 'insufficient_funds' },
      },
    ],
    ['a stolen card', 'failed_stolen_card', { status: 'failed', statusReason: { code: 'stolen_card' } }],
    [
      'a suspicion of fraud',
      'failed_possible_fraud',
      { status: 'failed', details: { failureReason: 'possible_fraud' } },
    ],
    ['an approved charge that failed', 'failed_vip_approval', { statusReason: { code: 'vip_approval' } }],
    ['a customer who gave up', 'decline_customer_canceled', { status: 'canceled' }],
    ['a charge that expired', 'decline_expired', { status: 'expired' }],
  ])('reads all of %s, when it is made and when it is looked up', async (_, token, expected) => {
    const made = await byToken('pay_1', token);
    expect(made).toMatchObject(expected);
    expect(await mollie.payments.get({ paymentId: made.id })).toMatchObject({ id: made.id, ...expected });
  });

  it('reads a payment that waits on its page, and one that was paid there', async () => {
    const open = await create('pay_2');
    expect(open).toMatchObject({ status: 'open', isCancelable: false });
    const page = open.links.checkout?.href ?? '';
    await s.browse(page, 'pay');
    expect((await mollie.payments.get({ paymentId: open.id })).status).toBe('paid');
  });

  it('gets the same payment for the same key', async () => {
    const request = { ...charge('pay_3', { cardToken: 'ok' }), idempotencyKey: 'att_pay_3' };
    const [first, second] = [await mollie.payments.create(request), await mollie.payments.create(request)];
    expect([second.id, s.money('pay_3')?.count]).toEqual([first.id, 1]);
  });

  it('reads a debit under a mandate that the bank returns', async () => {
    const debit = { sequenceType: 'recurring', method: 'directdebit', customerId: 'cst_1' } as const;
    expect(await create('pay_4', debit)).toMatchObject({
      status: 'pending',
      mandateId: expect.stringMatching(/^mdt_/),
    });
    expect(await create('pay_5', { ...debit, mandateId: 'failed_AM04' })).toMatchObject({
      status: 'failed',
      details: { bankReasonCode: 'AM04' },
    });
  });

  it('captures and releases an authorized payment', async () => {
    const { id } = await byToken('pay_6', 'authorized');
    const entityCapture = { amount: { currency: 'EUR', value: '5.00' } };
    expect(await mollie.captures.create({ paymentId: id, entityCapture })).toMatchObject({ status: 'succeeded' });
    await mollie.payments.releaseAuthorization({ paymentId: id });
    expect(await mollie.payments.get({ paymentId: id })).toMatchObject({
      status: 'paid',
      amountCaptured: { value: '5.00' },
    });
  });

  it('cancels a bank transfer', async () => {
    const { id } = await create('pay_7', { method: 'banktransfer' });
    expect((await mollie.payments.cancel({ paymentId: id })).status).toBe('canceled');
  });

  it('makes a customer, whose first payment leaves a mandate that later payments are made with', async () => {
    const { id: customerId } = await mollie.customers.create({ entityCustomer: { metadata: { customer: 'cus_1' } } });
    const first = await create('pay_9', { sequenceType: 'first', customerId, cardToken: 'ok' });
    expect(first).toMatchObject({ status: 'paid', customerId, details: { cardExpiryDate: '12/30' } });
    const listed = [];
    for await (const { result } of await mollie.mandates.list({ customerId })) listed.push(...result.embedded.mandates);
    expect(listed).toMatchObject([{ id: first.mandateId, status: 'valid', method: 'creditcard' }]);
    const again = { sequenceType: 'recurring', customerId, mandateId: first.mandateId ?? '' } as const;
    expect(await create('pay_10', again)).toMatchObject({ status: 'paid', mandateId: first.mandateId });
    expect((await mollie.methods.list({ sequenceType: 'first' })).embedded.methods.length).toBeGreaterThan(3);
  });

  it('takes an order with its lines and addresses, and shows that a card was authenticated', async () => {
    const euros = (value: string) => ({ currency: 'EUR', value });
    const { id, links } = await create('pay_11', {
      cardToken: 'needs_3ds',
      billingAddress: { givenName: 'Ada', familyName: 'Byron', email: 'ada@example.com' },
      lines: [
        { description: 'Mug', quantity: 2, unitPrice: euros('10.50'), totalAmount: euros('21.00') },
        { type: 'discount', description: 'Code', quantity: 1, unitPrice: euros('-1.00'), totalAmount: euros('-1.00') },
      ],
    });
    await s.browse(links.checkout?.href ?? '', 'authenticate');
    expect(await mollie.payments.get({ paymentId: id })).toMatchObject({
      status: 'paid',
      details: { card3dsEci: '02' },
    });
  });

  it.each<[string, () => Promise<unknown>, number, string | undefined, string?]>([
    [
      'a callback address on this machine',
      () => create('p', { webhookUrl: 'http://localhost:4001/webhooks' }),
      422,
      'webhookUrl',
    ],
    ['a wrong amount', () => create('p', { amount: { currency: 'EUR', value: '20' } }), 422, 'amount.value'],
    ['an unknown token', () => byToken('p', 'pm_card_visa'), 422, 'cardToken'],
    ['a payment that is not there', () => mollie.payments.get({ paymentId: 'tr_nobody' }), 404, undefined],
    [
      'a revoked key',
      () => clientOf('test_revoked_1').payments.create(charge('p')),
      401,
      undefined,
      'ClientDefaultError',
    ],
  ])('throws its own error for %s', async (_, call, statusCode, field, name = 'ErrorResponse') => {
    const error = await errorOf(call());
    expect(error).toMatchObject({ name, statusCode });
    expect(Object(error).field).toBe(field);
  });
});

describe('Mollie’s library on refunds of the simulator', () => {
  it('makes, reads, lists and cancels them', async () => {
    const { id: paymentId } = await byToken('pay_8', 'ok');
    const refundOf = (value: string) => ({
      amount: { currency: 'EUR', value },
      description: 'Back',
      metadata: { n: value },
    });
    const first = await mollie.refunds.create({ paymentId, refundRequest: refundOf('5.00') });
    expect(first).toMatchObject({ status: 'pending', paymentId });
    const second = await mollie.refunds.create({ paymentId, refundRequest: refundOf('2.50') });
    await mollie.refunds.cancel({ paymentId, refundId: second.id });
    s.advance(2_000);
    await s.simulators.idle();
    expect(await mollie.refunds.get({ paymentId, refundId: first.id })).toMatchObject({ status: 'refunded' });
    const pages = await mollie.refunds.list({ paymentId, limit: 50 });
    const listed: string[] = [];
    for await (const { result } of pages) listed.push(...result.embedded.refunds.map(({ status }) => String(status)));
    expect(listed).toEqual(['canceled', 'refunded']);
    expect((await mollie.payments.get({ paymentId })).amountRefunded).toEqual({ currency: 'EUR', value: '5.00' });
  });
});

it('Mollie’s library reads its own profile from the simulator', async () => {
  expect(await mollie.profiles.getCurrent()).toMatchObject({ name: 'Sock Shop BV', mode: 'test' });
});

it('Mollie’s library accepts the signature of every event that the simulator sent', async () => {
  await s.simulators.idle();
  const events = s.webhooks.filter(({ raw }) => raw.startsWith('{'));
  expect(events.length).toBeGreaterThan(12);
  for (const { raw, signature } of events)
    expect(await SignatureValidator.validate(raw, SECRET, signature ?? null)).toBe(true);
  const [{ raw, signature } = { raw: '', signature: undefined }] = events;
  await expect(SignatureValidator.validate(`${raw} `, SECRET, signature ?? null)).rejects.toThrow();
});

it('finds nothing in the answers that Mollie’s document does not have', () => {
  expect(calls).toBeGreaterThan(35);
  expect(mismatches).toEqual([]);
});
