import type { Proof } from '#shared/domain/accounts/sign-in.model.ts';
import type { PlatformRole, Role } from '#shared/domain/reference/access.catalog.ts';
import type { IdempotencyRequest, Operation } from '#shared/kernel/operation.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';

export type CredentialKind = 'service' | 'secret' | 'public' | 'session' | 'anyone' | 'workflow';

/** The signed-in user, with the role in the organization or on the platform that the route requires. */
export type SignedInUser = {
  readonly userId: string;
  readonly email: string;
  readonly sessionHash: string;
  /** The session's latest end. */
  readonly endsAt: string;
  /** The session's newest proof of who the user is. */
  readonly proof: Proof;
  readonly role?: Role;
  readonly platformRole?: PlatformRole;
};

/** The caller, their organization and rights. Built by the middleware, trusted by the use cases. */
export type Caller = {
  /** The user's own id on routes without an organization. */
  readonly orgId: string;
  readonly credentialId: string;
  readonly kind: CredentialKind;
  readonly scopes: readonly string[];
  /** The signed-in user; with a key, the person in `X-Actor-Id`, on whose behalf its holder acts. */
  readonly actorId: string | null;
  /** Set with a session. */
  readonly person?: SignedInUser;
  /** The key of an agent. */
  readonly agent?: true;
  readonly ip: string;
  /** The cookie of a browser that has signed in before, if it sent one. */
  readonly browser?: string | undefined;
  /** The languages that a browser's user prefers, as its `Accept-Language` says them. */
  readonly acceptLanguage?: string | undefined;
  readonly requestId: string;
  readonly operation: Operation;
  /** On routes whose record holds the idempotency key: the use case claims the key with it. */
  readonly idempotencyRequest: IdempotencyRequest | undefined;
  /** The organization's routing data; read once, for payments while the key is still being checked. */
  readonly routingData: () => Promise<RoutingData>;
};

/** On routes for signed-in users. */
export function signedInUserOf({ person }: Caller): SignedInUser {
  if (!person) throw new Error('The chain let a request without a session pass.');
  return person;
}
