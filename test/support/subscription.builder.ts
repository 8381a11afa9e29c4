import { createHash } from 'node:crypto';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { idFrom } from '#shared/kernel/ids.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const bits = (text: string) => createHash('sha256').update(text).digest();

/** The ids of the nth subscription and invoice; a higher number is a newer one. */
export const subscriptionId = (n: number): string =>
  idFrom('subscription', later(n * 1_000), bits(`subscription ${n}`));
export const invoiceId = (n: number): string => idFrom('invoice', later(n * 1_000), bits(`invoice ${n}`));

const NEXT_MONTH = '2026-04-01T12:00:00.000Z';

/** An active subscription over EUR 20.00 a month, in its first month. */
export function aSubscription(about: Partial<Subscription> = {}): Subscription {
  const { status = 'active' } = about;
  const renews = status === 'active' ? NEXT_MONTH : null;
  return {
    id: subscriptionId(1),
    org_id: ORG,
    mode: 'sandbox',
    customer_id: 'cus_1',
    customer_email: null,
    country: null,
    plan_id: 'basic',
    amount: 2_000,
    currency: 'EUR',
    method: 'card',
    interval: 'monthly',
    status,
    start_at: START.toISOString(),
    next_renewal_at: renews,
    cancel_at_period_end: false,
    canceled_at: status === 'canceled' ? START.toISOString() : null,
    metadata: {},
    created_at: START.toISOString(),
    updated_at: START.toISOString(),
    version: 1,
    sealed_method: null,
    method_version: 1,
    next_period: 1,
    bills_at: renews,
    invoices: 1,
    outbox: [],
    announced: 0,
    ...about,
  };
}

/** An open invoice over the first month of `aSubscription`, without any attempt yet. */
export function anInvoice(about: Partial<Invoice> = {}): Invoice {
  return {
    id: invoiceId(1),
    org_id: ORG,
    subscription_id: subscriptionId(1),
    customer_id: 'cus_1',
    plan_id: 'basic',
    number: 'ABCDEFGH-0001',
    amount: 2_000,
    currency: 'EUR',
    status: 'open',
    period_start: START.toISOString(),
    period_end: NEXT_MONTH,
    attempts: 0,
    next_retry_at: null,
    payment_id: null,
    created_at: START.toISOString(),
    updated_at: START.toISOString(),
    version: 1,
    renews: false,
    retries: 0,
    method_version: 1,
    outbox: [],
    announced: 0,
    ...about,
  };
}
