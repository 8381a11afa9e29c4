import type { Organization, Owner } from '#shared/domain/accounts/organization.model.ts';
import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import type { Passkey, PasskeyUse } from '#shared/domain/accounts/passkey.model.ts';
import type { RateClass } from '#shared/domain/accounts/rate-limits.rules.ts';
import type { Proof, Session, SignInLink, UndoLink } from '#shared/domain/accounts/sign-in.model.ts';
import type { Membership, User } from '#shared/domain/accounts/user.model.ts';
import type { PlatformRole } from '#shared/domain/reference/access.catalog.ts';
import type { RateCount } from '#shared/ports/rate-counts.port.ts';

/** Everything a sign-in writes, in one transaction. */
export type SignInRecord = {
  /** Keyed by the cookie's hash. */
  readonly session: Session & { readonly hash: string };
  /** The link that the sign-in uses up. */
  readonly link?: SignInLink;
  /** The passkey signature that proves the sign-in. */
  readonly passkey?: PasskeyUse;
  /** The user's new state. */
  readonly user: User;
  /** The address has neither signed in nor been invited before. */
  readonly isNew: boolean;
  /** A new organization, for a user who has joined none. */
  readonly organization?: Organization;
  readonly newMemberships: readonly Membership[];
  readonly acceptedInvitations: readonly Membership[];
  /** The bootstrap record of this address. The sign-in marks it as used. */
  readonly owner?: Owner;
  readonly platformRole?: PlatformRole;
};

export interface UsersPort {
  /** The id of the user with this address, even before the user exists. */
  idFor(email: string): string;
  get(id: string): Promise<User | undefined>;
  byEmail(email: string): Promise<User | undefined>;
  /** False if the user has changed since this version was read. */
  save(user: User, audits?: readonly OrganizationAuditEntry[]): Promise<boolean>;
  /** `conflict`: something has changed since it was read, or the link or signature was used meanwhile. */
  recordSignIn(record: SignInRecord): Promise<'done' | 'conflict'>;
  memberships(userId: string): Promise<readonly Membership[]>;
  membership(userId: string, orgId: string): Promise<Membership | undefined>;
}

export interface SignInLinksPort {
  create(link: SignInLink): Promise<void>;
  /** Undefined for an unknown, used or expired link. */
  get(hash: string, at: Date): Promise<SignInLink | undefined>;
  /** Counts a second-factor code before it is tried. False if the link has no try left, or was used. */
  countCodeTry(link: SignInLink): Promise<boolean>;
}

/** What undoing a change writes, in one transaction that also uses the link up. */
export type UndoRecord = {
  readonly link: UndoLink;
  /** The user's new state: of an undo and a sign-in at once, one has to look again. */
  readonly user: User;
  readonly addedPasskey?: Passkey;
  readonly removedPasskeyId?: string;
};

export interface UndoLinksPort {
  create(link: UndoLink, at: Date): Promise<void>;
  /** Undefined for an unknown, used or expired link. */
  get(hash: string, at: Date): Promise<UndoLink | undefined>;
  /** False if the user has changed, or the link was used meanwhile. */
  use(record: UndoRecord, at: Date, audits?: readonly OrganizationAuditEntry[]): Promise<boolean>;
}

/** A new proof of a session's user, and what it uses up. */
export type SessionProof = {
  readonly user_id: string;
  /** The hash of the session's cookie. */
  readonly hash: string;
  readonly proof: Proof;
  /** The user's new state, with a used code. */
  readonly user?: User;
  readonly link?: SignInLink;
  readonly passkey?: PasskeyUse;
};

/** One of a user's sessions. `hash`: of its cookie. */
export type ListedSession = Session & { readonly hash: string; readonly seen_at: string };

export type AuthenticatedSession = RateCount & { readonly session: Session };

export interface SessionsPort {
  /**
   * Finds the session by the cookie's hash, extends it and counts the request, in one call. Undefined if it has ended.
   */
  authenticate(hash: string, rateClass: RateClass, at: Date): Promise<AuthenticatedSession | undefined>;
  /** False if the session has ended, or what proves it was used or changed meanwhile. */
  recordProof(proof: SessionProof, at: Date): Promise<boolean>;
  /**
   * Saves the user and replaces the session, in one transaction. False if the user has changed since this version was
   * read.
   */
  renew(
    user: User,
    session: Session & { readonly hash: string },
    replacedHash: string,
    audits?: readonly OrganizationAuditEntry[],
  ): Promise<boolean>;
  end(userId: string, hash: string): Promise<void>;
  /** Ends all sessions of the user, except the one with the hash `except`. */
  endAll(userId: string, except?: string): Promise<void>;
}

export interface UserSessionsPort {
  /** The sessions of the user that have not ended. */
  list(userId: string, at: Date): Promise<readonly ListedSession[]>;
}

export interface OwnersPort {
  /** True if this call created the record. False if the address had one, which stays. */
  record(owner: Owner): Promise<boolean>;
  byEmail(email: string): Promise<Owner | undefined>;
}
