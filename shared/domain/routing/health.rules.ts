import type { Sums } from '#shared/domain/reporting/totals.rules.ts';
import { MINUTE } from '#shared/kernel/clock.ts';

/** A connection's call totals, with counters for its last minutes. */
export type CallTotals = {
  readonly sums: Sums;
  readonly last_success_at: string | null;
  readonly last_failure_at: string | null;
  /** Of the callbacks about charges that are not ours, if there were any. */
  readonly last_foreign_event_at?: string;
};

export type HealthStatus = 'unknown' | 'healthy' | 'degraded' | 'down';

/** `health_score`: null while it is unknown. */
type Health = { readonly health_score: number | null; readonly health_status: HealthStatus };

/** Older calls say nothing about a provider's present health. */
export const RECENT_MINUTES = 20;
/** Half-life of a call's weight, in minutes. */
const HALF_LIFE = 5;
const DOWN_RULE = { minutes: 5, calls: 10, share: 0.5 };
const MIN_HEALTHY_SCORE = 80;
/** A failure among few calls is chance: below this many recent calls it does not count against a connection. */
const MIN_CALLS_TO_BE_DEGRADED = 5;
/** Latency costs up to a fifth of the score: nothing up to `from`, all of it from `to` on. */
const SLOW_MS = { from: 2_000, to: 10_000, costs: 0.2 };

/** A connection's call fields in the API. */
export function callsView(totals: CallTotals | undefined, at: Date) {
  const { sums = {}, last_success_at = null, last_failure_at = null, last_foreign_event_at = null } = totals ?? {};
  const count = (name: string) => sums[name] ?? 0;
  return {
    total_calls: count('total_calls'),
    successful_calls: count('successful_calls'),
    failed_calls: count('failed_calls'),
    total_latency_ms: count('total_latency_ms'),
    last_success_at,
    last_failure_at,
    foreign_events: count('foreign_events'),
    last_foreign_event_at,
    ...healthOf(sums, at),
  };
}

/** From 0 to 100, from the calls of the last minutes; unknown without calls, or with too few to count against it. */
export function healthOf(sums: Sums, at: Date): Health {
  const now = minuteOf(at);
  const recent = { calls: 0, good: 0, ms: 0 };
  const last = { calls: 0, good: 0 };
  let count = 0;
  for (let age = 0; age < RECENT_MINUTES; age += 1) {
    const minute = (now - age).toString(36);
    const good = sums[`good:${minute}`] ?? 0;
    const calls = good + (sums[`bad:${minute}`] ?? 0);
    const weight = 0.5 ** (age / HALF_LIFE);
    recent.calls += weight * calls;
    recent.good += weight * good;
    recent.ms += weight * (sums[`ms:${minute}`] ?? 0);
    count += calls;
    // The oldest minute counts whole, as calls are counted by the minute.
    if (age <= DOWN_RULE.minutes) {
      last.calls += calls;
      last.good += good;
    }
  }
  if (recent.calls <= 0) return { health_score: null, health_status: 'unknown' };
  const slowness = (recent.ms / recent.calls - SLOW_MS.from) / (SLOW_MS.to - SLOW_MS.from);
  const latencyCost = SLOW_MS.costs * Math.min(1, Math.max(0, slowness));
  const health_score = Math.round(100 * (recent.good / recent.calls) * (1 - latencyCost));
  const isDown = last.calls >= DOWN_RULE.calls && last.good / last.calls < DOWN_RULE.share;
  return { health_score, health_status: isDown ? 'down' : statusOf(health_score, count) };
}

/** A time, in minutes, in which a connection ranks behind others, if it gets no further calls. */
export type TroubledTime = {
  readonly status: Exclude<HealthStatus, 'unknown' | 'healthy'>;
  readonly from: number;
  /** Excluded. */
  readonly until: number;
};

/**
 * What routing needs to know of a connection's health after its last call. Counts fade with time, so the health of each
 * of the next minutes is stated. Empty if it will not rank behind others: without a failed call even the slowest one
 * does not.
 */
export function healthForecast(sums: Sums): readonly TroubledTime[] {
  if (!hasFailedCalls(sums)) return [];
  const names = Object.keys(sums);
  const newest = Math.max(...names.map((name) => minuteOfCounter(name) ?? 0));
  const times: TroubledTime[] = [];
  for (let minute = newest; minute < newest + RECENT_MINUTES; minute += 1) {
    const { health_status: status } = healthOf(sums, new Date(minute * MINUTE));
    if (status === 'unknown' || status === 'healthy') continue;
    const last = times.at(-1);
    if (last?.until === minute && last.status === status) times[times.length - 1] = { ...last, until: minute + 1 };
    else times.push({ status, from: minute, until: minute + 1 });
  }
  return times;
}

/** In the last minutes, or somewhat before: counts are removed a little later. */
export const hasFailedCalls = (sums: Sums): boolean => Object.keys(sums).some((name) => name.startsWith(FAILED_CALLS));

/**
 * What a payment needs of an organization's totals. `trouble`: by connection and its generation. `calls` counts what a
 * forecast is based on, so that an older one never replaces it.
 */
export type RoutingSummary = {
  readonly usage: Readonly<Record<string, number>>;
  readonly trouble: Readonly<Record<string, Forecast>>;
};
export type Forecast = { readonly calls: number; readonly times: readonly TroubledTime[] };

export const forecastName = (connection_id: string, generation: number | string = 1): string =>
  Number(generation) > 1 ? `${connection_id}#${generation}` : connection_id;

/** A connection that is not known to be in trouble is as good as healthy. */
export function healthIn(
  { trouble }: Pick<RoutingSummary, 'trouble'>,
  { id, generation }: { readonly id: string; readonly generation: number },
  at: Date,
): HealthStatus {
  const now = minuteOf(at);
  const times = trouble[forecastName(id, generation)]?.times ?? [];
  return times.find(({ from, until }) => from <= now && now < until)?.status ?? 'healthy';
}

function statusOf(score: number, calls: number): HealthStatus {
  if (score >= MIN_HEALTHY_SCORE) return 'healthy';
  return calls < MIN_CALLS_TO_BE_DEGRADED ? 'unknown' : 'degraded';
}

/**
 * Each minute has counters of its own, by name, so that a new one needs no reset; `healthOf` reads them by these names.
 */
const FAILED_CALLS = 'bad:';
export const minuteName = (what: 'good' | 'bad' | 'ms', minute: number): string => `${what}:${minute.toString(36)}`;

export const minuteOf = (at: Date | string): number => Math.floor(new Date(at).getTime() / MINUTE);

/** The minute of a counter's name, if it is one. */
export function minuteOfCounter(name: string): number | undefined {
  const [, minute] = /^(?:good|bad|ms):([0-9a-z]+)$/.exec(name) ?? [];
  return minute === undefined ? undefined : Number.parseInt(minute, 36);
}
