import { randomUUID } from 'node:crypto';
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
import { changeSubscription, goTo, moveSubscription } from '#test/support/billing.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { act, advance, arrange, begin, drain, operationsOf, pay } from '#test/support/payment-steps.ts';

/** Changes of subscription, card or queue between two attempts of an invoice. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const declines = (times: number) => () => arrange(host, 'decline:insufficient_funds', { times });
const charged = async (debtor: Debtor) =>
  (await operationsOf(host, (await debtor.payment()).id)).filter((operation) => operation === 'create').length;

describe('a subscription that is canceled between two attempts', () => {
  it('cancels its invoice, and nothing is charged any more', async () => {
    const debtor = await aRenewal(host, declines(1));
    await moveSubscription(host, debtor, 'cancel', undefined, debtor.how);
    expect(await debtor.invoice()).toMatchObject({ status: 'canceled', attempts: 1, next_retry_at: null });
    await advance(host, '20d');
    expect([(await debtor.payment()).attempts.length, await charged(debtor), await debtor.taken()]).toEqual([
      1,
      1,
      [
        [1, 1_990],
        [0, 0],
      ],
    ]);
    expect(await debtor.events()).toEqual({
      ...FIRST_RENEWAL_EVENTS,
      'payment.succeeded': 1,
      'payment.failed': 1,
      'invoice.paid': 1,
      'invoice.canceled': 1,
      'subscription.canceled': 1,
    });
  });

  it('cancels the payment that waits for the customer, also at the provider', async () => {
    const debtor = await aDebtor(host, 'needs_3ds');
    await moveSubscription(host, debtor, 'cancel', undefined, debtor.how);
    const payment = await debtor.payment();
    expect([payment.status, (await debtor.invoice()).status, await operationsOf(host, payment.id)]).toEqual([
      'canceled',
      'canceled',
      expect.arrayContaining(['cancel']),
    ]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.canceled': 1,
      'invoice.canceled': 1,
      'subscription.canceled': 1,
    });
  });

  it('refunds what a running attempt still charges', async () => {
    await declines(1)();
    const debtor = await aDebtor(host, 'ok');
    await arrange(host, 'slow:300');
    const { answer } = await begin(host, 'create', () => toNextRetry(host, debtor));
    expect((await host.call('POST', `/v1/subscriptions/${debtor.id}/cancel`, undefined, debtor.how)).body.status).toBe(
      'canceled',
    );
    await answer;
    await advance(host, '3m');
    expect([(await debtor.invoice()).status, (await debtor.subscription()).status, await debtor.taken()]).toEqual([
      'canceled',
      'canceled',
      [[1, 0]],
    ]);
  });

  it('keeps retrying its invoice until the end of the period', async () => {
    const debtor = await aRenewal(host, declines(1));
    await moveSubscription(host, debtor, 'cancel', { at_period_end: true }, debtor.how);
    await toNextRetry(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2 });
    await goTo(host, (await debtor.subscription()).next_renewal_at);
    expect([(await debtor.subscription()).status, (await debtor.payments()).length]).toEqual(['canceled', 2]);
  });

  it('makes the retries that are planned after the end of the period', async () => {
    const debtor = await aDebtor(host);
    await savePolicy(host, debtor.shop, { delays: ['25d'], max_retries: 5 });
    await toNextRetry(host, debtor);
    await moveSubscription(host, debtor, 'cancel', { at_period_end: true }, debtor.how);
    await advance(host, '150d');
    expect([(await debtor.subscription()).status, (await debtor.payments()).length]).toEqual(['canceled', 1]);
    expect(await debtor.invoice()).toMatchObject({ status: 'failed', attempts: 6 });
    expect(await debtor.events()).toMatchObject({
      'invoice.failed': 1,
      'subscription.canceled': 1,
      'payment.created': 1,
      'payment.failed': 6,
    });
    expect(await debtor.taken()).toEqual([[0, 0]]);
  });
});

describe('a subscription that is paused between two attempts', () => {
  it('postpones the retry to within a day of the resume, and does not count it before', async () => {
    const debtor = await aRenewal(host, declines(1));
    await changeSubscription(host, debtor, { status: 'paused' }, debtor.how);
    await advance(host, '10d');
    expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts: 1 });
    expect([(await debtor.payment()).attempts.length, await charged(debtor)]).toEqual([1, 1]);
    await moveSubscription(host, debtor, 'resume', undefined, debtor.how);
    const resumed = (await debtor.subscription()).updated_at;
    await advance(host, '24h');
    const last = (await debtor.payment()).attempts.at(-1);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2 });
    expect([
      millisecondsBetween(resumed, last.started_at) > 0,
      millisecondsBetween(resumed, last.started_at) <= DAY,
    ]).toEqual([true, true]);
    expect([await debtor.taken(), (await debtor.events())['subscription.renewed']]).toEqual([
      [
        [1, 1_990],
        [1, 1_990],
      ],
      1,
    ]);
  });

  it('keeps the number of retries that are left', async () => {
    const debtor = await aDebtor(host);
    await changeSubscription(host, debtor, { status: 'paused' }, debtor.how);
    await advance(host, '3d');
    await moveSubscription(host, debtor, 'resume', undefined, debtor.how);
    await toNextRetry(host, debtor);
    const { attempts, updated_at, next_retry_at } = await debtor.invoice();
    expect([attempts, millisecondsBetween(updated_at, next_retry_at)]).toEqual([2, 3 * DAY]);
    await throughAllRetries(host, debtor);
    expect((await debtor.invoice()).attempts).toBe(4);
  });

  it('cancels its invoice if it is canceled then', async () => {
    const debtor = await aDebtor(host);
    await changeSubscription(host, debtor, { status: 'paused' }, debtor.how);
    await moveSubscription(host, debtor, 'cancel', undefined, debtor.how);
    await advance(host, '5d');
    expect([(await debtor.invoice()).status, (await debtor.payment()).attempts.length]).toEqual(['canceled', 1]);
    expect((await debtor.events())['invoice.canceled']).toBe(1);
  });
});

describe('a card that was declined eight times in a day', () => {
  it('is not charged at the next planned retry, which is used up, and is at the one after it', async () => {
    const debtor = await aDebtor(host);
    const { next_retry_at } = await debtor.invoice();
    await goTo(host, new Date(Date.parse(next_retry_at) - HOUR).toISOString());
    const others: Body[] = [];
    for (let n = 0; n < 8; n += 1) others.push(await pay(host, SOFT_DECLINE, {}, debtor.how));
    expect(others.map(({ status }) => status)).toEqual(Array(8).fill('failed'));
    await goTo(host, next_retry_at);
    const usedUp = await debtor.invoice();
    expect([usedUp, millisecondsBetween(usedUp.updated_at, usedUp.next_retry_at)]).toEqual([
      expect.objectContaining({ status: 'open', attempts: 2 }),
      3 * DAY,
    ]);
    expect([(await debtor.payment()).attempts.length, await charged(debtor)]).toEqual([1, 1]);
    await toNextRetry(host, debtor);
    expect([(await debtor.invoice()).attempts, await charged(debtor)]).toEqual([3, 2]);
    await throughAllRetries(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'failed', attempts: 4 });
    expect((await debtor.events())['payment.failed']).toBe(4);
  });

  it('is not charged if the subscription has another card by then', async () => {
    const debtor = await aDebtor(host);
    const { next_retry_at } = await debtor.invoice();
    await goTo(host, new Date(Date.parse(next_retry_at) - HOUR).toISOString());
    for (let n = 0; n < 8; n += 1) await pay(host, SOFT_DECLINE, {}, debtor.how);
    await changeMethod(host, debtor, 'ok');
    await goTo(host, next_retry_at);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2 });
  });
});

describe('a refund of the payment of an invoice', () => {
  it.each([undefined, 500])('does not change the invoice (%s)', async (amount) => {
    const debtor = await aRenewal(host, declines(1));
    await toNextRetry(host, debtor);
    const [paid, subscription] = [await debtor.invoice(), await debtor.subscription()];
    const { status, body } = await act(host, paid.payment_id, 'refund', amount && { amount }, debtor.how);
    expect([status, body.amount_refunded]).toEqual([200, amount ?? 1_990]);
    await advance(host, '2d');
    expect([await debtor.invoice(), await debtor.subscription()]).toEqual([paid, subscription]);
    expect(await debtor.retry()).toMatchObject({ status: 409, body: { code: 'invoice_not_retryable' } });
    expect((await debtor.taken())[1]).toEqual([1, 1_990 - (amount ?? 1_990)]);
    expect(await debtor.events()).toEqual({
      ...FIRST_RENEWAL_EVENTS,
      'payment.succeeded': 2,
      'payment.failed': 1,
      'payment.refunded': 1,
      'invoice.paid': 2,
      'subscription.renewed': 1,
    });
  });
});

describe('a due retry that several workers process at once', () => {
  it.each(Array.from({ length: 5 }, (_, n) => [n]))('is made once (round %i)', async () => {
    await declines(1)();
    const debtor = await aDebtor(host, 'ok', { interval: 'yearly' });
    const { id, next_retry_at } = await debtor.invoice();
    await goTo(host, new Date(Date.parse(next_retry_at) - 10_000).toISOString());
    const messages = Array.from({ length: 8 }, () => ({
      body: { kind: 'invoice', id, at: next_retry_at },
      group: randomUUID(),
    }));
    await Promise.all([
      goTo(host, next_retry_at),
      host.deps.queue.send('renewals', messages),
      host.deps.queue.send('renewals', messages),
    ]);
    await host.deps.queue.send('renewals', messages);
    await advance(host, '1h');
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2 });
    expect([(await debtor.payment()).attempts.length, await debtor.taken()]).toEqual([2, [[1, 1_990]]]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 1,
      'payment.succeeded': 1,
      'invoice.paid': 1,
    });
  });

  it('is not made before its time', async () => {
    const debtor = await aDebtor(host);
    const { id, next_retry_at } = await debtor.invoice();
    await host.deps.queue.send('renewals', [{ body: { kind: 'invoice', id, at: next_retry_at }, group: id }]);
    await drain(host);
    expect(await debtor.invoice()).toMatchObject({ attempts: 1, next_retry_at });
  });
});
