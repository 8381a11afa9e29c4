import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  itChecksCredentials,
  itHandlesIdempotencyKeys,
  itHidesOtherPayments,
  itLimitsItsRate,
} from '#test/http/payments.support.ts';
import { aConnection, type Body, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  anIntent,
  arrange,
  aShop,
  complete,
  drain,
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

const retry = (id: string, token?: string, how = {}) =>
  act(host, id, 'retry', token && { payment_method: { type: 'card', token } }, how);

describe('POST /v1/payments/{id}/retry', () => {
  const endpoint = {
    host: () => host,
    method: 'POST',
    path: (id: string) => `/v1/payments/${id}/retry`,
    scope: 'payments:write',
    body: { payment_method: { type: 'card', token: 'ok' } },
    ready: () => pay(host, 'decline_card_declined'),
    success: 200,
  } as const;
  itChecksCredentials(endpoint);
  itHidesOtherPayments(endpoint);
  itLimitsItsRate(endpoint, 100);
  itHandlesIdempotencyKeys({
    ...endpoint,
    other: { payment_method: { type: 'card', token: 'pm_card_visa' } },
    slow: 'create',
  });

  it('charges another method', async () => {
    const failed = await pay(host, 'decline_insufficient_funds');
    const { status, body } = await retry(failed.id, 'ok');
    expect([status, body]).toEqual([200, await read(host, failed.id)]);
    expect(body).toMatchObject({ id: failed.id, status: 'succeeded', failure: null, late_success: false });
    expect(body.attempts).toEqual([
      failed.attempts[0],
      expect.objectContaining({ status: 'succeeded', psp_reference: body.psp_reference }),
    ]);
    expect([(await moneyOf(host, failed.id)).count, await eventTypesOf(host, failed.id)]).toEqual([
      1,
      ['created', 'failed', 'succeeded'],
    ]);
  });

  it('charges the same method if none is given', async () => {
    await arrange(host, 'decline:try_again_later');
    const { id, status } = await pay(host);
    expect([status, (await retry(id)).body.status]).toEqual(['failed', 'succeeded']);
  });

  describe('after a decline that no repeat can change', () => {
    const CONDEMNED = ['expired_card', 'card_not_supported', 'transaction_not_allowed'];
    const refusal = { status: 409, body: { code: 'payment_not_retryable' } };
    const chargesOf = (id: string) =>
      host.simulators.calls({ payment_id: id }).calls.filter(({ operation }) => operation === 'create').length;

    it.each(CONDEMNED)('asks the provider nothing about the same method: %s', async (code) => {
      await arrange(host, `decline:${code}`);
      const failed = await pay(host, 'pm_card_visa');
      expect(failed.failure).toMatchObject({ code, retryable: true });
      const before = chargesOf(failed.id);
      for (const token of [undefined, 'pm_card_visa']) expect(await retry(failed.id, token)).toMatchObject(refusal);
      expect((await retry(failed.id)).body.message).toMatch(new RegExp(`failed with ${code}.*Send another one`));
      expect([chargesOf(failed.id), await read(host, failed.id)]).toEqual([before, failed]);
      expect(before).toBe(1);
      expect((await retry(failed.id, 'ok')).body.status).toBe('succeeded');
    });

    it('remembers it of the method that failed last', async () => {
      const { id } = await pay(host, 'decline_insufficient_funds');
      expect((await retry(id, 'decline_expired_card')).body.failure.code).toBe('expired_card');
      expect(await retry(id)).toMatchObject(refusal);
      expect((await retry(id, 'decline_insufficient_funds')).body.failure.code).toBe('insufficient_funds');
      expect((await retry(id)).status).toBe(200);
    });

    it('is refused again under the idempotency key of the refusal, and a new method needs another key', async () => {
      const { id } = await pay(host, 'decline_expired_card');
      const how = { idempotencyKey: randomUUID() };
      const first = await retry(id, undefined, how);
      expect([first.status, (await retry(id, undefined, how)).text]).toEqual([409, first.text]);
      expect((await retry(id, 'ok', how)).status).toBe(422);
    });

    it.each(['call_issuer', 'limit_exceeded', 'incorrect_cvc', 'authentication_failed'])(
      'lets the same method be tried after one that the customer can change: %s',
      async (code) => {
        await arrange(host, `decline:${code}`);
        const { id } = await pay(host);
        expect((await retry(id)).body.status).toBe('succeeded');
      },
    );
  });

  it('can fail again, with another event and another retry', async () => {
    const { id } = await pay(host, 'decline_insufficient_funds');
    expect(await retry(id, 'decline_expired_card')).toMatchObject({
      status: 200,
      body: { status: 'failed', failure: { code: 'expired_card' } },
    });
    expect((await retry(id, 'ok')).body.attempts.map((a: Body) => a.status)).toEqual(['failed', 'failed', 'succeeded']);
    expect(await eventTypesOf(host, id)).toEqual(['created', 'failed', 'failed', 'succeeded']);
  });

  it.each([
    ['requires_action', 'needs_3ds'],
    ['processing', 'pending'],
  ])('can leave the payment %s', async (status, token) => {
    const { id } = await pay(host, 'decline_card_declined');
    expect((await retry(id, token)).body).toMatchObject({ status, failure: null });
    await complete(host, id, 'succeeded');
    expect(await read(host, id)).toMatchObject({ status: 'succeeded', late_success: false });
  });

  it('opens a new page if the first one expired', async () => {
    const { id } = await payOnPage(host);
    await complete(host, id, 'failed');
    expect((await retry(id)).body).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect' } });
  });

  it('is routed again', async () => {
    const { key } = await aShop(host, {});
    const { id, failure } = await pay(host, 'ok', {}, { key });
    expect(failure.code).toBe('no_route');
    await aConnection(host, { key }, { id: 'new' });
    expect((await retry(id, undefined, { key })).body).toMatchObject({
      status: 'succeeded',
      connection_id: 'new',
      attempts: [{ connection_id: 'new' }],
    });
  });

  it('uses the current routing rather than the connection that failed', async () => {
    const { key } = await aShop(host, { a: {}, b: {} });
    const tokens = { payment_method: { type: 'card', tokens: { stripe: 'ok' } } };
    const { id } = await payAnywhere(host, 'decline_insufficient_funds', {}, { key });
    await aConnection(host, { key }, { id: 'a', status: 'inactive' });
    const { body } = await act(host, id, 'retry', tokens, { key });
    expect(body).toMatchObject({
      status: 'succeeded',
      connection_id: 'b',
      attempts: [{ connection_id: 'a', status: 'failed' }, { connection_id: 'b' }],
    });
    expect(body.routing.considered).toEqual([
      { connection_id: 'a', usable: false, reason: 'inactive' },
      { connection_id: 'b', usable: true, reason: null },
    ]);
  });

  it('fails again if no connection can take it, and can be retried', async () => {
    const { key } = await aShop(host, { a: {} });
    const { id } = await pay(host, 'decline_insufficient_funds', {}, { key });
    await aConnection(host, { key }, { id: 'a', status: 'inactive' });
    const how = { key };
    expect((await retry(id, 'ok', how)).body).toMatchObject({
      status: 'failed',
      failure: { code: 'no_route', retryable: true },
      attempts: [{ status: 'failed' }],
    });
    await aConnection(host, { key }, { id: 'a', status: 'active' });
    expect((await retry(id, 'ok', how)).body).toMatchObject({ status: 'succeeded', failure: null });
    expect(await eventTypesOf(host, id, how)).toEqual(['created', 'failed', 'failed', 'succeeded']);
  });

  it('can fail over like the first attempt', async () => {
    const { key } = await aShop(host, { a: {}, b: {} });
    const { id } = await payAnywhere(host, 'decline_insufficient_funds', {}, { key });
    await arrange(host, 'refuse_connection');
    const { body } = await act(
      host,
      id,
      'retry',
      { payment_method: { type: 'card', tokens: { stripe: 'ok' } } },
      { key },
    );
    expect([body.status, body.attempts.map((a: Body) => [a.connection_id, a.status])]).toEqual([
      'succeeded',
      [
        ['a', 'failed'],
        ['a', 'failed'],
        ['b', 'succeeded'],
      ],
    ]);
    expect((await moneyOf(host, id)).count).toBe(1);
  });

  it.each([
    'lost_card',
    'stolen_card',
    'invalid_number',
    'restricted_card',
    'authorization_revoked',
    'fraud_suspected',
  ])('is refused with 409 after %s', async (code) => {
    const { id } = await pay(host, `decline_${code}`);
    const { status, body } = await retry(id, 'ok');
    expect([status, body]).toEqual([
      409,
      {
        error: 'conflict',
        code: 'payment_not_retryable',
        message: expect.stringContaining(code),
        doc_url: expect.any(String),
      },
    ]);
    expect([(await read(host, id)).status, (await moneyOf(host, id)).count]).toEqual(['failed', 0]);
  });

  it.each([
    ['created', () => anIntent(host)],
    ['requires_action', () => payOnPage(host)],
    ['processing', () => pay(host, 'pending')],
    ['succeeded', () => pay(host)],
    ['canceled', async () => (await act(host, (await anIntent(host)).id, 'cancel')).body],
    ['refunded', async () => (await act(host, (await pay(host)).id, 'refund')).body],
  ])('is refused with 409 for a %s payment', async (state, make) => {
    const payment = await make();
    expect(payment.status).toBe(state);
    const { status, body } = await retry(payment.id, 'ok');
    expect([status, body]).toEqual([
      409,
      {
        error: 'conflict',
        code: 'payment_not_retryable',
        message: expect.stringContaining(state),
        doc_url: expect.any(String),
      },
    ]);
    expect((await read(host, payment.id)).status).toBe(state);
  });

  it.each([
    ['a method of another type', { payment_method: { type: 'ideal' } }, ['payment_method.type']],
    ['an unknown field', { amount: 1 }, ['amount']],
  ])('answers 400 for %s', async (_, body, paths) => {
    const { id } = await pay(host, 'decline_card_declined');
    const answer = await act(host, id, 'retry', body);
    expect([answer.status, faultsIn(answer), (await read(host, id)).attempts.length]).toEqual([400, paths, 1]);
  });

  it('returns the first response again even if the payment has changed', async () => {
    const { id } = await pay(host, 'decline_card_declined');
    const how = { idempotencyKey: randomUUID() };
    const first = await retry(id, 'ok', how);
    await act(host, id, 'refund');
    expect([(await retry(id, 'ok', how)).text, (await read(host, id)).status]).toEqual([first.text, 'refunded']);
  });
});

describe('a failed attempt that succeeds late', () => {
  it('is refunded once if another has succeeded in the meantime', async () => {
    const { id, attempts } = await pay(host, 'pending');
    await complete(host, id, 'failed');
    const second = (await retry(id, 'ok')).body;
    await complete(host, attempts[0].psp_reference, 'succeeded');
    await advance(host, '2h');
    const payment = await read(host, id);
    expect(payment).toMatchObject({
      status: 'succeeded',
      late_success: false,
      amount_refunded: 0,
      psp_reference: second.psp_reference,
    });
    expect(payment.refunds).toEqual([
      expect.objectContaining({
        amount: 5_000,
        status: 'succeeded',
        reason: 'duplicate_charge',
        attempt_id: attempts[0].id,
      }),
    ]);
    expect(await moneyOf(host, id)).toMatchObject({ amount: 10_000, refunded: 5_000, count: 2 });
    expect(await eventTypesOf(host, id)).toEqual(['created', 'failed', 'succeeded']);
    expect((await act(host, id, 'refund')).body).toMatchObject({ status: 'refunded', amount_refunded: 5_000 });
    expect(await moneyOf(host, id)).toMatchObject({ amount: 10_000, refunded: 10_000 });
  });

  it.each([
    ['with an open page', 'approve'],
    ['without a verdict', 'http_500'],
  ])('on a page is paid once, next to an attempt %s', async (_, behaviour) => {
    const { id, attempts } = await payOnPage(host);
    await complete(host, id, 'failed');
    await arrange(host, behaviour);
    await act(host, id, 'retry');
    await complete(host, attempts[0].psp_reference, 'succeeded');
    await advance(host, '26h');
    expect(await read(host, id)).toMatchObject({ status: 'succeeded', refunds: [] });
    expect(await moneyOf(host, id)).toMatchObject({ amount: 5_000, refunded: 0, count: 1 });
  });

  it('makes the payment succeed while the next attempt waits, whose money is then refunded', async () => {
    const { id, attempts } = await pay(host, 'pending');
    await complete(host, id, 'failed');
    const [, second] = (await retry(id, 'pending')).body.attempts;
    await complete(host, attempts[0].psp_reference, 'succeeded');
    expect(await read(host, id)).toMatchObject({
      status: 'succeeded',
      late_success: true,
      psp_reference: attempts[0].psp_reference,
    });
    await complete(host, second.psp_reference, 'succeeded');
    await advance(host, '2h');
    expect(await read(host, id)).toMatchObject({
      status: 'succeeded',
      refunds: [{ reason: 'duplicate_charge', attempt_id: second.id, status: 'succeeded' }],
    });
    expect(await moneyOf(host, id)).toMatchObject({ amount: 10_000, refunded: 5_000, count: 2 });
    expect((await act(host, id, 'refund')).body).toMatchObject({ status: 'refunded', amount_refunded: 5_000 });
  });
});

describe('a page that is paid after a retry without a response', () => {
  it('keeps one of the two charges, and refunds the other', async () => {
    const { id, psp_reference: page } = await payOnPage(host);
    await complete(host, id, 'failed');
    await arrange(host, 'garbage', { webhook: 'none' });
    await act(host, id, 'retry', { payment_method: { type: 'card', token: 'ok' } });
    await complete(host, page, 'succeeded');
    expect((await read(host, id)).attempts.map(({ status }: Body) => status)).toEqual(['succeeded', 'processing']);
    await advance(host, '26h');
    const { status, attempts, refunds, review } = await read(host, id);
    expect([status, review, attempts.map((a: Body) => a.status)]).toEqual([
      'succeeded',
      null,
      ['succeeded', 'succeeded'],
    ]);
    expect(refunds).toMatchObject([{ reason: 'duplicate_charge', status: 'succeeded', attempt_id: attempts[1].id }]);
    expect(await moneyOf(host, id)).toMatchObject({ amount: 10_000, refunded: 5_000, count: 2 });
  });
});

describe('a payment whose first page ended at a provider that cannot be queried', () => {
  it('is paid on the next page', async () => {
    const own = await aShop(host, {});
    const how = { key: own.key };
    await aConnection(host, own, { id: 'only', provider: 'adyen' });
    const card = { payment_method: { type: 'card', tokens: { adyen: 'needs_3ds' } } };
    const payment = await payAnywhere(host, 'ok', card, how);
    await advance(host, '26h');
    const retried = (await act(host, payment.id, 'retry', undefined, how)).body;
    expect(retried.attempts.map(({ status }: Body) => status)).toEqual(['failed', 'requires_action']);
    await host.control('POST', '/psp/complete', {
      provider: 'adyen',
      reference: retried.psp_reference,
      outcome: 'succeeded',
    });
    await drain(host);
    expect(await read(host, payment.id, how)).toMatchObject({
      status: 'succeeded',
      attempts: [{ status: 'failed' }, { status: 'succeeded' }],
    });
  });
});
