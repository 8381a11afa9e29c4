import type { ApiKey } from '#shared/domain/api-key.model.ts';
import {
  closest,
  codeWindows,
  invitationToOneWindow,
  invitationWindow,
  leftBehind,
  linkStartWindows,
  type RateClass,
  type RateState,
  type RateWindow,
  signInAskWindow,
  signInMailWindow,
  windowsFor,
} from '#shared/domain/rate-limits.rules.ts';
import { DAY, HOUR, plus, SECOND } from '#shared/kernel/clock.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import type { Authenticated, Counted, KeyEntry, KeysPort, Room } from '#shared/ports/stores.port.ts';
import type { Change, Cond, Item, Key, TablePort, Written } from '#shared/ports/table.port.ts';
import { allPages } from '#shared/store/all-pages.ts';
import { type Counter, countTogether } from '#shared/store/count-together.ts';
import { keys } from '#shared/store/keys.ts';
import { counted, countRequest } from '#shared/store/rate-count.ts';

/** How old the note of a public key's last use may be. */
const NOTED_EVERY = HOUR;
const MOST_AT_ONCE = 100;

/**
 * Keys, found by their hash, and the windows their requests are counted in: both in one item and one call. Windows that idle
 * time left behind are cleared by a call more; without limits, which is for tests, each request makes the same calls.
 */
export class ApiKeyRepo implements KeysPort {
  readonly #table: TablePort;
  readonly #hashSecret: string;
  readonly #limited: boolean;
  constructor(table: TablePort, hashSecret: string, limited: boolean) {
    this.#table = table;
    this.#hashSecret = hashSecret;
    this.#limited = limited;
  }

  async create(key: ApiKey, hash: string): Promise<void> {
    const entry: Item = { ...keys.keyEntry(key.org_id, key.id), item_type: 'key_entry', ...key, hash };
    const item: Item = { ...keys.apiKey(hash), item_type: 'key', ...key };
    await this.#table.transact(
      [
        { put: item, cond: { absent: 'pk' } },
        { put: entry, cond: { absent: 'pk' } },
      ],
      key.id,
    );
  }

  async list(orgId: string): Promise<readonly KeyEntry[]> {
    const items = await allPages(this.#table, { pk: `ORGKEYS#${orgId}`, limit: 200, newestFirst: true, consistent: true });
    return items.map((item) => ({ ...toKey(item), hash: String(item.hash) }));
  }

  async lastUsed(entries: readonly Pick<KeyEntry, 'hash'>[]): Promise<readonly (string | null)[]> {
    const found: (string | null)[] = [];
    for (let from = 0; from < entries.length; from += MOST_AT_ONCE) {
      const items = await this.#table.getMany(entries.slice(from, from + MOST_AT_ONCE).map(({ hash }) => keys.apiKey(hash)));
      found.push(...items.map((item) => (typeof item?.last_used_at === 'string' ? item.last_used_at : null)));
    }
    return found;
  }

  async revoke(orgId: string, id: string): Promise<boolean> {
    const entry = await this.#table.get(keys.keyEntry(orgId, id), { consistent: true });
    if (!entry) return false;
    const done = await this.#table.transact(
      [{ delete: keys.apiKey(String(entry.hash)) }, { delete: keys.keyEntry(orgId, id), cond: { exists: 'pk' } }],
      `rm-${id}`,
    );
    return done.ok;
  }

  async authenticate(hash: string, rateClass: RateClass, at: Date): Promise<Authenticated | undefined> {
    const windows = windowsFor(rateClass, at);
    const written = await this.#count(keys.apiKey(hash), windows, at, [{ exists: 'pk' }], { last_used_at: at.toISOString() });
    const item = written.ok ? written.item : written.old;
    if (!item) return undefined;
    const behind = leftBehind(item, at);
    if (this.#limited && behind.length > 0) await this.#table.update(keys.apiKey(hash), { remove: behind }, { exists: 'pk' });
    return { key: toKey(item), ...counted(windows, written, at) };
  }

  async find(hash: string, at: Date): Promise<ApiKey | undefined> {
    const item = await this.#table.get(keys.apiKey(hash), { consistent: true });
    if (!item) return undefined;
    const since = plus(at, -NOTED_EVERY).toISOString();
    if (String(item.last_used_at ?? '') <= since) await this.#noteUse(hash, since, at);
    return toKey(item);
  }

  /** Customers of a whole shop use one key: whoever is first notes it, the rest leave it. A revoked one stays away. */
  #noteUse(hash: string, since: string, at: Date): Promise<Written> {
    const stale: Cond = { any: [{ absent: 'last_used_at' }, { le: ['last_used_at', since] }] };
    return this.#table.update(keys.apiKey(hash), { set: { last_used_at: at.toISOString() } }, { all: [{ exists: 'pk' }, stale] });
  }

  countAddress(address: string, rateClass: RateClass, at: Date): Promise<Counted> {
    return this.#countAt(this.#addressKey(address), windowsFor(rateClass, at), at);
  }

  countLinkStart(address: string, at: Date): Promise<Counted> {
    return this.#countAt(this.#addressKey(`link starts ${address}`), linkStartWindows(at), at);
  }

  countSignIn(email: string, address: string, at: Date): Promise<Room> {
    const counters = [this.#counter(`sign-in asks ${address}`, signInAskWindow(at)), this.#counter(`sign-in mails ${email}`, signInMailWindow(at))];
    return countTogether(this.#table, counters, at, this.#limited);
  }

  countCode(userId: string, at: Date): Promise<Counted> {
    return this.#countAt(this.#addressKey(`codes ${userId}`), codeWindows(at), at);
  }

  countInvitation(orgId: string, email: string, at: Date): Promise<Room> {
    const toOne = this.#counter(`invitations of ${orgId} to ${email}`, invitationToOneWindow(at));
    return countTogether(this.#table, [toOne, this.#counter(`invitations of ${orgId}`, invitationWindow(at))], at, this.#limited);
  }

  #counter(what: string, window: RateWindow): Counter {
    return { key: this.#addressKey(`${what} ${window.attribute}`), window };
  }

  async #countAt(key: Key, windows: readonly RateWindow[], at: Date): Promise<Counted> {
    const written = await this.#count(key, windows, at, [], { ttl: Math.max(...windows.map(({ endsAt }) => endsAt)) + DAY / SECOND });
    const behind = leftBehind((written.ok ? written.item : written.old) ?? {}, at);
    if (this.#limited && behind.length > 0) await this.#table.update(key, { remove: behind });
    return counted(windows, written, at);
  }

  async showAddress(address: string, at: Date): Promise<RateState> {
    const item = await this.#table.get(this.#addressKey(address));
    return closest(windowsFor('reads', at), item ?? {});
  }

  #count(key: Key, windows: readonly RateWindow[], at: Date, conds: readonly Cond[], set?: Change['set']): Promise<Written> {
    return countRequest(this.#table, key, windows, at, { conds, limited: this.#limited, ...(set && { set }) });
  }

  #addressKey(address: string): Key {
    return keys.address(keyedHash(this.#hashSecret, 'address', address).toString('hex'));
  }
}

const toKey = (item: Item): ApiKey => {
  const { id, org_id, name, kind, scopes, created_at } = item as unknown as ApiKey;
  return { id, org_id, name, kind, scopes, created_at };
};
