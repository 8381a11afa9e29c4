import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  aDebt,
  crashAtEachCall,
  lastInvoiceOf,
  ledgerOf,
  savedCardOf,
  startHostWithWebhooks,
  verifyLedger,
  verifyNothingLeft,
  type Work,
} from '#test/faults/renewals.support.ts';
import { subscriptionOf } from '#test/support/billing.ts';
import type { Body, TestHost } from '#test/support/host.ts';
import { advance } from '#test/support/payment-steps.ts';
import { PER_DAY, PER_MONTH } from '#test/support/retry-limits.ts';

/**
 * A worker that crashes while it uses up an attempt or starts a period without a call, because the retry budget is
 * exhausted: that takes effect once too.
 */
let host: TestHost;
beforeAll(async () => {
  host = await startHostWithWebhooks();
  await host.call('POST', '/v1/policies/retry', { plan_id: 'once', delays: ['6h'], max_retries: 1 });
  await host.call('POST', '/v1/policies/retry', { plan_id: 'slow', delays: ['20d'], max_retries: 1 });
});
afterAll(() => host?.close());

/**
 * The first charge was declined too, so that `times` more reach the limit of a day or of a month.
 */
async function spend({ customer_id }: Body, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const { body } = await host.call('POST', '/v1/payments', {
      amount: 100,
      currency: 'EUR',
      method: 'card',
      payment_method: savedCardOf(customer_id),
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
    'a last attempt leaves the invoice failed and the subscription paused',
    spent('once', PER_DAY - 1, async (_, subscription) => (await lastInvoiceOf(host, subscription)).next_retry_at),
    '1d',
    'paused',
    [['failed', 2]],
    { 'payment.failed': 2, 'invoice.failed': 1, 'subscription.paused': 1 },
  ],
  [
    'the first charge of a period leaves an open invoice',
    spent('slow', PER_MONTH - 1, async (_, subscription) => (await subscriptionOf(host, subscription)).next_renewal_at),
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
  '%s if the retry budget is exhausted',
  async (_, work, within, status, invoices, told) => {
    const crashed = await crashAtEachCall(host, work);
    expect(crashed.length).toBeGreaterThanOrEqual(3);
    await advance(host, within);
    await verifyNothingLeft(host);
    const books = await ledgerOf(host);
    for (const { made, where } of crashed) {
      const billed = await verifyLedger(host, made, books, where);
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
      expect(billed.eventCounts, where).toMatchObject(told);
    }
  },
  200_000,
);
