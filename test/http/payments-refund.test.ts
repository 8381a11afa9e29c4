import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  itChecksCredentials,
  itHandlesIdempotencyKeys,
  itHidesOtherPayments,
  itLimitsItsRate,
} from '#test/http/payments.support.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  anIntent,
  arrange,
  aShop,
  complete,
  eventsOf,
  eventTypesOf,
  faultsIn,
  moneyOf,
  pay,
  payAnywhere,
  payOnPage,
  read,
} from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const PENDING = 'pm_card_pendingRefund';
const refund = (id: string, amount?: number, how = {}) =>
  act(host, id, 'refund', amount === undefined ? undefined : { amount }, how);
const exceeds = { status: 400, body: { error: 'invalid_request', code: 'refund_exceeds_remaining' } };

describe('POST /v1/payments/{id}/refund', () => {
  const endpoint = {
    host: () => host,
    method: 'POST',
    path: (id: string) => `/v1/payments/${id}/refund`,
    scope: 'payments:write',
    body: { amount: 1_000 },
    ready: () => pay(host),
    success: 200,
  } as const;
  itChecksCredentials(endpoint);
  itHidesOtherPayments(endpoint);
  itLimitsItsRate(endpoint, 100);
  itHandlesIdempotencyKeys({ ...endpoint, other: { amount: 1_100 }, slow: 'refund' });

  it('refunds the whole amount, and the payment is refunded', async () => {
    const { id, attempts } = await pay(host);
    const { status, body } = await refund(id);
    expect([status, body]).toEqual([200, await read(host, id)]);
    expect(body).toMatchObject({ id, status: 'refunded', amount: 5_000, amount_refunded: 5_000 });
    expect(body.refunds).toEqual([
      {
        id: expect.stringMatching(/^re_[0-9a-z]{26}$/),
        amount: 5_000,
        status: 'succeeded',
        reason: null,
        failure: null,
        metadata: {},
        attempt_id: attempts[0].id,
        psp_reference: expect.stringMatching(/^re_/),
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(await moneyOf(host, id)).toEqual({ amount: 5_000, refunded: 5_000, currency: 'EUR', count: 1 });
  });

  it('refunds a part with its reason, and the payment stays succeeded', async () => {
    const { id } = await pay(host);
    const { body } = await act(host, id, 'refund', {
      amount: 1_500,
      reason: 'One book was damaged',
      metadata: { ticket: 7 },
    });
    expect(body).toMatchObject({ status: 'succeeded', amount_refunded: 1_500 });
    expect(body.refunds).toMatchObject([
      { amount: 1_500, status: 'succeeded', reason: 'One book was damaged', metadata: { ticket: 7 } },
    ]);
    expect((await moneyOf(host, id)).refunded).toBe(1_500);
  });

  it('refunds several parts, then the rest, and announces each', async () => {
    const { id } = await pay(host);
    await refund(id, 1_000);
    expect((await refund(id, 2_500)).body).toMatchObject({ status: 'succeeded', amount_refunded: 3_500 });
    expect((await refund(id)).body).toMatchObject({
      status: 'refunded',
      amount_refunded: 5_000,
      refunds: [{ amount: 1_000 }, { amount: 2_500 }, { amount: 1_500 }],
    });
    expect((await moneyOf(host, id)).refunded).toBe(5_000);
    const { refunds } = await read(host, id);
    const events = (await eventsOf(host, id)).filter(({ type }) => type === 'payment.refunded');
    expect(events.map(({ data }) => data.refund)).toEqual(refunds);
    expect(events.map(({ data }) => [data.amount_refunded, data.refund.amount, data.status])).toEqual([
      [1_000, 1_000, 'succeeded'],
      [3_500, 2_500, 'succeeded'],
      [5_000, 1_500, 'refunded'],
    ]);
  });

  it('refunds nothing beyond the amount', async () => {
    const { id } = await pay(host);
    expect(await refund(id, 5_001)).toMatchObject(exceeds);
    await refund(id, 4_000);
    expect(await refund(id, 1_001)).toMatchObject({
      ...exceeds,
      body: { ...exceeds.body, details: { remaining: 1_000 } },
    });
    expect([(await read(host, id)).refunds.length, (await moneyOf(host, id)).refunded]).toEqual([1, 4_000]);
  });

  it('refunds a payment of the second connection there', async () => {
    const { key } = await aShop(host, { a: {}, b: {} });
    await arrange(host, 'refuse_connection');
    const payment = await payAnywhere(host, 'ok', {}, { key });
    expect((await refund(payment.id, undefined, { key })).body).toMatchObject({
      status: 'refunded',
      refunds: [{ attempt_id: payment.attempts[1].id, status: 'succeeded' }],
    });
    expect((await moneyOf(host, payment.id)).refunded).toBe(5_000);
  });

  it.each([
    ['created', () => anIntent(host)],
    ['requires_action', () => payOnPage(host)],
    ['processing', () => pay(host, 'pending')],
    ['failed', () => pay(host, 'decline_card_declined')],
    ['canceled', async () => (await act(host, (await anIntent(host)).id, 'cancel')).body],
    ['refunded', async () => (await refund((await pay(host)).id)).body],
  ])('answers 409 for a %s payment', async (state, make) => {
    const payment = await make();
    expect(payment.status).toBe(state);
    const { status, body } = await refund(payment.id, 1);
    expect([status, body]).toEqual([
      409,
      {
        error: 'conflict',
        code: 'payment_not_refundable',
        message: expect.stringContaining(state),
        doc_url: expect.any(String),
      },
    ]);
    expect(await read(host, payment.id)).toMatchObject({ status: state, amount_refunded: payment.amount_refunded });
  });

  it.each([
    ['a zero amount', { amount: 0 }, ['amount']],
    ['a negative amount', { amount: -100 }, ['amount']],
    ['half a cent', { amount: 0.5 }, ['amount']],
    ['an amount as text', { amount: '100' }, ['amount']],
    ['a reason that is too long', { reason: 'x'.repeat(201) }, ['reason']],
    ['an unknown field', { currency: 'EUR' }, ['currency']],
  ])('answers 400 for %s', async (_, body, paths) => {
    const { id } = await pay(host);
    const answer = await act(host, id, 'refund', body);
    expect([answer.status, faultsIn(answer), (await moneyOf(host, id)).refunded]).toEqual([400, paths, 0]);
  });

  it('repeats an error for the same key, which is free again after 24 hours', async () => {
    const { id } = await pay(host);
    const [refused, done] = [{ idempotencyKey: randomUUID() }, { idempotencyKey: randomUUID() }];
    expect((await refund(id, 9_000, refused)).status).toBe(400);
    const again = await refund(id, 9_000, refused);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([400, 'true']);
    await refund(id, 1_000, done);
    await advance(host, '25h');
    expect((await refund(id, 1_000, done)).body.amount_refunded).toBe(2_000);
  });
});

describe('a pending refund', () => {
  it('counts only once it succeeds', async () => {
    const { id } = await pay(host, PENDING);
    const { body } = await refund(id);
    expect(body).toMatchObject({
      status: 'succeeded',
      amount_refunded: 0,
      refunds: [{ status: 'pending', psp_reference: expect.stringMatching(/^re_/) }],
    });
    expect([(await moneyOf(host, id)).refunded, await eventTypesOf(host, id)]).toEqual([0, ['created', 'succeeded']]);
    await complete(host, body.refunds[0].psp_reference, 'succeeded');
    expect(await read(host, id)).toMatchObject({
      status: 'refunded',
      amount_refunded: 5_000,
      refunds: [{ status: 'succeeded' }],
    });
    expect([(await moneyOf(host, id)).refunded, await eventTypesOf(host, id)]).toEqual([
      5_000,
      ['created', 'succeeded', 'refunded'],
    ]);
  });

  it('reserves its amount', async () => {
    const { id } = await pay(host, PENDING);
    await refund(id, 4_000);
    expect(await refund(id, 1_001)).toMatchObject(exceeds);
    await refund(id, 1_000);
    expect(await refund(id)).toMatchObject(exceeds);
  });

  it('releases its amount when it fails', async () => {
    const { id } = await pay(host, PENDING);
    const { refunds } = (await refund(id)).body;
    await complete(host, refunds[0].psp_reference, 'failed');
    expect(await read(host, id)).toMatchObject({
      status: 'succeeded',
      amount_refunded: 0,
      refunds: [{ status: 'failed' }],
    });
    expect((await refund(id)).body).toMatchObject({
      refunds: [{ status: 'failed' }, { status: 'pending', amount: 5_000 }],
    });
    expect(await eventTypesOf(host, id)).toEqual(['created', 'succeeded']);
  });

  it('is looked up when no callback comes', async () => {
    const { id } = await pay(host, PENDING);
    await arrange(host, 'pending', { webhook: 'none', match: { operation: 'refund' } });
    const { refunds } = (await refund(id, 2_000)).body;
    await complete(host, refunds[0].psp_reference, 'succeeded');
    expect((await read(host, id)).amount_refunded).toBe(0);
    await advance(host, '2m');
    expect(await read(host, id)).toMatchObject({ amount_refunded: 2_000, refunds: [{ status: 'succeeded' }] });
  });
});

describe('a refund that fails after it had succeeded', () => {
  it.each([
    ['the whole amount', undefined, 'refunded', 5_000],
    ['a part', 2_000, 'succeeded', 2_000],
  ])('of %s restores the payment', async (_, amount, status, amount_refunded) => {
    const { id } = await pay(host);
    const { body } = await refund(id, amount);
    expect(body).toMatchObject({ status, amount_refunded });
    await complete(host, body.refunds[0].psp_reference, 'failed');
    expect(await read(host, id)).toMatchObject({
      status: 'succeeded',
      amount_refunded: 0,
      refunds: [{ status: 'failed' }],
    });
    expect((await moneyOf(host, id)).refunded).toBe(0);
    expect((await refund(id)).body).toMatchObject({ status: 'refunded', amount_refunded: 5_000 });
    expect((await moneyOf(host, id)).refunded).toBe(5_000);
  });
});

describe('a refund that the provider declines', () => {
  const why = {
    code: 'invalid_account',
    category: 'hard_decline',
    message: expect.stringMatching(/takes no refund/),
    retryable: false,
  };

  it('has a failure code in the response and afterwards, and no event', async () => {
    const { id } = await pay(host);
    await arrange(host, 'decline:card_declined', { match: { operation: 'refund' } });
    const { status, body } = await refund(id, 100);
    expect([status, body]).toEqual([200, await read(host, id)]);
    expect(body.refunds).toMatchObject([
      { status: 'failed', reason: null, failure: { ...why, provider_code: 'lost_or_stolen_card' } },
    ]);
    expect(await eventTypesOf(host, id)).toEqual(['created', 'succeeded']);
  });

  it('has a failure code when it fails later as well', async () => {
    const { id } = await pay(host, PENDING);
    const { refunds } = (await refund(id)).body;
    expect(refunds).toMatchObject([{ status: 'pending', failure: null }]);
    await complete(host, refunds[0].psp_reference, 'failed');
    expect((await read(host, id)).refunds).toMatchObject([{ status: 'failed', failure: why }]);
  });

  it('fails and leaves the payment unchanged', async () => {
    const { id } = await pay(host);
    await arrange(host, 'decline:card_declined', { match: { operation: 'refund' } });
    expect(await refund(id)).toMatchObject({
      status: 200,
      body: { status: 'succeeded', amount_refunded: 0, refunds: [{ status: 'failed' }] },
    });
    expect((await refund(id)).body).toMatchObject({
      status: 'refunded',
      refunds: [{ status: 'failed' }, { status: 'succeeded' }],
    });
    expect((await moneyOf(host, id)).refunded).toBe(5_000);
  });
});
