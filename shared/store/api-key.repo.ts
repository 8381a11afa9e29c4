import type { ApiKey } from '#shared/domain/api-key.model.ts';
import {
  closest,
  fullWindows,
  leftBehind,
  linkStartWindows,
  type RateClass,
  type RateState,
  type RateWindow,
  retryAfter,
  staleWindows,
  windowsFor,
} from '#shared/domain/rate-limits.rules.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import type { Authenticated, Counted, KeysPort } from '#shared/ports/stores.port.ts';
import type { Change, Cond, Item, Key, TablePort, Written } from '#shared/ports/table.port.ts';
import { keys } from '#shared/store/keys.ts';

/** Keys, found by their hash, and the windows their requests are counted in: both in one item and one call. */
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

  async list(orgId: string): Promise<readonly ApiKey[]> {
    const found: ApiKey[] = [];
    let after: string | undefined;
    do {
      const page = await this.#table.query({ pk: `ORGKEYS#${orgId}`, limit: 200, newestFirst: true, consistent: true, ...(after && { after }) });
      found.push(...page.items.map(toKey));
      after = page.next;
    } while (after);
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
    const written = await this.#count(keys.apiKey(hash), windows, at, [{ exists: 'pk' }]);
    const item = written.ok ? written.item : written.old;
    if (!item) return undefined;
    const behind = leftBehind(item, at);
    if (behind.length > 0) await this.#table.update(keys.apiKey(hash), { remove: behind }, { exists: 'pk' });
    return { key: toKey(item), ...counted(windows, written, at) };
  }

  async find(hash: string): Promise<ApiKey | undefined> {
    const item = await this.#table.get(keys.apiKey(hash), { consistent: true });
    return item && toKey(item);
  }

  countAddress(address: string, rateClass: RateClass, at: Date): Promise<Counted> {
    return this.#countAt(this.#addressKey(address), windowsFor(rateClass, at), at);
  }

  countLinkStart(address: string, at: Date): Promise<Counted> {
    return this.#countAt(this.#addressKey(`link starts ${address}`), linkStartWindows(at), at);
  }

  async #countAt(key: Key, windows: readonly RateWindow[], at: Date): Promise<Counted> {
    const written = await this.#count(key, windows, at, []);
    const behind = leftBehind((written.ok ? written.item : written.old) ?? {}, at);
    if (behind.length > 0) await this.#table.update(key, { remove: behind });
    return counted(windows, written, at);
  }

  async showAddress(address: string, at: Date): Promise<RateState> {
    const item = await this.#table.get(this.#addressKey(address));
    return closest(windowsFor('reads', at), item ?? {});
  }

  /** One conditional update, also when it refuses: then the old item says what was full. */
  #count(key: Key, windows: readonly RateWindow[], at: Date, conds: readonly Cond[]): Promise<Written> {
    const room = windows.map(({ attribute, limit }): Cond => ({ any: [{ absent: attribute }, { lt: [attribute, limit] }] }));
    const all = this.#limited ? [...conds, ...room] : conds;
    const change: Change = { add: Object.fromEntries(windows.map(({ attribute }) => [attribute, 1])), remove: staleWindows(at) };
    return this.#table.update(key, change, all.length > 0 ? { all } : undefined);
  }

  #addressKey(address: string): Key {
    return keys.address(keyedHash(this.#hashSecret, 'address', address).toString('hex'));
  }
}

function counted(windows: readonly RateWindow[], written: Written, at: Date): Counted {
  const item = (written.ok ? written.item : written.old) ?? {};
  const full = written.ok ? [] : fullWindows(windows, item);
  return { rate: closest(windows, item), full: full.length > 0 ? { retryAfter: retryAfter(full, at) } : undefined };
}

const toKey = (item: Item): ApiKey => {
  const { id, org_id, name, kind, scopes, created_at } = item as unknown as ApiKey;
  return { id, org_id, name, kind, scopes, created_at };
};
