import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function getOrganization(
  _input: unknown,
  { orgId, person }: Caller,
  { organizations }: Pick<Deps, 'organizations'>,
) {
  const organization = need(await organizations.byId(orgId), 'There is no such organization.');
  return { ...organization, role: person?.role ?? null };
}
