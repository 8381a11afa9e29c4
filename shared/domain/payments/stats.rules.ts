import { DISPUTE_STATUSES } from '#shared/domain/disputes/dispute.model.ts';
import { FAILURES, isFailureCode } from '#shared/domain/payments/declines.catalog.ts';
import { PAYMENT_STATUSES } from '#shared/domain/payments/payment.model.ts';
import {
  addSums,
  disputeCounter,
  FAILED_BY_CODE,
  type Sums,
  UNCAPTURED,
} from '#shared/domain/reporting/totals.rules.ts';

/** One day's payments in one currency at one connection. */
export type DayTotals = {
  readonly day: string;
  readonly currency: string;
  readonly connection_id: string | null;
  readonly provider: string | null;
  readonly sums: Sums;
};

export type Stats = ReturnType<typeof statsOf>;

/** Amounts of different currencies are never added up. */
export function statsOf({ from, to }: { readonly from: string; readonly to: string }, days: readonly DayTotals[]) {
  return {
    from,
    to,
    ...countsOf(days),
    by_reason: reasonsOf(days),
    by_currency: grouped(days, ({ currency }) => currency).map(([currency, group]) => ({
      currency,
      ...countsOf(group),
      ...moneyOf(group),
    })),
    by_provider: grouped(days, ({ provider }) => provider ?? '').map(([provider, group]) => ({
      provider: provider || null,
      ...countsOf(group),
      by_reason: reasonsOf(group),
      latency: latencyOf(group),
      ...moneyByCurrency(group),
    })),
    by_day: grouped(days, ({ day }) => day).map(([day, group]) => ({
      day,
      ...countsOf(group),
      ...moneyByCurrency(group),
    })),
  };
}

function countsOf(days: readonly DayTotals[]) {
  const sums = addSums(days.map((day) => day.sums));
  const { total, by_status } = countsBy(PAYMENT_STATUSES, (status) => sums[status]);
  const paid = by_status.succeeded + by_status.refunded;
  // Totals of an earlier release do not know which of their payments were never captured.
  const uncaptured = Math.max(0, sums[UNCAPTURED] ?? 0);
  const decided = paid + Math.max(0, by_status.failed - uncaptured);
  return {
    total,
    by_status,
    success_rate: decided === 0 ? null : Math.round((10_000 * paid) / decided) / 10_000,
    disputes: countsBy(DISPUTE_STATUSES, (status) => sums[disputeCounter(status)]),
  };
}

/** Most first. Totals of an earlier release do not know why their payments failed: these have the code null. */
function reasonsOf(days: readonly DayTotals[]) {
  const sums = addSums(days.map((day) => day.sums));
  const known = Object.entries(sums)
    .filter(([name, count]) => name.startsWith(FAILED_BY_CODE) && count > 0)
    .map(([name, count]) => ({ code: name.slice(FAILED_BY_CODE.length), count }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
  const unknown = (sums.failed ?? 0) - known.reduce((total, { count }) => total + count, 0);
  return [
    ...known.map(({ code, count }) => ({
      code,
      category: isFailureCode(code) ? FAILURES[code].category : null,
      count,
    })),
    ...(unknown > 0 ? [{ code: null, category: null, count: unknown }] : []),
  ];
}

/** A call is missing here if its payment went on at another connection. */
function latencyOf(days: readonly DayTotals[]) {
  const { calls = 0, latency_ms = 0 } = addSums(days.map((day) => day.sums));
  return calls > 0
    ? { calls, average_ms: Math.max(0, Math.round(latency_ms / calls)) }
    : { calls: 0, average_ms: null };
}

function countsBy<S extends string>(statuses: readonly S[], countOf: (status: S) => number | undefined) {
  const by_status = Object.fromEntries(statuses.map((status) => [status, countOf(status) ?? 0])) as Record<S, number>;
  return { total: statuses.reduce((total, status) => total + by_status[status], 0), by_status };
}

function moneyOf(days: readonly DayTotals[]) {
  const sums = addSums(days.map((day) => day.sums));
  const { volume = 0, refunded_amount = 0, disputed_amount = 0, dispute_lost_amount = 0 } = sums;
  return { volume, refunded_amount, disputed_amount, dispute_lost_amount };
}

const moneyByCurrency = (days: readonly DayTotals[]) => ({
  money: grouped(days, ({ currency }) => currency).map(([currency, group]) => ({ currency, ...moneyOf(group) })),
});

/** Groups by name, in order; groups whose counters are all 0 are left out. */
const grouped = (
  days: readonly DayTotals[],
  nameOf: (day: DayTotals) => string,
): readonly (readonly [string, readonly DayTotals[]])[] =>
  [
    ...Map.groupBy(
      days.filter(({ sums }) => Object.values(sums).some((value) => value !== 0)),
      nameOf,
    ),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
