import type { ListOrganizationsInput, SetPlanInput } from '#functions/platform/platform.schema.ts';
import { type ReviewDeps, reviewOrganization } from '#functions/platform/review-kyc.usecase.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function listOrganizations(
  query: ListOrganizationsInput,
  _caller: Caller,
  { platform }: Pick<Deps, 'platform'>,
) {
  return platform.organizations(query);
}

export const setPlan = ({ id, plan }: SetPlanInput & { readonly id: string }, caller: Caller, deps: ReviewDeps) =>
  reviewOrganization(id, { action: 'plan_changed', plan }, caller, deps);
