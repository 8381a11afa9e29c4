import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import { abandonedWindows, type RateClass, windowsFor } from '#shared/domain/accounts/rate-limits.rules.ts';
import { SESSION_IDLE_LIMIT, type Session } from '#shared/domain/accounts/sign-in.model.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { AuthenticatedSession, SessionProof, SessionsPort } from '#shared/ports/users.port.ts';
import { keys, ranges } from '#shared/store/keys.ts';
import { countRequest, toRateCount } from '#shared/store/rate-windows.ts';
import { queryAll } from '#shared/store/read-all.ts';
import { auditWrite } from '#shared/store/repos/accounts/audit-entry.entity.ts';
import { passkeyUseWrite } from '#shared/store/repos/accounts/passkey.repo.ts';
import { linkUseWrite } from '#shared/store/repos/accounts/sign-in-link.repo.ts';
import { userItem } from '#shared/store/repos/accounts/user.entity.ts';
import type { Item, TablePort, Write } from '#shared/store/table/table.port.ts';

/** Sessions, found by their cookie's hash, with their rate windows in the same item. */
export class SessionRepo implements SessionsPort {
  readonly #table: TablePort;
  readonly #limited: boolean;
  constructor(table: TablePort, limited: boolean) {
    this.#table = table;
    this.#limited = limited;
  }

  async authenticate(hash: string, rateClass: RateClass, at: Date): Promise<AuthenticatedSession | undefined> {
    const windows = windowsFor(rateClass, at);
    const notExpired = [
      { gt: ['ends_at', at.toISOString()] },
      { gt: ['seen_at', plus(at, -SESSION_IDLE_LIMIT).toISOString()] },
    ] as const;
    const written = await countRequest(this.#table, keys.session(hash), windows, at, {
      conditions: notExpired,
      limited: this.#limited,
      set: { seen_at: at.toISOString() },
    });
    const item = written.ok ? written.item : written.old;
    if (!item || !isActive(item, at)) return undefined;
    const abandoned = abandonedWindows(item, at);
    if (this.#limited && abandoned.length > 0)
      await this.#table.update(keys.session(hash), { remove: abandoned }, { exists: 'pk' });
    return { session: toSession(item), ...toRateCount(windows, written, at) };
  }

  async recordProof({ hash, user_id, proof, user, link, passkey }: SessionProof, at: Date): Promise<boolean> {
    const writes: readonly Write[] = [
      {
        update: keys.session(hash),
        change: { set: { ...proof } },
        condition: { all: [{ eq: ['user_id', user_id] }, { gt: ['ends_at', at.toISOString()] }] },
      },
      ...(user ? [userWrite(user)] : []),
      ...(link ? [linkUseWrite(link, at.toISOString())] : []),
      ...(passkey ? [passkeyUseWrite(passkey, at.toISOString())] : []),
    ];
    return (await this.#table.transact(writes, randomText(32))).ok;
  }

  async renew(
    user: User,
    session: Session & { readonly hash: string },
    replacedHash: string,
    audits: readonly OrganizationAuditEntry[] = [],
  ): Promise<boolean> {
    const writes: readonly Write[] = [
      userWrite(user),
      ...sessionWrites(session),
      { delete: keys.session(replacedHash) },
      { delete: keys.userSession(user.id, replacedHash) },
      ...audits.map(auditWrite),
    ];
    return (await this.#table.transact(writes, randomText(32))).ok;
  }

  async end(userId: string, hash: string): Promise<void> {
    await this.#table.transact(
      [{ delete: keys.session(hash) }, { delete: keys.userSession(userId, hash) }],
      randomText(32),
    );
  }

  async endAll(userId: string, except?: string): Promise<void> {
    const sessions = ranges.userSessions(userId);
    const entries = await queryAll(this.#table, { ...sessions, limit: 100, consistent: true });
    const hashes = entries.map(({ sk }) => sk.slice(sessions.range.prefix.length)).filter((hash) => hash !== except);
    for (const hash of hashes) await this.end(userId, hash);
  }
}

export const isActive = (item: Item, at: Date): boolean =>
  String(item.ends_at) > at.toISOString() && String(item.seen_at) > plus(at, -SESSION_IDLE_LIMIT).toISOString();

/** A session of an earlier release has no proof of its own: its sign-in counts as the proof. */
export const toSession = (item: Item): Session => {
  const { id, user_id, email, created_at, ends_at } = item as unknown as Session;
  const { proved_at = created_at, proved_by = null } = item as unknown as Partial<Session>;
  return { id, user_id, email, created_at, ends_at, proved_at, proved_by };
};

const userWrite = (user: User): Write => ({ put: userItem(user), condition: { eq: ['version', user.version - 1] } });

/** The writes of a new session, for the transaction that signs in. */
export function sessionWrites({ hash, ...session }: Session & { readonly hash: string }): readonly Write[] {
  const ttl = Math.ceil(Date.parse(session.ends_at) / 1_000);
  const item = { ...keys.session(hash), item_type: 'session', ...session, seen_at: session.created_at, ttl };
  const entry = { ...keys.userSession(session.user_id, hash), item_type: 'user_session', ttl };
  return [{ put: item, condition: { absent: 'pk' } }, { put: entry }];
}
