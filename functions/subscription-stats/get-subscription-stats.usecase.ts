import type { SubscriptionStatsQuery } from '#functions/subscription-stats/subscription-stats.schema.ts';
import {
  MAX_DAYS_BACK,
  type SubscriptionStats,
  subscriptionStatsOf,
} from '#shared/domain/billing/subscription-stats.rules.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The default range, in days, where `from` is missing. */
const DEFAULT_DAYS = 30;

/** From totals: what is read depends on days and currencies, not on the number of subscriptions. */
export async function getSubscriptionStats(
  query: SubscriptionStatsQuery,
  caller: Caller,
  { subscriptionTotals, clock }: Pick<Deps, 'subscriptionTotals' | 'clock'>,
): Promise<SubscriptionStats> {
  const today = dayOf(clock.now());
  const to = [query.to ?? today, today].sort()[0] ?? today;
  const from = query.from ?? dayOf(plus(to, -(DEFAULT_DAYS - 1) * DAY));
  if (from > to) throw invalidFields([{ path: 'query.from', message: 'Must not be after to, and not in the future.' }]);
  if (Date.parse(today) - Date.parse(from) > MAX_DAYS_BACK * DAY)
    throw invalidFields([{ path: 'query.from', message: `Must be at most ${MAX_DAYS_BACK} days ago.` }]);
  return subscriptionStatsOf({ from, to }, await subscriptionTotals.since(caller.orgId, from, query.currency));
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
