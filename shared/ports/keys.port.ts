import type { ApiKey } from '#shared/domain/accounts/api-key.model.ts';
import type { RateClass } from '#shared/domain/accounts/rate-limits.rules.ts';
import type { Counted } from '#shared/ports/rate-counts.port.ts';

export type Authenticated = Counted & { readonly key: ApiKey };

/** A key as it is listed: the key's own item is found by its hash. */
export type KeyEntry = ApiKey & { readonly hash: string };

export interface KeysPort {
  create(key: ApiKey, hash: string): Promise<void>;
  list(orgId: string): Promise<readonly KeyEntry[]>;
  /** When each was last used, in the given order; with a short lag. A public key's is up to an hour old. */
  lastUsed(keys: readonly Pick<KeyEntry, 'hash'>[]): Promise<readonly (string | null)[]>;
  /** True if it existed. Takes effect with the next request. */
  revoke(orgId: string, id: string): Promise<boolean>;
  /** Finds the key by its hash and counts the request, in one call; undefined for a key that is unknown or revoked. */
  authenticate(hash: string, rateClass: RateClass, at: Date): Promise<Authenticated | undefined>;
  /** Without counting: for keys whose requests are counted by address. Their use is recorded once an hour. */
  find(hash: string, at: Date): Promise<ApiKey | undefined>;
}
