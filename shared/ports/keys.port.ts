import type { ApiKey } from '#shared/domain/accounts/api-key.model.ts';
import type { RateClass } from '#shared/domain/accounts/rate-limits.rules.ts';
import type { RateCount } from '#shared/ports/rate-counts.port.ts';

export type AuthenticatedKey = RateCount & { readonly key: ApiKey };

/** A listed key. Its own item is found by its hash. */
export type ListedKey = ApiKey & { readonly hash: string };

export interface KeysPort {
  create(key: ApiKey, hash: string): Promise<void>;
  list(orgId: string): Promise<readonly ListedKey[]>;
  /** When each key was last used, in the order of `keys`, with a short lag. For a public key up to an hour late. */
  lastUsed(keys: readonly Pick<ListedKey, 'hash'>[]): Promise<readonly (string | null)[]>;
  /** True if it existed. Takes effect with the next request. */
  revoke(orgId: string, id: string): Promise<boolean>;
  /** Finds the key by its hash and counts the request, in one call. Undefined for an unknown or revoked key. */
  authenticate(hash: string, rateClass: RateClass, at: Date): Promise<AuthenticatedKey | undefined>;
  /** Does not count the request: for keys whose requests are counted by IP address. Records their use once an hour. */
  find(hash: string, at: Date): Promise<ApiKey | undefined>;
}
