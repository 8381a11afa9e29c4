import { countChange } from '#shared/domain/accounts/members.rules.ts';
import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import { type Membership, type User, userIdOf } from '#shared/domain/accounts/user.model.ts';
import { isId, randomText } from '#shared/kernel/ids.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import type { SignInRecord, UsersPort } from '#shared/ports/users.port.ts';
import { findHashed, moveHashedWrites } from '#shared/store/hashed-keys.ts';
import { keys, ranges } from '#shared/store/keys.ts';
import { putWithNonce } from '#shared/store/put-with-nonce.ts';
import { queryAll } from '#shared/store/read-all.ts';
import { auditWrite } from '#shared/store/repos/accounts/audit-entry.entity.ts';
import {
  memberCountWrites,
  membershipItems,
  membershipKeys,
  toMembership,
} from '#shared/store/repos/accounts/membership.entity.ts';
import { organizationItem } from '#shared/store/repos/accounts/organization.entity.ts';
import { ownerSignInWrite } from '#shared/store/repos/accounts/owner.repo.ts';
import { passkeyUseWrite } from '#shared/store/repos/accounts/passkey.repo.ts';
import { platformRoleWrites } from '#shared/store/repos/accounts/platform.repo.ts';
import { sessionWrites } from '#shared/store/repos/accounts/session.repo.ts';
import { linkUseWrite } from '#shared/store/repos/accounts/sign-in-link.repo.ts';
import { mailAddressKey, newUserWrites, toUser, userItem } from '#shared/store/repos/accounts/user.entity.ts';
import type { Condition, TablePort, Write } from '#shared/store/table/table.port.ts';

/**
 * Users and their memberships. The item of a mail address is found by a keyed hash; only the item of the user holds the
 * address itself.
 */
export class UserRepo implements UsersPort {
  readonly #table: TablePort;
  readonly #config: HashConfig;
  constructor(table: TablePort, config: HashConfig) {
    this.#table = table;
    this.#config = config;
  }

  async get(id: string): Promise<User | undefined> {
    const item = isId('user', id) ? await this.#table.get(keys.user(id), { consistent: true }) : undefined;
    return item && toUser(item);
  }

  idFor(email: string): string {
    return userIdOf(this.#config.hashSecret, email);
  }

  async byEmail(email: string): Promise<User | undefined> {
    const item = await findHashed(this.#table, this.#config, mailAddressKey(email));
    return item && this.get(String(item.user_id));
  }

  async save(user: User, audits: readonly OrganizationAuditEntry[] = []): Promise<boolean> {
    const condition: Condition = { eq: ['version', user.version - 1] };
    if (audits.length === 0) return (await putWithNonce(this.#table, userItem(user), condition)).ok;
    const writes: readonly Write[] = [{ put: userItem(user), condition }, ...audits.map(auditWrite)];
    return (await this.#table.transact(writes, randomText(32))).ok;
  }

  async recordSignIn({
    session,
    link,
    passkey,
    user,
    isNew,
    organization,
    newMemberships: begun,
    acceptedInvitations: takenUp,
    owner,
    platformRole,
  }: SignInRecord): Promise<'done' | 'conflict'> {
    const at = session.created_at;
    const writes: readonly Write[] = [
      ...sessionWrites(session),
      ...(link ? [linkUseWrite(link, at)] : []),
      ...(passkey ? [passkeyUseWrite(passkey, at)] : []),
      ...(isNew ? newUserWrites(this.#config, user) : await this.#knownUserWrites(user)),
      ...(organization ? [{ put: organizationItem(organization), condition: { absent: 'pk' } } as const] : []),
      ...begun.flatMap(newMembershipWrites),
      ...takenUp.flatMap(acceptedInvitationWrites),
      ...(owner ? [await ownerSignInWrite(this.#table, this.#config, owner, at)] : []),
      ...(platformRole ? await platformRoleWrites(this.#table, user, platformRole, at) : []),
    ];
    return (await this.#table.transact(writes, randomText(32))).ok ? 'done' : 'conflict';
  }

  /** A sign-in is when the item of an address moves to the current version of its hash. */
  async #knownUserWrites(user: User): Promise<readonly Write[]> {
    const condition: Condition = { eq: ['version', user.version - 1] };
    const moved = await moveHashedWrites(this.#table, this.#config, mailAddressKey(user.email));
    return [{ put: userItem(user), condition }, ...moved];
  }

  async memberships(userId: string): Promise<readonly Membership[]> {
    const items = await queryAll(this.#table, {
      ...ranges.memberships(userId),
      limit: 200,
      consistent: true,
    });
    return items.map(toMembership);
  }

  async membership(userId: string, orgId: string): Promise<Membership | undefined> {
    const item = await this.#table.get(keys.membership(userId, orgId), { consistent: true });
    return item && toMembership(item);
  }
}

const newMembershipWrites = (membership: Membership): readonly Write[] => [
  ...membershipItems(membership).map((put): Write => ({ put, condition: { absent: 'pk' } })),
  ...memberCountWrites(membership.org_id, countChange(undefined, membership)),
];

/** The membership must still exist: a concurrent removal wins. An owner counts as one from the first sign-in on. */
function acceptedInvitationWrites(membership: Membership): readonly Write[] {
  const { org_id, user_id, role, joined_at } = membership;
  const condition: Condition = { all: [{ eq: ['role', role] }, { eq: ['joined_at', null] }] };
  const both = membershipKeys(org_id, user_id).map(
    (update): Write => ({ update, change: { set: { joined_at } }, condition }),
  );
  return [...both, ...memberCountWrites(org_id, countChange({ role, joined_at: null }, membership))];
}
