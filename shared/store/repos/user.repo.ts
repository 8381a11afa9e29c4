import { headsOf } from '#shared/domain/accounts/members.rules.ts';
import { type Membership, type User, userIdOf } from '#shared/domain/accounts/user.model.ts';
import { isId, randomText } from '#shared/kernel/ids.ts';
import type { Cond, TablePort, Write } from '#shared/ports/table.port.ts';
import type { Entry, UsersPort } from '#shared/ports/users.port.ts';
import { allPages } from '#shared/store/all-pages.ts';
import { certainPut } from '#shared/store/certain-put.ts';
import { keys } from '#shared/store/keys.ts';
import { headsChange, membershipItems, membershipKeys, toMembership } from '#shared/store/repos/membership.entity.ts';
import { organizationItem } from '#shared/store/repos/organization.entity.ts';
import { takeUpOwner } from '#shared/store/repos/owner.repo.ts';
import { usePasskey } from '#shared/store/repos/passkey.repo.ts';
import { takeUpPlatformRole } from '#shared/store/repos/platform-owner.ts';
import { beginSession } from '#shared/store/repos/session.repo.ts';
import { useLink } from '#shared/store/repos/sign-in-link.repo.ts';
import { firstWrites, mailAddressKey, toUser, userItem } from '#shared/store/repos/user.entity.ts';

/** Users and their memberships. An address is found by its keyed hash; the user's own item holds it. */
export class UserRepo implements UsersPort {
  readonly #table: TablePort;
  readonly #hashSecret: string;
  constructor(table: TablePort, hashSecret: string) {
    this.#table = table;
    this.#hashSecret = hashSecret;
  }

  async get(id: string): Promise<User | undefined> {
    const item = isId('user', id) ? await this.#table.get(keys.user(id), { consistent: true }) : undefined;
    return item && toUser(item);
  }

  idFor(email: string): string {
    return userIdOf(this.#hashSecret, email);
  }

  async byEmail(email: string): Promise<User | undefined> {
    const item = await this.#table.get(mailAddressKey(this.#hashSecret, email), { consistent: true });
    return item && this.get(String(item.user_id));
  }

  async save(user: User): Promise<boolean> {
    return (await certainPut(this.#table, userItem(user), { eq: ['version', user.version - 1] })).ok;
  }

  async enter({
    session,
    link,
    passkey,
    user,
    isNew,
    organization,
    begun,
    takenUp,
    owner,
    platformRole,
  }: Entry): Promise<'done' | 'raced'> {
    const at = session.created_at;
    const writes: readonly Write[] = [
      ...beginSession(session),
      ...(link ? [useLink(link, at)] : []),
      ...(passkey ? [usePasskey(passkey, at)] : []),
      ...(isNew
        ? firstWrites(this.#hashSecret, user)
        : [{ put: userItem(user), cond: { eq: ['version', user.version - 1] } } as const]),
      ...(organization ? [{ put: organizationItem(organization), cond: { absent: 'pk' } } as const] : []),
      ...begun.flatMap(beginning),
      ...takenUp.flatMap(joining),
      ...(owner ? [takeUpOwner(this.#hashSecret, owner, at)] : []),
      ...(platformRole ? await takeUpPlatformRole(this.#table, user, platformRole, at) : []),
    ];
    return (await this.#table.transact(writes, randomText(32))).ok ? 'done' : 'raced';
  }

  async membershipsOf(userId: string): Promise<readonly Membership[]> {
    const items = await allPages(this.#table, {
      pk: keys.user(userId).pk,
      range: { prefix: 'org#' },
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

const beginning = (membership: Membership): readonly Write[] => [
  ...membershipItems(membership).map((put): Write => ({ put, cond: { absent: 'pk' } })),
  ...headsChange(membership.org_id, headsOf(undefined, membership)),
];

/** The membership must still exist: a concurrent removal wins. A joining owner counts from now on. */
function joining(membership: Membership): readonly Write[] {
  const { org_id, user_id, role, joined_at } = membership;
  const cond: Cond = { all: [{ eq: ['role', role] }, { eq: ['joined_at', null] }] };
  const both = membershipKeys(org_id, user_id).map(
    (update): Write => ({ update, change: { set: { joined_at } }, cond }),
  );
  return [...both, ...headsChange(org_id, headsOf({ role, joined_at: null }, membership))];
}
