import type { ApiKey } from '#shared/domain/accounts/api-key.model.ts';
import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import {
  abandonedWindows,
  type RateClass,
  staleWindows,
  windowsFor,
} from '#shared/domain/accounts/rate-limits.rules.ts';
import { HOUR, plus } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { AuthenticatedKey, KeyCreation, KeysPort, ListedKey, RevokedKey } from '#shared/ports/keys.port.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { keys, ranges } from '#shared/store/keys.ts';
import { countRequest, toRateCount } from '#shared/store/rate-windows.ts';
import { getAll, queryAll } from '#shared/store/read-all.ts';
import { auditWrite } from '#shared/store/repos/accounts/audit-entry.entity.ts';
import type { Condition, Item, TablePort, Write, WriteResult } from '#shared/store/table/table.port.ts';

/** A public key's last use is recorded at most once in this time. */
const LAST_USED_INTERVAL = HOUR;

/** Of a transaction's token. */
const TOKEN_LENGTH = 32;

/**
 * A key and its rate windows are one item, found by the key's hash, so that one call reads the key and counts. A second
 * call removes old windows, unless limits are off (in tests).
 */
export class ApiKeyRepo implements KeysPort {
  readonly #table: TablePort;
  readonly #limited: boolean;
  constructor(table: TablePort, limited: boolean) {
    this.#table = table;
    this.#limited = limited;
  }

  async create(key: ApiKey, hash: string, creation?: KeyCreation): Promise<'done' | 'creator_gone'> {
    const entry: Item = { ...keys.listedApiKey(key.org_id, key.id), item_type: 'key_entry', ...key, hash };
    const item: Item = { ...keys.apiKey(hash), item_type: 'key', ...key };
    const writes: readonly Write[] = [
      { put: item, condition: { absent: 'pk' } },
      { put: entry, condition: { absent: 'pk' } },
    ];
    const created = await this.#table.transact(
      creation ? [...writes, ...creatorChecks(key.org_id, creation), auditWrite(creation.audit)] : writes,
      hash.slice(0, TOKEN_LENGTH),
    );
    if (created.ok) return 'done';
    const failedAt = created.failed.map(({ index }) => index);
    if (failedAt.length > 0 && failedAt.every((index) => index >= writes.length)) return 'creator_gone';
    await this.#replaceText(entry, item);
    return 'done';
  }

  /** A key that is stored with another text gets this one: it was issued by an earlier version, in another form. */
  async #replaceText(entry: Item, item: Item): Promise<void> {
    const stored = await this.#table.get({ pk: entry.pk, sk: entry.sk }, { consistent: true });
    if (!stored || stored.hash === entry.hash) return;
    await this.#table.transact(
      [
        { delete: keys.apiKey(String(stored.hash)) },
        { put: item, condition: { absent: 'pk' } },
        { put: entry, condition: { eq: ['hash', String(stored.hash)] } },
      ],
      randomText(TOKEN_LENGTH),
    );
  }

  async list(orgId: string): Promise<readonly ListedKey[]> {
    const items = await queryAll(this.#table, {
      ...ranges.apiKeys(orgId),
      limit: 200,
      newestFirst: true,
      consistent: true,
    });
    return items.map((item) => ({ ...toKey(item), hash: String(item.hash) }));
  }

  async lastUsed(entries: readonly Pick<ListedKey, 'hash'>[]): Promise<readonly (string | null)[]> {
    const items = await getAll(
      this.#table,
      entries.map(({ hash }) => keys.apiKey(hash)),
    );
    return items.map((item) => (typeof item?.last_used_at === 'string' ? item.last_used_at : null));
  }

  /** The entry that remains has no hash: it only says which key had created this one. */
  async revoke(orgId: string, id: string, audit?: OrganizationAuditEntry): Promise<boolean> {
    const entry = await this.#table.get(keys.listedApiKey(orgId, id), { consistent: true });
    if (!entry) return false;
    const result = await this.#table.transact(
      [
        { delete: keys.apiKey(String(entry.hash)) },
        { delete: keys.listedApiKey(orgId, id), condition: { exists: 'pk' } },
        {
          put: { ...keys.revokedApiKey(orgId, id), item_type: 'revoked_key', id, created_by: toKey(entry).created_by },
        },
        ...(audit ? [auditWrite(audit)] : []),
      ],
      randomText(TOKEN_LENGTH),
    );
    return result.ok;
  }

  async revoked(orgId: string): Promise<readonly RevokedKey[]> {
    const items = await queryAll(this.#table, { ...ranges.revokedApiKeys(orgId), limit: 1_000, consistent: true });
    return items.map((item) => fromItem<RevokedKey>(item));
  }

  async authenticate(hash: string, rateClass: RateClass, at: Date): Promise<AuthenticatedKey | undefined> {
    const windows = windowsFor(rateClass, at);
    const expired = staleWindows(at);
    const options = {
      conditions: [{ exists: 'pk' }],
      limited: this.#limited,
      set: { last_used_at: at.toISOString() },
      expired,
    } as const;
    const written = await countRequest(this.#table, keys.apiKey(hash), windows, at, options);
    const item = written.ok ? written.item : written.old;
    if (!item) return undefined;
    const key = toKey(item);
    const count = toRateCount(windows, written, at);
    const abandoned = abandonedWindows(item, at);
    if (this.#limited && abandoned.length > 0)
      await this.#table.update(keys.apiKey(hash), { remove: abandoned }, { exists: 'pk' });
    return { key, ...count };
  }

  async find(hash: string, at: Date): Promise<ApiKey | undefined> {
    const item = await this.#table.get(keys.apiKey(hash), { consistent: true });
    if (!item) return undefined;
    const since = plus(at, -LAST_USED_INTERVAL).toISOString();
    if (String(item.last_used_at ?? '') <= since) await this.#recordUse(hash, since, at);
    return toKey(item);
  }

  /**
   * All customers of a shop share a public key, so only the first one in an interval writes. It never recreates a
   * revoked key.
   */
  #recordUse(hash: string, since: string, at: Date): Promise<WriteResult> {
    const stale: Condition = { any: [{ absent: 'last_used_at' }, { le: ['last_used_at', since] }] };
    return this.#table.update(
      keys.apiKey(hash),
      { set: { last_used_at: at.toISOString() } },
      { all: [{ exists: 'pk' }, stale] },
    );
  }
}

const toKey = (item: Item): ApiKey => {
  const { id, org_id, name, kind, scopes, created_at, created_by } = item as unknown as Partial<ApiKey> & ApiKey;
  return { id, org_id, name, kind, scopes, created_at, created_by: created_by ?? null };
};

/**
 * A key that was revoked creates no other one, also not in a request that began before. Nor does a session that has
 * ended, or a member whose role has changed.
 */
function creatorChecks(orgId: string, { creator }: KeyCreation): readonly Write[] {
  if ('keyId' in creator) return [{ check: keys.listedApiKey(orgId, creator.keyId), condition: { exists: 'pk' } }];
  const { member, sessionHash } = creator;
  return [
    { check: keys.member(orgId, member.user_id), condition: { eq: ['role', member.role] } },
    { check: keys.session(sessionHash), condition: { exists: 'pk' } },
  ];
}
