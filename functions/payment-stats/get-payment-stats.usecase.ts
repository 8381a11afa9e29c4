import type { StatsQuery } from '#functions/payment-stats/payment-stats.schema.ts';
import { type Stats, statsOf } from '#shared/domain/payments/stats.rules.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The default range, in days, where `from` is missing. */
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** Summed from daily totals: the reads depend on days, currencies and connections, not on the number of payments. */
export async function getStats(
  query: StatsQuery,
  caller: Caller,
  { storedTotals, clock }: Pick<Deps, 'storedTotals' | 'clock'>,
): Promise<Stats> {
  const to = query.to ?? dayOf(clock.now());
  const from = query.from ?? dayOf(plus(to, -(DEFAULT_DAYS - 1) * DAY));
  const days = (Date.parse(to) - Date.parse(from)) / DAY + 1;
  if (days < 1) throw invalidFields([{ path: 'query.from', message: 'Must not be after to.' }]);
  if (days > MAX_DAYS)
    throw invalidFields([{ path: 'query.from', message: `Must be at most ${MAX_DAYS} days before the end.` }]);
  return statsOf({ from, to }, await storedTotals.days(caller.orgId, { ...query, from, to }));
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
