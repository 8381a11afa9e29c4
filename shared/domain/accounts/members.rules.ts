import type { Membership } from '#shared/domain/accounts/user.model.ts';
import { isAtLeast, type Role } from '#shared/domain/reference/roles.catalog.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** Bounds a list that is read whole. */
export const MOST_MEMBERS = 500;

/** Number of members, and of owners who have signed in; or changes of these. */
export type Heads = { readonly members: number; readonly owners: number };

type Ranked = Pick<Membership, 'role'> | undefined;
type Part = Pick<Membership, 'role' | 'joined_at'> | undefined;

const isOwner = (part: Ranked): boolean => part?.role === 'owner';

/** An invited address may belong to no one: with such an owner alone the organization would be lost. */
const owns = (part: Part): number => Number(isOwner(part) && part?.joined_at !== null);

/** How a change of a membership changes the counts. */
export const headsOf = (before: Part, after: Part): Heads => ({
  members: Number(after !== undefined) - Number(before !== undefined),
  owners: owns(after) - owns(before),
});

/** Only owners make, change and remove owners; administrators may do so with others. Any member may leave. */
export function refuseByRole(actor: Role, before: Ranked, after: Ranked, isSelf: boolean): void {
  if (isSelf && after === undefined) return;
  const least: Role = isOwner(before) || isOwner(after) ? 'owner' : 'admin';
  if (!isAtLeast(actor, least))
    throw new AppError(
      'missing_role',
      `This needs the role ${least} in the organization${least === 'owner' ? '' : ', or a stronger one'}.`,
    );
}

export function refuseByCount(count: Heads, change: Heads): void {
  if (change.owners < 0 && count.owners + change.owners < 1)
    throw new AppError(
      'last_owner',
      'This is the only owner who has signed in. Make somebody else an owner first, who then signs in.',
    );
  if (change.members > 0 && count.members >= MOST_MEMBERS)
    throw new AppError('member_limit_reached', `An organization has at most ${MOST_MEMBERS} members.`);
}

/** An unsent mail, or one not recorded as sent, is sent when the member is added again. */
export const owesInvitation = ({ invited_at, joined_at }: Pick<Membership, 'invited_at' | 'joined_at'>): boolean =>
  invited_at === null && joined_at === null;
