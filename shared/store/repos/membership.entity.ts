import { type Heads, MOST_MEMBERS } from '#shared/domain/accounts/members.rules.ts';
import type { Membership } from '#shared/domain/accounts/user.model.ts';
import type { Cond, Item, Key, Write } from '#shared/ports/table.port.ts';
import { keys } from '#shared/store/keys.ts';

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
  return { org_id, user_id, email, role, created_at, invited_at, joined_at };
};

/**
 * Counts owners who have signed in. Of two owners who remove each other the second finds themselves the last, and of
 * two members added at once the second finds the last seat taken.
 */
export function headsChange(orgId: string, { members, owners }: Heads): readonly Write[] {
  if (members === 0 && owners === 0) return [];
  const others: readonly Cond[] = owners < 0 ? [{ gt: ['owners', 1] }] : [];
  const seats: readonly Cond[] =
    members > 0 ? [{ any: [{ absent: 'members' }, { lt: ['members', MOST_MEMBERS] }] }] : [];
  const all = [...others, ...seats];
  return [
    {
      update: keys.headCount(orgId),
      change: { set: { item_type: 'head_count' }, add: { members, owners } },
      ...(all.length > 0 && { cond: { all } }),
    },
  ];
}
