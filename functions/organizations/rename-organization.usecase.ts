import type { RenameOrganizationInput } from '#functions/organizations/organizations.schema.ts';
import { rename } from '#shared/domain/accounts/organization.rules.ts';
import { need } from '#shared/kernel/errors.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** A concurrent KYC verdict is never lost nor carried over to the new name: the loser of the race looks again. */
export function renameOrganization(
  wish: RenameOrganizationInput,
  caller: Caller,
  { organizations }: Pick<Deps, 'organizations'>,
) {
  const role = personOf(caller).role ?? null;
  return inRounds(async () => {
    const before = need(await organizations.byId(caller.orgId), 'There is no such organization.');
    const renamed = rename(before, wish);
    if (!renamed) return { ...before, role };
    return (await organizations.change(before, renamed)) ? { ...before, ...renamed, role } : undefined;
  }, 'Others are changing the organization right now. Please try again.');
}
