import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  aDebt,
  booksOf,
  cardOf,
  lastInvoiceOf,
  startToldHost,
  strike,
  verifyBooks,
  verifyNothingLeft,
  type Work,
} from '#test/faults/renewals.support.ts';
import { subscriptionOf } from '#test/support/billing.ts';
import type { Body, TestHost } from '#test/support/host.ts';
import { advance } from '#test/support/payment-steps.ts';

/**
 * A worker that dies while it uses up a try, or begins a period, without a call, as the card may not be tried: that too
 * is done once.
 */
let host: TestHost;
beforeAll(async () => {
  host = await startToldHost();
  await host.call('POST', '/v1/policies/retry', { plan_id: 'once', delays: ['6h'], max_retries: 1 });
  await host.call('POST', '/v1/policies/retry', { plan_id: 'slow', delays: ['20d'], max_retries: 1 });
});
afterAll(() => host?.close());

/**
 * Declined with the first charge, and so often at once: as often as it may be in a day with seven times more, and with
 * fourteen in a month.
 */
async function spend({ customer_id }: Body, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const { body } = await host.call('POST', '/v1/payments', {
      amount: 100,
      currency: 'EUR',
      method: 'card',
      payment_method: cardOf(customer_id),
    });
    expect(body.failure?.code).toBe('insufficient_funds');
  }
}

const spent = (plan_id: string, times: number, dueAt: Work['dueAt']): Work => ({
  make: (_, start_at) => aDebt(host, { start_at, plan_id, interval: 'weekly' }, times + 1),
  prepare: (_, subscription) => spend(subscription, times),
  dueAt,
});

type Case = readonly [
  what: string,
  work: Work,
  within: string,
  subscription: string,
  invoices: readonly (readonly [string, number])[],
  told: Body,
];

const CASES: readonly Case[] = [
  [
    'a last try leaves the invoice failed and the subscription paused',
    spent('once', 7, async (_, subscription) => (await lastInvoiceOf(host, subscription)).next_retry_at),
    '1d',
    'paused',
    [['failed', 2]],
    { 'payment.failed': 2, 'invoice.failed': 1, 'subscription.paused': 1 },
  ],
  [
    'the first charge of a period leaves an invoice that is open',
    spent('slow', 14, async (_, subscription) => (await subscriptionOf(host, subscription)).next_renewal_at),
    '1h',
    'active',
    [
      ['open', 1],
      ['open', 1],
    ],
    { 'payment.failed': 2, 'invoice.created': 2 },
  ],
];

it.each(CASES)(
  '%s, where the limit on declines forbids it',
  async (_, work, within, status, invoices, told) => {
    const struck = await strike(host, work);
    expect(struck.length).toBeGreaterThanOrEqual(3);
    await advance(host, within);
    await verifyNothingLeft(host);
    const books = await booksOf(host);
    for (const { made, where } of struck) {
      const billed = await verifyBooks(host, made, books, where);
      expect(
        [billed.subscription.status, billed.invoices.map((invoice) => [invoice.status, invoice.attempts])],
        where,
      ).toEqual([status, invoices]);
      const { attempts, failure } = billed.payments.at(-1);
      expect([billed.payments.length, attempts.length, failure.code], where).toEqual([
        invoices.length,
        invoices.length === 1 ? 1 : 0,
        'retry_budget_exhausted',
      ]);
      expect(billed.told, where).toMatchObject(told);
    }
  },
  200_000,
);
