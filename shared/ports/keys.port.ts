import type { ApiKey } from '#shared/domain/accounts/api-key.model.ts';
import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import type { RateClass } from '#shared/domain/accounts/rate-limits.rules.ts';
import type { MemberActor } from '#shared/ports/members.port.ts';
import type { RateCount } from '#shared/ports/rate-counts.port.ts';

export type AuthenticatedKey = RateCount & { readonly key: ApiKey };

/** A listed key. Its own item is found by its hash. */
export type ListedKey = ApiKey & {
  readonly hash: string;
  /** How many counters its requests are spread over. */
  readonly counters: number;
};

/** Who creates a key: an API key by its id, or a member with the session that they use. */
export type KeyCreator = { readonly keyId: string } | { readonly member: MemberActor; readonly sessionHash: string };

export type KeyCreation = { readonly creator: KeyCreator; readonly audit: OrganizationAuditEntry };

/** What remains of a revoked key: a link between the keys before and after it. */
export type RevokedKey = Pick<ApiKey, 'id' | 'created_by'>;

export interface KeysPort {
  /**
   * `creator_gone`: nothing was created, as the creating key was revoked meanwhile, or the member's session or role has
   * ended. Without `creation` (for the service's own commands) there is neither a condition nor an audit entry.
   */
  create(key: ApiKey, hash: string, creation?: KeyCreation): Promise<'done' | 'creator_gone'>;
  list(orgId: string): Promise<readonly ListedKey[]>;
  /** When each key was last used, in the order of `keys`, with a short lag. For a public key up to an hour late. */
  lastUsed(keys: readonly Pick<ListedKey, 'hash' | 'counters'>[]): Promise<readonly (string | null)[]>;
  /** True if it existed. Takes effect with the next request. */
  revoke(orgId: string, id: string, audit?: OrganizationAuditEntry): Promise<boolean>;
  /** Keys that were revoked, as far as that was recorded. */
  revoked(orgId: string): Promise<readonly RevokedKey[]>;
  /** Finds the key by its hash and counts the request, in one call. Undefined for an unknown or revoked key. */
  authenticate(hash: string, rateClass: RateClass, at: Date): Promise<AuthenticatedKey | undefined>;
  /** Gives all keys of the organization its rate limits, from the next request on. */
  applyRate(orgId: string): Promise<void>;
  /** Does not count the request: for keys whose requests are counted by IP address. Records their use once an hour. */
  find(hash: string, at: Date): Promise<ApiKey | undefined>;
}
