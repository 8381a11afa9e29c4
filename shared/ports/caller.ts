import type { PlatformRole, Role } from '#shared/domain/roles.catalog.ts';
import type { ClaimTicket, Operation } from '#shared/kernel/operation.ts';
import type { Setup } from '#shared/ports/stores.port.ts';

export type CredentialKind = 'service' | 'secret' | 'public' | 'session' | 'anyone' | 'workflow';

/** Who is signed in, and what as: in the organization that is asked for, and on the platform where that is asked for. */
export type Person = {
  readonly userId: string;
  readonly email: string;
  readonly sessionHash: string;
  /** When the session ends at the latest. */
  readonly endsAt: string;
  readonly role?: Role;
  readonly platformRole?: PlatformRole;
};

/** Who is asking, for which organization, with what rights. Built by the middleware, believed by the use cases. */
export type Caller = {
  /** A user's own id where no organization is asked for. */
  readonly orgId: string;
  readonly credentialId: string;
  readonly kind: CredentialKind;
  readonly scopes: readonly string[];
  /** Whoever is signed in; with a key `X-Actor-Id`, whom its holder says it acts for. */
  readonly actorId: string | null;
  /** With a session. */
  readonly person?: Person;
  readonly ip: string;
  readonly requestId: string;
  readonly operation: Operation;
  /** For routes whose record is its own claim: the use case claims with it. */
  readonly ticket: ClaimTicket | undefined;
  /** What routing needs of the organization; read once, for payments while the key is still being checked. */
  readonly setup: () => Promise<Setup>;
};

/** Where the route lets in only who is signed in. */
export function personOf({ person }: Caller): Person {
  if (!person) throw new Error('The chain let a request without a session pass.');
  return person;
}
