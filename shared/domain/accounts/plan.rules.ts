import { isVerified } from '#shared/domain/accounts/kyc.rules.ts';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { type Feature, type Metric, PLANS, type Plan, type PlanName } from '#shared/domain/accounts/plans.catalog.ts';
import { monthEnds, type Usage, usedIn } from '#shared/domain/accounts/usage.rules.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

type Account = { readonly organization: Pick<Organization, 'plan'> | undefined; readonly usage: Usage };
type Charging = { readonly organization: Pick<Organization, 'plan' | 'kyc'> | undefined; readonly usage: Usage };

/** Plans limit the live stage only: the sandbox is free. */
export const effectivePlan = (organization: Pick<Organization, 'plan'> | undefined, stage: Stage): PlanName =>
  stage === 'live' ? (organization?.plan ?? 'free') : 'scale';

/** `null`: no limit. */
export const limitOf = (plan: PlanName, metric: Metric): number | null => planOf(plan).limits[metric];

const planOf = (name: PlanName): Plan => PLANS[name];

/** Whether the plan's limit is reached with `used`. */
function isFull(plan: PlanName, metric: Metric, used: number): boolean {
  const limit = limitOf(plan, metric);
  return limit !== null && used >= limit;
}

export function refuseBeyond(plan: PlanName, metric: Metric, used: number, at: Date): void {
  if (isFull(plan, metric, used)) throw limitReached(plan, metric, used, at);
}

/** Whether the plan leaves the organization any payments this month. */
export const hasPaymentsLeft = ({ organization, usage }: Account, stage: Stage, at: Date): boolean =>
  !isFull(effectivePlan(organization, stage), 'payments', usedIn(usage, 'payments', at));

/** Whether KYC and plan let the organization take payments now. */
export const mayCharge = ({ mode }: { readonly mode: Stage }, account: Charging, stage: Stage, at: Date): boolean =>
  (mode !== 'live' || isVerified(account.organization)) && hasPaymentsLeft(account, stage, at);

export const refusePaymentBeyond = ({ organization, usage }: Account, stage: Stage, at: Date): void =>
  refuseBeyond(effectivePlan(organization, stage), 'payments', usedIn(usage, 'payments', at), at);

export function refuseWithout(plan: PlanName, feature: Feature): void {
  if (planOf(plan).features.includes(feature)) return;
  throw new AppError(
    'feature_not_in_plan',
    `The plan ${plan} does not have ${IN_WORDS[feature]}. Choose a larger plan.`,
    { details: { feature, plan } },
  );
}

function limitReached(plan: PlanName, metric: Metric, used: number, at: Date): AppError {
  const [limit, reset] = [String(limitOf(plan, metric)), monthEnds(at).toISOString()];
  const { what, remedy } = LIMITS_IN_WORDS[metric];
  const message = `The plan ${plan} holds ${limit} ${what}. Choose a larger plan, or ${remedy}.`;
  return new AppError('plan_limit_reached', message, { details: { metric, used: String(used), limit, reset } });
}

const NEXT_MONTH = 'wait for the next month';
const LIMITS_IN_WORDS: Readonly<Record<Metric, { readonly what: string; readonly remedy: string }>> = {
  payments: { what: 'payments a month', remedy: NEXT_MONTH },
  workflow_executions: { what: 'runs of workflows a month', remedy: NEXT_MONTH },
  connections: { what: 'connections', remedy: 'delete one' },
  api_keys: { what: 'API keys', remedy: 'revoke one' },
};
const IN_WORDS: Readonly<Record<Feature, string>> = { ab_tests: 'A/B tests' };
