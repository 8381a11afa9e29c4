import { INVITATION_LIFETIME } from '#shared/domain/accounts/sign-in.model.ts';
import type { Membership } from '#shared/domain/accounts/user.model.ts';
import { isAtLeast, type Role } from '#shared/domain/reference/access.catalog.ts';
import { plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** The list of members is read as a whole. */
export const MAX_MEMBERS = 500;

/** The number of members, and of owners who have signed in; or a change of these numbers. */
export type MemberCounts = { readonly members: number; readonly owners: number };

type MemberRole = Pick<Membership, 'role'> | undefined;
type CountedMember = Pick<Membership, 'role' | 'joined_at'> | undefined;

const isOwner = (member: MemberRole): boolean => member?.role === 'owner';

const concernsOwner = (before: MemberRole, after: MemberRole): boolean => isOwner(before) || isOwner(after);

/**
 * Whether a session needs a fresh proof for this change. It does where an owner is made, changed or removed, and where
 * an administrator is made, who can create API keys: with a stolen session, both would outlive the session.
 */
export const needsFreshProof = (before: MemberRole, after: MemberRole): boolean =>
  concernsOwner(before, after) || (after?.role === 'admin' && before?.role !== 'admin');

/** An invited address may not exist. If its owner were the only one, the organization would be lost. */
const activeOwners = (member: CountedMember): number => Number(isOwner(member) && member?.joined_at !== null);

/** How a change of a membership changes the counts. */
export const countChange = (before: CountedMember, after: CountedMember): MemberCounts => ({
  members: Number(after !== undefined) - Number(before !== undefined),
  owners: activeOwners(after) - activeOwners(before),
});

/** Only owners add, change and remove owners. Administrators do so with other members. Every member may leave. */
export function assertRoleAllows(actor: Role, before: MemberRole, after: MemberRole, isSelf: boolean): void {
  if (isSelf && after === undefined) return;
  const required: Role = concernsOwner(before, after) ? 'owner' : 'admin';
  if (!isAtLeast(actor, required))
    throw new AppError(
      'missing_role',
      `You need the role ${required}${required === 'owner' ? '' : ' or a higher one'} in this organization.`,
    );
}

export function assertCountsAllow(count: MemberCounts, change: MemberCounts): void {
  if (change.owners < 0 && count.owners + change.owners < 1)
    throw new AppError(
      'last_owner',
      'This is the only owner who has signed in. First make someone else an owner and let them sign in.',
    );
  if (change.members > 0 && count.members >= MAX_MEMBERS)
    throw new AppError(
      'member_limit_reached',
      `An organization can have at most ${MAX_MEMBERS} members. Remove one first.`,
    );
}

/** The invitation was not sent, or its link has expired. It is sent when the member is added again. */
export const needsInvitation = (
  { invited_at, joined_at }: Pick<Membership, 'invited_at' | 'joined_at'>,
  at: Date,
): boolean => joined_at === null && (invited_at === null || plus(new Date(invited_at), INVITATION_LIFETIME) <= at);
