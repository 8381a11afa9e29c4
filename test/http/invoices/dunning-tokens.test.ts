import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type CrashPoint,
  crashesAt,
  crashPointsOf,
  describePoint,
  expireLease,
  retryUntilDone,
} from '#test/faults/crash-sweep.support.ts';
import { aDebtor, type Debtor, FIRST_CHARGE_EVENTS, toNextRetry } from '#test/http/invoices/dunning.support.ts';
import { aLab, resultsOf, startTest } from '#test/support/ab-test-steps.ts';
import { changeSubscription, goTo, moveSubscription, savedCard } from '#test/support/billing.ts';
import { aConnection, type Body, type CallOptions, startHost, type TestHost } from '#test/support/host.ts';
import { changed } from '#test/support/memory-store.ts';
import { act, advance, arrange, aShop, complete, drain } from '#test/support/payment-steps.ts';

/**
 * An invoice is collected with the current payment method, at the connection that knows it; and each request considers
 * what was done before and meanwhile.
 */
let host: TestHost;
let beforeWrite: (() => Promise<unknown>) | undefined;
beforeAll(async () => {
  host = await startHost({
    wrapTable: (table) =>
      changed(table, {
        put: async (item, condition) => {
          const meanwhile = String(item.pk).startsWith('INV#') ? beforeWrite : undefined;
          if (meanwhile) beforeWrite = undefined;
          await meanwhile?.();
          return table.put(item, condition);
        },
      }),
  });
});
afterEach(async () => {
  beforeWrite = undefined;
  await host.control('DELETE', '/psp/scenario');
  await host.control('DELETE', '/faults');
});
afterAll(() => host?.close());

const YEARLY = { interval: 'yearly' };
const declines = (times: number, code = 'insufficient_funds') => arrange(host, `decline:${code}`, { times });
const routeOf = ({ attempts }: Body) =>
  attempts.map(({ connection_id, status, failure }: Body) => [connection_id, failure?.code ?? status]);
const routesOf = async (debtor: Debtor) => (await debtor.payments()).map(routeOf);
const endsOf = ({ attempts }: Body) => attempts.map(({ status, failure }: Body) => failure?.code ?? status);

describe('a token without a known connection', () => {
  const OLD = { type: 'card', token: 'pm_card_visa' };
  const NEW = { type: 'card', token: 'ok' };
  const [DECLINED, TAKEN] = [
    ['main', 'insufficient_funds'],
    ['main', 'succeeded'],
  ];

  /** A customer with a Stripe token whose first charge was declined for lack of funds. */
  async function aShopper(): Promise<Debtor> {
    const shop = await aShop(host, { main: {} });
    await aConnection(host, shop, { id: 'other', provider: 'checkout' });
    await declines(1);
    return aDebtor(host, 'unused', { country: 'DE', payment_method: OLD }, shop);
  }

  /** Routes payments to the other provider until the returned function is called. */
  async function leadToOther({ how }: Debtor): Promise<() => Promise<unknown>> {
    const rule = {
      name: 'To other',
      connection_id: 'other',
      priority: 10,
      countries: ['DE'],
      fallback_to_default: true,
    };
    const { id } = (await host.call('POST', '/v1/routing-rules', rule, how)).body;
    return () => host.call('DELETE', `/v1/routing-rules/${id}`, undefined, how);
  }

  const renew = async (debtor: Debtor) => goTo(host, (await debtor.subscription()).next_renewal_at);

  it.each([
    ['by hand', (debtor: Debtor) => debtor.retry()],
    ['by the policy', (debtor: Debtor) => toNextRetry(host, debtor)],
  ])(
    'goes %s to the connection that routing prefers, not to that of the old token, and stays there',
    async (_, tryAgain) => {
      const debtor = await aShopper();
      const leadBack = await leadToOther(debtor);
      await changeSubscription(host, debtor, { payment_method: NEW }, debtor.how);
      await tryAgain(debtor);
      expect([(await debtor.invoice()).status, await routesOf(debtor)]).toEqual([
        'paid',
        [[DECLINED, ['other', 'succeeded']]],
      ]);
      await leadBack();
      await renew(debtor);
      expect((await routesOf(debtor))[1]).toEqual([['other', 'succeeded']]);
    },
  );

  it('goes to the preferred connection if the merchant retries the payment itself, and stays there', async () => {
    const debtor = await aShopper();
    const leadBack = await leadToOther(debtor);
    await host.control('POST', '/psp/scenario', {
      provider: 'checkout',
      behaviour: 'decline:insufficient_funds',
      times: 1,
    });
    const { id } = await debtor.payment();
    const tried = await act(host, id, 'retry', { payment_method: NEW }, debtor.how);
    expect([tried.status, routeOf(tried.body)]).toEqual([200, [DECLINED, ['other', 'insufficient_funds']]]);
    await leadBack();
    await act(host, id, 'retry', undefined, debtor.how);
    await drain(host);
    expect(routeOf(await debtor.payment())).toEqual([
      DECLINED,
      ['other', 'insufficient_funds'],
      ['other', 'succeeded'],
    ]);
  });

  it('stays with the connection that declined its first charge, also for a payment retry', async () => {
    const debtor = await aShopper();
    await leadToOther(debtor);
    const tried = await act(host, (await debtor.payment()).id, 'retry', undefined, debtor.how);
    expect(routeOf(tried.body)).toEqual([DECLINED, TAKEN]);
    await renew(debtor);
    expect((await routesOf(debtor))[1]).toEqual([TAKEN]);
  });

  it('goes to another connection of its provider, and to no other provider, if its own is deleted', async () => {
    const debtor = await aShopper();
    await leadToOther(debtor);
    expect((await host.call('DELETE', '/v1/connections/main', undefined, debtor.how)).status).toBe(200);
    await toNextRetry(host, debtor);
    const { status, attempts } = await debtor.invoice();
    expect([status, attempts, (await debtor.payment()).failure.code, await routesOf(debtor)]).toEqual([
      'open',
      2,
      'no_route',
      [[DECLINED]],
    ]);
    await aConnection(host, debtor.shop, { id: 'again' });
    await toNextRetry(host, debtor);
    expect([(await debtor.invoice()).status, await routesOf(debtor)]).toEqual([
      'paid',
      [[DECLINED, ['again', 'succeeded']]],
    ]);
    await renew(debtor);
    expect((await routesOf(debtor))[1]).toEqual([['again', 'succeeded']]);
  });
});

describe('a payment method of another type', () => {
  const DEBIT = { type: 'sepa_debit', tokens: { stripe: { payment_method: 'ok', customer: 'cus_1' } } };
  const methodsOf = async (debtor: Debtor) =>
    (await debtor.payments()).map((payment) => [payment.method, ...endsOf(payment)]);

  async function aDebtorOf(code: string): Promise<Debtor> {
    const shop = await aShop(host, { main: { capabilities: { methods: ['card', 'sepa_debit'] } } });
    await declines(1, code);
    return aDebtor(host, 'ok', YEARLY, shop);
  }

  it('pays an invoice whose card has expired, with a new payment', async () => {
    const debtor = await aDebtorOf('expired_card');
    expect([(await debtor.invoice()).status, (await debtor.subscription()).status]).toEqual(['failed', 'paused']);
    await changeSubscription(host, debtor, { status: 'active', payment_method: DEBIT }, debtor.how);
    expect((await debtor.retry()).status).toBe(200);
    await advance(host, '1h');
    expect(await methodsOf(debtor)).toEqual([
      ['card', 'expired_card'],
      ['sepa_debit', 'succeeded'],
    ]);
    expect([(await debtor.invoice()).status, (await debtor.invoice()).payment_id, await debtor.taken()]).toEqual([
      'paid',
      (await debtor.payments())[1]?.id,
      [
        [0, 0],
        [1, 1_990],
      ],
    ]);
    const refused = await act(host, (await debtor.payments())[0]?.id, 'retry', undefined, debtor.how);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'payment_not_retryable', message: 'The invoice of this payment is paid.' },
    });
  });

  it('is charged by the retry policy instead of a card that turned out to be expired', async () => {
    const debtor = await aDebtorOf('insufficient_funds');
    await declines(1, 'expired_card');
    await act(host, (await debtor.payment()).id, 'retry', undefined, debtor.how);
    await changeSubscription(host, debtor, { payment_method: DEBIT }, debtor.how);
    await toNextRetry(host, debtor);
    await advance(host, '1h');
    expect(await methodsOf(debtor)).toEqual([
      ['card', 'insufficient_funds', 'expired_card'],
      ['sepa_debit', 'succeeded'],
    ]);
    expect([(await debtor.invoice()).status, (await debtor.invoice()).attempts]).toEqual(['paid', 2]);
  });
});

describe('a retry that crashed at the very end and is repeated after another one', () => {
  const aDeclined = async (): Promise<Debtor> => {
    await host.control('DELETE', '/psp/scenario');
    await declines(3);
    return aDebtor(host, 'ok', YEARLY);
  };

  type Unanswered = Pick<Debtor, 'retry'> & { readonly debtor: Debtor; readonly same: CallOptions };

  async function anUnanswered(last: CrashPoint): Promise<Unanswered> {
    const [debtor, same] = [await aDeclined(), { idempotencyKey: randomUUID() }];
    const retry = await debtor.ready('retry');
    await host.control('POST', '/faults', {
      ...last,
      method: undefined,
      kind: 'crash',
      when: 'before',
      handler: 'invoices',
    });
    return (await crashesAt(host, () => retry(same), describePoint(last)))
      ? { debtor, same, retry }
      : anUnanswered(last);
  }

  it('makes no further attempt', async () => {
    const points = await crashPointsOf(host, 'invoices', await (await aDeclined()).ready('retry'));
    const { debtor, same, retry } = await anUnanswered(points.at(-1)!);
    expect((await retry()).body).toMatchObject({ status: 'open', attempts: 3 });
    await expireLease(host);
    expect(await retryUntilDone(host, () => retry(same))).toMatchObject({
      status: 200,
      body: { status: 'open', attempts: 3 },
    });
    expect([(await debtor.payments()).map(endsOf), await debtor.taken()]).toEqual([
      [Array(3).fill('insufficient_funds')],
      [[0, 0]],
    ]);
  });
});

describe('an invoice that failed before its subscription was canceled', () => {
  it('stays failed after a failed retry, and can still be paid', async () => {
    await declines(2, 'insufficient_funds');
    const shop = await aShop(host, { main: {} });
    await host.call('POST', '/v1/policies/retry', { max_retries: 0 }, { key: shop.key });
    const debtor = await aDebtor(host, 'ok', YEARLY, shop);
    await moveSubscription(host, debtor, 'cancel', undefined, debtor.how);
    expect((await debtor.retry()).body).toMatchObject({ status: 'failed', attempts: 2, next_retry_at: null });
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 2,
      'invoice.failed': 1,
      'subscription.paused': 1,
      'subscription.canceled': 1,
    });
    expect((await debtor.retry()).body).toMatchObject({ status: 'paid', attempts: 3 });
    expect(await debtor.taken()).toEqual([[1, 1_990]]);
  });
});

describe('a routing A/B test', () => {
  it.each([
    ['succeeded', 1],
    ['failed', 0],
  ] as const)('counts a charge that went on with its customer once: %s', async (outcome, succeeded) => {
    const lab = await aLab(host);
    const test = await startTest(lab);
    await arrange(host, 'decline:authentication_required', { times: 1, webhook: 'none' });
    const debtor = await aDebtor(host, 'needs_3ds', { ...YEARLY, country: 'DE' }, { ...lab, credentials: {} });
    const asked = await debtor.payment();
    expect([asked.status, endsOf(asked)]).toEqual(['requires_action', ['authentication_required', 'requires_action']]);
    const counts = async () => {
      await drain(host);
      return (await resultsOf(lab, test.id)).filter(({ transactions }: Body) => transactions > 0);
    };
    const trial = { variant_name: asked.routing.variant, transactions: 1 };
    expect(await counts()).toEqual([expect.objectContaining({ ...trial, successful: 0, failed: 0 })]);
    await complete(host, asked.psp_reference, outcome);
    await advance(host, '2m');
    expect(await counts()).toEqual([
      expect.objectContaining({ ...trial, successful: succeeded, failed: 1 - succeeded }),
    ]);
  });
});

describe('a cancel of an invoice', () => {
  it('succeeds if the payment fails meanwhile', async () => {
    const debtor = await aDebtor(host, 'pending', YEARLY);
    const { psp_reference } = await debtor.payment();
    const cancel = await debtor.ready('cancel');
    let first: Body;
    beforeWrite = async () => {
      await complete(host, psp_reference, 'failed');
      first = await debtor.invoice();
    };
    expect(await cancel()).toMatchObject({
      status: 200,
      body: { status: 'canceled', attempts: 1, next_retry_at: null },
    });
    expect([first.status, first.next_retry_at]).toEqual(['open', expect.any(String)]);
    expect((await debtor.payment()).status).toBe('failed');
    await advance(host, '5d');
    expect([(await debtor.invoice()).status, (await debtor.payments()).length]).toEqual(['canceled', 1]);
    expect(await debtor.events()).toEqual({ ...FIRST_CHARGE_EVENTS, 'payment.failed': 1, 'invoice.canceled': 1 });
  });

  it('leaves nothing behind when rejected: a failing attempt is followed by the next one', async () => {
    const debtor = await aDebtor(
      host,
      'pending',
      YEARLY,
      await aShop(host, { a: { capabilities: { cancel: false } } }),
    );
    expect(await debtor.cancel()).toMatchObject({ status: 409, body: { code: 'payment_not_cancelable' } });
    await complete(host, (await debtor.payment()).psp_reference, 'failed');
    expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts: 1, next_retry_at: expect.any(String) });
    await changeSubscription(host, debtor, { payment_method: savedCard('ok') }, debtor.how);
    await toNextRetry(host, debtor);
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['paid', [[1, 1_990]]]);
    expect((await debtor.events())['invoice.canceled']).toBeUndefined();
  });
});

describe('an invoice whose payment the fraud policy blocked', () => {
  it('may be retried on request as soon as the policy allows it', async () => {
    const shop = await aShop(host, { a: {} });
    const policy = (max_amount: number) =>
      host.call(
        'POST',
        '/v1/policies/fraud',
        { enabled: true, action: 'block', max_amount: { EUR: max_amount } },
        { key: shop.key },
      );
    expect((await policy(1_989)).status).toBe(200);
    const debtor = await aDebtor(host, 'ok', YEARLY, shop);
    expect([(await debtor.invoice()).status, (await debtor.payment()).failure.code]).toEqual([
      'failed',
      'fraud_blocked',
    ]);
    expect(await debtor.retry()).toMatchObject({ status: 200, body: { status: 'failed', attempts: 2 } });
    await policy(1_990);
    expect((await debtor.retry()).body).toMatchObject({ status: 'paid', attempts: 3, next_retry_at: null });
    expect(await debtor.taken()).toEqual([
      [0, 0],
      [0, 0],
      [1, 1_990],
    ]);
  });
});
