import { MONTHLY_METRICS, type MonthlyMetric } from '#shared/domain/accounts/plans.catalog.ts';

/** All usage counters of an organization are in one total, so that a batch is one write. */
export type UsageKey = { readonly kind: 'usage'; readonly org_id: string };
export type Usage = Readonly<Record<string, number>>;

/** The month (UTC) of a time. */
export const monthOf = (at: Date | string): string => new Date(at).toISOString().slice(0, 7);

/** The month is in the counter's name, so that no counter is reset. */
export const usageCounter = (metric: MonthlyMetric, month: string): string => `${metric}:${month}`;

export const usedIn = (usage: Usage, metric: MonthlyMetric, at: Date): number =>
  usage[usageCounter(metric, monthOf(at))] ?? 0;

export const monthEnd = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1));

const RETENTION_MONTHS = 13;
const NAMES: ReadonlySet<string> = new Set(MONTHLY_METRICS);

/** A counter of a month that is no longer needed. */
export function isExpiredUsage(name: string, at: Date): boolean {
  const [metric = '', month = ''] = name.split(':');
  return (
    NAMES.has(metric) &&
    month < monthOf(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - RETENTION_MONTHS + 1)))
  );
}
