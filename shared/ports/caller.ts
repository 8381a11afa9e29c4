import type { ClaimTicket, Operation } from '#shared/kernel/operation.ts';
import type { Setup } from '#shared/ports/stores.port.ts';

export type CredentialKind = 'service' | 'secret' | 'public' | 'session';

/** Who is asking, for which organization, with what rights. Built by the middleware, believed by the use cases. */
export type Caller = {
  readonly orgId: string;
  readonly credentialId: string;
  readonly kind: CredentialKind;
  readonly scopes: readonly string[];
  /** `X-Actor-Id`: whom the caller says it acts for. */
  readonly actorId: string | null;
  readonly ip: string;
  readonly requestId: string;
  readonly operation: Operation;
  /** For routes whose record is its own claim: the use case claims with it. */
  readonly ticket: ClaimTicket | undefined;
  /** What routing needs of the organization; read once, for payments while the key is still being checked. */
  readonly setup: () => Promise<Setup>;
};
