import { ANNUAL, ENDING, type Standing } from '#shared/domain/billing/subscription-totals.rules.ts';
import { addSums, type Sums } from '#shared/domain/reporting/totals.rules.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';

/** Two years and a day: what moved since is read too, as only how subscriptions stand now is stored. */
export const MAX_DAYS_BACK = 731;

/** Subscriptions of one currency: what moved on a day, or, without a day, how they stand now. */
export type SubscriptionTotals = { readonly day: string | null; readonly currency: string; readonly sums: Sums };

export type SubscriptionStats = ReturnType<typeof subscriptionStatsOf>;
type Days = { readonly from: string; readonly to: string };

/** `totals`: how they stand now, and what moved on each day since `from`, also after `to`. */
export function subscriptionStatsOf({ from, to }: Days, totals: readonly SubscriptionTotals[]) {
  const currencies = [...Map.groupBy(totals, ({ currency }) => currency)].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    from,
    to,
    by_currency: currencies.map(([currency, own]) => ({ currency, ...statsOfCurrency({ from, to }, own) })),
  };
}

function statsOfCurrency({ from, to }: Days, totals: readonly SubscriptionTotals[]) {
  const moved = new Map(totals.flatMap(({ day, sums }) => (day === null ? [] : [[day, sums] as const])));
  const now = addSums(totals.filter(({ day }) => day === null).map(({ sums }) => sums));
  const days = daysBackwards(now, moved, { from, to });
  const within = addSums([...moved].filter(([day]) => day <= to).map(([, sums]) => sums));
  const [last, first] = [days.at(-1), days[0]];
  const start = first && before({ active: first.active, annual: first.annual }, moved.get(from) ?? {});
  return {
    now: { ...countsOf(now), mrr: monthly(countOf(now, ANNUAL)) },
    end: { active: last?.active ?? 0, mrr: monthly(last?.annual ?? 0) },
    start: { active: start?.active ?? 0, mrr: monthly(start?.annual ?? 0) },
    ...movementsOf(within),
    churn_rate: rate(within.churned, start?.active),
    mrr_churn_rate: rate(within.churned_annual, start?.annual),
    by_day: days.map(({ day, active, annual }) => ({
      day,
      active,
      mrr: monthly(annual),
      ...movementsOf(moved.get(day) ?? {}),
    })),
  };
}

type Level = { readonly active: number; readonly annual: number };

/** Only how they stand now is stored, so the days before follow from what moved since. Oldest first. */
function daysBackwards(now: Sums, moved: ReadonlyMap<string, Sums>, { from, to }: Days) {
  let level: Level = { active: countOf(now, 'active'), annual: countOf(now, ANNUAL) };
  for (const [day, sums] of moved) if (day > to) level = before(level, sums);
  const days: (Level & { readonly day: string })[] = [];
  for (let day = to; day >= from; day = plus(day, -DAY).toISOString().slice(0, 10)) {
    days.push({ day, active: Math.max(0, level.active), annual: Math.max(0, level.annual) });
    level = before(level, moved.get(day) ?? {});
  }
  return days.reverse();
}

const before = ({ active, annual }: Level, sums: Sums): Level => ({
  active: active - (sums.new ?? 0) - (sums.reactivated ?? 0) + (sums.churned ?? 0),
  annual: annual - netAnnual(sums),
});

const netAnnual = (sums: Sums): number =>
  (sums.new_annual ?? 0) +
  (sums.reactivated_annual ?? 0) +
  (sums.expansion_annual ?? 0) -
  (sums.contraction_annual ?? 0) -
  (sums.churned_annual ?? 0);

const countsOf = (now: Sums) => ({
  active: countOf(now, 'active'),
  paused: countOf(now, 'paused'),
  canceled: countOf(now, 'canceled'),
  scheduled: countOf(now, 'scheduled'),
  ending: countOf(now, ENDING),
});

const movementsOf = (sums: Sums) => ({
  new: countOf(sums, 'new'),
  canceled: countOf(sums, 'canceled'),
  paused: countOf(sums, 'paused'),
  churned: countOf(sums, 'churned'),
  reactivated: countOf(sums, 'reactivated'),
  mrr_new: monthly(countOf(sums, 'new_annual')),
  mrr_expansion: monthly(countOf(sums, 'expansion_annual')),
  mrr_contraction: monthly(countOf(sums, 'contraction_annual')),
  mrr_churned: monthly(countOf(sums, 'churned_annual')),
  mrr_reactivated: monthly(countOf(sums, 'reactivated_annual')),
});

type Counter = Standing | typeof ENDING | typeof ANNUAL | 'new' | 'churned' | 'reactivated' | `${string}_annual`;

/** Below zero only while subscriptions of an earlier release, which counted none, are not counted yet. */
const countOf = (sums: Sums, name: Counter): number => Math.max(0, sums[name] ?? 0);

const monthly = (annual: number): number => Math.round(annual / 12);

/** 0 to 1, or null where there was nothing that could churn. What started within the time may churn too. */
const rate = (churned = 0, start = 0): number | null =>
  start <= 0 ? null : Math.min(1, Math.round((10_000 * churned) / start) / 10_000);
