import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDebtor,
  aRenewal,
  changeMethod,
  type Debtor,
  FIRST_CHARGE_EVENTS,
  FIRST_RENEWAL_EVENTS,
  millisecondsBetween,
  SOFT_DECLINE,
  savePolicy,
  throughAllRetries,
  toNextRetry,
} from '#test/http/invoices/dunning.support.ts';
import { goTo, invoicesOf, moveSubscription } from '#test/support/billing.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, arrange, aShop, complete, operationsOf } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

const DAY = 86_400_000;

const declines = (times: number) => () => arrange(host, 'decline:insufficient_funds', { times });
const outcomes = ({ attempts }: Body) => attempts.map(({ status, failure }: Body) => [status, failure?.code ?? null]);
const charged = async (debtor: Debtor) =>
  (await operationsOf(host, (await debtor.payment()).id)).filter((operation) => operation === 'create').length;

describe('a soft decline', () => {
  it('of the first charge is followed by retries of the same payment until one succeeds', async () => {
    await declines(2)();
    const debtor = await aDebtor(host, 'ok');
    const first = await debtor.invoice();
    await toNextRetry(host, debtor);
    await toNextRetry(host, debtor);
    const [invoice, payment] = [await debtor.invoice(), await debtor.payment()];
    expect(invoice).toMatchObject({
      id: first.id,
      status: 'paid',
      attempts: 3,
      next_retry_at: null,
      payment_id: first.payment_id,
    });
    expect(payment).toMatchObject({
      status: 'succeeded',
      failure: null,
      late_success: false,
      invoice_id: first.id,
      amount: 1_990,
    });
    expect(outcomes(payment)).toEqual([
      ['failed', 'insufficient_funds'],
      ['failed', 'insufficient_funds'],
      ['succeeded', null],
    ]);
    expect([await debtor.taken(), (await debtor.subscription()).status, await charged(debtor)]).toEqual([
      [[1, 1_990]],
      'active',
      3,
    ]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 2,
      'payment.succeeded': 1,
      'invoice.paid': 1,
    });
  });

  it('of a renewal is followed by retries, and the third attempt renews the subscription', async () => {
    const debtor = await aRenewal(host, declines(2));
    const [{ payment_id }, { next_renewal_at }] = [await debtor.invoice(), await debtor.subscription()];
    await toNextRetry(host, debtor);
    await toNextRetry(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 3, next_retry_at: null, payment_id });
    expect([(await debtor.payment()).attempts.length, await debtor.taken()]).toEqual([
      3,
      [
        [1, 1_990],
        [1, 1_990],
      ],
    ]);
    expect(await debtor.subscription()).toMatchObject({ status: 'active', next_renewal_at });
    expect(await debtor.events()).toEqual({
      ...FIRST_RENEWAL_EVENTS,
      'payment.succeeded': 2,
      'payment.failed': 2,
      'invoice.paid': 2,
      'subscription.renewed': 1,
    });
  });

  it('leaves the subscription active and its invoice open while retries are planned', async () => {
    const debtor = await aRenewal(host, declines(1));
    expect(await debtor.subscription()).toMatchObject({
      status: 'active',
      next_renewal_at: (await debtor.invoice()).period_end,
    });
    expect(await debtor.events()).toEqual({
      ...FIRST_RENEWAL_EVENTS,
      'payment.succeeded': 1,
      'payment.failed': 1,
      'invoice.paid': 1,
    });
  });

  it('is retried with the payment method that the subscription has by then', async () => {
    const debtor = await aDebtor(host);
    expect((await changeMethod(host, debtor, 'ok')).status).toBe(200);
    expect((await debtor.payment()).attempts).toHaveLength(1);
    await toNextRetry(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2 });
    expect([outcomes(await debtor.payment()).length, await debtor.taken()]).toEqual([2, [[1, 1_990]]]);
  });

  it('is retried although the next period starts meanwhile, as each period has its own invoice', async () => {
    const shop = await aShop(host, { a: {} });
    await savePolicy(host, shop, { delays: ['36h'] });
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'daily' }, shop);
    await changeMethod(host, debtor, 'decline_do_not_honor');
    await goTo(host, (await debtor.subscription()).next_renewal_at);
    const [first, second] = await invoicesOf(host, debtor, debtor.how);
    expect([first.attempts, second.attempts, first.payment_id === second.payment_id]).toEqual([1, 1, false]);
    await changeMethod(host, debtor, 'ok');
    await goTo(host, first.next_retry_at);
    const statuses = async () => (await invoicesOf(host, debtor, debtor.how)).map(({ status }) => status);
    expect(await statuses()).toEqual(['paid', 'open']);
    await goTo(host, second.next_retry_at);
    expect((await statuses()).slice(0, 2)).toEqual(['paid', 'paid']);
    for (const [count, kept] of await debtor.taken()) expect([count, kept]).toEqual([1, 1_990]);
  });
});

describe('a decline with failover to another connection', () => {
  it('is one attempt however many connections decline, and the retry starts with the first of them again', async () => {
    const shop = await aShop(host, { a: {}, b: {} });
    await arrange(host, 'decline:do_not_honor', { times: 3 });
    const debtor = await aDebtor(host, 'ok', {}, shop);
    const attempts = async () =>
      (await debtor.payment()).attempts.map(({ connection_id, status }: Body) => [connection_id, status]);
    expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts: 1 });
    expect(await attempts()).toEqual([
      ['a', 'failed'],
      ['b', 'failed'],
    ]);
    await toNextRetry(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2 });
    expect(await attempts()).toEqual([
      ['a', 'failed'],
      ['b', 'failed'],
      ['a', 'failed'],
      ['b', 'succeeded'],
    ]);
    expect(await debtor.taken()).toEqual([[1, 1_990]]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 1,
      'payment.succeeded': 1,
      'invoice.paid': 1,
    });
  });
});

describe('a payment that was sent to no provider', () => {
  it('is retried as planned if no connection could accept it, and one can now', async () => {
    const debtor = await aRenewal(host, async () => undefined);
    await host.call('PATCH', '/v1/connections/a/status', { status: 'inactive' }, debtor.how);
    await goTo(host, (await debtor.subscription()).next_renewal_at);
    const invoice = await debtor.invoice();
    expect([
      (await debtor.payment()).failure.code,
      invoice.status,
      millisecondsBetween(invoice.updated_at, invoice.next_retry_at),
    ]).toEqual(['no_route', 'open', DAY]);
    await host.call('PATCH', '/v1/connections/a/status', { status: 'active' }, debtor.how);
    await toNextRetry(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2, payment_id: invoice.payment_id });
    expect((await debtor.taken()).map(([count]) => count)).toEqual([1, 1, 1]);
  });

  it('uses up all retries if the fraud policy blocked it', async () => {
    const debtor = await aRenewal(host, async () => undefined);
    const blocked = { enabled: true, action: 'block', blocked: { customer_ids: [debtor.customer_id] } };
    expect((await host.call('POST', '/v1/policies/fraud', blocked, debtor.how)).status).toBe(200);
    await goTo(host, (await debtor.subscription()).next_renewal_at);
    expect([
      (await debtor.payment()).failure.code,
      (await debtor.invoice()).status,
      (await debtor.subscription()).status,
    ]).toEqual(['fraud_blocked', 'failed', 'paused']);
    expect((await debtor.taken()).map(([count]) => count)).toEqual([1, 1, 0]);
  });
});

describe('exhausted retries', () => {
  const exhausted = async (): Promise<Debtor> => {
    const debtor = await aRenewal(host, declines(4));
    await throughAllRetries(host, debtor);
    return debtor;
  };

  it('fail the invoice and pause the subscription at the same moment, each announced once', async () => {
    const debtor = await exhausted();
    const [invoice, subscription] = [await debtor.invoice(), await debtor.subscription()];
    expect(invoice).toMatchObject({ status: 'failed', attempts: 4, next_retry_at: null });
    expect([subscription.status, subscription.next_renewal_at, await debtor.taken()]).toEqual([
      'paused',
      null,
      [
        [1, 1_990],
        [0, 0],
      ],
    ]);
    expect(await debtor.events()).toEqual({
      ...FIRST_RENEWAL_EVENTS,
      'payment.succeeded': 1,
      'payment.failed': 4,
      'invoice.paid': 1,
      'invoice.failed': 1,
      'subscription.paused': 1,
    });
    const told = (await host.call('GET', '/v1/webhooks/events?limit=200', undefined, debtor.how)).body.events;
    const [failed, paused] = ['invoice.failed', 'subscription.paused'].map((type) =>
      told.find((event: Body) => event.type === type),
    );
    expect([failed.data, failed.created_at, paused.data, paused.created_at]).toEqual([
      invoice,
      invoice.updated_at,
      subscription,
      invoice.updated_at,
    ]);
  });

  it('are followed by no attempt and no renewal', async () => {
    const debtor = await exhausted();
    const before = [
      await debtor.invoice(),
      await debtor.payments(),
      await debtor.subscription(),
      await debtor.events(),
    ];
    await advance(host, '100d');
    expect([
      await debtor.invoice(),
      await debtor.payments(),
      await debtor.subscription(),
      await debtor.events(),
    ]).toEqual(before);
    expect(await invoicesOf(host, debtor, debtor.how)).toHaveLength(2);
  });

  it('are not restored by a resume, which continues at the next date ahead', async () => {
    const debtor = await exhausted();
    const failed = await debtor.invoice();
    await advance(host, '100d');
    await moveSubscription(host, debtor, 'resume', undefined, debtor.how);
    const { status, next_renewal_at, start_at } = await debtor.subscription();
    const now = (await host.control('GET', '/clock')).body.now;
    expect([status, next_renewal_at > now, millisecondsBetween(now, next_renewal_at) <= 31 * DAY]).toEqual([
      'active',
      true,
      true,
    ]);
    expect(next_renewal_at.slice(8)).toBe(start_at.slice(8));
    await goTo(host, next_renewal_at);
    const invoices = await invoicesOf(host, debtor, debtor.how);
    expect(invoices[1]).toEqual(failed);
    expect(invoices.map(({ status, period_start }) => [status, period_start])).toEqual([
      ['paid', start_at],
      ['failed', failed.period_start],
      ['paid', next_renewal_at],
    ]);
    expect(await debtor.taken()).toEqual([
      [1, 1_990],
      [0, 0],
      [1, 1_990],
    ]);
    expect(await debtor.events()).toMatchObject({
      'invoice.failed': 1,
      'subscription.paused': 1,
      'subscription.resumed': 1,
      'subscription.renewed': 1,
    });
  });
});

describe.each(['lost_card', 'stolen_card', 'fraud_suspected', 'expired_card'])('the decline %s', (code) => {
  it('uses up all retries of a first charge at once', async () => {
    const debtor = await aDebtor(host, `decline_${code}`);
    expect(await debtor.invoice()).toMatchObject({ status: 'failed', attempts: 1, next_retry_at: null });
    expect([(await debtor.payment()).failure.code, (await debtor.subscription()).status, await debtor.taken()]).toEqual(
      [code, 'paused', [[0, 0]]],
    );
    await advance(host, '15d');
    expect([(await debtor.payment()).attempts.length, await charged(debtor)]).toEqual([1, 1]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 1,
      'invoice.failed': 1,
      'subscription.paused': 1,
    });
  });

  it('ends the retries of a renewal that was soft-declined before', async () => {
    const debtor = await aRenewal(host, async () => {
      await declines(1)();
      await arrange(host, `decline:${code}`);
    });
    expect((await debtor.invoice()).status).toBe('open');
    await toNextRetry(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'failed', attempts: 2, next_retry_at: null });
    expect([outcomes(await debtor.payment()).at(-1), (await debtor.subscription()).status]).toEqual([
      ['failed', code],
      'paused',
    ]);
    expect(await debtor.events()).toEqual({
      ...FIRST_RENEWAL_EVENTS,
      'payment.succeeded': 1,
      'payment.failed': 2,
      'invoice.paid': 1,
      'invoice.failed': 1,
      'subscription.paused': 1,
    });
  });
});

describe('an attempt that needs the customer', () => {
  it('leaves the invoice open with the next action, and pays it once that is done', async () => {
    const debtor = await aRenewal(host, async () => undefined);
    await changeMethod(host, debtor, 'needs_3ds');
    await goTo(host, (await debtor.subscription()).next_renewal_at);
    const payment = await debtor.payment();
    expect(payment).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect' } });
    expect(outcomes(payment)).toEqual([
      ['failed', 'authentication_required'],
      ['requires_action', null],
    ]);
    expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts: 1, next_retry_at: null });
    await complete(host, payment.psp_reference, 'succeeded');
    expect([(await debtor.invoice()).status, (await debtor.taken())[2]]).toEqual(['paid', [1, 1_990]]);
    expect(await debtor.events()).toMatchObject({
      'invoice.paid': 3,
      'subscription.renewed': 2,
      'payment.succeeded': 3,
    });
  });

  it('fails if the action is not done within a day, and the next retry is planned', async () => {
    const debtor = await aDebtor(host, 'needs_3ds');
    const { attempts } = await debtor.payment();
    await advance(host, '23h');
    expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts: 1, next_retry_at: null });
    await advance(host, '2h');
    const [invoice, payment] = [await debtor.invoice(), await debtor.payment()];
    expect([
      payment.status,
      payment.failure.code,
      invoice.attempts,
      millisecondsBetween(invoice.updated_at, invoice.next_retry_at),
    ]).toEqual(['failed', 'expired', 1, DAY]);
    expect(millisecondsBetween(attempts[1].started_at, invoice.updated_at)).toBe(DAY);
    await changeMethod(host, debtor, 'ok');
    await toNextRetry(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2, payment_id: payment.id });
    expect(await debtor.taken()).toEqual([[1, 1_990]]);
  });

  it('fails if the authentication fails, and the next retry is planned from that moment on', async () => {
    const debtor = await aDebtor(host, 'needs_3ds', { interval: 'yearly' });
    await advance(host, '3h');
    await complete(host, (await debtor.payment()).psp_reference, 'failed');
    const [{ status, attempts, updated_at, next_retry_at }, payment] = [await debtor.invoice(), await debtor.payment()];
    expect([payment.failure.code, status, attempts, millisecondsBetween(updated_at, next_retry_at)]).toEqual([
      'authentication_failed',
      'open',
      1,
      DAY,
    ]);
    await toNextRetry(host, debtor);
    // The customer is asked once more, for the same payment.
    expect(await debtor.payment()).toMatchObject({
      id: payment.id,
      status: 'requires_action',
      next_action: { type: 'redirect' },
    });
    expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts: 2, next_retry_at: null });
  });
});
