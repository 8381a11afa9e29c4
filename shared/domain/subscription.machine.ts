import { nextPeriod, periodStart } from '#shared/domain/billing-calendar.rules.ts';
import type { TokenAccount } from '#shared/domain/payment.model.ts';
import { LONGEST_WINDOW } from '#shared/domain/retry-budget.rules.ts';
import type { Stretch, Subscription } from '#shared/domain/subscription.model.ts';
import { announceSubscription } from '#shared/domain/subscription.rules.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** How often it is looked whether what is still owed of one that has ended is closed. */
const SETTLES_EVERY = DAY;

/**
 * What has begun by now stays what it was begun as, whatever is changed next: charged by these terms, or paused. Usually all of
 * it is charged already, and nothing is noted.
 */
export function keepBegun(subscription: Subscription, at: Date): Subscription {
  const { start_at, interval, status, amount, plan_id, metadata, next_period, begun = [] } = subscription;
  const before = nextPeriod(start_at, interval, at);
  if (before <= (begun.at(-1)?.before ?? next_period)) return subscription;
  const stretch: Stretch = { before, terms: status === 'paused' ? null : { amount, plan_id, metadata } };
  return beforePeriod({ ...subscription, begun: [...begun, stretch] }, next_period);
}

/** It was given other values, which count from the next period on. */
export function updateSubscription(changed: Subscription, at: Date): Subscription {
  refuseCanceled(changed);
  return announceSubscription(touched(changed, at), 'subscription.updated', at);
}

/** While it is paused nothing renews, and what had begun waits; `undefined` where it is paused already. */
export function pauseSubscription(subscription: Subscription, at: Date): Subscription | undefined {
  refuseCanceled(subscription);
  if (subscription.status === 'paused') return undefined;
  return announceSubscription({ ...touched(keepBegun(subscription, at), at), status: 'paused', next_renewal_at: null }, 'subscription.paused', at);
}

/**
 * It goes on with the next date that lies ahead: what began while it was paused is not charged, what had begun before is. A
 * cancel that waits for the end of a period still does.
 */
export function resumeSubscription(subscription: Subscription, at: Date): Subscription {
  refuseCanceled(subscription);
  if (subscription.status === 'active') return withdrawCancel(subscription, at);
  const kept = touched(keepBegun(subscription, at), at);
  return announceSubscription({ ...kept, status: 'active', next_renewal_at: startAhead(kept, at) }, 'subscription.resumed', at);
}

function withdrawCancel(subscription: Subscription, at: Date): Subscription {
  if (!subscription.cancel_at_period_end) {
    throw new AppError('subscription_not_resumable', 'This subscription is active, and no cancel of it is waiting for the end of its period.');
  }
  const { ends_at: _, ...going } = touched(subscription, at);
  return announceSubscription({ ...going, cancel_at_period_end: false }, 'subscription.updated', at);
}

/** It ends with the period that runs, which is charged where it is not yet; `undefined` where that was said before. */
export function cancelAtPeriodEnd(subscription: Subscription, at: Date): Subscription | undefined {
  refuseCanceled(subscription);
  if (subscription.cancel_at_period_end) return undefined;
  const ends_at = startAhead(subscription, at);
  const next_renewal_at = subscription.next_renewal_at && ends_at;
  return announceSubscription({ ...touched(subscription, at), cancel_at_period_end: true, ends_at, next_renewal_at }, 'subscription.updated', at);
}

/** At once: also what has begun is not charged any more. */
export function cancelSubscription(subscription: Subscription, at: Date): Subscription {
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

/** Its last period is over. While an invoice of it is open, that is tried on, and the payment method is kept for it. */
export function endSubscription(subscription: Subscription, isOwed: boolean, at: Date): Subscription {
  const ended = cancelSubscription(subscription, at);
  return isOwed ? settleLater({ ...ended, sealed_method: subscription.sealed_method }, at) : ended;
}

/** Something of it is still open. */
export const settleLater = (ended: Subscription, at: Date): Subscription => ({ ...ended, settles_at: plus(at, SETTLES_EVERY).toISOString() });

/** All that was open of it is closed. */
export function closeSubscription({ settles_at: _, ...ended }: Subscription): Subscription {
  return { ...ended, sealed_method: null };
}

/** A period has begun: its invoice is the subscription's next one, and the period after it is charged next. */
export function beginPeriod(subscription: Subscription, invoiceId: string, token_of: TokenAccount | undefined, at: Date): Subscription {
  const { held_until: _, ...free } = touched(subscription, at);
  const billed = { ...free, invoices: free.invoices + 1, last_invoice_id: invoiceId, ...(token_of && { token_of }) };
  const next = beforePeriod(billed, free.next_period + 1);
  // What had begun before it was resumed comes before the date that it was told of.
  return {
    ...next,
    next_renewal_at:
      [next.bills_at, billed.next_renewal_at]
        .filter((time) => time !== null)
        .sort()
        .at(-1) ?? null,
  };
}

/** Its payment method was declined: as long as that counts, no charge of a new period is like a first one. */
export const beWary = (subscription: Subscription, at: Date): Subscription => ({ ...subscription, wary_until: plus(at, LONGEST_WINDOW.length).toISOString() });

/** Its organization may take no money now: it is asked about again later. */
export const holdSubscription = (subscription: Subscription, until: Date): Subscription => ({ ...subscription, held_until: until.toISOString() });

/** That period is charged next; or, where it was paused then, the first one after that. */
function beforePeriod({ begun = [], ...subscription }: Subscription, n: number): Subscription {
  const ahead = begun.filter(({ before }) => before > n);
  const [next, ...others] = ahead;
  if (next?.terms === null) return beforePeriod({ ...subscription, begun: others }, next.before);
  const bills_at = periodStart(subscription.start_at, subscription.interval, n);
  return { ...subscription, next_period: n, bills_at, ...(ahead.length > 0 && { begun: ahead }) };
}

/** The start of the next period that has not begun. */
const startAhead = ({ start_at, interval, next_period, begun }: Subscription, at: Date): string =>
  periodStart(start_at, interval, Math.max(begun?.at(-1)?.before ?? next_period, nextPeriod(start_at, interval, at)));

const touched = (subscription: Subscription, at: Date): Subscription => ({ ...subscription, updated_at: at.toISOString() });

function refuseCanceled({ status }: Subscription): void {
  if (status === 'canceled') throw new AppError('subscription_canceled', 'This subscription is canceled, which is final. Create another one.');
}
