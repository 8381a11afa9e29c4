import { abandonedWindows, type RateClass, windowsFor } from '#shared/domain/accounts/rate-limits.rules.ts';
import { SESSION_IDLE_LIMIT, type Session } from '#shared/domain/accounts/sign-in.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { AuthenticatedSession, SessionsPort } from '#shared/ports/users.port.ts';
import { keys, ranges } from '#shared/store/keys.ts';
import { countRequest, toRateCount } from '#shared/store/rate-windows.ts';
import { queryAll } from '#shared/store/read-all.ts';
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
    const awake = [
      { gt: ['ends_at', at.toISOString()] },
      { gt: ['seen_at', plus(at, -SESSION_IDLE_LIMIT).toISOString()] },
    ] as const;
    const written = await countRequest(this.#table, keys.session(hash), windows, at, {
      conditions: awake,
      limited: this.#limited,
      set: { seen_at: at.toISOString() },
    });
    const item = written.ok ? written.item : written.old;
    if (!item || !isActive(item, at)) return undefined;
    const behind = abandonedWindows(item, at);
    if (this.#limited && behind.length > 0)
      await this.#table.update(keys.session(hash), { remove: behind }, { exists: 'pk' });
    return { session: toSession(item), ...toRateCount(windows, written, at) };
  }

  async end(userId: string, hash: string): Promise<void> {
    await this.#table.transact(
      [{ delete: keys.session(hash) }, { delete: keys.userSession(userId, hash) }],
      randomText(32),
    );
  }

  async endAll(userId: string, but?: string): Promise<void> {
    const sessions = ranges.userSessions(userId);
    const entries = await queryAll(this.#table, { ...sessions, limit: 100, consistent: true });
    const hashes = entries.map(({ sk }) => sk.slice(sessions.range.prefix.length)).filter((hash) => hash !== but);
    for (const hash of hashes) await this.end(userId, hash);
  }
}

const isActive = (item: Item, at: Date): boolean =>
  String(item.ends_at) > at.toISOString() && String(item.seen_at) > plus(at, -SESSION_IDLE_LIMIT).toISOString();

const toSession = (item: Item): Session => {
  const { id, user_id, email, created_at, ends_at } = item as unknown as Session;
  return { id, user_id, email, created_at, ends_at };
};

/** Part of the sign-in transaction. */
export function sessionWrites({ hash, ...session }: Session & { readonly hash: string }): readonly Write[] {
  const ttl = Math.ceil(Date.parse(session.ends_at) / 1_000);
  const item = { ...keys.session(hash), item_type: 'session', ...session, seen_at: session.created_at, ttl };
  const entry = { ...keys.userSession(session.user_id, hash), item_type: 'user_session', ttl };
  return [{ put: item, condition: { absent: 'pk' } }, { put: entry }];
}
