import type { MemberCounts } from '#shared/domain/accounts/members.rules.ts';
import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import type { Membership, User } from '#shared/domain/accounts/user.model.ts';
import type { Role } from '#shared/domain/reference/access.catalog.ts';

/** Who makes the change. They must still have this role when it is written. */
export type MemberActor = { readonly user_id: string; readonly role: Role };

/** Without `before` the membership is new, without `after` it is removed. At least one of the two is set. */
export type MemberChange = {
  readonly before: Membership | undefined;
  readonly after: Membership | undefined;
  /** A new user, who is written with the first membership. */
  readonly newUser?: User;
};

export interface MembersPort {
  list(orgId: string): Promise<readonly Membership[]>;
  get(orgId: string, userId: string): Promise<Membership | undefined>;
  count(orgId: string): Promise<MemberCounts>;
  /** The user of an address. The lookup costs the same whether there is one or not. */
  userFor(email: string): Promise<{ readonly id: string; readonly isNew: boolean }>;
  /** Writes the change. False if anything has changed since it was read, including the counts and the actor's role. */
  change(change: MemberChange, actor: MemberActor, audit?: OrganizationAuditEntry): Promise<boolean>;
  /** Records that the invitation was sent, unless the membership was removed since. */
  recordInvitation(membership: Membership, at: Date): Promise<void>;
}
