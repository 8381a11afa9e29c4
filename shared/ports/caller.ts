import type { PlatformRole, Role } from '#shared/domain/reference/roles.catalog.ts';
import type { ClaimTicket, Operation } from '#shared/kernel/operation.ts';
import type { Setup } from '#shared/ports/organizations.port.ts';

export type CredentialKind = 'service' | 'secret' | 'public' | 'session' | 'anyone' | 'workflow';

/** The signed-in user, with their role in the organization and on the platform, as the route asks. */
export type Person = {
  readonly userId: string;
  readonly email: string;
  readonly sessionHash: string;
  /** The session's latest end. */
  readonly endsAt: string;
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
  /** The signed-in user; with a key `X-Actor-Id`, the person its holder says it acts for. */
  readonly actorId: string | null;
  /** Set with a session. */
  readonly person?: Person;
  readonly ip: string;
  readonly requestId: string;
  readonly operation: Operation;
  /** For routes whose record is its own claim: the use case claims with it. */
  readonly ticket: ClaimTicket | undefined;
  /** The organization's routing data; read once, for payments while the key is still being checked. */
  readonly setup: () => Promise<Setup>;
};

/** On routes for signed-in users. */
export function personOf({ person }: Caller): Person {
  if (!person) throw new Error('The chain let a request without a session pass.');
  return person;
}
