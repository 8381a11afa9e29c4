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
  askProvider,
  bring,
  complete,
  eventText,
  eventTypesOf,
  faultsIn,
  moneyOf,
  operationsOf,
  pay,
  payOnPage,
  read,
} from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const cancel = (id: string) => act(host, id, 'cancel');

describe('POST /v1/payments/{id}/cancel', () => {
  const endpoint = {
    host: () => host,
    method: 'POST',
    path: (id: string) => `/v1/payments/${id}/cancel`,
    scope: 'payments:write',
    ready: () => payOnPage(host),
    success: 200,
  } as const;
  itChecksCredentials(endpoint);
  itHidesOtherPayments(endpoint);
  itLimitsItsRate(endpoint, 100);
  itHandlesIdempotencyKeys({ ...endpoint, slow: 'cancel' });

  it('cancels an intent that no provider knows', async () => {
    const { id } = await anIntent(host);
    const { status, body } = await cancel(id);
    expect([status, body]).toEqual([200, await read(host, id)]);
    expect(body).toMatchObject({ id, status: 'canceled', attempts: [], failure: null });
    expect([await operationsOf(host, id), await eventTypesOf(host, id)]).toEqual([[], ['created', 'canceled']]);
  });

  it.each([
    ['a page that the customer has not paid on', () => payOnPage(host)],
    ['a payment that waits for 3-D Secure', () => pay(host, 'needs_3ds')],
    ['a payment that the provider has accepted and not settled', () => pay(host, 'pending')],
  ])('cancels %s, also at the provider', async (_, make) => {
    const { id, attempts } = await make();
    const { status, body } = await cancel(id);
    expect([status, body.status, body.next_action, body.attempts]).toEqual([
      200,
      'canceled',
      null,
      [{ ...attempts[0], status: 'canceled' }],
    ]);
    expect(await operationsOf(host, id)).toContain('cancel');
    expect([(await moneyOf(host, id)).count, await eventTypesOf(host, id)]).toEqual([0, ['created', 'canceled']]);
  });

  it('loses to a customer who pays first', async () => {
    await arrange(host, 'approve', { webhook: 'none' });
    const { id } = await payOnPage(host);
    await complete(host, id, 'succeeded');
    expect(await cancel(id)).toMatchObject({
      status: 409,
      body: { error: 'conflict', code: 'payment_not_cancelable' },
    });
    expect(await read(host, id)).toMatchObject({ status: 'succeeded', late_success: false });
    expect(await moneyOf(host, id)).toMatchObject({ amount: 5_000, refunded: 0 });
  });

  it.each([
    ['succeeded', () => pay(host)],
    ['failed', () => pay(host, 'decline_card_declined')],
    ['canceled', async () => (await cancel((await anIntent(host)).id)).body],
    ['refunded', async () => (await act(host, (await pay(host)).id, 'refund')).body],
  ])('answers 409 for a %s payment', async (state, make) => {
    const payment = await make();
    expect(payment.status).toBe(state);
    const { status, body } = await cancel(payment.id);
    expect([status, body]).toEqual([
      409,
      {
        error: 'conflict',
        code: 'payment_not_cancelable',
        message: expect.stringContaining(state),
        doc_url: expect.any(String),
      },
    ]);
    expect((await read(host, payment.id)).status).toBe(state);
  });

  it('answers 502 while the provider does not respond, and cancels when it is repeated', async () => {
    const { id } = await payOnPage(host);
    await arrange(host, 'http_500', { match: { operation: 'cancel' } });
    expect(await cancel(id)).toMatchObject({ status: 502, body: { error: 'provider_error', code: 'provider_error' } });
    expect((await read(host, id)).status).toBe('requires_action');
    expect(await cancel(id)).toMatchObject({ status: 200, body: { status: 'canceled' } });
  });

  it('answers 400 for a body with fields', async () => {
    const answer = await act(host, (await payOnPage(host)).id, 'cancel', { reason: 'fraud' });
    expect([answer.status, faultsIn(answer)]).toEqual([400, ['reason']]);
  });
});

describe('money that arrives after a cancel', () => {
  it.each([
    ['on the page', () => payOnPage(host)],
    ['after 3-D Secure', () => pay(host, 'needs_3ds')],
    ['from the bank', () => pay(host, 'pending')],
  ])('%s is refunded once, automatically, and the payment stays canceled', async (_, make) => {
    const { id } = await make();
    await cancel(id);
    await complete(host, id, 'succeeded');
    await advance(host, '2h');
    const payment = await read(host, id);
    expect(payment).toMatchObject({ status: 'canceled', amount_refunded: 0, review: null });
    expect(payment.refunds).toEqual([
      expect.objectContaining({
        amount: 5_000,
        status: 'succeeded',
        reason: 'after_cancel',
        attempt_id: payment.attempts[0].id,
        psp_reference: expect.stringMatching(/^re_/),
      }),
    ]);
    expect(await moneyOf(host, id)).toMatchObject({ amount: 5_000, refunded: 5_000, count: 1 });
    expect(await eventTypesOf(host, id)).toEqual(['created', 'canceled']);
  });
});

describe('a payment for which the provider charged another amount', () => {
  it('ends with a cancel, which refunds the charge once', async () => {
    await arrange(host, 'wrong_amount');
    const { id } = await pay(host);
    const { status, body } = await cancel(id);
    expect([status, body.status, body.review, body.amount_refunded]).toEqual([200, 'canceled', null, 0]);
    await advance(host, '2h');
    expect((await read(host, id)).refunds).toEqual([
      expect.objectContaining({ amount: 5_001, status: 'succeeded', reason: 'after_cancel' }),
    ]);
    expect(await moneyOf(host, id)).toMatchObject({ amount: 5_001, refunded: 5_001, count: 1 });
    expect(await eventTypesOf(host, id)).toEqual(['created', 'canceled']);
  });

  it('stays canceled when the provider reports that money again', async () => {
    const { key, credentials } = await aShop(host, { a: {} });
    await arrange(host, 'wrong_amount', { webhook: 'none' });
    const { id, psp_reference } = await pay(host, 'ok', {}, { key });
    await act(host, id, 'cancel', undefined, { key });
    const object = await askProvider(host, credentials.a!.secret_key, 'GET', `/v1/payment_intents/${psp_reference}`);
    expect(
      (await bring(host, eventText({ type: 'payment_intent.succeeded', object }), credentials.a!.webhook_secret))
        .status,
    ).toBe(200);
    await advance(host, '2h');
    expect(await read(host, id, { key })).toMatchObject({
      status: 'canceled',
      review: null,
      refunds: [{ amount: 5_001, status: 'succeeded' }],
    });
    expect(await moneyOf(host, id)).toMatchObject({ amount: 5_001, refunded: 5_001 });
  });
});

describe('a review of a charge without a verdict', () => {
  it('ends with a cancel, which refunds the charge if it was made after all', async () => {
    await arrange(host, 'garbage', { webhook: 'none' });
    await arrange(host, 'garbage', { times: 50 });
    await arrange(host, 'http_500', { times: 50, match: { operation: 'find' } });
    const { id } = await pay(host);
    await advance(host, '9d');
    expect((await read(host, id)).review.reason).toBe('no_verdict');
    await host.control('DELETE', '/psp/scenario');
    expect(await cancel(id)).toMatchObject({ status: 200, body: { status: 'canceled', review: null } });
    await advance(host, '2h');
    expect((await read(host, id)).refunds).toEqual([
      expect.objectContaining({ amount: 5_000, status: 'succeeded', reason: 'after_cancel' }),
    ]);
    expect(await moneyOf(host, id)).toMatchObject({ amount: 5_000, refunded: 5_000, count: 1 });
  });
});
