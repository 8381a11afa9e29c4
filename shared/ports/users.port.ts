import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { Owner } from '#shared/domain/accounts/owner.model.ts';
import type { PasskeyUse } from '#shared/domain/accounts/passkey.model.ts';
import type { RateClass } from '#shared/domain/accounts/rate-limits.rules.ts';
import type { Session, SignInLink } from '#shared/domain/accounts/sign-in.model.ts';
import type { Membership, User } from '#shared/domain/accounts/user.model.ts';
import type { PlatformRole } from '#shared/domain/reference/roles.catalog.ts';
import type { Counted } from '#shared/ports/rate-counts.port.ts';

/** Everything a sign-in writes, in one transaction. */
export type Entry = {
  /** Keyed by the cookie's hash. */
  readonly session: Session & { readonly hash: string };
  /** The link that it uses up. */
  readonly link?: SignInLink;
  /** The passkey signature that proves it. */
  readonly passkey?: PasskeyUse;
  /** The user's new state. */
  readonly user: User;
  /** Whether the address is new, neither signed in nor invited before. */
  readonly isNew: boolean;
  /** A new organization, for a user who has joined none. */
  readonly organization?: Organization;
  /** New memberships. */
  readonly begun: readonly Membership[];
  /** Invitations that it accepts. */
  readonly takenUp: readonly Membership[];
  /** The bootstrap record of this address, which this sign-in takes up. */
  readonly owner?: Owner;
  readonly platformRole?: PlatformRole;
};

export interface UsersPort {
  /** The id of this address's user, even before it exists. */
  idFor(email: string): string;
  get(id: string): Promise<User | undefined>;
  byEmail(email: string): Promise<User | undefined>;
  /** False if the user changed since that version was read. */
  save(user: User): Promise<boolean>;
  /** `raced`: something changed since it was read, or the link or signature was used meanwhile. */
  enter(entry: Entry): Promise<'done' | 'raced'>;
  membershipsOf(userId: string): Promise<readonly Membership[]>;
  membership(userId: string, orgId: string): Promise<Membership | undefined>;
}

export interface SignInLinksPort {
  create(link: SignInLink, at: Date): Promise<void>;
  /** Undefined for an unknown, used or expired link. */
  get(hash: string, at: Date): Promise<SignInLink | undefined>;
  /** Counts a wrong second factor: after too many the link is burnt. */
  countWrongCode(link: SignInLink): Promise<void>;
}

export type SignedIn = Counted & { readonly session: Session };

export interface SessionsPort {
  /**
   * Finds the session by its cookie's hash, extends it and counts the request, in one call; undefined for an ended one.
   */
  authenticate(hash: string, rateClass: RateClass, at: Date): Promise<SignedIn | undefined>;
  end(userId: string, hash: string): Promise<void>;
  /** Ends all of the user's sessions, except the given one. */
  endAll(userId: string, but?: string): Promise<void>;
}
