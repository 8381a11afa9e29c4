import type { KeyWrapper } from '#shared/ports/vault.port.ts';

export type DataKey = { readonly plain: Buffer; readonly wrapped: string };

export type DataKeyLimits = {
  /** How long a key stays in memory, ms of real time. */
  readonly life: number;
  /** How many texts one key seals; far below the 2^32 at which random nonces begin to repeat. */
  readonly uses: number;
  /** How many keys are kept, for each direction; the least recently used goes first. */
  readonly entries: number;
  readonly monotonic: () => number;
};

type Kept = { readonly key: Promise<DataKey>; readonly until: number; uses: number };

/**
 * Data keys in memory for a short while, so that a payment rarely waits for the key service. A promise is kept, not its
 * result: a hundred callers at once ask once. Keys are not wiped when they go, as a caller may still be about to use
 * one.
 */
export function dataKeys(wrapper: KeyWrapper, limits: DataKeyLimits) {
  const sealing = new Map<string, Kept>();
  const opening = new Map<string, Kept>();

  function keep(kept: Map<string, Kept>, name: string, fresh: () => Promise<DataKey>): Promise<DataKey> {
    const found = kept.get(name);
    kept.delete(name);
    const good = found && found.uses < limits.uses && limits.monotonic() < found.until;
    const entry = good ? found : { key: fresh(), until: limits.monotonic() + limits.life, uses: 0 };
    if (!good) entry.key.catch(() => kept.get(name) === entry && kept.delete(name));
    if (kept === sealing) entry.uses += 1;
    kept.set(name, entry);
    for (const [oldest] of kept) if (kept.size > limits.entries) kept.delete(oldest);
    return entry.key;
  }

  const nameOf = (orgId: string, wrapped: string) => JSON.stringify([orgId, wrapped]);

  return {
    /** A key of the organization to seal with, which then opens without asking too. */
    async toSeal(orgId: string): Promise<DataKey> {
      const key = await keep(sealing, orgId, () => wrapper.generate(orgId));
      await keep(opening, nameOf(orgId, key.wrapped), async () => key);
      return key;
    },
    toOpen(orgId: string, wrapped: string): Promise<DataKey> {
      return keep(opening, nameOf(orgId, wrapped), async () => ({
        wrapped,
        plain: await wrapper.unwrap(wrapped, orgId),
      }));
    },
  };
}
