import { minuteName, minuteOf, type Sums } from '#shared/domain/reporting/totals.rules.ts';

/** A connection's call totals, with counters for its last minutes. */
export type CallTotals = {
  readonly sums: Sums;
  readonly last_success_at: string | null;
  readonly last_failure_at: string | null;
};

export type HealthStatus = 'unknown' | 'healthy' | 'degraded' | 'down';

/** Older calls say nothing about a provider's present health. */
export const RECENT_MINUTES = 20;
/** Half-life of a call's weight, in minutes. */
const HALF_LIFE = 5;
const DOWN = { minutes: 5, calls: 10, share: 0.5 };
const HEALTHY_FROM = 80;
/** A failure among few calls is chance: below this many recent calls it does not count against a connection. */
const LEAST_TO_BE_DEGRADED = 5;
/** Latency costs up to a fifth of the score: nothing up to `from`, all of it from `to` on. */
const SLOW_MS = { from: 2_000, to: 10_000, costs: 0.2 };

/** A connection's call fields in the API. */
export function shownCalls(totals: CallTotals | undefined, at: Date) {
  const { sums = {}, last_success_at = null, last_failure_at = null } = totals ?? {};
  const count = (name: string) => sums[name] ?? 0;
  return {
    total_calls: count('total_calls'),
    successful_calls: count('successful_calls'),
    failed_calls: count('failed_calls'),
    total_latency_ms: count('total_latency_ms'),
    last_success_at,
    last_failure_at,
    ...healthOf(sums, at),
  };
}

/** From 0 to 100, from the calls of the last minutes; unknown without calls, or with too few to count against it. */
export function healthOf(
  sums: Sums,
  at: Date,
): { readonly health_score: number | null; readonly health_status: HealthStatus } {
  const minutes = recentMinutes(sums, at);
  const all = totalOf(minutes, ({ age }) => 0.5 ** (age / HALF_LIFE));
  if (all.calls <= 0) return { health_score: null, health_status: 'unknown' };
  const wait = (all.ms / all.calls - SLOW_MS.from) / (SLOW_MS.to - SLOW_MS.from);
  const health_score = Math.round(100 * (all.good / all.calls) * (1 - SLOW_MS.costs * Math.min(1, Math.max(0, wait))));
  // The oldest minute counts whole, as calls are counted by the minute.
  const last = totalOf(minutes, ({ age }) => (age <= DOWN.minutes ? 1 : 0));
  const isDown = last.calls >= DOWN.calls && last.good / last.calls < DOWN.share;
  return { health_score, health_status: isDown ? 'down' : statusOf(health_score, totalOf(minutes, () => 1).calls) };
}

const statusOf = (score: number, calls: number): HealthStatus =>
  score >= HEALTHY_FROM ? 'healthy' : calls < LEAST_TO_BE_DEGRADED ? 'unknown' : 'degraded';

type Minute = { readonly age: number; readonly good: number; readonly bad: number; readonly ms: number };

function recentMinutes(sums: Sums, at: Date): readonly Minute[] {
  const now = minuteOf(at);
  return Array.from({ length: RECENT_MINUTES }, (_, age) => {
    const of = (what: 'good' | 'bad' | 'ms') => sums[minuteName(what, now - age)] ?? 0;
    return { age, good: of('good'), bad: of('bad'), ms: of('ms') };
  });
}

function totalOf(minutes: readonly Minute[], weight: (minute: Minute) => number) {
  const sum = (of: (minute: Minute) => number) =>
    minutes.reduce((total, minute) => total + weight(minute) * of(minute), 0);
  return { good: sum(({ good }) => good), calls: sum(({ good, bad }) => good + bad), ms: sum(({ ms }) => ms) };
}
