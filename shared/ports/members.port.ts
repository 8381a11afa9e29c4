import type { Heads } from '#shared/domain/members.rules.ts';
import type { Role } from '#shared/domain/roles.catalog.ts';
import type { Membership, User } from '#shared/domain/user.model.ts';

/** Whoever does it, who must still be that in the organization when it is written. */
export type Actor = { readonly user_id: string; readonly role: Role };

/** One of the two is there, or both: a membership begins, changes its role or ends. */
export type MemberChange = {
  readonly before: Membership | undefined;
  readonly after: Membership | undefined;
  /** Of an address that has none yet: made with its first membership. */
  readonly newUser?: User;
};

export interface MembersPort {
  list(orgId: string): Promise<readonly Membership[]>;
  get(orgId: string, userId: string): Promise<Membership | undefined>;
  count(orgId: string): Promise<Heads>;
  /** Whose address this is, in one look whether anybody's or not. */
  userOf(email: string): Promise<{ readonly id: string; readonly isNew: boolean }>;
  /** All of it, or false where something is not as it was read, the count and the actor included. */
  change(change: MemberChange, actor: Actor): Promise<boolean>;
  /** The mail went. Nothing where the membership is gone meanwhile. */
  noteInvited(membership: Membership, at: Date): Promise<void>;
}
