import { countChange, type MemberCounts } from '#shared/domain/accounts/members.rules.ts';
import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import { type Membership, type User, userIdOf } from '#shared/domain/accounts/user.model.ts';
import { isId, randomText } from '#shared/kernel/ids.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import type { MemberActor, MemberChange, MembersPort } from '#shared/ports/members.port.ts';
import { findHashed, hashedKey } from '#shared/store/hashed-keys.ts';
import { keys, ranges } from '#shared/store/keys.ts';
import { queryAll } from '#shared/store/read-all.ts';
import { auditWrite } from '#shared/store/repos/accounts/audit-entry.entity.ts';
import {
  memberCountWrites,
  membershipItems,
  membershipKeys,
  toMembership,
} from '#shared/store/repos/accounts/membership.entity.ts';
import { mailAddressKey, newUserWrites } from '#shared/store/repos/accounts/user.entity.ts';
import type { Condition, ItemChange, TablePort, Write } from '#shared/store/table/table.port.ts';

/** The members of an organization, and their counts. At least one owner who has signed in always remains. */
export class MemberRepo implements MembersPort {
  readonly #table: TablePort;
  readonly #config: HashConfig;
  constructor(table: TablePort, config: HashConfig) {
    this.#table = table;
    this.#config = config;
  }

  async list(orgId: string): Promise<readonly Membership[]> {
    const items = await queryAll(this.#table, { ...ranges.members(orgId), limit: 1_000, consistent: true });
    return items.map(toMembership);
  }

  async get(orgId: string, userId: string): Promise<Membership | undefined> {
    const item = isId('user', userId)
      ? await this.#table.get(keys.member(orgId, userId), { consistent: true })
      : undefined;
    return item && toMembership(item);
  }

  async count(orgId: string): Promise<MemberCounts> {
    const item = await this.#table.get(keys.memberCount(orgId), { consistent: true });
    return { members: Number(item?.members ?? 0), owners: Number(item?.owners ?? 0) };
  }

  async userFor(email: string): Promise<{ readonly id: string; readonly isNew: boolean }> {
    const item = await findHashed(this.#table, this.#config, mailAddressKey(email));
    return { id: item ? String(item.user_id) : userIdOf(this.#config.hashSecret, email), isNew: item === undefined };
  }

  async change(
    { before, after, newUser }: MemberChange,
    actor: MemberActor,
    audit?: OrganizationAuditEntry,
  ): Promise<boolean> {
    const membership = after ?? before;
    if (!membership) throw new Error('A change of members names a member.');
    const { org_id, user_id } = membership;
    const writes: readonly Write[] = [
      ...membershipWrites(before, after),
      ...memberCountWrites(org_id, countChange(before, after)),
      ...(before ? [] : await this.#userWrites(membership, newUser)),
      ...(actor.user_id === user_id
        ? []
        : [{ check: keys.member(org_id, actor.user_id), condition: { eq: ['role', actor.role] } } as const]),
      ...(audit ? [auditWrite(audit)] : []),
    ];
    return (await this.#table.transact(writes, randomText(32))).ok;
  }

  async recordInvitation({ org_id, user_id }: Membership, at: Date): Promise<void> {
    const change: ItemChange = { set: { invited_at: at.toISOString() } };
    await this.#table.transact(
      membershipKeys(org_id, user_id).map((update) => ({ update, change, condition: { exists: 'pk' } })),
      randomText(32),
    );
  }

  /**
   * A known and an unknown address take the same number of writes, so that the response time does not show who has an
   * account.
   */
  async #userWrites({ user_id, email }: Membership, newUser: User | undefined): Promise<readonly Write[]> {
    if (newUser) return newUserWrites(this.#config, newUser);
    const address = await hashedKey(this.#table, this.#config, mailAddressKey(email));
    return [
      { check: keys.user(user_id), condition: { exists: 'pk' } },
      { check: address, condition: { eq: ['user_id', user_id] } },
    ];
  }
}

/**
 * A role change sets only the role, so it keeps the data of a concurrent sign-in. It fails if the member has joined
 * meanwhile, because owners are counted once they have joined.
 */
function membershipWrites(before: Membership | undefined, after: Membership | undefined): readonly Write[] {
  if (!before) return after ? membershipItems(after).map((put) => ({ put, condition: { absent: 'pk' } })) : [];
  const condition: Condition = { all: [{ eq: ['role', before.role] }, { eq: ['joined_at', before.joined_at] }] };
  const both = membershipKeys(before.org_id, before.user_id);
  return after
    ? both.map((update) => ({
        update,
        change: { set: { role: after.role, role_given_by: after.role_given_by } },
        condition,
      }))
    : both.map((key) => ({ delete: key, condition }));
}
