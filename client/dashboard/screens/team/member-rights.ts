import type { Role } from '#client/dashboard/shell/session.tsx';
import type { Member } from '#client/typescript/src/index.ts';

/** The roles that a person of this role may give. Only owners deal with owners. */
export function grantableRoles(role: Role): readonly Role[] {
  if (role === 'owner') return ['owner', 'admin', 'member', 'viewer'];
  return role === 'admin' ? ['admin', 'member', 'viewer'] : [];
}

export const mayChange = (role: Role, member: Pick<Member, 'role'>): boolean =>
  grantableRoles(role).includes(member.role);
