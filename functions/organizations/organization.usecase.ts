import type { RenameOrganizationInput } from '#functions/organizations/organizations.schema.ts';
import { rename } from '#shared/domain/accounts/organization.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function getOrganization(
  _input: unknown,
  { orgId, person }: Caller,
  { organizations }: Pick<Deps, 'organizations'>,
) {
  const organization = orNotFound(await organizations.byId(orgId), 'This organization does not exist.');
  return { ...organization, role: person?.role ?? null };
}

/** A concurrent KYC decision is neither lost nor carried over to the new name: the loser of the race reads again. */
export function renameOrganization(
  input: RenameOrganizationInput,
  caller: Caller,
  { organizations }: Pick<Deps, 'organizations'>,
) {
  const role = signedInUserOf(caller).role ?? null;
  return retryOnConflict(async () => {
    const before = orNotFound(await organizations.byId(caller.orgId), 'This organization does not exist.');
    const renamed = rename(before, input);
    if (!renamed) return { ...before, role };
    return (await organizations.change(before, renamed)) ? { ...before, ...renamed, role } : undefined;
  }, 'This organization is being changed by other requests. Try again.');
}
