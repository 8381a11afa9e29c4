import { periodStart } from '#shared/domain/billing/billing-calendar.rules.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';

export const MAX_UPCOMING = 6;

export type UpcomingPeriod = ReturnType<typeof periodOf>;

/**
 * The next periods to be charged, if nothing changes. Periods that have started and are not charged yet come first, on
 * the terms they started with. None while nothing renews.
 */
export function upcomingPeriods(subscription: Subscription, at: Date): readonly UpcomingPeriod[] {
  const { status, next_period, begun = [], ends_at, cancel_at_period_end } = subscription;
  if (status !== 'active') return [];
  const periods: UpcomingPeriod[] = [];
  for (let n = next_period; periods.length < MAX_UPCOMING; n += 1) {
    const started = begun.find(({ before }) => n < before);
    // It started during a pause, and is never charged.
    if (started?.terms === null) continue;
    const period = periodOf({ ...subscription, ...started?.terms }, n, at);
    if (cancel_at_period_end && period.start >= (ends_at ?? '')) break;
    periods.push(period);
  }
  return periods;
}

function periodOf(
  { start_at, interval, amount, currency, plan_id, held_until = '' }: Subscription,
  n: number,
  at: Date,
) {
  const start = periodStart(start_at, interval, n);
  return {
    number: n + 1,
    start,
    end: periodStart(start_at, interval, n + 1),
    charged_at: held_until > start ? held_until : start,
    started: start <= at.toISOString(),
    amount,
    currency,
    plan_id,
  };
}
