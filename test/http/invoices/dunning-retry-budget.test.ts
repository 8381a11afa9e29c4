import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDebtor,
  changeMethod,
  type Debtor,
  FIRST_CHARGE_EVENTS,
  millisecondsBetween,
  SOFT_DECLINE,
  savePolicy,
  throughAllRetries,
  toNextRetry,
} from '#test/http/invoices/dunning.support.ts';
import { goTo, invoicesOf, savedCard } from '#test/support/billing.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, aShop, moneyOf, pay } from '#test/support/payment-steps.ts';
import { PER_DAY, PER_MONTH } from '#test/support/retry-limits.ts';

/**
 * Invoices with a card whose retry budget is exhausted: dunning still comes to an end.
 */
let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

const DAY = 86_400_000;
const SPENT = 'retry_budget_exhausted';

const invoices = (debtor: Debtor) => invoicesOf(host, debtor, debtor.how);
const statuses = async (debtor: Debtor) => new Set((await invoices(debtor)).map(({ status }) => status));
const declinesOf = (payments: readonly Body[]): string[] =>
  payments
    .flatMap(({ attempts }) =>
      attempts.filter(({ status }: Body) => status === 'failed').map(({ started_at }: Body) => started_at),
    )
    .toSorted();
/** The largest number of attempts that started within so many days. */
const mostIn = (times: readonly string[], days: number): number =>
  Math.max(
    ...times.map((from) => times.filter((time) => time >= from && millisecondsBetween(from, time) < days * DAY).length),
  );

/** Declines other payments with the same card. */
async function decline(debtor: Debtor, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1)
    expect((await pay(host, SOFT_DECLINE, {}, debtor.how)).failure.code).toBe('insufficient_funds');
}

describe('a card that is always declined', () => {
  it('is charged as often as card schemes allow, then its invoices fail and the subscription pauses', async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'daily' });
    await advance(host, '40d');
    expect((await debtor.subscription()).status).toBe('paused');
    const [first] = await invoices(debtor);
    expect(first).toMatchObject({ status: 'failed', attempts: 4, next_retry_at: null });
    // The fourth attempt of the first invoice came on the ninth day.
    expect((await invoices(debtor)).length).toBeLessThanOrEqual(10);
    const declined = declinesOf(await debtor.payments());
    expect([mostIn(declined, 1), mostIn(declined, 30)]).toEqual([
      expect.toSatisfy((most) => most <= PER_DAY),
      PER_MONTH,
    ]);
    const calls = declined.length;
    await advance(host, '40d');
    expect([declinesOf(await debtor.payments()).length, (await debtor.events())['subscription.paused']]).toEqual([
      calls,
      1,
    ]);
  });

  it('is not charged more often by a policy with many retries, not even for the first charge of a period', async () => {
    const shop = await aShop(host, { a: {} });
    await savePolicy(host, shop, { delays: ['30d'], max_retries: 2 });
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'daily' }, shop);
    await advance(host, '29d');
    const all = await invoices(debtor);
    expect([all.length, await statuses(debtor)]).toEqual([30, new Set(['open'])]);
    expect(declinesOf(await debtor.payments())).toHaveLength(PER_MONTH);
    const last = await debtor.payment();
    expect(last).toMatchObject({
      status: 'failed',
      attempts: [],
      failure: { code: SPENT, retryable: true },
      routing: { stopped: SPENT },
    });
    expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts: 1 });
    expect(millisecondsBetween((await debtor.invoice()).updated_at, (await debtor.invoice()).next_retry_at)).toBe(
      30 * DAY,
    );
    expect(await debtor.taken()).toEqual(Array(30).fill([0, 0]));
    await advance(host, '35d');
    expect([(await debtor.subscription()).status, mostIn(declinesOf(await debtor.payments()), 30)]).toEqual([
      'paused',
      PER_MONTH,
    ]);
  });

  it('pauses each of four subscriptions that use it', async () => {
    const shop = await aShop(host, { a: {} });
    const debtors: Debtor[] = [];
    for (let n = 0; n < 4; n += 1) debtors.push(await aDebtor(host, SOFT_DECLINE, { interval: 'weekly' }, shop));
    await advance(host, '20d');
    for (const debtor of debtors)
      expect([(await debtor.subscription()).status, (await invoices(debtor))[0].status]).toEqual(['paused', 'failed']);
    const payments = (await Promise.all(debtors.map((debtor) => debtor.payments()))).flat();
    expect(mostIn(declinesOf(payments), 30)).toBeLessThanOrEqual(PER_MONTH);
  });
});

describe('a planned retry while the retry budget of the card is exhausted', () => {
  const aSpentDebtor = async (): Promise<Debtor> => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'yearly' });
    await decline(debtor, PER_MONTH - 1);
    return debtor;
  };

  it('is used up like a declined one, without a call, and shows the reason', async () => {
    const debtor = await aSpentDebtor();
    const { payment_id } = await debtor.invoice();
    await toNextRetry(host, debtor);
    const invoice = await debtor.invoice();
    expect([invoice, millisecondsBetween(invoice.updated_at, invoice.next_retry_at)]).toEqual([
      expect.objectContaining({ status: 'open', attempts: 2, payment_id }),
      3 * DAY,
    ]);
    const payment = await debtor.payment();
    expect(payment).toMatchObject({
      status: 'failed',
      failure: { code: SPENT, category: 'soft_decline', retryable: true },
      routing: { stopped: SPENT },
    });
    expect([payment.attempts.length, payment.psp_reference]).toEqual([1, payment.attempts[0].psp_reference]);
    await throughAllRetries(host, debtor);
    expect([await debtor.invoice(), (await debtor.subscription()).status]).toEqual([
      expect.objectContaining({ status: 'failed', attempts: 4 }),
      'paused',
    ]);
    expect((await debtor.payment()).attempts.length).toBe(1);
    const { 'payment.failed': failed, 'payment.created': created } = await debtor.events();
    expect([failed, created]).toEqual([4, 1]);
    expect(FIRST_CHARGE_EVENTS['payment.created']).toBe(created);
  });

  it('is followed by one with a new card at the time that the policy plans', async () => {
    const debtor = await aSpentDebtor();
    await toNextRetry(host, debtor);
    const { next_retry_at } = await debtor.invoice();
    await changeMethod(host, debtor, 'ok');
    await goTo(host, next_retry_at);
    expect([await debtor.invoice(), await debtor.taken()]).toEqual([
      expect.objectContaining({ status: 'paid', attempts: 3 }),
      [[1, 1_990]],
    ]);
    expect((await debtor.payment()).attempts.at(-1)).toMatchObject({ status: 'succeeded', started_at: next_retry_at });
  });

  it('is charged again once there is budget', async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'yearly' });
    const { next_retry_at } = await debtor.invoice();
    await goTo(host, new Date(Date.parse(next_retry_at) - 3_600_000).toISOString());
    await decline(debtor, PER_DAY);
    await toNextRetry(host, debtor);
    expect([(await debtor.invoice()).attempts, (await debtor.payment()).attempts.length]).toEqual([2, 1]);
    await toNextRetry(host, debtor);
    const { attempts, failure, routing } = await debtor.payment();
    expect([attempts.length, failure.code, routing.stopped]).toEqual([2, 'insufficient_funds', undefined]);
  });
});

describe('the first charge of a period', () => {
  it('is made after an earlier decline if the card has been charged since', async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'daily' });
    await changeMethod(host, debtor, 'ok');
    await advance(host, '3d');
    const all = await invoices(debtor);
    expect(all.map(({ status, attempts }) => [status, attempts])).toEqual([['paid', 2], ...Array(3).fill(['paid', 1])]);
    for (const { payment_id } of all) expect(await moneyOf(host, payment_id)).toMatchObject({ count: 1, refunded: 0 });
  });
});

describe('an invoice whose payment was retried on request', () => {
  it('counts only its own attempts, not the retries of the payment', async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'yearly' });
    const { id } = await debtor.payment();
    const retried = await host.call(
      'POST',
      `/v1/payments/${id}/retry`,
      { payment_method: savedCard('ok') },
      debtor.how,
    );
    expect(retried.body.status).toBe('succeeded');
    expect([await debtor.invoice(), (await debtor.payment()).attempts.length]).toEqual([
      expect.objectContaining({ status: 'paid', attempts: 1 }),
      2,
    ]);
  });
});
