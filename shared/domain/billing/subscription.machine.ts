import { nextPeriod, periodStart } from '#shared/domain/billing/billing-calendar.rules.ts';
import type { Stretch, Subscription } from '#shared/domain/billing/subscription.model.ts';
import { announceSubscription } from '#shared/domain/billing/subscription.rules.ts';
import type { TokenAccount } from '#shared/domain/payments/payment.model.ts';
import { LONGEST_WINDOW } from '#shared/domain/payments/retry-budget.rules.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** How often an ended subscription checks whether its open invoices are closed. */
const SETTLES_EVERY = DAY;

/**
 * Keeps the terms of periods that have begun and are not billed yet, before the subscription changes: their amount and
 * plan, or that it was paused. Usually all are billed, and nothing is kept.
 */
export function keepBegun(subscription: Subscription, at: Date): Subscription {
  const { start_at, interval, status, amount, plan_id, metadata, next_period, begun = [] } = subscription;
  const before = nextPeriod(start_at, interval, at);
  if (before <= (begun.at(-1)?.before ?? next_period)) return subscription;
  const stretch: Stretch = { before, terms: status === 'paused' ? null : { amount, plan_id, metadata } };
  return beforePeriod({ ...subscription, begun: [...begun, stretch] }, next_period);
}

/** Applies other values, from the next period on. */
export function noteUpdate(changed: Subscription, at: Date): Subscription {
  refuseCanceled(changed);
  return announceSubscription(touched(changed, at), 'subscription.updated', at);
}

/** Pauses it: nothing renews, and periods that have begun wait; `undefined` where it is paused already. */
export function pauseSubscription(subscription: Subscription, at: Date): Subscription | undefined {
  refuseCanceled(subscription);
  if (subscription.status === 'paused') return undefined;
  return announceSubscription(
    { ...touched(keepBegun(subscription, at), at), status: 'paused', next_renewal_at: null },
    'subscription.paused',
    at,
  );
}

/**
 * Resumes it with the next date ahead: periods that began during the pause are not charged, those before it are. A
 * cancel at period end stays in force.
 */
export function continueSubscription(subscription: Subscription, at: Date): Subscription {
  refuseCanceled(subscription);
  if (subscription.status === 'active') return withdrawCancel(subscription, at);
  const kept = touched(keepBegun(subscription, at), at);
  return announceSubscription(
    { ...kept, status: 'active', next_renewal_at: startAhead(kept, at) },
    'subscription.resumed',
    at,
  );
}

function withdrawCancel(subscription: Subscription, at: Date): Subscription {
  if (!subscription.cancel_at_period_end) {
    throw new AppError(
      'subscription_not_resumable',
      'This subscription is active, and no cancel of it is waiting for the end of its period.',
    );
  }
  const { ends_at: _, ...going } = touched(subscription, at);
  return announceSubscription({ ...going, cancel_at_period_end: false }, 'subscription.updated', at);
}

/** Cancels it at the end of the current period, which is still charged; `undefined` where that is set already. */
export function cancelAtPeriodEnd(subscription: Subscription, at: Date): Subscription | undefined {
  refuseCanceled(subscription);
  if (subscription.cancel_at_period_end) return undefined;
  const ends_at = startAhead(subscription, at);
  const next_renewal_at = subscription.next_renewal_at && ends_at;
  return announceSubscription(
    { ...touched(subscription, at), cancel_at_period_end: true, ends_at, next_renewal_at },
    'subscription.updated',
    at,
  );
}

/** Cancels it at once: periods that have begun are not charged any more. */
export function cancelAtOnce(subscription: Subscription, at: Date): Subscription {
  refuseCanceled(subscription);
  const { begun: _, ...ended } = touched(subscription, at);
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

/**
 * Ends it after its last period. While one of its invoices is open, tries go on, and the payment method is kept for
 * them.
 */
export function endSubscription(subscription: Subscription, isOwed: boolean, at: Date): Subscription {
  const ended = cancelAtOnce(subscription, at);
  return isOwed ? settleLater({ ...ended, sealed_method: subscription.sealed_method }, at) : ended;
}

/** It still has an open invoice. */
export const settleLater = (ended: Subscription, at: Date): Subscription => ({
  ...ended,
  settles_at: plus(at, SETTLES_EVERY).toISOString(),
});

/** Its open invoices are closed. */
export function closeSubscription({ settles_at: _, ...ended }: Subscription): Subscription {
  return { ...ended, sealed_method: null };
}

/** A period has begun: it gets the next invoice, and the following period is billed next. */
export function beginPeriod(
  subscription: Subscription,
  invoiceId: string,
  token_of: TokenAccount | undefined,
  at: Date,
): Subscription {
  const { held_until: _, ...free } = touched(subscription, at);
  const billed = { ...free, invoices: free.invoices + 1, last_invoice_id: invoiceId, ...(token_of && { token_of }) };
  const next = beforePeriod(billed, free.next_period + 1);
  // A period from before the pause is billed first; it must not move the announced renewal date back.
  return {
    ...next,
    next_renewal_at:
      [next.bills_at, billed.next_renewal_at]
        .filter((time) => time !== null)
        .sort()
        .at(-1) ?? null,
  };
}

/** Its payment method was declined: while that counts, a new period's first charge asks the retry budget too. */
export const noteDecline = (subscription: Subscription, at: Date): Subscription => ({
  ...subscription,
  wary_until: plus(at, LONGEST_WINDOW.length).toISOString(),
});

/** Its organization may take no payments now: looked at again later. */
export const holdSubscription = (subscription: Subscription, until: Date): Subscription => ({
  ...subscription,
  held_until: until.toISOString(),
});

/** Period `n` is billed next; or, where it began during a pause, the first one after that. */
function beforePeriod({ begun = [], ...subscription }: Subscription, n: number): Subscription {
  const ahead = begun.filter(({ before }) => before > n);
  const [next, ...others] = ahead;
  if (next?.terms === null) return beforePeriod({ ...subscription, begun: others }, next.before);
  const bills_at = periodStart(subscription.start_at, subscription.interval, n);
  return { ...subscription, next_period: n, bills_at, ...(ahead.length > 0 && { begun: ahead }) };
}

/** The start of the next period that has not begun yet. */
const startAhead = ({ start_at, interval, next_period, begun }: Subscription, at: Date): string =>
  periodStart(start_at, interval, Math.max(begun?.at(-1)?.before ?? next_period, nextPeriod(start_at, interval, at)));

const touched = (subscription: Subscription, at: Date): Subscription => ({
  ...subscription,
  updated_at: at.toISOString(),
});

function refuseCanceled({ status }: Subscription): void {
  if (status === 'canceled')
    throw new AppError('subscription_canceled', 'This subscription is canceled, which is final. Create another one.');
}
