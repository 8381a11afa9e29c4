import { isVerified } from '#shared/domain/accounts/organization.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * Those of the addresses that the organization may mail now. Asked again before each mail: a member may have left, or
 * its approval may have been withdrawn.
 */
export async function mailableAddresses(
  to: readonly string[],
  orgId: string,
  { organizations, members }: Pick<Deps, 'organizations' | 'members'>,
): Promise<readonly string[]> {
  if (isVerified(await organizations.byId(orgId))) return to;
  const known = new Set(
    (await members.list(orgId)).filter(({ joined_at }) => joined_at !== null).map(({ email }) => email),
  );
  return to.filter((address) => known.has(address));
}
