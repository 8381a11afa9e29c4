import type { Heads } from '#shared/domain/accounts/members.rules.ts';
import type { Membership, User } from '#shared/domain/accounts/user.model.ts';
import type { Role } from '#shared/domain/reference/roles.catalog.ts';

/** The actor, who must still have this role when it is written. */
export type Actor = { readonly user_id: string; readonly role: Role };

/** A change of a membership: it begins, changes its role or ends; at least one of the two is given. */
export type MemberChange = {
  readonly before: Membership | undefined;
  readonly after: Membership | undefined;
  /** A new user, made with its first membership. */
  readonly newUser?: User;
};

export interface MembersPort {
  list(orgId: string): Promise<readonly Membership[]>;
  get(orgId: string, userId: string): Promise<Membership | undefined>;
  count(orgId: string): Promise<Heads>;
  /** The user of an address; the same cost whether there is one or not. */
  userOf(email: string): Promise<{ readonly id: string; readonly isNew: boolean }>;
  /** Writes all of it; false if anything changed since it was read, the count and the actor included. */
  change(change: MemberChange, actor: Actor): Promise<boolean>;
  /** Records that the mail was sent; nothing if the membership is gone. */
  noteInvited(membership: Membership, at: Date): Promise<void>;
}
