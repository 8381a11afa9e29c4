import { isNearerToLimit, monthOf, type Usage, usageOf } from '#shared/domain/accounts/plan.rules.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Sums } from '#shared/domain/reporting/totals.rules.ts';
import { type Forecast, healthForecast, minuteOf, type TroubledTime } from '#shared/domain/routing/health.rules.ts';

export const forecastOf = (sums: Sums): Forecast => ({ calls: sums.total_calls ?? 0, times: healthForecast(sums) });

/** Past times do not matter. */
export const isTroubledAhead = ({ times }: Pick<Forecast, 'times'>, at: Date): boolean => ahead(times, at).length > 0;

const ahead = (times: readonly TroubledTime[], at: Date) => times.filter(({ until }) => until > minuteOf(at));

/** Whether a payment could be routed otherwise with the newer forecast. */
export function changesRouting(known: Forecast | undefined, next: Forecast, at: Date): boolean {
  if (known && known.calls >= next.calls) return false;
  const textOf = ({ times }: Pick<Forecast, 'times'>) =>
    ahead(times, at)
      .map(({ status, from, until }) => `${status} ${Math.max(from, minuteOf(at))} ${until}`)
      .join();
  return textOf(known ?? { times: [] }) !== textOf(next);
}

/** The counters by which a plan's limit could be judged otherwise. Plans limit the live stage only. */
export function usageToShow(known: Usage, next: Usage, stage: Stage, at: Date): Usage {
  if (stage !== 'live') return {};
  const shown = Object.entries(next).filter(([counter, used]) => {
    const { metric, month } = usageOf(counter) ?? {};
    return metric !== undefined && month === monthOf(at) && isNearerToLimit(metric, known[counter] ?? 0, used);
  });
  return Object.fromEntries(shown);
}
