import type {
  ListOrganizationsInput,
  SetCapacityInput,
  SetPlanInput,
  SetRateInput,
} from '#functions/platform/platform.schema.ts';
import { type ReviewDeps, reviewOrganization } from '#functions/platform/review-kyc.usecase.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type ById = { readonly id: string };

export async function listOrganizations(
  query: ListOrganizationsInput,
  _caller: Caller,
  { platform }: Pick<Deps, 'platform'>,
) {
  return platform.organizations(query);
}

export const setPlan = ({ id, plan }: SetPlanInput & ById, caller: Caller, deps: ReviewDeps) =>
  reviewOrganization(id, { action: 'plan_changed', plan }, caller, deps);

/** The rate limits of the organization's API keys. A repeat also reaches the keys that a crash has left out. */
export async function setRate(
  { id, ...rate }: SetRateInput & ById,
  caller: Caller,
  deps: ReviewDeps & Pick<Deps, 'keys'>,
) {
  const organization = await reviewOrganization(id, { action: 'rate_changed', rate }, caller, deps);
  await deps.keys.applyRate(id);
  return organization;
}

/** Over how many partitions the organization's lists are spread. */
export const setCapacity = ({ id, list_shards }: SetCapacityInput & ById, caller: Caller, deps: ReviewDeps) =>
  reviewOrganization(id, { action: 'capacity_changed', list_shards }, caller, deps);
