import type { Interval } from '#shared/domain/billing/billing-calendar.rules.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { addSums, type Sums, type TotalsDelta } from '#shared/domain/reporting/totals.rules.ts';

/**
 * Subscriptions of one currency. With a day (UTC): what moved on that day. Without: how they stand now, which is a
 * function of the records alone, so that it can be counted again.
 */
export type SubscriptionTotalKey = {
  readonly kind: 'subscriptions';
  readonly org_id: string;
  readonly currency: string;
  readonly day: string | null;
};

/**
 * `scheduled`: its first period is not billed yet. Such a subscription is no revenue so far, and canceling it is no
 * churn.
 */
export type Standing = 'scheduled' | 'active' | 'paused' | 'canceled' | 'never_started';
/** Of the active ones, those that end with their period. */
export const ENDING = 'ending';
/** Recurring revenue of the active ones for a year, in minor units: that is a whole number for every interval. */
export const ANNUAL = 'annual';

const PERIODS_PER_YEAR = { daily: 365, weekly: 52, monthly: 12, quarterly: 4, yearly: 1 } as const satisfies Record<
  Interval,
  number
>;

type Counted = Pick<Subscription, 'amount' | 'interval' | 'status' | 'invoices'>;

export function standingOf({ status, invoices }: Pick<Subscription, 'status' | 'invoices'>): Standing {
  if (invoices > 0) return status;
  return status === 'canceled' ? 'never_started' : 'scheduled';
}

/** Revenue of a year at the terms of now; none unless it is active. */
const annualOf = (subscription: Counted | undefined): number =>
  subscription && standingOf(subscription) === 'active'
    ? subscription.amount * PERIODS_PER_YEAR[subscription.interval]
    : 0;

/** What one subscription adds to how they stand. */
function stateOf(subscription: Subscription | undefined): Sums {
  if (!subscription) return {};
  const standing = standingOf(subscription);
  const isEnding = standing === 'active' && subscription.cancel_at_period_end;
  return { [standing]: 1, [ENDING]: isEnding ? 1 : 0, [ANNUAL]: annualOf(subscription) };
}

/** Computed from the two images of one change. Renewals move nothing, and so write nothing. */
export function subscriptionDeltas(
  old: Subscription | undefined,
  next: Subscription | undefined,
): readonly TotalsDelta[] {
  const { org_id, currency } = (next ?? old) as Subscription;
  const key = { kind: 'subscriptions', org_id, currency } as const;
  const state = addSums([stateOf(next), negative(stateOf(old))]);
  const moved = next ? movementOf(old, next) : undefined;
  return [
    ...(Object.keys(state).length > 0 ? [{ of: { ...key, day: null }, add: state }] : []),
    ...(moved ? [{ of: { ...key, day: moved.day }, add: moved.add }] : []),
  ];
}

const negative = (sums: Sums): Sums => Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, -value]));

type Movement = { readonly day: string; readonly add: Sums };

/**
 * The five movements of recurring revenue. Churn is what stops being active, whether it is paused (as after the last
 * retry) or canceled; reactivation is what becomes active again.
 */
function movementOf(old: Subscription | undefined, next: Subscription): Movement | undefined {
  const day = next.updated_at.slice(0, 10);
  const [before, after] = [old && standingOf(old), standingOf(next)];
  if (after === 'scheduled' || after === 'never_started') return undefined;
  const stops = before !== after && (after === 'paused' || after === 'canceled') ? { [after]: 1 } : {};
  if (before === undefined || before === 'scheduled')
    return { day: next.start_at.slice(0, 10), add: startOf(next, stops) };
  const [was, is] = [annualOf(old), annualOf(next)];
  if (was > 0 && is === 0) return { day, add: { ...stops, churned: 1, churned_annual: was } };
  if (was === 0 && is > 0) return { day, add: { reactivated: 1, reactivated_annual: is } };
  if (is > was) return { day, add: { expansion_annual: is - was } };
  if (is < was) return { day, add: { contraction_annual: was - is } };
  return Object.keys(stops).length > 0 ? { day, add: stops } : undefined;
}

/** It counts from the start of its first period, also if that is billed late. */
function startOf(next: Subscription, stops: Sums): Sums {
  const annual = next.amount * PERIODS_PER_YEAR[next.interval];
  const isActive = standingOf(next) === 'active';
  return { new: 1, new_annual: annual, ...(!isActive && { ...stops, churned: 1, churned_annual: annual }) };
}
