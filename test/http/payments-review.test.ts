import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  crashesAt,
  crashPointsOf,
  describePoint,
  expireLease,
  retryUntilDone,
} from '#test/faults/crash-sweep.support.ts';
import {
  type ApiResponse,
  type Body,
  type CallOptions,
  HANG_UP_AFTER_MS,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import {
  act,
  advance,
  arrange,
  aShop,
  askProvider,
  bring,
  complete,
  drain,
  eventText,
  eventTypesOf,
  moneyOf,
  operationsOf,
  pay,
  read,
  type Shop,
} from '#test/support/payment-steps.ts';

/** The reasons for a review, and how `/cancel` ends each of them: the provider's charge is refunded once. */
let host: TestHost;
let shop: Shop;
let how: CallOptions;
beforeAll(async () => {
  host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS });
  shop = await aShop(host, { a: {} });
  how = { key: shop.key };
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const look = (id: string) => read(host, id, how);
const cancel = ({ id }: Body, more: CallOptions = {}): Promise<ApiResponse> =>
  act(host, id, 'cancel', undefined, { ...how, ...more });
const refund = ({ id }: Body, amount?: number) => act(host, id, 'refund', amount && { amount }, how);
const atProvider = (path: string, form: Readonly<Record<string, string>>) =>
  askProvider(host, shop.credentials.a!.secret_key, 'POST', path, form);
const declinesRefund = () => arrange(host, 'decline:card_declined', { match: { operation: 'refund' } });
const shown = ({ refunds }: Body) => refunds.map(({ amount, status, reason }: Body) => [amount, status, reason]);

/** A charge for this payment that the service never made. */
async function addSecondCharge({ id }: Body, amount: string, currency = 'eur'): Promise<Body> {
  const names = { 'metadata[org_id]': shop.org_id, 'metadata[connection_id]': 'a', 'metadata[payment_id]': id };
  await atProvider('/v1/payment_intents', {
    amount,
    currency,
    confirm: 'true',
    payment_method: 'ok',
    return_url: 'https://shop.example/',
    ...names,
  });
  await drain(host);
  return look(id);
}

describe('a failed payment for which another amount was charged after all', () => {
  const made = async (currency?: string) =>
    addSecondCharge(await pay(host, 'decline_insufficient_funds', {}, how), '700', currency);

  it('is not charged again while that money exists', async () => {
    const payment = await made();
    expect([payment.status, payment.review]).toEqual([
      'failed',
      expect.objectContaining({ reason: 'amount_mismatch', psp_amount: 700 }),
    ]);
    const answer = await act(host, payment.id, 'retry', { payment_method: { type: 'card', token: 'ok' } }, how);
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([
      409,
      'payment_not_retryable',
      expect.stringContaining('review'),
    ]);
  });

  it.each([undefined, 'usd'])('is refunded by a cancel, stays failed, and can be retried (%s)', async (currency) => {
    const { id } = await made(currency);
    const { status, body } = await cancel({ id });
    expect([status, body.status, body.review, body.failure.code, shown(body)]).toEqual([
      200,
      'failed',
      null,
      'insufficient_funds',
      [[700, 'succeeded', 'after_cancel']],
    ]);
    expect(await moneyOf(host, id)).toMatchObject({ amount: 700, refunded: 700, count: 1 });
    expect(await cancel({ id })).toMatchObject({ status: 409, body: { code: 'payment_not_cancelable' } });
    const again = await act(host, id, 'retry', { payment_method: { type: 'card', token: 'ok' } }, how);
    expect([again.body.status, again.body.amount_refunded, await eventTypesOf(host, id, how)]).toEqual([
      'succeeded',
      0,
      ['created', 'failed', 'succeeded'],
    ]);
    expect((await refund({ id })).body).toMatchObject({ status: 'refunded', amount_refunded: 5_000 });
  });
});

describe('a refund without a verdict', () => {
  const made = async (amount = 2_000, behaviour = 'http_500'): Promise<Body> => {
    const payment = await pay(host, 'ok', {}, how);
    await arrange(host, behaviour, { webhook: 'none', times: 50, match: { operation: 'refund' } });
    await arrange(host, 'garbage', { times: 50, match: { operation: 'fetch_refund' } });
    await refund(payment, amount);
    await advance(host, '8d');
    expect((await look(payment.id)).review).toMatchObject({ reason: 'no_verdict' });
    return look(payment.id);
  };

  it('fails when its review ends, and releases its amount', async () => {
    const payment = await made(4_000);
    await host.control('DELETE', '/psp/scenario');
    const { status, body } = await cancel(payment);
    expect([status, body.status, body.review, shown(body)]).toEqual([
      200,
      'succeeded',
      null,
      [[4_000, 'failed', null]],
    ]);
    await advance(host, '30d');
    expect(await look(payment.id)).toEqual(body);
    expect((await refund(payment)).body).toMatchObject({ status: 'refunded', amount_refunded: 5_000 });
    expect((await moneyOf(host, payment.id)).refunded).toBe(5_000);
  });

  it('counts when the provider reports later that it was made', async () => {
    const payment = await made(2_000, 'garbage');
    await cancel(payment);
    await host.control('DELETE', '/psp/scenario');
    expect((await look(payment.id)).amount_refunded).toBe(0);
    const { data } = await askProvider(
      host,
      shop.credentials.a!.secret_key,
      'GET',
      `/v1/refunds?payment_intent=${payment.psp_reference}`,
    );
    expect(
      (await bring(host, eventText({ type: 'refund.updated', object: data[0] }), shop.credentials.a!.webhook_secret))
        .status,
    ).toBe(200);
    expect(await look(payment.id)).toMatchObject({ status: 'succeeded', amount_refunded: 2_000, review: null });
    expect((await moneyOf(host, payment.id)).refunded).toBe(2_000);
  });

  it.each([
    [
      '2000',
      [
        [2_000, 'pending', null],
        [2_000, 'succeeded', 'made_at_provider'],
      ],
    ],
    [
      '500',
      [
        [2_000, 'pending', null],
        [500, 'succeeded', 'made_at_provider'],
      ],
    ],
  ])('is another one than one made at the provider, whatever its amount: %s', async (amount, refunds) => {
    const payment = await pay(host, 'ok', {}, how);
    await arrange(host, 'http_500', { match: { operation: 'refund' } });
    await refund(payment, 2_000);
    await host.control('DELETE', '/psp/scenario');
    await atProvider('/v1/refunds', { payment_intent: payment.psp_reference, amount });
    await drain(host);
    expect(shown(await look(payment.id))).toEqual(refunds);
  });

  it('ends its review itself when the provider reports its outcome', async () => {
    const payment = await pay(host, 'pm_card_pendingRefund', {}, how);
    const { refunds } = (await refund(payment)).body;
    await advance(host, '8d');
    expect((await look(payment.id)).review.reason).toBe('no_verdict');
    await complete(host, refunds[0].psp_reference, 'succeeded');
    expect(await look(payment.id)).toMatchObject({ status: 'refunded', amount_refunded: 5_000, review: null });
  });

  it('that the provider has and never decides stays pending, and keeps its amount reserved', async () => {
    const payment = await pay(host, 'pm_card_pendingRefund', {}, how);
    const { refunds } = (await refund(payment)).body;
    await advance(host, '8d');
    expect((await cancel(payment)).body).toMatchObject({
      status: 'succeeded',
      review: null,
      refunds: [{ status: 'pending' }],
    });
    const asked = await operationsOf(host, payment.id);
    await advance(host, '30d');
    expect([(await look(payment.id)).review, await operationsOf(host, payment.id)]).toEqual([null, asked]);
    expect((await refund(payment, 1)).body.code).toBe('refund_exceeds_remaining');
    await complete(host, refunds[0].psp_reference, 'succeeded');
    expect(await look(payment.id)).toMatchObject({ status: 'refunded', amount_refunded: 5_000 });
  });
});

describe('money whose refund failed', () => {
  const made = async (): Promise<Body> => {
    const paid = await pay(host, 'ok', {}, how);
    await declinesRefund();
    return addSecondCharge(paid, '5000');
  };

  it('is refunded by a cancel, once, and the payment keeps its status', async () => {
    const payment = await made();
    expect([payment.status, payment.review.reason, shown(payment)]).toEqual([
      'succeeded',
      'refund_failed',
      [[5_000, 'failed', 'duplicate_charge']],
    ]);
    const same = { idempotencyKey: randomUUID() };
    const { body } = await cancel(payment, same);
    expect([body.status, body.review, shown(body)]).toEqual([
      'succeeded',
      null,
      [
        [5_000, 'failed', 'duplicate_charge'],
        [5_000, 'succeeded', 'duplicate_charge'],
      ],
    ]);
    expect((await cancel(payment, same)).body).toEqual(body);
    expect(await cancel(payment)).toMatchObject({ status: 409, body: { code: 'payment_not_cancelable' } });
    expect(await moneyOf(host, payment.id)).toMatchObject({ amount: 10_000, refunded: 5_000, count: 2 });
    expect(await eventTypesOf(host, payment.id, how)).toEqual(['created', 'succeeded']);
  });

  it('stays under review as long as the provider refuses', async () => {
    const payment = await made();
    await declinesRefund();
    expect((await cancel(payment)).body).toMatchObject({ status: 'succeeded', review: { reason: 'refund_failed' } });
    expect((await cancel(payment)).body).toMatchObject({ status: 'succeeded', review: null });
    expect((await moneyOf(host, payment.id)).refunded).toBe(5_000);
    await drain(host);
    const alarms = host.logged.filter(
      ({ event, fields }) => event === 'review_begun' && fields.payment_id === payment.id,
    );
    expect(alarms.map(({ fields }) => fields.reason)).toEqual(['refund_failed', 'refund_failed']);
  });

  it('is refunded once, wherever the cancel crashes, and its repeat gets a response', async () => {
    const probe = await made();
    const points = await crashPointsOf(host, 'payment-actions', () => cancel(probe));
    expect(points.length).toBeGreaterThanOrEqual(6);
    for (const { point, nth, when, method } of points) {
      const [payment, same] = [await made(), { idempotencyKey: randomUUID() }];
      await host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler: 'payment-actions' });
      if (!(await crashesAt(host, () => cancel(payment, same), `a ${point} call`))) continue;
      await expireLease(host);
      const answer = await retryUntilDone(host, () => cancel(payment, same));
      const where = describePoint({ point, nth, when, method });
      expect([answer.status, answer.body.status], where).toEqual([200, 'succeeded']);
      await advance(host, '40m');
      expect([(await look(payment.id)).review, (await moneyOf(host, payment.id)).refunded], where).toEqual([
        null,
        5_000,
      ]);
    }
  }, 120_000);
});
