import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { isVerified } from '#shared/domain/accounts/organization.rules.ts';
import {
  type Feature,
  type Metric,
  MONTHLY_METRICS,
  type MonthlyMetric,
  PLAN_NAMES,
  PLANS,
  type Plan,
  type PlanName,
} from '#shared/domain/accounts/plans.catalog.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

type OrganizationUsage = { readonly organization: Pick<Organization, 'plan'> | undefined; readonly usage: Usage };
type ChargingOrganization = {
  readonly organization: Pick<Organization, 'plan' | 'kyc' | 'quarantined_at'> | undefined;
  readonly usage: Usage;
};

/** Plans limit the live stage only. The sandbox has no limits. */
export const effectivePlan = (organization: Pick<Organization, 'plan'> | undefined, stage: Stage): PlanName =>
  stage === 'live' ? (organization?.plan ?? 'free') : 'scale';

/** Null: no limit. */
export const limitOf = (plan: PlanName, metric: Metric): number | null => planOf(plan).limits[metric];

const planOf = (name: PlanName): Plan => PLANS[name];

function isLimitReached(plan: PlanName, metric: Metric, used: number): boolean {
  const limit = limitOf(plan, metric);
  return limit !== null && used >= limit;
}

export function assertWithinLimit(plan: PlanName, metric: Metric, used: number, at: Date): void {
  if (isLimitReached(plan, metric, used)) throw limitReached(plan, metric, used, at);
}

/** Whether the organization has payments left this month. */
export const hasPaymentsLeft = ({ organization, usage }: OrganizationUsage, stage: Stage, at: Date): boolean =>
  !isLimitReached(effectivePlan(organization, stage), 'payments', usedIn(usage, 'payments', at));

/** Whether the operator, KYC and plan allow the organization to take payments now. */
export const mayCharge = (
  { mode }: { readonly mode: Stage },
  charging: ChargingOrganization,
  stage: Stage,
  at: Date,
): boolean =>
  charging.organization?.quarantined_at === undefined &&
  (mode !== 'live' || isVerified(charging.organization)) &&
  hasPaymentsLeft(charging, stage, at);

export const assertPaymentsLeft = ({ organization, usage }: OrganizationUsage, stage: Stage, at: Date): void =>
  assertWithinLimit(effectivePlan(organization, stage), 'payments', usedIn(usage, 'payments', at), at);

export function assertFeature(plan: PlanName, feature: Feature): void {
  if (planOf(plan).features.includes(feature)) return;
  throw new AppError(
    'feature_not_in_plan',
    `The plan ${plan} does not include ${FEATURE_NAMES[feature]}. Upgrade to a larger plan.`,
    { details: { feature, plan } },
  );
}

function limitReached(plan: PlanName, metric: Metric, used: number, at: Date): AppError {
  const [limit, reset] = [String(limitOf(plan, metric)), monthEnd(at).toISOString()];
  const { unit, remedy } = LIMIT_TEXTS[metric];
  const message = `The plan ${plan} includes ${limit} ${unit}. Upgrade to a larger plan, or ${remedy}.`;
  return new AppError('plan_limit_reached', message, { details: { metric, used: String(used), limit, reset } });
}

const NEXT_MONTH = 'wait until next month';
const LIMIT_TEXTS: Readonly<Record<Metric, { readonly unit: string; readonly remedy: string }>> = {
  payments: { unit: 'payments per month', remedy: NEXT_MONTH },
  workflow_executions: { unit: 'workflow executions per month', remedy: NEXT_MONTH },
  connections: { unit: 'connections', remedy: 'delete a connection' },
  api_keys: { unit: 'API keys', remedy: 'revoke an API key' },
};
const FEATURE_NAMES: Readonly<Record<Feature, string>> = { ab_tests: 'A/B tests' };

/** All usage counters of an organization are in one total, so that a batch is one write. */
export type UsageKey = { readonly kind: 'usage'; readonly org_id: string };
export type Usage = Readonly<Record<string, number>>;

/** The month (UTC) of a time. */
export const monthOf = (at: Date | string): string => new Date(at).toISOString().slice(0, 7);

/** The month is in the counter's name, so that no counter is reset. */
export const usageCounter = (metric: MonthlyMetric, month: string): string => `${metric}:${month}`;

export const usedIn = (usage: Usage, metric: MonthlyMetric, at: Date): number =>
  usage[usageCounter(metric, monthOf(at))] ?? 0;

/**
 * Whether a limit could look different with the newer one of two counts: a limit is reached, or a twentieth of the way
 * to the next one is done.
 */
export function isNearerToLimit(metric: MonthlyMetric, known: number, used: number): boolean {
  const limits = PLAN_NAMES.flatMap((plan) => limitOf(plan, metric) ?? []).filter((limit) => limit > known);
  const next = Math.min(...limits);
  return used > known && limits.length > 0 && (used >= next || used - known >= (next - known) / 20);
}

/** The metric and month of a usage counter. */
export function usageOf(counter: string): { readonly metric: MonthlyMetric; readonly month: string } | undefined {
  const [name = '', month = ''] = counter.split(':');
  const metric = MONTHLY_METRICS.find((each) => each === name);
  return metric && { metric, month };
}

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
