import type { KeyWrapper } from '#shared/ports/vault.port.ts';

export type DataKey = { readonly plain: Buffer; readonly wrapped: string };

export type DataKeyLimits = {
  /** How long a key stays in memory, ms of real time. */
  readonly life: number;
  /** How many texts one key seals; far below the 2^32 at which random nonces begin to repeat. */
  readonly uses: number;
  /** How many keys are cached for each direction; the least recently used is removed first. */
  readonly entries: number;
  readonly monotonic: () => number;
};

type CachedKey = { readonly key: Promise<DataKey>; readonly until: number; uses: number };

/**
 * Caches data keys for a short time, so that a payment rarely waits for the key service. Promises are cached, so that a
 * hundred concurrent callers make one call. Removed keys are not wiped, as a caller may still use them.
 */
export function dataKeyCache(wrapper: KeyWrapper, limits: DataKeyLimits) {
  const sealing = new Map<string, CachedKey>();
  const opening = new Map<string, CachedKey>();

  function cached(
    cache: Map<string, CachedKey>,
    name: string,
    now: number,
    fresh: () => Promise<DataKey>,
  ): Promise<DataKey> {
    const found = cache.get(name);
    cache.delete(name);
    const good = found && found.uses < limits.uses && now < found.until;
    const entry = good ? found : { key: fresh(), until: now + limits.life, uses: 0 };
    if (!good) entry.key.catch(() => cache.get(name) === entry && cache.delete(name));
    if (cache === sealing) entry.uses += 1;
    cache.set(name, entry);
    for (const [oldest] of cache) if (cache.size > limits.entries) cache.delete(oldest);
    return entry.key;
  }

  const nameOf = (orgId: string, wrapped: string) => JSON.stringify([orgId, wrapped]);

  return {
    /** A key of the organization to seal with; afterwards it is cached for opening too. */
    async toSeal(orgId: string, now: number): Promise<DataKey> {
      const key = await cached(sealing, orgId, now, () => wrapper.generate(orgId));
      await cached(opening, nameOf(orgId, key.wrapped), now, async () => key);
      return key;
    },
    toOpen(orgId: string, wrapped: string, now: number): Promise<DataKey> {
      return cached(opening, nameOf(orgId, wrapped), now, async () => ({
        wrapped,
        plain: await wrapper.unwrap(wrapped, orgId),
      }));
    },
  };
}
