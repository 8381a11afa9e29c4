import { monthOf, type UsageKey, usageCounter } from '#shared/domain/accounts/plan.rules.ts';
import type { MonthlyMetric } from '#shared/domain/accounts/plans.catalog.ts';
import type { SubscriptionTotalKey } from '#shared/domain/billing/subscription-totals.rules.ts';
import type { Dispute, DisputeStatus } from '#shared/domain/disputes/dispute.model.ts';
import { isLost } from '#shared/domain/disputes/dispute.rules.ts';
import { paidAmount } from '#shared/domain/payments/capture.rules.ts';
import type { Attempt, Failure, Payment } from '#shared/domain/payments/payment.model.ts';
import { type VariantTotalKey, variantDeltasOf } from '#shared/domain/routing/ab-test-totals.rules.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { minuteName, minuteOf } from '#shared/domain/routing/health.rules.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';

/** Daily totals of payments and disputes by creation day (UTC), currency, and current connection. */
type DayKey = {
  readonly kind: 'day';
  readonly org_id: string;
  readonly day: string;
  readonly currency: string;
  readonly connection_id: string | null;
  readonly provider: Provider | null;
};
/** `generation`: set for a later connection with the same id, which has its own totals. */
type CallsKey = {
  readonly kind: 'calls';
  readonly org_id: string;
  readonly connection_id: string;
  readonly generation?: string;
};
export type TotalKey = DayKey | CallsKey | VariantTotalKey | UsageKey | SubscriptionTotalKey;

/** What a change adds to a total. Of `latest` only the newest value is kept. */
export type TotalsDelta = { readonly of: TotalKey; readonly add: Sums; readonly latest?: Latest };
export type Sums = Readonly<Record<string, number>>;
export type Latest = Readonly<Record<string, string>>;

export function totalName(of: TotalKey): string {
  return [of.kind, of.org_id, ...keyParts(of)].join('#');
}

function keyParts(of: TotalKey): readonly (string | null)[] {
  switch (of.kind) {
    case 'ab_result':
      return [of.test_id, of.variant];
    case 'day':
      return [of.connection_id, of.day, of.currency];
    case 'calls':
      return of.generation === undefined ? [of.connection_id] : [of.connection_id, of.generation];
    case 'subscriptions':
      return [of.day, of.currency];
    case 'usage':
      return [];
  }
}

/**
 * Computed from the two images of one change, so that each change counts by itself. A payment and its refunds count on
 * the payment's creation day, so that the amounts of a day match.
 */
export function paymentDeltas(old: Payment | undefined, next: Payment | undefined): readonly TotalsDelta[] {
  const calls = next ? next.attempts.flatMap((attempt) => callDelta(next, attemptIn(old, attempt.id), attempt)) : [];
  return [...dayDeltas(old, next), ...calls, ...variantDeltas(old, next), ...usageDeltas('payments', old, next)];
}

/** Disputes count on the day (UTC) that they were heard of, in their own currency, with what became of them since. */
export const disputeDeltas = (old: Dispute | undefined, next: Dispute | undefined): readonly TotalsDelta[] =>
  daySumsDelta(old && disputeDayOf(old), next && disputeDayOf(next));

function disputeDayOf({ org_id, created_at, currency, connection_id, provider, status, amount }: Dispute): DaySums {
  return {
    of: { kind: 'day', org_id, day: created_at.slice(0, 10), currency, connection_id, provider },
    add: { [disputeCounter(status)]: 1, disputed_amount: amount, dispute_lost_amount: isLost(status) ? amount : 0 },
  };
}

export const disputeCounter = (status: DisputeStatus): string => `dispute_${status}`;

/** An execution that the plan limit refused does not count. */
export const executionDeltas = (old: Execution | undefined, next: Execution | undefined): readonly TotalsDelta[] =>
  next?.status === 'refused' ? [] : usageDeltas('workflow_executions', old, next);

type Countable = { readonly org_id: string; readonly created_at: string };

/** Counts towards the plan's limit once, on creation, whatever the outcome. */
function usageDeltas(
  metric: MonthlyMetric,
  old: Countable | undefined,
  next: Countable | undefined,
): readonly TotalsDelta[] {
  if (old || !next) return [];
  return [{ of: { kind: 'usage', org_id: next.org_id }, add: { [usageCounter(metric, monthOf(next.created_at))]: 1 } }];
}

/** The outcomes of attempts in A/B tests, by variant. */
function variantDeltas(old: Payment | undefined, next: Payment | undefined): readonly TotalsDelta[] {
  const before = (old ? variantDeltasOf(old) : []).map(({ of, add }) => ({ of, add: subtractSums({}, add) }));
  const changes = [...before, ...(next ? variantDeltasOf(next) : [])];
  const places = [...Map.groupBy(changes, ({ of }) => totalName(of)).values()];
  const updated_at = (next ?? old)?.updated_at ?? '';
  return places.flatMap((own) =>
    own
      .slice(0, 1)
      .flatMap(({ of }) =>
        nonEmptyDelta(of, addSums(own.map(({ add }) => add))).map((delta) => ({ ...delta, latest: { updated_at } })),
      ),
  );
}

const dayDeltas = (old: Payment | undefined, next: Payment | undefined): readonly TotalsDelta[] =>
  daySumsDelta(old && dayOf(old), next && dayOf(next));

type DaySums = { readonly of: DayKey; readonly add: Sums };

function daySumsDelta(before: DaySums | undefined, after: DaySums | undefined): readonly TotalsDelta[] {
  if (before && after && totalName(before.of) === totalName(after.of))
    return nonEmptyDelta(after.of, subtractSums(after.add, before.add));
  return [
    ...(before ? nonEmptyDelta(before.of, subtractSums({}, before.add)) : []),
    ...(after ? nonEmptyDelta(after.of, after.add) : []),
  ];
}

/** Payments whose authorization nobody captured. They are among the failed ones, by the merchant's own choice. */
export const UNCAPTURED = 'uncaptured';

/**
 * Failed payments by their failure code: as many counters of a day as codes occurred on it. The catalog has some forty.
 * So a batch that adds to the total takes a second write unit from about twenty codes on, and never more than three, with
 * every code and the marks of a dozen stream shards. Codes that share a counter would save that and tell less.
 */
export const FAILED_BY_CODE = 'failed:';

/** The calls of the payment's own connection, and how long they took together. */
function latencyOf({ attempts, connection_id }: Payment): Sums {
  const own = attempts.filter((attempt) => attempt.connection_id === connection_id && attempt.call !== 'none');
  const times = own.flatMap(({ latency_ms }) => latency_ms ?? []);
  return { calls: times.length, latency_ms: times.reduce((sum, time) => sum + time, 0) };
}

/** What a payment adds to its day. A refund does not reduce the volume; it has its own counter. */
function dayOf(payment: Payment): DaySums {
  const { org_id, created_at, currency, connection_id, provider, status, amount_refunded, failure } = payment;
  const isUncaptured = status === 'failed' && failure?.code === 'authorization_expired';
  const wasTaken = status === 'succeeded' || status === 'refunded';
  return {
    of: { kind: 'day', org_id, day: created_at.slice(0, 10), currency, connection_id, provider },
    add: {
      [status]: 1,
      ...(isUncaptured && { [UNCAPTURED]: 1 }),
      ...(status === 'failed' && failure && { [FAILED_BY_CODE + failure.code]: 1 }),
      ...latencyOf(payment),
      volume: wasTaken ? paidAmount(payment) : 0,
      refunded_amount: amount_refunded,
    },
  };
}

export const callsKey = (org_id: string, connection_id: string, generation = 1): CallsKey => ({
  kind: 'calls',
  org_id,
  connection_id,
  ...(generation > 1 && { generation: String(generation) }),
});

/** A PSP call counts once, when it ends. Its latency may be added later. A charge that was never sent is no call. */
function callDelta(payment: Payment, before: Attempt | undefined, attempt: Attempt): readonly TotalsDelta[] {
  if (attempt.call === 'none') return [];
  const hasEnded = (before?.phase ?? 'calling') === 'calling' && attempt.phase !== 'calling';
  const latency = (attempt.latency_ms ?? 0) - (before?.latency_ms ?? 0);
  const of = callsKey(payment.org_id, attempt.connection_id, attempt.generation);
  if (!hasEnded) return nonEmptyDelta(of, { total_latency_ms: latency });
  const succeeded = countsAsSuccess(attempt);
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
 * Whether the PSP worked. A decline by the issuer is a successful call, and so is a rejection of the customer's input
 * or the order. No answer, or a fault of the PSP or its configuration, is a failed call.
 */
function countsAsSuccess({ phase, status, failure, call }: Attempt): boolean {
  if (phase === 'unknown') return false;
  return status !== 'failed' || call === 'answered' || !isProviderFault(failure);
}

const isProviderFault = (failure: Failure | null): boolean =>
  failure?.category === 'provider_error' || failure?.code === 'invalid_configuration';

export const addSums = (all: readonly Sums[]): Sums => {
  const sums: Record<string, number> = {};
  for (const [name, value] of all.flatMap((each) => Object.entries(each))) sums[name] = (sums[name] ?? 0) + value;
  return nonZero(sums);
};

const subtractSums = (a: Sums, b: Sums): Sums =>
  addSums([a, Object.fromEntries(Object.entries(b).map(([name, value]) => [name, -value]))]);
const nonZero = (sums: Sums): Sums => Object.fromEntries(Object.entries(sums).filter(([, value]) => value !== 0));
const nonEmptyDelta = (of: TotalKey, add: Sums): readonly TotalsDelta[] =>
  Object.keys(nonZero(add)).length > 0 ? [{ of, add: nonZero(add) }] : [];
const attemptIn = (payment: Payment | undefined, id: string): Attempt | undefined =>
  payment?.attempts.find((attempt) => attempt.id === id);
