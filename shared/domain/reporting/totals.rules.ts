import type { MonthlyMetric } from '#shared/domain/accounts/plans.catalog.ts';
import { monthOf, type UsagePlace, usageName } from '#shared/domain/accounts/usage.rules.ts';
import type { Attempt, Failure, Payment, PaymentStatus } from '#shared/domain/payments/payment.model.ts';
import type { Provider } from '#shared/domain/reference/provider.model.ts';
import { trialsOf, type VariantPlace } from '#shared/domain/routing/ab-test-totals.rules.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';

/** Daily totals of payments by creation day (UTC), currency, and present connection. */
type DayPlace = {
  readonly kind: 'day';
  readonly org_id: string;
  readonly day: string;
  readonly currency: string;
  readonly connection_id: string | null;
  readonly provider: Provider | null;
};
/** `generation`: set for a later connection of the same id, which has totals of its own. */
type CallsPlace = {
  readonly kind: 'calls';
  readonly org_id: string;
  readonly connection_id: string;
  readonly generation?: string;
};
export type Place = DayPlace | CallsPlace | VariantPlace | UsagePlace;

/** What a change adds to which total; of a `latest` only the newest value stays. */
export type Delta = { readonly of: Place; readonly add: Sums; readonly latest?: Latest };
export type Sums = Readonly<Record<string, number>>;
export type Latest = Readonly<Record<string, string>>;

export const STATUSES = [
  'created',
  'processing',
  'requires_action',
  'succeeded',
  'failed',
  'canceled',
  'refunded',
] as const satisfies readonly PaymentStatus[];

export function placeName(of: Place): string {
  return [of.kind, of.org_id, ...whatOf(of)].join('#');
}

function whatOf(of: Place): readonly (string | null)[] {
  switch (of.kind) {
    case 'ab_result':
      return [of.test_id, of.variant];
    case 'day':
      return [of.connection_id, of.day, of.currency];
    case 'calls':
      return of.generation === undefined ? [of.connection_id] : [of.connection_id, of.generation];
    case 'usage':
      return [];
  }
}

/**
 * A payment change's deltas, computed from its two images, so that each change counts by itself. A payment counts on
 * its creation day, refunds included: amounts taken and refunded match.
 */
export function deltasOf(old: Payment | undefined, next: Payment | undefined): readonly Delta[] {
  const calls = next ? next.attempts.flatMap((attempt) => callDelta(next, attemptIn(old, attempt.id), attempt)) : [];
  return [...dayDeltas(old, next), ...calls, ...variantDeltas(old, next), ...usageDeltas('payments', old, next)];
}

/** A refused execution uses nothing. */
export const executionDeltas = (old: Execution | undefined, next: Execution | undefined): readonly Delta[] =>
  next?.status === 'refused' ? [] : usageDeltas('workflow_executions', old, next);

type Used = { readonly org_id: string; readonly created_at: string };

/** Counts against the plan once, on creation, whatever the outcome. */
function usageDeltas(metric: MonthlyMetric, old: Used | undefined, next: Used | undefined): readonly Delta[] {
  if (old || !next) return [];
  return [{ of: { kind: 'usage', org_id: next.org_id }, add: { [usageName(metric, monthOf(next.created_at))]: 1 } }];
}

/** The outcomes of attempts that tests began, by variant. */
function variantDeltas(old: Payment | undefined, next: Payment | undefined): readonly Delta[] {
  const before = (old ? trialsOf(old) : []).map(({ of, add }) => ({ of, add: minus({}, add) }));
  const changes = [...before, ...(next ? trialsOf(next) : [])];
  const places = [...Map.groupBy(changes, ({ of }) => placeName(of)).values()];
  const updated_at = (next ?? old)?.updated_at ?? '';
  return places.flatMap((own) =>
    own
      .slice(0, 1)
      .flatMap(({ of }) =>
        some(of, plusAll(own.map(({ add }) => add))).map((delta) => ({ ...delta, latest: { updated_at } })),
      ),
  );
}

function dayDeltas(old: Payment | undefined, next: Payment | undefined): readonly Delta[] {
  const [before, after] = [old && dayOf(old), next && dayOf(next)];
  if (before && after && placeName(before.of) === placeName(after.of))
    return some(after.of, minus(after.add, before.add));
  return [...(before ? some(before.of, minus({}, before.add)) : []), ...(after ? some(after.of, after.add) : [])];
}

/** A payment's part in its day. A refund does not reduce the volume: it has a counter of its own. */
function dayOf(payment: Payment): { readonly of: DayPlace; readonly add: Sums } {
  const { org_id, created_at, currency, connection_id, provider, status, amount, amount_refunded } = payment;
  const wasTaken = status === 'succeeded' || status === 'refunded';
  return {
    of: { kind: 'day', org_id, day: created_at.slice(0, 10), currency, connection_id, provider },
    add: { [status]: 1, volume: wasTaken ? amount : 0, refunded_amount: amount_refunded },
  };
}

export const callsPlace = (org_id: string, connection_id: string, generation = 1): CallsPlace => ({
  kind: 'calls',
  org_id,
  connection_id,
  ...(generation > 1 && { generation: String(generation) }),
});

/**
 * A call counts once, when it ends, by its result. Its latency may be added later. A charge that was never sent is no
 * call.
 */
function callDelta(payment: Payment, before: Attempt | undefined, attempt: Attempt): readonly Delta[] {
  if (attempt.call === 'none') return [];
  const hasEnded = (before?.phase ?? 'calling') === 'calling' && attempt.phase !== 'calling';
  const latency = (attempt.latency_ms ?? 0) - (before?.latency_ms ?? 0);
  const of = callsPlace(payment.org_id, attempt.connection_id, attempt.generation);
  if (!hasEnded) return some(of, { total_latency_ms: latency });
  const succeeded = wasAnswered(attempt);
  const minute = minuteOf(payment.updated_at);
  const add = {
    total_calls: 1,
    successful_calls: succeeded ? 1 : 0,
    failed_calls: succeeded ? 0 : 1,
    total_latency_ms: latency,
    [minuteName('good', minute)]: succeeded ? 1 : 0,
    [minuteName('bad', minute)]: succeeded ? 0 : 1,
    [minuteName('ms', minute)]: latency,
  };
  return [
    { of, add: nonZero(add), latest: { [succeeded ? 'last_success_at' : 'last_failure_at']: payment.updated_at } },
  ];
}

/**
 * The provider worked: an issuer's decline is a successful call, as is a refusal because of the customer's input or the
 * order. Silence, or a fault of the provider or the account, is not.
 */
function wasAnswered({ phase, status, failure, call }: Attempt): boolean {
  if (phase === 'unknown') return false;
  return status !== 'failed' || call === 'answered' || !isFault(failure);
}

const isFault = (failure: Failure | null): boolean =>
  failure?.category === 'provider_error' || failure?.code === 'invalid_configuration';

/** Each minute has counters of its own, by name, so that a new one needs no reset. */
export const minuteName = (what: 'good' | 'bad' | 'ms', minute: number): string => `${what}:${minute.toString(36)}`;
export const minuteOf = (at: Date | string): number => Math.floor(new Date(at).getTime() / 60_000);
/** The minute of a counter's name, if it is one. */
export function minuteIn(name: string): number | undefined {
  const [, minute] = /^(?:good|bad|ms):([0-9a-z]+)$/.exec(name) ?? [];
  return minute === undefined ? undefined : Number.parseInt(minute, 36);
}

export const plusAll = (all: readonly Sums[]): Sums => {
  const sums: Record<string, number> = {};
  for (const [name, value] of all.flatMap((each) => Object.entries(each))) sums[name] = (sums[name] ?? 0) + value;
  return nonZero(sums);
};

const minus = (a: Sums, b: Sums): Sums =>
  plusAll([a, Object.fromEntries(Object.entries(b).map(([name, value]) => [name, -value]))]);
const nonZero = (sums: Sums): Sums => Object.fromEntries(Object.entries(sums).filter(([, value]) => value !== 0));
const some = (of: Place, add: Sums): readonly Delta[] =>
  Object.keys(nonZero(add)).length > 0 ? [{ of, add: nonZero(add) }] : [];
const attemptIn = (payment: Payment | undefined, id: string): Attempt | undefined =>
  payment?.attempts.find((attempt) => attempt.id === id);
