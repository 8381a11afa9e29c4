import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  aPaymentBody,
  type Body,
  type CallOptions,
  HANG_UP_AFTER_MS,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import {
  act,
  advance,
  anIntent,
  arrange,
  aShop,
  askProvider,
  bring,
  callsAbout,
  complete,
  create,
  drain,
  eventText,
  eventTypesOf,
  moneyOf,
  operationsOf,
  pay,
  payAnywhere,
  read,
  type Shop,
} from '#test/support/payment-steps.ts';

let host: TestHost;
let shop: Shop;
let how: CallOptions;
beforeAll(async () => {
  host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS });
  // A shop whose first connection is preferred despite its failures, of which these tests cause many.
  shop = await aShop(host, { a: { routing_hints: { method_bias: { card: 1 } } }, b: {} });
  how = { key: shop.key };
});
afterEach(async () => {
  await host.control('DELETE', '/psp/scenario');
  // So many calls fail here that the first connection is unhealthy for a while.
  await advance(host, '6m');
});
afterAll(() => host.close());

const withoutResponse = (behaviour: string, times = 1, more = {}) =>
  arrange(host, behaviour, { webhook: 'none', times, ...more });
const readPayment = (id: string) => read(host, id, how);
const typesOf = (id: string) => eventTypesOf(host, id, how);

/** A payment whose first call had no outcome, and for which no callback came. */
async function unknown(behaviour: string, times = 1, token = 'ok'): Promise<Body> {
  await withoutResponse(behaviour, times);
  const payment = await payAnywhere(host, token, {}, how);
  expect([payment.status, payment.attempts.map((a: Body) => [a.connection_id, a.status, a.psp_reference])]).toEqual([
    'processing',
    [['a', 'processing', null]],
  ]);
  return payment;
}

async function verifyPaidOnce(id: string): Promise<void> {
  const payment = await readPayment(id);
  expect([
    payment.status,
    payment.late_success,
    payment.attempts.map((a: Body) => [a.connection_id, a.status]),
  ]).toEqual(['succeeded', false, [['a', 'succeeded']]]);
  expect(await moneyOf(host, id)).toMatchObject({ amount: 5_000, refunded: 0, count: 1 });
  expect(await typesOf(id)).toEqual(['created', 'succeeded']);
}

const SILENT = ['timeout_after_charge', 'timeout_before_charge', 'garbage'];

describe.each(SILENT)('a charge that ends in %s', (behaviour) => {
  it('leaves the payment processing at that provider alone', async () => {
    const { id } = await unknown(behaviour);
    expect((await moneyOf(host, id)).count).toBe(behaviour === 'timeout_before_charge' ? 0 : 1);
    expect([await operationsOf(host, id), await typesOf(id)]).toEqual([['create'], ['created']]);
  });

  it('is settled by the timer after a minute', async () => {
    const { id } = await unknown(behaviour);
    await advance(host, '50s');
    expect(await operationsOf(host, id)).toEqual(['create']);
    await advance(host, '11s');
    await verifyPaidOnce(id);
  });

  it('is settled by a GET after ten seconds, and not before', async () => {
    const { id } = await unknown(behaviour);
    expect((await readPayment(id)).status).toBe('processing');
    expect(await operationsOf(host, id)).toEqual(['create']);
    await advance(host, '11s');
    expect((await readPayment(id)).status).toBe('succeeded');
    await verifyPaidOnce(id);
  });

  it('is looked up by many requests at once, and charged once', async () => {
    const { id } = await unknown(behaviour);
    await advance(host, '11s');
    await Promise.all([1, 2, 3, 4, 5].map(() => readPayment(id)));
    await advance(host, '2m');
    await verifyPaidOnce(id);
  });

  it('is settled by the next lookup when the first has no response either', async () => {
    const { id } = await unknown(behaviour, 3);
    await advance(host, '7m');
    expect(await typesOf(id)).toEqual(['created']);
    await advance(host, '5m');
    await verifyPaidOnce(id);
  });
});

describe('a charge that the provider made and reported to nobody', () => {
  it('is found by a search when it is too late to send it again', async () => {
    const { id } = await unknown('garbage', 4);
    await advance(host, '12m');
    expect(await operationsOf(host, id)).toEqual(Array(4).fill('create'));
    await advance(host, '5m');
    expect((await operationsOf(host, id)).slice(4)).toContain('find');
    await verifyPaidOnce(id);
  });

  it("is also settled by the provider's callback", async () => {
    await arrange(host, 'garbage');
    const { id } = await payAnywhere(host, 'ok', {}, how);
    await drain(host);
    await verifyPaidOnce(id);
  });

  it('fails when the outcome is a decline, without failover', async () => {
    const { id } = await unknown('garbage', 1, 'decline_do_not_honor');
    await advance(host, '61s');
    const payment = await readPayment(id);
    expect([payment.status, payment.failure.code, payment.attempts.length]).toEqual(['failed', 'do_not_honor', 1]);
    expect([(await moneyOf(host, id)).count, await typesOf(id)]).toEqual([0, ['created', 'failed']]);
    expect((await act(host, id, 'retry', { payment_method: { type: 'card', token: 'ok' } }, how)).body.status).toBe(
      'succeeded',
    );
  });

  it('can require an action of the customer', async () => {
    const { id } = await unknown('garbage', 1, 'needs_3ds');
    await advance(host, '61s');
    expect(await readPayment(id)).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect' } });
    await complete(host, id, 'succeeded');
    expect((await act(host, id, 'confirm', undefined, how)).body.status).toBe('succeeded');
    await verifyPaidOnce(id);
  });

  it('is settled the same way for an intent', async () => {
    const { id } = await anIntent(host, 'ok', {}, how);
    await withoutResponse('timeout_after_charge');
    expect(await act(host, id, 'confirm', undefined, how)).toMatchObject({
      status: 200,
      body: { status: 'processing' },
    });
    await advance(host, '61s');
    await verifyPaidOnce(id);
  });
});

describe('while the outcome is unknown', () => {
  it.each([
    ['retry', undefined],
    ['cancel', undefined],
    ['refund', { amount: 100 }],
    ['confirm', undefined],
  ] as const)('%s gets 409 outcome_unknown with a Retry-After', async (action, body) => {
    const { id } = await unknown('timeout_after_charge');
    const answer = await act(host, id, action, body, how);
    expect(answer).toMatchObject({
      status: 409,
      body: { error: 'conflict', code: 'outcome_unknown', retry_after: expect.any(Number) },
    });
    expect(Number(answer.headers.get('retry-after'))).toBe(answer.body.retry_after);
    expect([(await readPayment(id)).status, await operationsOf(host, id)]).toEqual(['processing', ['create']]);
  });

  it('an error does not use up the idempotency key: the same request works once the outcome is known', async () => {
    const { id } = await unknown('timeout_after_charge');
    const same = { ...how, idempotencyKey: randomUUID() };
    expect((await act(host, id, 'refund', { amount: 100 }, same)).status).toBe(409);
    await advance(host, '61s');
    expect(await act(host, id, 'refund', { amount: 100 }, same)).toMatchObject({
      status: 200,
      body: { amount_refunded: 100 },
    });
    expect((await moneyOf(host, id)).refunded).toBe(100);
  });

  it('a repeat of the request gets the same response', async () => {
    await withoutResponse('timeout_after_charge');
    const same = { ...how, idempotencyKey: randomUUID() };
    const first = await create(host, aPaymentBody(), same);
    expect((await create(host, aPaymentBody(), same)).text).toBe(first.text);
    await advance(host, '61s');
    expect([(await create(host, aPaymentBody(), same)).text, (await readPayment(first.body.id)).status]).toEqual([
      first.text,
      'succeeded',
    ]);
    expect((await moneyOf(host, first.body.id)).count).toBe(1);
  });
});

/** Whether the log has the alarm that calls a person. */
const isCall = (payment_id: string, more = {}) => ({
  level: 'error',
  event: 'payment_needs_review',
  fields: expect.objectContaining({ payment_id, ...more }),
});

const MINUTES_ASKED = [0, 1, 6, 11, 16, 21, 26, 86, ...[1, 2, 3, 4, 5, 6, 7].map((day) => 86 + day * 24 * 60)];

describe('a provider that never reports what became of a charge', () => {
  it('is queried on schedule for seven days; then a review starts with an alarm, and a cancel ends it', async () => {
    const { id } = await unknown('http_500');
    await advance(host, '7d');
    expect(host.logged).not.toContainEqual(isCall(id));
    await advance(host, '2h');
    expect(await readPayment(id)).toMatchObject({
      status: 'processing',
      review: { reason: 'no_verdict', at: expect.any(String) },
    });
    const calls = await callsAbout(host, id);
    const minutes = calls.map(({ at }) => Math.round((Date.parse(at) - Date.parse(calls[0]!.at)) / 60_000));
    expect([minutes, calls.map(({ operation }) => operation)]).toEqual([
      MINUTES_ASKED,
      [...Array(4).fill('create'), ...Array(11).fill('find')],
    ]);
    expect(host.logged).toContainEqual(isCall(id));
    await advance(host, '30d');
    expect(await callsAbout(host, id)).toEqual(calls);
    expect(await act(host, id, 'cancel', undefined, how)).toMatchObject({
      status: 200,
      body: { status: 'canceled', review: null, refunds: [] },
    });
    expect([(await moneyOf(host, id)).count, await typesOf(id)]).toEqual([0, ['created', 'canceled']]);
  });

  it('gets no charge late: nothing is sent again after fifteen minutes', async () => {
    const { id } = await unknown('timeout_before_charge', 4);
    await advance(host, '10d');
    expect([(await readPayment(id)).review.reason, (await moneyOf(host, id)).count]).toEqual(['no_verdict', 0]);
  });

  it('ends the review on its own when it reports the outcome later', async () => {
    const { id } = await unknown('garbage', 4);
    await withoutResponse('http_500', 50, { match: { operation: 'find' } });
    await advance(host, '10d');
    expect((await readPayment(id)).review.reason).toBe('no_verdict');
    await host.control('DELETE', '/psp/scenario');
    const { data } = await askProvider(
      host,
      shop.credentials.a!.secret_key,
      'GET',
      `/v1/payment_intents/search?query=metadata['payment_id']:'${id}'`,
    );
    await bring(
      host,
      eventText({ type: 'payment_intent.succeeded', object: data[0] }),
      shop.credentials.a!.webhook_secret,
    );
    expect(await readPayment(id)).toMatchObject({ status: 'succeeded', review: null });
    await verifyPaidOnce(id);
  });
});

describe('a provider that certainly charged nothing', () => {
  it.each(['refuse_connection', 'rate_limited'])('fails the payment, which can be retried: %s', async (behaviour) => {
    await arrange(host, behaviour);
    const payment = await pay(host, 'ok', {}, how);
    expect(payment).toMatchObject({
      status: 'failed',
      failure: { code: 'provider_unavailable', category: 'provider_error', retryable: true },
    });
    expect([(await moneyOf(host, payment.id)).count, await typesOf(payment.id)]).toEqual([0, ['created', 'failed']]);
    expect((await act(host, payment.id, 'retry', undefined, how)).body.status).toBe('succeeded');
    expect((await moneyOf(host, payment.id)).count).toBe(1);
  });
});

describe('a slow provider', () => {
  it('is waited for', async () => {
    await arrange(host, 'slow:150');
    const payment = await pay(host, 'ok', {}, how);
    expect(payment.status).toBe('succeeded');
    expect(payment.attempts[0].latency_ms).toBeGreaterThanOrEqual(150);
  });

  it('is abandoned when the time is used up, and its charge is found later', async () => {
    const budgetMs = 500;
    const patient = await startHost({ pspBudgetMs: budgetMs });
    onTestFinished(() => patient.close());
    await arrange(patient, `slow:${budgetMs * 2}`, { webhook: 'none' });
    const { id, status } = await pay(patient);
    expect(status).toBe('processing');
    await advance(patient, '17m');
    const { attempts, ...payment } = await read(patient, id);
    expect([payment.status, payment.late_success, attempts.map((a: Body) => a.status)]).toEqual([
      'succeeded',
      false,
      ['succeeded'],
    ]);
    expect(await moneyOf(patient, id)).toMatchObject({ amount: 5_000, refunded: 0, count: 1 });
    expect(await eventTypesOf(patient, id)).toEqual(['created', 'succeeded']);
  });

  it('leaves no time for a failover: a charge that could not finish is not started', async () => {
    const patient = await startHost({ pspBudgetMs: 2_000 });
    onTestFinished(() => patient.close());
    const { key } = await aShop(patient, { a: {}, b: {} });
    await arrange(patient, 'slow:1450');
    const payment = await payAnywhere(patient, 'decline_do_not_honor', {}, { key });
    expect([payment.status, payment.failure.code, payment.attempts.length]).toEqual(['failed', 'do_not_honor', 1]);
  });
});

describe('an invocation that times out', () => {
  it.each(['timeout_after_charge', 'timeout_before_charge'])(
    'during its charge (%s) is continued by the same request again',
    async (behaviour) => {
      const hasty = await startHost({ functionTimeoutMs: 1_000 });
      onTestFinished(() => hasty.close());
      await arrange(hasty, behaviour, { webhook: 'none' });
      const customer = randomUUID();
      const ask = () => create(hasty, aPaymentBody('ok', { customer_id: customer }), { idempotencyKey: customer });
      expect((await ask()).status).toBe(503);
      expect(await ask()).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
      await advance(hasty, '36s');
      const answer = await ask();
      expect([answer.status, answer.body.status, answer.body.attempts.length]).toEqual([201, 'succeeded', 1]);
      expect(
        (await hasty.call('GET', `/v1/payments?customer_id=${customer}`)).body.payments.map((p: Body) => p.id),
      ).toEqual([answer.body.id]);
      expect([(await moneyOf(hasty, answer.body.id)).count, await eventTypesOf(hasty, answer.body.id)]).toEqual([
        1,
        ['created', 'succeeded'],
      ]);
      expect((await ask()).text).toBe(answer.text);
    },
  );

  it('while its provider is still working is settled later, with one charge', async () => {
    const hasty = await startHost({ functionTimeoutMs: 1_000 });
    onTestFinished(() => hasty.close());
    await arrange(hasty, 'slow:9000', { webhook: 'none' });
    const customer = randomUUID();
    const ask = () => create(hasty, aPaymentBody('ok', { customer_id: customer }), { idempotencyKey: customer });
    await ask();
    await advance(hasty, '36s');
    const answer = await ask();
    expect([answer.status, answer.body.status]).toEqual([201, 'processing']);
    await advance(hasty, '17m');
    expect([(await read(hasty, answer.body.id)).status, (await moneyOf(hasty, answer.body.id)).count]).toEqual([
      'succeeded',
      1,
    ]);
  });

  it('is settled by the timer without a repeat, and a late repeat gets the response', async () => {
    const hasty = await startHost({ functionTimeoutMs: 1_000 });
    onTestFinished(() => hasty.close());
    await arrange(hasty, 'timeout_after_charge', { webhook: 'none' });
    const customer = randomUUID();
    const ask = () => create(hasty, aPaymentBody('ok', { customer_id: customer }), { idempotencyKey: customer });
    await ask();
    await advance(hasty, '2m');
    const [payment] = (await hasty.call('GET', `/v1/payments?customer_id=${customer}`)).body.payments;
    expect([payment.status, (await moneyOf(hasty, payment.id)).count]).toEqual(['succeeded', 1]);
    expect(await ask()).toMatchObject({ status: 201, body: { id: payment.id, status: 'succeeded' } });
    expect((await moneyOf(hasty, payment.id)).count).toBe(1);
  });
});

describe('a payment that waits for its customer', () => {
  it('is not looked up until its time ends, and then canceled at the provider to the minute', async () => {
    const quiet = await startHost();
    onTestFinished(() => quiet.close());
    const { id } = await pay(quiet, 'needs_3ds');
    let looks = 0;
    quiet.onCall(({ group }) => {
      if (group === 'timers') looks += 1;
    });
    await advance(quiet, '5m');
    const first = looks;
    await advance(quiet, '23h');
    expect(looks).toBe(first);
    await advance(quiet, '1h');
    const calls = await callsAbout(quiet, id);
    const [made, ended] = ['create', 'cancel'].map((operation) =>
      Date.parse(calls.find((call) => call.operation === operation)?.at ?? ''),
    );
    expect([Math.round((ended! - made!) / 60_000), (await read(quiet, id)).failure.code]).toEqual([24 * 60, 'expired']);
  });
});

describe('a refund without a response', () => {
  it.each(SILENT)('is pending until the timer settles it: %s', async (behaviour) => {
    const { id } = await pay(host, 'ok', {}, how);
    await withoutResponse(behaviour, 1, { match: { operation: 'refund' } });
    expect((await act(host, id, 'refund', { amount: 2_000 }, how)).body).toMatchObject({
      status: 'succeeded',
      amount_refunded: 0,
      refunds: [{ status: 'pending', psp_reference: null }],
    });
    expect((await act(host, id, 'refund', { amount: 3_001 }, how)).body.code).toBe('refund_exceeds_remaining');
    await advance(host, '61s');
    expect(await readPayment(id)).toMatchObject({
      status: 'succeeded',
      amount_refunded: 2_000,
      refunds: [{ status: 'succeeded' }],
    });
    expect([(await moneyOf(host, id)).refunded, await typesOf(id)]).toEqual([
      2_000,
      ['created', 'succeeded', 'refunded'],
    ]);
  });

  it("is also settled by the provider's callback", async () => {
    const { id } = await pay(host, 'ok', {}, how);
    await arrange(host, 'garbage', { match: { operation: 'refund' } });
    await act(host, id, 'refund', undefined, how);
    await drain(host);
    expect(await readPayment(id)).toMatchObject({
      status: 'refunded',
      amount_refunded: 5_000,
      refunds: [{ status: 'succeeded' }],
    });
    expect([(await moneyOf(host, id)).refunded, await typesOf(id)]).toEqual([
      5_000,
      ['created', 'succeeded', 'refunded'],
    ]);
  });

  it('is pending while the provider cannot be reached, and then sent once', async () => {
    const { id } = await pay(host, 'ok', {}, how);
    await arrange(host, 'refuse_connection', { match: { operation: 'refund' } });
    expect((await act(host, id, 'refund', undefined, how)).body.refunds[0].status).toBe('pending');
    await advance(host, '61s');
    expect([(await readPayment(id)).status, (await moneyOf(host, id)).refunded]).toEqual(['refunded', 5_000]);
  });

  it('goes to review in the end, and keeps its amount reserved', async () => {
    const { id } = await pay(host, 'ok', {}, how);
    await withoutResponse('http_500', 1_000, { match: { operation: 'refund' } });
    const { refunds } = (await act(host, id, 'refund', { amount: 2_000 }, how)).body;
    await advance(host, '8d');
    expect(await readPayment(id)).toMatchObject({
      status: 'succeeded',
      amount_refunded: 0,
      review: { reason: 'no_verdict', refund_id: refunds[0].id },
    });
    expect(host.logged).toContainEqual(isCall(id, { refund_id: refunds[0].id }));
    expect((await act(host, id, 'refund', { amount: 3_001 }, how)).body.code).toBe('refund_exceeds_remaining');
  });
});
