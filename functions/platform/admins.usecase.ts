import type { ListAdminsInput, ListAuditInput, SaveAdminInput } from '#functions/platform/platform.schema.ts';
import { assertNotDemoted, platformActorOf } from '#functions/platform/platform-actor.ts';
import type { PlatformAdmin } from '#shared/domain/accounts/platform.model.ts';
import { auditEntry, describeRoleChange, remainingOwner } from '#shared/domain/accounts/platform.rules.ts';
import { newUser } from '#shared/domain/accounts/user.model.ts';
import { creationPosition, pageOf } from '#shared/domain/reference/page.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

const CHANGED_MEANWHILE = 'The administrators were changed by another request. Try again.';

export async function listAdmins(query: ListAdminsInput, _caller: Caller, { platform }: Pick<Deps, 'platform'>) {
  const page = pageOf(await platform.admins(), query, ({ created_at, user_id: id }) =>
    creationPosition({ created_at, id }),
  );
  return { ...page, items: page.items.map(viewAdmin) };
}

/** Creates a user for a new address, so that the role is there at the first sign-in. */
export function saveAdmin(
  { email, role }: SaveAdminInput,
  caller: Caller,
  { users, platform }: Pick<Deps, 'users' | 'platform'>,
) {
  const { at } = caller.operation;
  return retryOnConflict(async () => {
    const [known, admins] = await Promise.all([users.byEmail(email), platform.admins()]);
    const user = known ?? newUser(users.idFor(email), email, at);
    const before = admins.find(({ user_id }) => user_id === user.id);
    const after = { user_id: user.id, email: user.email, role, created_at: before?.created_at ?? at.toISOString() };
    const change = {
      before,
      after,
      remainingOwner: remainingOwner(before, role, admins),
      ...(!known && { newUser: user }),
    };
    const entry = auditEntry(describeRoleChange(before, after), signedInUserOf(caller), caller.operation);
    const outcome = assertNotDemoted(await platform.changeAdmin(change, entry, platformActorOf(caller)));
    if (outcome === 'done') return viewAdmin(after);
    return outcome === 'repeated' ? viewAdmin(before ?? after) : undefined;
  }, CHANGED_MEANWHILE);
}

/**
 * Takes effect with the administrator's next request, as roles are read with each one. A retry after a crash may find
 * the administrator already removed by its first run: that is success.
 */
export function removeAdmin({ id }: { readonly id: string }, caller: Caller, { platform }: Pick<Deps, 'platform'>) {
  const deleted = { id, deleted: true as const };
  return retryOnConflict(async () => {
    const admins = await platform.admins();
    const before = admins.find(({ user_id }) => user_id === id);
    if (!before && caller.operation.resumed) return deleted;
    if (!before) throw new AppError('not_found', 'There is no administrator with this id.');
    const entry = auditEntry(describeRoleChange(before, undefined), signedInUserOf(caller), caller.operation);
    const change = { before, after: undefined, remainingOwner: remainingOwner(before, undefined, admins) };
    const outcome = assertNotDemoted(await platform.changeAdmin(change, entry, platformActorOf(caller)));
    return outcome === 'conflict' ? undefined : deleted;
  }, CHANGED_MEANWHILE);
}

const viewAdmin = ({ user_id: id, email, role, created_at }: PlatformAdmin) => ({
  id,
  email,
  role,
  created_at,
});

/** Open to every session: dashboards need it to decide whether to show the platform section. */
export async function getPlatformMe(_input: unknown, caller: Caller, { platform }: Pick<Deps, 'platform'>) {
  const role = await platform.roleOf(signedInUserOf(caller).userId);
  return { is_admin: role !== undefined, role: role ?? null };
}

export async function listAuditEntries(query: ListAuditInput, _caller: Caller, { platform }: Pick<Deps, 'platform'>) {
  return platform.auditEntries(query);
}
