import type { ApiKey } from '#shared/domain/accounts/api-key.model.ts';
import {
  DEFAULT_LIMITS,
  isSameRate,
  type OrganizationRate,
  rateShards,
} from '#shared/domain/accounts/rate-limits.rules.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import { keys, ranges, shards } from '#shared/store/keys.ts';
import { queryAll } from '#shared/store/read-all.ts';
import type { Condition, Item, TablePort, Write } from '#shared/store/table/table.port.ts';
import { transactWithRetry } from '#shared/store/transact-with-retry.ts';

/** The deletion of each counter but the first: each of them authenticates the key. */
export const counterDeletes = (entry: Item, from = 1): readonly Write[] =>
  shards(countersOf(entry))
    .slice(from)
    .map((n) => ({ delete: keys.apiKey(String(entry.hash), n) }));

/**
 * Holds while the entry has as many counters as were read: of a key whose counters change at the same time, none may be
 * left behind.
 */
export const sameCounters = ({ shards: stored }: Item): Condition =>
  stored === undefined ? { all: [{ exists: 'pk' }, { absent: 'shards' }] } : { eq: ['shards', stored] };

const countersOf = ({ shards: stored = 1 }: Item): number => Number(stored);

/**
 * Gives all keys of the organization its limits. Another change may come in between, so it ends only when the limits
 * are still those that it has given. A public key has none: its requests are counted by IP address.
 */
export async function applyOrganizationRate(table: TablePort, orgId: string): Promise<void> {
  let rate = await organizationRate(table, orgId);
  for (;;) {
    const entries = await queryAll(table, { ...ranges.apiKeys(orgId), limit: 200, consistent: true });
    for (const entry of entries) await applyRate(table, entry, rate);
    const now = await organizationRate(table, orgId);
    if (isSameRate(now, rate)) return;
    rate = now;
  }
}

/** For a key that was just created: its organization may have other limits than most. */
export async function applyRateToNewKey(table: TablePort, entry: Item): Promise<void> {
  const rate = await organizationRate(table, String(entry.org_id));
  if (rate) await applyRate(table, entry, rate);
}

async function organizationRate(table: TablePort, orgId: string): Promise<OrganizationRate | undefined> {
  const item = await table.get(keys.organization(orgId), { consistent: true });
  return item && toRate(item);
}

async function applyRate(table: TablePort, listed: Item, rate: OrganizationRate | undefined): Promise<void> {
  const key = { pk: listed.pk, sk: listed.sk };
  let entry: Item | undefined = listed;
  await retryOnConflict(async () => {
    if (!entry || entry.kind === 'public' || isSameRate(toRate(entry), rate)) return true;
    const written = await transactWithRetry(table, limitWrites(entry, rate ?? DEFAULT_LIMITS.rate));
    if (written.ok) return true;
    entry = await table.get(key, { consistent: true });
    return undefined;
  }, 'This API key is being changed by other requests. Try again.');
}

const toRate = ({ rate }: Item): OrganizationRate | undefined => rate as unknown as OrganizationRate | undefined;

function limitWrites(entry: Item, rate: OrganizationRate): readonly Write[] {
  const limits = { rate, shards: rateShards(rate) };
  const hash = String(entry.hash);
  const { pk, sk, hash: _, item_type: __, ...key } = entry;
  const added = shards(limits.shards).slice(1);
  return [
    { update: keys.apiKey(hash), change: { set: limits }, condition: { exists: 'pk' } },
    { update: { pk, sk }, change: { set: limits }, condition: { all: [{ eq: ['hash', hash] }, sameCounters(entry)] } },
    ...added.map((n) => ({
      update: keys.apiKey(hash, n),
      change: { set: { ...(key as unknown as ApiKey), ...limits, item_type: 'key' } },
    })),
    ...counterDeletes(entry, limits.shards),
  ];
}
