import { MAX_MEMBERS, type MemberCounts } from '#shared/domain/accounts/members.rules.ts';
import type { Membership } from '#shared/domain/accounts/user.model.ts';
import { keys } from '#shared/store/keys.ts';
import type { Condition, Item, Key, Write } from '#shared/store/table/table.port.ts';

/** Two items, one for the user's sessions, one for the organization's list; always written together. */
export const membershipKeys = (orgId: string, userId: string): readonly [Key, Key] => [
  keys.membership(userId, orgId),
  keys.member(orgId, userId),
];

export const membershipItems = (membership: Membership): readonly [Item, Item] => [
  { ...keys.membership(membership.user_id, membership.org_id), item_type: 'membership', ...membership },
  { ...keys.member(membership.org_id, membership.user_id), item_type: 'member', ...membership },
];

export const toMembership = (item: Item): Membership => {
  const { org_id, user_id, email, role, created_at, invited_at, joined_at } = item as unknown as Membership;
  const { created_by = null, role_given_by = null } = item as unknown as Partial<Membership>;
  return { org_id, user_id, email, role, created_at, created_by, role_given_by, invited_at, joined_at };
};

/**
 * Counts members, and owners who have signed in. If two owners remove each other, the second removal fails, as it would
 * remove the last owner. If two members are added at once, the second one fails if the limit is reached.
 */
export function memberCountWrites(orgId: string, { members, owners }: MemberCounts): readonly Write[] {
  if (members === 0 && owners === 0) return [];
  const others: readonly Condition[] = owners < 0 ? [{ gt: ['owners', 1] }] : [];
  const seats: readonly Condition[] =
    members > 0 ? [{ any: [{ absent: 'members' }, { lt: ['members', MAX_MEMBERS] }] }] : [];
  const all = [...others, ...seats];
  return [
    {
      update: keys.memberCount(orgId),
      change: { set: { item_type: 'head_count' }, add: { members, owners } },
      ...(all.length > 0 && { condition: { all } }),
    },
  ];
}
