import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import Razorpay from 'razorpay';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSimulators } from '#lib/simulators/simulators.ts';

/**
 * Razorpay's own library (razorpay-node, with its axios) makes real calls to the simulator. It knows nothing of our
 * adapter, and parses what it gets without a check: so every entity is held against the fields that the library's types
 * and Razorpay's documents always show.
 */
const KEY = { key_id: 'rzp_test_sdk', key_secret: 'secret_of_the_sdk', webhook_secret: 'webhook secret of the sdk' };
const START = Date.parse('2027-03-01T10:00:00Z');

/** JSON of which a test asserts a few fields. */
// biome-ignore lint/suspicious/noExplicitAny: the library returns what the API sends, whatever its types say.
type Json = any;

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  order: 'id entity amount amount_paid amount_due currency receipt offer_id status attempts notes created_at'.split(
    ' ',
  ),
  payment:
    `id entity amount currency status order_id invoice_id international method amount_refunded refund_status captured
     description card_id bank wallet vpa email contact notes fee tax error_code error_description error_source
     error_step error_reason acquirer_data created_at`.split(/\s+/),
  refund: `id entity amount currency payment_id notes receipt acquirer_data created_at batch_id status speed_processed
     speed_requested`.split(/\s+/),
  payment_link:
    `accept_partial amount amount_paid cancelled_at created_at currency customer description expire_by expired_at
     first_min_partial_amount id notes notify payments reference_id reminder_enable reminders short_url status
     updated_at upi_link user_id`.split(/\s+/),
};

const kindOf = ({ entity, id }: Json): string =>
  typeof id === 'string' && id.startsWith('plink_') ? 'payment_link' : String(entity);

let calls = 0;
let checked = 0;
const mismatches: string[] = [];

/** Every entity in a response. */
function check(value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = 'id' in value ? FIELDS[kindOf(value)] : undefined;
  if (fields) {
    checked += 1;
    mismatches.push(
      ...fields.filter((field) => value[field] === undefined).map((field) => `${kindOf(value)} lacks ${field}`),
    );
  }
  Object.values(value).forEach(check);
}

async function startTestbed() {
  let now = START;
  const webhooks: { readonly raw: string; readonly headers: IncomingHttpHeaders }[] = [];
  const endpoint = createServer(async (request, response) => {
    webhooks.push({ raw: (await request.toArray()).join(''), headers: request.headers });
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
  /** The library speaks to `/v1`; the simulator serves each provider below its name. */
  const clientOf = (key_id = KEY.key_id): Json => {
    const client: Json = new Razorpay({ key_id, key_secret: KEY.key_secret });
    client.api.rq.defaults.baseURL = `${simulators.base}/razorpay`;
    const seen = (response: Json) => {
      calls += 1;
      check(response?.data);
    };
    client.api.rq.interceptors.response.use(
      (response: Json) => {
        seen(response);
        return response;
      },
      (error: Json) => {
        seen(error.response);
        return Promise.reject(error);
      },
    );
    return client;
  };
  return {
    simulators,
    clientOf,
    advance: (ms: number) => {
      now += ms;
    },
    browse: (url: string, choice: string) =>
      fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ do: choice }) }),
    money: (paymentId: string) => simulators.calls({ payment_id: paymentId }).charges[paymentId],
    webhooks: async () => {
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

let s: Awaited<ReturnType<typeof startTestbed>>;
let razorpay: Json;
beforeEach(async () => {
  s = await startTestbed();
  razorpay = s.clientOf();
});
afterEach(() => s.close());
afterAll(() => {
  console.log(`razorpay-node: ${calls} calls, ${checked} entities checked, ${mismatches.length} mismatches`);
});

const ORDER = { amount: 2000, currency: 'INR', receipt: 'order 7', notes: { payment_id: 'pay_1' } };
const newOrder = (change: object = {}): Promise<Json> => razorpay.orders.create({ ...ORDER, ...change });

const CONTACT = { email: 'kim@example.com', contact: '+919876543210' };
const pay = async (token: string, change: object = {}): Promise<Json> => {
  const order = await newOrder({ receipt: `order of ${token}` });
  const { amount, currency, id: order_id } = order;
  return razorpay.payments.createPaymentJson({
    amount,
    currency,
    order_id,
    ...CONTACT,
    method: 'card',
    token,
    ...change,
  });
};
const paid = async (token = 'ok'): Promise<Json> => razorpay.payments.fetch((await pay(token)).razorpay_payment_id);

/** The library rejects with a plain object. */
const failureOf = (call: Promise<unknown>): Promise<Json> =>
  call.then(
    () => expect.fail('The call should have failed.'),
    (error) => error,
  );

describe("an order in Razorpay's library", () => {
  it('is created, fetched, found by its receipt, changed and listed newest first', async () => {
    const order = await newOrder();
    expect(order).toMatchObject({ entity: 'order', status: 'created', amount_due: 2000, attempts: 0 });
    expect(await razorpay.orders.fetch(order.id)).toEqual(order);
    expect((await razorpay.orders.all({ receipt: 'order 7' })).items).toEqual([order]);
    const edited = await razorpay.orders.edit(order.id, { notes: { shop: 'Socks' } });
    expect(edited.notes).toEqual({ shop: 'Socks' });
    s.advance(60_000);
    const other = await newOrder({ receipt: 'order 8', notes: {} });
    expect(other.notes).toEqual([]);
    const ids = async (filter: object) => (await razorpay.orders.all(filter)).items.map(({ id }: Json) => id);
    expect(await ids({})).toEqual([other.id, order.id]);
    expect(await ids({ count: 1, skip: 1 })).toEqual([order.id]);
    expect(await ids({ from: START / 1000 + 30 })).toEqual([other.id]);
    expect(await ids({ to: new Date(START + 30_000).toISOString() })).toEqual([order.id]);
    expect(await ids({ authorized: 1 })).toEqual([]);
  });

  it('is refused below its minimum, and with another key', async () => {
    expect(await failureOf(newOrder({ amount: 99 }))).toMatchObject({
      statusCode: 400,
      error: { code: 'BAD_REQUEST_ERROR', reason: 'amount_less_than_minimum_amount' },
    });
    expect(await failureOf(razorpay.orders.fetch('order_unknown'))).toMatchObject({ statusCode: 400 });
    expect(await failureOf(s.clientOf('rzp_test_revoked').orders.all())).toMatchObject({ statusCode: 401 });
  });
});

describe("a payment in Razorpay's library", () => {
  it('is started, fetched, listed and changed', async () => {
    const payment = await paid();
    expect(payment).toMatchObject({ status: 'captured', captured: true, fee: 40, fee_bearer: 'platform' });
    expect((await razorpay.orders.fetchPayments(payment.order_id)).items).toEqual([payment]);
    expect((await razorpay.payments.all()).items).toEqual([payment]);
    expect((await razorpay.payments.all({ from: START / 1000 + 60 })).count).toBe(0);
    const edited = await razorpay.payments.edit(payment.id, { notes: { shop: 'Socks' } });
    expect(edited).toMatchObject({ id: payment.id, notes: { shop: 'Socks' } });
    expect(s.money('pay_1')).toMatchObject({ amount: 2000, count: 1 });
  });

  it('is only authorized, then captured once and as a whole', async () => {
    const order = await newOrder({ payment: { capture: 'manual' } });
    const { razorpay_payment_id: id } = await razorpay.payments.createPaymentJson({
      amount: 2000,
      currency: 'INR',
      order_id: order.id,
      ...CONTACT,
      method: 'card',
      token: 'ok',
    });
    expect((await razorpay.payments.fetch(id)).status).toBe('authorized');
    expect(await failureOf(razorpay.payments.capture(id, 1999, 'INR'))).toMatchObject({ statusCode: 400 });
    expect(await razorpay.payments.capture(id, 2000, 'INR')).toMatchObject({ status: 'captured', amount: 2000 });
    expect(await failureOf(razorpay.payments.capture(id, 2000, 'INR'))).toMatchObject({
      error: { description: 'This payment has already been captured' },
    });
  });

  it('sends the customer to a bank, to an app, or asks for a code', async () => {
    const atBank = await pay('needs_3ds');
    expect(atBank.next).toMatchObject([{ action: 'redirect' }, { action: 'otp_generate' }]);
    const inApp = await pay('', { method: 'upi', token: undefined, upi: { flow: 'intent' } });
    expect(inApp.next).toMatchObject([{ action: 'intent' }, { action: 'poll' }]);
    const { razorpay_payment_id: id } = await pay('needs_otp');
    expect((await razorpay.payments.otpGenerate(id)).next).toMatchObject([{ action: 'otp_submit' }, {}]);
    expect(await failureOf(razorpay.payments.otpSubmit(id, { otp: '1' }))).toMatchObject({
      error: { reason: 'incorrect_otp', metadata: { payment_id: id } },
    });
    const done = await razorpay.payments.otpSubmit(id, { otp: '1234' });
    expect(done).toMatchObject({
      razorpay_payment_id: id,
      razorpay_signature: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await razorpay.payments.fetch(id)).status).toBe('captured');
  });

  it.each([
    ['decline_card_declined', 'card_declined', 'issuer_bank'],
    ['decline_pin_attempts_exceeded', 'pin_attempts_exceeded', 'customer'],
    ['decline_payment_amount_tampered', 'payment_amount_tampered', 'business'],
    ['decline_payment_pending', 'payment_pending', 'gateway'],
    ['decline_deemed_transaction', 'deemed_transaction', 'gateway'],
  ])('fails with %s for %s of %s', async (token, reason, source) => {
    const { statusCode, error } = await failureOf(pay(token));
    expect([statusCode, error.code, error.reason, error.source]).toEqual([400, 'BAD_REQUEST_ERROR', reason, source]);
    expect(await razorpay.payments.fetch(error.metadata.payment_id)).toMatchObject({
      status: 'failed',
      error_reason: reason,
      order_id: error.metadata.order_id,
    });
    expect(s.money('pay_1')).toBeUndefined();
  });

  it('that failed without a decision is authorized days later', async () => {
    const { error } = await failureOf(pay('decline_payment_pending'));
    const { payment_id: id } = error.metadata;
    s.advance(2 * 86_400_000);
    s.simulators.complete('razorpay', id, 'succeeded');
    expect(await razorpay.payments.fetch(id)).toMatchObject({ status: 'captured', error_reason: null });
  });

  it.each([
    ['customer_fee', 'customer', 2040],
    ['shared_fee', 'dynamic', 2020],
  ])('has the fee in its amount with %s, and its order is for the price', async (token, fee_bearer, amount) => {
    const payment = await paid(token);
    expect(payment).toMatchObject({ status: 'captured', amount, fee: 40, fee_bearer });
    expect(await razorpay.orders.fetch(payment.order_id)).toMatchObject({ status: 'paid', amount_paid: 2000 });
    expect(s.money('pay_1')).toMatchObject({ amount: 2000, count: 1 });
  });

  it('shows its card only if it is asked for', async () => {
    const { id } = await paid();
    expect(await razorpay.payments.fetch(id)).not.toHaveProperty('card');
    // The library's own `expand` writes another parameter than Razorpay documents.
    const expanded: Json = await razorpay.api.get({ url: `/payments/${id}`, data: { 'expand[]': 'card' } });
    expect(expanded.card).toMatchObject({ entity: 'card', last4: '1007', network: 'Visa', type: 'credit' });
  });

  it('of a saved method is made without the customer', async () => {
    const order = await newOrder({ payment_capture: true });
    const recurring = {
      amount: 2000,
      currency: 'INR',
      order_id: order.id,
      ...CONTACT,
      customer_id: 'cust_1',
      token: 'token_1',
      recurring: true,
    };
    const { razorpay_payment_id: id } = await razorpay.payments.createRecurringPayment(recurring);
    const kept = { token_id: 'token_1', customer_id: 'cust_1' };
    expect(await razorpay.payments.fetch(id)).toMatchObject({ status: 'captured', ...kept });
  });
});

describe("a refund in Razorpay's library", () => {
  it('is made, fetched, changed and listed', async () => {
    const { id: payment } = await paid();
    const refund = await razorpay.payments.refund(payment, { amount: 500, receipt: 'refund 1', notes: {} });
    expect(refund).toMatchObject({ entity: 'refund', amount: 500, payment_id: payment, status: 'processed' });
    expect(await razorpay.refunds.fetch(refund.id)).toEqual(refund);
    expect(await razorpay.payments.fetchRefund(payment, refund.id)).toEqual(refund);
    expect((await razorpay.refunds.edit(refund.id, { notes: { why: 'size' } })).notes).toEqual({ why: 'size' });
    const other = await razorpay.payments.refund(payment, {});
    expect(other.amount).toBe(1500);
    const listed = await razorpay.payments.fetchMultipleRefund(payment, {});
    expect(listed.items.map(({ id }: Json) => id)).toEqual([other.id, refund.id]);
    const all = await razorpay.refunds.all({ count: 1 });
    expect(all.items.map(({ id }: Json) => id)).toEqual([other.id]);
    expect(await failureOf(razorpay.payments.refund(payment, {}))).toMatchObject({
      error: { description: 'The payment has been fully refunded already' },
    });
    expect(await razorpay.payments.fetch(payment)).toMatchObject({ status: 'refunded', refund_status: 'full' });
    expect(s.money('pay_1')).toMatchObject({ amount: 2000, refunded: 2000 });
  });
});

describe("a payment link in Razorpay's library", () => {
  const LINK = { amount: 2000, currency: 'INR', reference_id: 'att 1', notes: { payment_id: 'pay_1' } };

  it.each([
    ['pay', 2000],
    ['fee', 2040],
  ])('is made, paid with the button %s, fetched and listed', async (button, amount) => {
    const link = await razorpay.paymentLink.create(LINK);
    expect(link).toMatchObject({ status: 'created', amount_paid: 0, payments: null });
    await s.browse(link.short_url, button);
    const paidLink = await razorpay.paymentLink.fetch(link.id);
    expect(paidLink).toMatchObject({ status: 'paid', amount_paid: 2000 });
    const [{ payment_id }] = paidLink.payments;
    expect(await razorpay.payments.fetch(payment_id)).toMatchObject({ status: 'captured', amount });
    const found = await razorpay.paymentLink.all({ reference_id: 'att 1' });
    expect(found.payment_links.map(({ id }: Json) => id)).toEqual([link.id]);
    expect((await razorpay.paymentLink.all({ payment_id })).payment_links).toHaveLength(1);
    expect(await failureOf(razorpay.paymentLink.cancel(link.id))).toMatchObject({ statusCode: 400 });
  });

  it('is changed and canceled', async () => {
    const { id } = await razorpay.paymentLink.create(LINK);
    expect((await razorpay.paymentLink.edit(id, { notes: { shop: 'Socks' } })).notes).toEqual({ shop: 'Socks' });
    expect((await razorpay.paymentLink.cancel(id)).status).toBe('cancelled');
    expect((await razorpay.paymentLink.all()).payment_links).toMatchObject([{ id, status: 'cancelled' }]);
  });
});

it("sends callbacks that Razorpay's library verifies, and no other secret does", async () => {
  const { id } = await paid();
  await failureOf(pay('decline_card_declined'));
  await razorpay.payments.refund(id, {});
  const webhooks = await s.webhooks();
  const types = webhooks.map(({ raw, headers }) => {
    const signature = String(headers['x-razorpay-signature']);
    expect(Razorpay.validateWebhookSignature(raw, signature, KEY.webhook_secret)).toBe(true);
    expect(Razorpay.validateWebhookSignature(raw, signature, 'another secret')).toBe(false);
    const event = JSON.parse(raw);
    check(event.payload);
    return event.event;
  });
  for (const type of ['payment.captured', 'order.paid', 'payment.failed', 'refund.processed'])
    expect(types).toContain(type);
});

it('shows every documented field of every entity', () => {
  expect(mismatches).toEqual([]);
  expect(checked).toBeGreaterThan(70);
});
