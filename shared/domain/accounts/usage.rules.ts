import { MONTHLY_METRICS, type MonthlyMetric } from '#shared/domain/accounts/plans.catalog.ts';

/** An organization's usage by month and counter, in one total, so that a batch is one write. */
export type UsagePlace = { readonly kind: 'usage'; readonly org_id: string };
export type Usage = Readonly<Record<string, number>>;

/** The month (UTC) of a time. */
export const monthOf = (at: Date | string): string => new Date(at).toISOString().slice(0, 7);

/** Each month has counters of its own, by name, so that a new one needs no reset. */
export const usageName = (metric: MonthlyMetric, month: string): string => `${metric}:${month}`;

export const usedIn = (usage: Usage, metric: MonthlyMetric, at: Date): number =>
  usage[usageName(metric, monthOf(at))] ?? 0;

export const monthEnds = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1));

const KEPT_MONTHS = 13;
const NAMES: ReadonlySet<string> = new Set(MONTHLY_METRICS);

/** A counter of a month that is no longer needed. */
export function isOldUsage(name: string, at: Date): boolean {
  const [metric = '', month = ''] = name.split(':');
  return (
    NAMES.has(metric) && month < monthOf(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - KEPT_MONTHS + 1)))
  );
}
