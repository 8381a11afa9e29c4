import { nextPeriodNumber, periodStart } from '#shared/domain/billing/billing-calendar.rules.ts';
import {
  announceSubscription,
  type StartedPeriods,
  type Subscription,
} from '#shared/domain/billing/subscription.model.ts';
import type { TokenConnection } from '#shared/domain/payments/payment.model.ts';
import { RETENTION_WINDOW } from '#shared/domain/payments/retry-budget.rules.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** How often an ended subscription is checked for open invoices. */
const OPEN_INVOICE_CHECK_INTERVAL = DAY;

/**
 * Call this before terms or status change. A period that has started is billed on the terms it started with, even if
 * it is billed late, so those terms (or that the subscription was paused) are stored. Usually every started period is
 * billed already, and nothing is stored.
 */
export function keepStartedPeriods(subscription: Subscription, at: Date): Subscription {
  const { start_at, interval, status, amount, plan_id, metadata, next_period, begun = [] } = subscription;
  const before = nextPeriodNumber(start_at, interval, at);
  if (before <= (begun.at(-1)?.before ?? next_period)) return subscription;
  const started: StartedPeriods = { before, terms: status === 'paused' ? null : { amount, plan_id, metadata } };
  return withNextPeriod({ ...subscription, begun: [...begun, started] }, next_period);
}

/** Stamps and announces changed values, which apply from the next period on. */
export function recordUpdate(changed: Subscription, at: Date): Subscription {
  assertNotCanceled(changed);
  return announceSubscription(withUpdatedAt(changed, at), 'subscription.updated', at);
}

/** Nothing renews while paused, and started periods are not billed. `undefined` if already paused. */
export function pauseSubscription(subscription: Subscription, at: Date): Subscription | undefined {
  assertNotCanceled(subscription);
  if (subscription.status === 'paused') return undefined;
  return announceSubscription(
    { ...withUpdatedAt(keepStartedPeriods(subscription, at), at), status: 'paused', next_renewal_at: null },
    'subscription.paused',
    at,
  );
}

/**
 * Resumes a paused subscription at the next period start: periods that started during the pause are never charged,
 * those that started before it are. A scheduled cancel stays scheduled. On an active subscription it undoes the
 * scheduled cancel.
 */
export function resumeOrUndoCancel(subscription: Subscription, at: Date): Subscription {
  assertNotCanceled(subscription);
  if (subscription.status === 'active') return undoCancelAtPeriodEnd(subscription, at);
  const resumed = withUpdatedAt(keepStartedPeriods(subscription, at), at);
  return announceSubscription(
    { ...resumed, status: 'active', next_renewal_at: nextPeriodStart(resumed, at) },
    'subscription.resumed',
    at,
  );
}

function undoCancelAtPeriodEnd(subscription: Subscription, at: Date): Subscription {
  if (!subscription.cancel_at_period_end) {
    throw new AppError(
      'subscription_not_resumable',
      'This subscription is active and has no scheduled cancel, so there is nothing to resume.',
    );
  }
  const { ends_at: _, ...continued } = withUpdatedAt(subscription, at);
  return announceSubscription({ ...continued, cancel_at_period_end: false }, 'subscription.updated', at);
}

/** The current period is still charged. `undefined` if the cancel is scheduled already. */
export function cancelAtPeriodEnd(subscription: Subscription, at: Date): Subscription | undefined {
  assertNotCanceled(subscription);
  if (subscription.cancel_at_period_end) return undefined;
  const ends_at = nextPeriodStart(subscription, at);
  const next_renewal_at = subscription.next_renewal_at && ends_at;
  return announceSubscription(
    { ...withUpdatedAt(subscription, at), cancel_at_period_end: true, ends_at, next_renewal_at },
    'subscription.updated',
    at,
  );
}

/** Started periods that are not billed yet are never charged. */
export function cancelImmediately(subscription: Subscription, at: Date): Subscription {
  assertNotCanceled(subscription);
  const { begun: _, ...ended } = withUpdatedAt(subscription, at);
  const canceled: Subscription = {
    ...ended,
    status: 'canceled',
    canceled_at: at.toISOString(),
    next_renewal_at: null,
    bills_at: null,
    sealed_method: null,
  };
  return announceSubscription(canceled, 'subscription.canceled', at);
}

/** Ends it after its last period. While an invoice is open, dunning continues and needs the payment method. */
export function endSubscription(subscription: Subscription, hasOpenInvoice: boolean, at: Date): Subscription {
  const ended = cancelImmediately(subscription, at);
  if (!hasOpenInvoice) return ended;
  return scheduleInvoiceCheck({ ...ended, sealed_method: subscription.sealed_method }, at);
}

/** An ended subscription still has an open invoice: check again later. */
export const scheduleInvoiceCheck = (ended: Subscription, at: Date): Subscription => ({
  ...ended,
  settles_at: plus(at, OPEN_INVOICE_CHECK_INTERVAL).toISOString(),
});

/** No invoice is open any more, so the payment method is deleted. */
export function closeSubscription({ settles_at: _, ...ended }: Subscription): Subscription {
  return { ...ended, sealed_method: null };
}

/** The due period gets its invoice; the period after it is billed next. */
export function startPeriod(
  subscription: Subscription,
  invoiceId: string,
  token_of: TokenConnection | undefined,
  at: Date,
): Subscription {
  const { held_until: _, ...current } = withUpdatedAt(subscription, at);
  const billed = {
    ...current,
    invoices: current.invoices + 1,
    last_invoice_id: invoiceId,
    ...(token_of && { token_of }),
  };
  const next = withNextPeriod(billed, current.next_period + 1);
  // Billing a period from before a pause must not move the announced renewal date back.
  const dates = [next.bills_at, billed.next_renewal_at].filter((time) => time !== null).sort();
  return { ...next, next_renewal_at: dates.at(-1) ?? null };
}

/** While a decline counts against the card's retry budget, the first charge of a new period needs budget too. */
export const recordDecline = (subscription: Subscription, at: Date): Subscription => ({
  ...subscription,
  wary_until: plus(at, RETENTION_WINDOW.length).toISOString(),
});

/** Used while the organization may not take payments. */
export const postponeBilling = (subscription: Subscription, until: Date): Subscription => ({
  ...subscription,
  held_until: until.toISOString(),
});

/** Bills period `n` next, or the first period after the pause if `n` started during one. */
function withNextPeriod({ begun = [], ...subscription }: Subscription, n: number): Subscription {
  const ahead = begun.filter(({ before }) => before > n);
  const [next, ...others] = ahead;
  if (next?.terms === null) return withNextPeriod({ ...subscription, begun: others }, next.before);
  const bills_at = periodStart(subscription.start_at, subscription.interval, n);
  return { ...subscription, next_period: n, bills_at, ...(ahead.length > 0 && { begun: ahead }) };
}

/** The start of the next period that lies ahead. */
function nextPeriodStart({ start_at, interval, next_period, begun }: Subscription, at: Date): string {
  const firstUnbilled = begun?.at(-1)?.before ?? next_period;
  return periodStart(start_at, interval, Math.max(firstUnbilled, nextPeriodNumber(start_at, interval, at)));
}

const withUpdatedAt = (subscription: Subscription, at: Date): Subscription => ({
  ...subscription,
  updated_at: at.toISOString(),
});

function assertNotCanceled({ status }: Subscription): void {
  if (status === 'canceled')
    throw new AppError(
      'subscription_canceled',
      'This subscription is canceled, which is final. Create a new subscription.',
    );
}
