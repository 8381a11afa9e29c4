import type { ListedSession, UserSessionsPort } from '#shared/ports/users.port.ts';
import { keys, ranges } from '#shared/store/keys.ts';
import { queryAll } from '#shared/store/read-all.ts';
import { isActive, toSession } from '#shared/store/repos/accounts/session.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

/** Items that one read may name. */
const MAX_READ = 100;

/** The sessions of one user. Apart from `SessionRepo`, which is loaded with every payment. */
export class UserSessionRepo implements UserSessionsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async list(userId: string, at: Date): Promise<readonly ListedSession[]> {
    const sessions = ranges.userSessions(userId);
    const entries = await queryAll(this.#table, { ...sessions, limit: MAX_READ, consistent: true });
    const hashes = entries.map(({ sk }) => sk.slice(sessions.range.prefix.length));
    const found: ListedSession[] = [];
    for (let first = 0; first < hashes.length; first += MAX_READ)
      found.push(...(await this.#read(hashes.slice(first, first + MAX_READ), at)));
    return found;
  }

  async #read(hashes: readonly string[], at: Date): Promise<readonly ListedSession[]> {
    const items = await this.#table.getMany(hashes.map(keys.session));
    return hashes.flatMap((hash, n) => {
      const item = items[n];
      return item && isActive(item, at) ? [{ ...toSession(item), hash, seen_at: String(item.seen_at) }] : [];
    });
  }
}
