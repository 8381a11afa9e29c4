import { nextPeriod, periodStart } from '#shared/domain/billing-calendar.rules.ts';
import type { TokenAccount } from '#shared/domain/payment.model.ts';
import type { Subscription } from '#shared/domain/subscription.model.ts';
import { announceSubscription } from '#shared/domain/subscription.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** It was given other values, which count from the next period on. */
export function updateSubscription(changed: Subscription, at: Date): Subscription {
  refuseCanceled(changed);
  return announceSubscription(touched(changed, at), 'subscription.updated', at);
}

/** While it is paused nothing renews; `undefined` where it is paused already. */
export function pauseSubscription(subscription: Subscription, at: Date): Subscription | undefined {
  refuseCanceled(subscription);
  if (subscription.status === 'paused') return undefined;
  return announceSubscription({ ...touched(subscription, at), status: 'paused', next_renewal_at: null }, 'subscription.paused', at);
}

/** It goes on with the next date that lies ahead: what passed while it was paused is not charged. A cancel that waits for the end of a period still does. */
export function resumeSubscription(subscription: Subscription, at: Date): Subscription {
  refuseCanceled(subscription);
  if (subscription.status === 'active') return withdrawCancel(subscription, at);
  const ahead = nextPeriod(subscription.start_at, subscription.interval, at);
  const active = { ...touched(subscription, at), status: 'active' } as const;
  return announceSubscription(beforePeriod(active, Math.max(subscription.next_period, ahead)), 'subscription.resumed', at);
}

function withdrawCancel(subscription: Subscription, at: Date): Subscription {
  if (!subscription.cancel_at_period_end) {
    throw new AppError('subscription_not_resumable', 'This subscription is active, and no cancel of it is waiting for the end of its period.');
  }
  return announceSubscription({ ...touched(subscription, at), cancel_at_period_end: false }, 'subscription.updated', at);
}

/** It ends with the period that is paid for; `undefined` where that was said before. */
export function cancelAtPeriodEnd(subscription: Subscription, at: Date): Subscription | undefined {
  refuseCanceled(subscription);
  if (subscription.cancel_at_period_end) return undefined;
  return announceSubscription({ ...touched(subscription, at), cancel_at_period_end: true }, 'subscription.updated', at);
}

export function cancelSubscription(subscription: Subscription, at: Date): Subscription {
  refuseCanceled(subscription);
  const canceled: Subscription = {
    ...touched(subscription, at),
    status: 'canceled',
    canceled_at: at.toISOString(),
    next_renewal_at: null,
    bills_at: null,
    sealed_method: null,
  };
  return announceSubscription(canceled, 'subscription.canceled', at);
}

/** A period has begun: its invoice is the subscription's next one, and the period after it is charged next. */
export function beginPeriod(subscription: Subscription, invoiceId: string, token_of: TokenAccount | undefined, at: Date): Subscription {
  const { held_until: _, ...free } = touched(subscription, at);
  const billed = { ...free, invoices: free.invoices + 1, last_invoice_id: invoiceId, ...(token_of && { token_of }) };
  return beforePeriod(billed, free.next_period + 1);
}

/** Its organization may take no money now: it is asked about again later. */
export const holdSubscription = (subscription: Subscription, until: Date): Subscription => ({ ...subscription, held_until: until.toISOString() });

function beforePeriod(subscription: Subscription, n: number): Subscription {
  const start = periodStart(subscription.start_at, subscription.interval, n);
  return { ...subscription, next_period: n, bills_at: start, next_renewal_at: firstRenewal(subscription, n, start) };
}

/** What begins at once is paid at once: until then what the customer waits for is the period after it. */
const firstRenewal = ({ start_at, created_at, interval }: Subscription, n: number, start: string): string =>
  n === 0 && start_at <= created_at ? periodStart(start_at, interval, 1) : start;

const touched = (subscription: Subscription, at: Date): Subscription => ({ ...subscription, updated_at: at.toISOString() });

function refuseCanceled({ status }: Subscription): void {
  if (status === 'canceled') throw new AppError('subscription_canceled', 'This subscription is canceled, which is final. Create another one.');
}
