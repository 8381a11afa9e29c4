import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  type CallOptions,
  HANG_UP_AFTER_MS,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import {
  type Action,
  act,
  advance,
  aShop,
  askProvider,
  drain,
  moneyOf,
  pay,
  payOnPage,
  read,
} from '#test/support/payment-steps.ts';

/** A page that expired or failed is retried, and then the customer pays the first one after all. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS });
});
afterEach(async () => {
  await host.control('DELETE', '/psp/scenario');
  await host.control('DELETE', '/faults');
});
afterAll(() => host.close());

const refundsOf = ({ refunds }: Body) => refunds.map(({ amount, status, reason }: Body) => [amount, status, reason]);
const statesOf = ({ attempts }: Body) => attempts.map(({ status }: Body) => status);

/** A payment with two pages of one provider: the first is over, and the customer can be on either. */
type TwoPages = {
  readonly id: string;
  readonly how: CallOptions;
  /** The customer pays or fails on this page. */
  readonly at: (page: 'first' | 'second', outcome: 'succeeded' | 'failed') => Promise<Body>;
  readonly act: (action: Action, body?: Body) => Promise<ApiResponse>;
  readonly look: () => Promise<Body>;
};

async function twoPages(provider: string, arranged: Body = {}): Promise<TwoPages> {
  const org = await anOrganization(host);
  const how = { key: org.key };
  await aConnection(host, org, { id: 'a', provider });
  if (arranged.behaviour) await host.control('POST', '/psp/scenario', { provider, ...arranged });
  const first = await payOnPage(host, {}, how);
  const complete = (reference: string, outcome: string) =>
    host.control('POST', '/psp/complete', { provider, reference, outcome });
  await complete(first.psp_reference, 'failed');
  await advance(host, '26h');
  const { body: second } = await act(host, first.id, 'retry', undefined, how);
  expect([second.status, second.attempts.length]).toEqual(['requires_action', 2]);
  const look = () => read(host, first.id, how);
  return {
    id: first.id,
    how,
    look,
    at: async (page, outcome) => {
      await complete(page === 'first' ? first.psp_reference : second.psp_reference, outcome);
      await drain(host);
      return look();
    },
    act: async (action, body) => {
      const answer = await act(host, first.id, action, body, how);
      await drain(host);
      return answer;
    },
  };
}

const declinesRefunds = (provider: string, times: number) =>
  host.control('POST', '/psp/scenario', {
    provider,
    behaviour: 'decline:card_declined',
    match: { operation: 'refund' },
    times,
  });

describe('another amount on the first page', () => {
  const wrong = { behaviour: 'wrong_amount' };

  it('is refunded automatically once the second page is paid', async () => {
    const { id, at } = await twoPages('adyen', wrong);
    expect((await at('first', 'succeeded')).review).toMatchObject({ reason: 'amount_mismatch', psp_amount: 5_001 });
    const paid = await at('second', 'succeeded');
    expect([paid.status, paid.review, refundsOf(paid)]).toEqual([
      'succeeded',
      null,
      [[5_001, 'succeeded', 'duplicate_charge']],
    ]);
    expect(await moneyOf(host, id)).toMatchObject({ amount: 10_001, refunded: 5_001, count: 2 });
  });

  it.each(['adyen', 'checkout', 'razorpay'])(
    'stays under review when the second page ends at %s, and no third one opens',
    async (provider) => {
      const { id, at, act, look } = await twoPages(provider, wrong);
      await at('first', 'succeeded');
      await at('second', 'failed');
      await advance(host, '26h');
      expect(await look()).toMatchObject({ status: 'failed', review: { reason: 'amount_mismatch' } });
      expect((await act('retry')).body.code).toBe('payment_not_retryable');
      expect((await act('cancel')).status).toBe(200);
      const ended = await look();
      expect([ended.status, ended.review, refundsOf(ended)]).toEqual([
        'failed',
        null,
        [[5_001, 'succeeded', 'after_cancel']],
      ]);
      expect((await moneyOf(host, id)).refunded).toBe(5_001);
      expect((await act('retry')).body.status).toBe('requires_action');
    },
  );

  it.each(['adyen', 'checkout', 'razorpay'])(
    'and on the second page is refunded by one cancel: %s',
    async (provider) => {
      const { id, at, act, look } = await twoPages(provider, { ...wrong, times: 2 });
      await at('first', 'succeeded');
      await at('second', 'succeeded');
      const { status, body } = await act('cancel');
      expect([status, body.status, body.review]).toEqual([200, 'canceled', null]);
      expect(refundsOf(await look())).toEqual(Array(2).fill([5_001, 'succeeded', 'after_cancel']));
      expect((await moneyOf(host, id)).refunded).toBe(10_002);
    },
  );

  it('is refunded by a cancel even if the second attempt has no verdict', async () => {
    const { key } = await anOrganization(host);
    const how = { key };
    await aConnection(host, { key }, { id: 'a', provider: 'adyen' });
    await host.control('POST', '/psp/scenario', { provider: 'adyen', ...wrong, times: 1 });
    const first = await payOnPage(host, {}, how);
    await advance(host, '26h');
    await host.control('POST', '/psp/scenario', { provider: 'adyen', behaviour: 'timeout_before_charge', times: 50 });
    await act(host, first.id, 'retry', { payment_method: { type: 'card', token: 'ok' } }, how);
    await host.control('POST', '/psp/complete', {
      provider: 'adyen',
      reference: first.psp_reference,
      outcome: 'succeeded',
    });
    await drain(host);
    expect((await act(host, first.id, 'cancel', undefined, how)).body.code).toBe('outcome_unknown');
    for (const by of ['2h', '8d']) await advance(host, by);
    await host.control('DELETE', '/psp/scenario');
    expect((await act(host, first.id, 'cancel', undefined, how)).body).toMatchObject({
      status: 'canceled',
      review: null,
    });
    await drain(host);
    expect(await moneyOf(host, first.id)).toMatchObject({ amount: 5_001, refunded: 5_001 });
  });

  it("is refunded in full again, though it exceeds the payment's amount", async () => {
    const { key } = await aShop(host, { a: {} });
    await host.control('POST', '/psp/scenario', { provider: 'stripe', ...wrong });
    const { id } = await pay(host, 'ok', {}, { key });
    await declinesRefunds('stripe', 1);
    const [first, second] = [
      await act(host, id, 'cancel', undefined, { key }),
      await act(host, id, 'cancel', undefined, { key }),
    ];
    expect([first.body.review.reason, second.body.review, refundsOf(second.body).at(-1)]).toEqual([
      'refund_failed',
      null,
      [5_001, 'succeeded', 'after_cancel'],
    ]);
    expect(await moneyOf(host, id)).toMatchObject({ amount: 5_001, refunded: 5_001 });
  });
});

describe('a payment whose first page is paid while the second is confirmed without a response', () => {
  it.each(['stripe', 'mollie', 'paypal'])('can be refunded: %s', async (provider) => {
    const org = await anOrganization(host);
    const how = { key: org.key };
    await aConnection(host, org, { id: 'a', provider: 'stripe' });
    const first = await payOnPage(host, {}, how);
    await host.control('POST', '/psp/complete', {
      provider: 'stripe',
      reference: first.psp_reference,
      outcome: 'failed',
    });
    await drain(host);
    if (provider !== 'stripe') {
      await aConnection(host, org, { id: 'b', provider });
      await host.call('PATCH', '/v1/connections/a/status', { status: 'inactive' }, how);
    }
    await act(host, first.id, 'retry', undefined, how);
    await host.control('POST', '/psp/scenario', {
      provider,
      behaviour: 'timeout_before_charge',
      match: { operation: 'fetch' },
    });
    const confirmed = act(host, first.id, 'confirm', {}, how);
    await host.control('POST', '/psp/complete', {
      provider: 'stripe',
      reference: first.psp_reference,
      outcome: 'succeeded',
    });
    await confirmed;
    await host.control('DELETE', '/psp/scenario');
    await advance(host, '26h');
    await advance(host, '9d');
    const paid = await read(host, first.id, how);
    expect([paid.status, paid.connection_id, paid.psp_reference]).toEqual([
      'succeeded',
      'a',
      paid.attempts[0].psp_reference,
    ]);
    expect((await act(host, first.id, 'refund', undefined, how)).body).toMatchObject({
      status: 'refunded',
      amount_refunded: 5_000,
    });
  });
});

describe('two refunds of a canceled payment', () => {
  const bothRefundsFailed = async (): Promise<TwoPages> => {
    const pages = await twoPages('stripe');
    await pages.act('cancel');
    await declinesRefunds('stripe', 2);
    await pages.at('first', 'succeeded');
    await pages.at('second', 'succeeded');
    return pages;
  };

  it('are made again by one cancel each when they fail', async () => {
    const { id, act, look } = await bothRefundsFailed();
    expect((await look()).review.reason).toBe('refund_failed');
    const { body } = await act('cancel');
    expect(body.review.reason).toBe('refund_failed');
    expect(body.review.refund_id).toBe(body.refunds[1].id);
    expect((await act('cancel')).body.review).toBeNull();
    expect(await act('cancel')).toMatchObject({ status: 409, body: { code: 'payment_not_cancelable' } });
    expect(await moneyOf(host, id)).toMatchObject({ amount: 10_000, refunded: 10_000 });
  });
});

describe('a charge that a person refunds at the provider after an automatic refund failed', () => {
  const refused = async (arranged: boolean) => {
    const shop = await aShop(host, { a: {} });
    const how = { key: shop.key };
    if (arranged) await host.control('POST', '/psp/scenario', { provider: 'stripe', behaviour: 'wrong_amount' });
    const payment = await payOnPage(host, {}, how);
    const complete = () =>
      host.control('POST', '/psp/complete', {
        provider: 'stripe',
        reference: payment.psp_reference,
        outcome: 'succeeded',
      });
    const cancel = async () => (await act(host, payment.id, 'cancel', undefined, how)).body;
    const look = () => read(host, payment.id, how);
    const refundAtProvider = async (amount?: number) => {
      const { attempts } = await look();
      const form = {
        payment_intent: attempts[0].psp_reference,
        ...(amount !== undefined && { amount: String(amount) }),
      };
      await askProvider(host, shop.credentials.a!.secret_key, 'POST', '/v1/refunds', form);
      await drain(host);
      return look();
    };
    return { id: payment.id, cancel, complete, look, byHand: refundAtProvider };
  };

  it('is refunded, and its review ends', async () => {
    const { id, cancel, complete, byHand } = await refused(false);
    await cancel();
    await declinesRefunds('stripe', 1);
    await complete();
    await drain(host);
    const seen = await byHand();
    expect([seen.status, seen.amount_refunded, seen.review]).toEqual(['canceled', 0, null]);
    expect(refundsOf(seen)).toEqual([
      [5_000, 'failed', 'after_cancel'],
      [5_000, 'succeeded', 'after_cancel'],
    ]);
    expect((await moneyOf(host, id)).refunded).toBe(5_000);
  });

  it('in part leaves the rest to be refunded again', async () => {
    const { id, cancel, complete, byHand } = await refused(false);
    await cancel();
    await declinesRefunds('stripe', 1);
    await complete();
    await drain(host);
    expect((await byHand(2_000)).review.reason).toBe('refund_failed');
    const ended = await cancel();
    expect([ended.review, refundsOf(ended).at(-1)]).toEqual([null, [3_000, 'succeeded', 'after_cancel']]);
    expect((await moneyOf(host, id)).refunded).toBe(5_000);
  });

  it.each([
    ['in full is not refunded again', undefined, []],
    ['in part leaves the rest to the cancel', 2_000, [[3_001, 'succeeded', 'after_cancel']]],
  ] as const)('while its wrong amount is under review %s', async (_, part, more) => {
    const { id, cancel, complete, byHand, look } = await refused(true);
    await complete();
    await drain(host);
    expect((await look()).review.reason).toBe('amount_mismatch');
    await byHand(part);
    const ended = await cancel();
    expect([ended.status, ended.review, ended.amount_refunded]).toEqual(['canceled', null, 0]);
    expect(refundsOf(ended)).toEqual([[part ?? 5_001, 'succeeded', 'after_cancel'], ...more]);
    expect((await moneyOf(host, id)).refunded).toBe(5_001);
  });
});

describe('a retry above a velocity limit that crashes before the check', () => {
  it('leaves the payment to the first page, which pays it', async () => {
    const shop = await aShop(host, { a: {} });
    const how = { key: shop.key };
    const customer_id = 'once';
    const first = await payOnPage(host, { customer_id }, how);
    const complete = (outcome: string) =>
      host.control('POST', '/psp/complete', { provider: 'stripe', reference: first.psp_reference, outcome });
    await complete('failed');
    await drain(host);
    const velocity = [{ field: 'customer_id', max_payments: 1, window: '7d' }];
    await host.call('POST', '/v1/policies/fraud', { enabled: true, action: 'block', velocity }, how);
    await host.call(
      'POST',
      '/v1/payments',
      { amount: 5_000, currency: 'EUR', customer_id, payment_method: { type: 'card', token: 'ok' } },
      how,
    );
    await host.control('POST', '/faults', {
      point: 'table',
      nth: 9,
      kind: 'crash',
      when: 'before',
      handler: 'payment-actions',
    });
    await act(host, first.id, 'retry', undefined, how);
    await host.control('DELETE', '/faults');
    const begun = await host.deps.payments.byId(first.id);
    expect([begun?.status, begun?.attempts.length, begun?.unscreened]).toEqual(['processing', 2, 1]);
    await complete('succeeded');
    await drain(host);
    await advance(host, '3m');
    const answer = await host.call('GET', `/v1/payments/${first.id}`, undefined, how);
    expect([answer.status, answer.body.status, statesOf(answer.body)]).toEqual([200, 'succeeded', ['succeeded']]);
    expect((await act(host, first.id, 'refund', undefined, how)).body.status).toBe('refunded');
  });
});
