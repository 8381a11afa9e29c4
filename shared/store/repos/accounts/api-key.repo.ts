import { randomInt } from 'node:crypto';
import type { ApiKey } from '#shared/domain/accounts/api-key.model.ts';
import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import {
  abandonedWindows,
  DEFAULT_LIMITS,
  isSameRate,
  type KeyLimits,
  type OrganizationRate,
  type RateClass,
  shardsOfClass,
  windowsFor,
} from '#shared/domain/accounts/rate-limits.rules.ts';
import { HOUR, plus } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { AuthenticatedKey, KeyCreation, KeysPort, ListedKey, RevokedKey } from '#shared/ports/keys.port.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { keys, ranges, shards } from '#shared/store/keys.ts';
import { countRequest, toRateCount } from '#shared/store/rate-windows.ts';
import { getAll, queryAll } from '#shared/store/read-all.ts';
import { auditWrite } from '#shared/store/repos/accounts/audit-entry.entity.ts';
import {
  applyOrganizationRate,
  applyRateToNewKey,
  counterDeletes,
  sameCounters,
} from '#shared/store/repos/accounts/key-limits.ts';
import type { Condition, Item, TablePort, Write, WriteResult } from '#shared/store/table/table.port.ts';
import { transactWithRetry } from '#shared/store/transact-with-retry.ts';

/** A public key's last use is recorded at most once in this time. */
const LAST_USED_INTERVAL = HOUR;

const MAX_LIMITS_KNOWN = 1_000;

type CountedKey = Pick<ListedKey, 'hash' | 'counters'>;
type CountedRequest = AuthenticatedKey & { readonly limits: KeyLimits };

/** Of a transaction's token. */
const TOKEN_LENGTH = 32;

/**
 * A key and its rate windows are one item, found by the key's hash, so that one call reads the key and counts. A second
 * call removes old windows, unless limits are off (in tests).
 */
export class ApiKeyRepo implements KeysPort {
  readonly #table: TablePort;
  readonly #limited: boolean;
  /** The raised limits of keys, as their last requests found them. */
  readonly #limits = new Map<string, KeyLimits>();
  constructor(table: TablePort, limited: boolean) {
    this.#table = table;
    this.#limited = limited;
  }

  async create(key: ApiKey, hash: string, creation?: KeyCreation): Promise<'done' | 'creator_gone'> {
    const stored = toStored(key);
    const entry: Item = { ...keys.listedApiKey(key.org_id, key.id), item_type: 'key_entry', ...stored, hash };
    const item: Item = { ...keys.apiKey(hash), item_type: 'key', ...stored };
    const writes: readonly Write[] = [
      { put: item, condition: { absent: 'pk' } },
      { put: entry, condition: { absent: 'pk' } },
    ];
    const created = await this.#table.transact(
      creation ? [...writes, ...creatorChecks(key.org_id, creation), auditWrite(creation.audit)] : writes,
      hash.slice(0, TOKEN_LENGTH),
    );
    if (created.ok) {
      await applyRateToNewKey(this.#table, entry);
      return 'done';
    }
    const failedAt = created.failed.map(({ index }) => index);
    if (failedAt.length > 0 && failedAt.every((index) => index >= writes.length)) return 'creator_gone';
    await this.#replaceText(entry, item);
    await applyRateToNewKey(
      this.#table,
      (await this.#table.get(keys.listedApiKey(key.org_id, key.id), { consistent: true })) ?? entry,
    );
    return 'done';
  }

  /** A key that is stored with another text gets this one: it was issued by an earlier version, in another form. */
  async #replaceText(entry: Item, item: Item): Promise<void> {
    const stored = await this.#table.get({ pk: entry.pk, sk: entry.sk }, { consistent: true });
    if (!stored || stored.hash === entry.hash) return;
    await this.#table.transact(
      [
        { delete: keys.apiKey(String(stored.hash)) },
        ...counterDeletes(stored),
        { put: item, condition: { absent: 'pk' } },
        { put: entry, condition: { all: [{ eq: ['hash', String(stored.hash)] }, sameCounters(stored)] } },
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
    return items.map((item) => ({ ...toKey(item), hash: String(item.hash), counters: Number(item.shards ?? 1) }));
  }

  async lastUsed(entries: readonly CountedKey[]): Promise<readonly (string | null)[]> {
    const ofKey = entries.map(({ hash, counters }) => shards(counters).map((n) => keys.apiKey(hash, n)));
    const items = await getAll(this.#table, ofKey.flat());
    let next = 0;
    return ofKey.map(({ length }) => {
      const used = items.slice(next, next + length).map((item) => String(item?.last_used_at ?? ''));
      next += length;
      return used.sort().at(-1) || null;
    });
  }

  /** The entry that remains has no hash: it only says which key had created this one. */
  async revoke(orgId: string, id: string, audit?: OrganizationAuditEntry): Promise<boolean> {
    return retryOnConflict(async () => {
      const entry = await this.#table.get(keys.listedApiKey(orgId, id), { consistent: true });
      if (!entry) return false;
      const written = await transactWithRetry(this.#table, [
        { delete: keys.listedApiKey(orgId, id), condition: sameCounters(entry) },
        { delete: keys.apiKey(String(entry.hash)) },
        ...counterDeletes(entry),
        {
          put: { ...keys.revokedApiKey(orgId, id), item_type: 'revoked_key', id, created_by: toKey(entry).created_by },
        },
        ...(audit ? [auditWrite(audit)] : []),
      ]);
      return written.ok || undefined;
    }, 'This API key is being changed by other requests. Try again.');
  }

  applyRate(orgId: string): Promise<void> {
    return applyOrganizationRate(this.#table, orgId);
  }

  async revoked(orgId: string): Promise<readonly RevokedKey[]> {
    const items = await queryAll(this.#table, { ...ranges.revokedApiKeys(orgId), limit: 1_000, consistent: true });
    return items.map((item) => fromItem<RevokedKey>(item));
  }

  /**
   * One call, as a rule: the limits are those that the key had with its last request. If they have changed since, or the
   * counter that was chosen is full, it counts a second time.
   */
  async authenticate(hash: string, rateClass: RateClass, at: Date): Promise<AuthenticatedKey | undefined> {
    const known = this.#limits.get(hash) ?? DEFAULT_LIMITS;
    const first = await this.#count(hash, rateClass, at, known);
    if (!first && known.shards === 1) return undefined;
    // A counter beyond the first may be gone because the key has fewer now.
    const counted = first ?? (await this.#count(hash, rateClass, at, DEFAULT_LIMITS));
    if (!counted) return this.#forget(hash);
    const { limits } = counted;
    if (limits !== known) this.#remember(hash, limits);
    const isUpToDate = limits === known || (limits.shards === 1 && isSameRate(limits.rate, known.rate));
    if (!counted.exceeded || isUpToDate) return counted;
    return this.#count(hash, rateClass, at, limits);
  }

  async #count(hash: string, rateClass: RateClass, at: Date, tried: KeyLimits): Promise<CountedRequest | undefined> {
    const shard = tried.shards === 1 ? 0 : randomInt(shardsOfClass(tried, rateClass));
    const location = keys.apiKey(hash, shard);
    const windows = windowsFor(rateClass, at, { ...tried, shard });
    const written = await countRequest(this.#table, location, windows, at, {
      conditions: [{ exists: 'pk' }],
      limited: this.#limited,
      set: { last_used_at: at.toISOString() },
    });
    const item = written.ok ? written.item : written.old;
    if (!item) return undefined;
    const limits = limitsOf(item);
    const shown = written.ok && limits !== tried ? windowsFor(rateClass, at, { ...limits, shard }) : windows;
    const counted = { key: toKey(item), limits, ...toRateCount(shown, written, at) };
    const abandoned = abandonedWindows(item, at);
    if (this.#limited && abandoned.length > 0)
      await this.#table.update(location, { remove: abandoned }, { exists: 'pk' });
    return counted;
  }

  /** Only limits that differ from the usual ones. */
  #remember(hash: string, limits: KeyLimits): void {
    if (limits === DEFAULT_LIMITS) this.#limits.delete(hash);
    else this.#limits.set(hash, limits);
    const oldest = this.#limits.size > MAX_LIMITS_KNOWN ? this.#limits.keys().next().value : undefined;
    if (oldest !== undefined) this.#limits.delete(oldest);
  }

  #forget(hash: string): undefined {
    this.#limits.delete(hash);
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

/** The limits that are stored with a key. */
const limitsOf = (item: Item): KeyLimits =>
  item.rate === undefined
    ? DEFAULT_LIMITS
    : { rate: item.rate as unknown as OrganizationRate, shards: Number(item.shards ?? 1) };

type StoredKey = ApiKey & { readonly agent_scopes?: ApiKey['scopes'] };

/** To a release that knows no agents, an agent's key is one without scopes: rather that than one that asks nobody. */
const toStored = (key: ApiKey): StoredKey => (key.agent ? { ...key, scopes: [], agent_scopes: key.scopes } : key);

const toKey = (item: Item): ApiKey => {
  const { id, org_id, name, kind, created_at, created_by = null, agent, ...stored } = item as unknown as StoredKey;
  const scopes = (agent && stored.agent_scopes) || stored.scopes;
  return { id, org_id, name, kind, scopes, created_at, created_by, ...(agent && { agent }) };
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
