import type { Organization } from '#shared/domain/organization.model.ts';
import type { Owner } from '#shared/domain/owner.model.ts';
import type { PasskeyUse } from '#shared/domain/passkey.model.ts';
import type { RateClass } from '#shared/domain/rate-limits.rules.ts';
import type { PlatformRole } from '#shared/domain/roles.catalog.ts';
import type { Session, SignInLink } from '#shared/domain/sign-in.model.ts';
import type { Membership, User } from '#shared/domain/user.model.ts';
import type { Counted } from '#shared/ports/stores.port.ts';

/** All that a sign-in writes, at once or not at all. */
export type Entry = {
  /** Keyed by the cookie's hash. */
  readonly session: Session & { readonly hash: string };
  /** The link it is used up by. */
  readonly link?: SignInLink;
  /** The signature it is proven by. */
  readonly passkey?: PasskeyUse;
  /** As it is from now on. */
  readonly user: User;
  /** Of an address that is known here neither by a sign-in nor by an invitation. */
  readonly isNew: boolean;
  /** Made for one who has joined none. */
  readonly organization?: Organization;
  /** Memberships that begin with it. */
  readonly begun: readonly Membership[];
  /** Memberships of the invited, joined by it. */
  readonly takenUp: readonly Membership[];
  /** What the command line made for this address, which this sign-in takes up. */
  readonly owner?: Owner;
  readonly platformRole?: PlatformRole;
};

export interface UsersPort {
  /** The id of this address's user, also before there is one. */
  idFor(email: string): string;
  get(id: string): Promise<User | undefined>;
  byEmail(email: string): Promise<User | undefined>;
  /** False when somebody has changed the user since that version was read. */
  save(user: User): Promise<boolean>;
  /** `raced`: something of it has changed since it was read, or the link or the signature was used meanwhile. */
  enter(entry: Entry): Promise<'done' | 'raced'>;
  membershipsOf(userId: string): Promise<readonly Membership[]>;
  membership(userId: string, orgId: string): Promise<Membership | undefined>;
}

export interface SignInLinksPort {
  create(link: SignInLink, at: Date): Promise<void>;
  /** Undefined for one that was never made, was used, or has had its time. */
  get(hash: string, at: Date): Promise<SignInLink | undefined>;
  /** A wrong second factor: once there are too many, the link is as good as used. */
  countWrongCode(link: SignInLink): Promise<void>;
}

export type SignedIn = Counted & { readonly session: Session };

export interface SessionsPort {
  /** Finds the session by its cookie's hash, keeps it awake and counts the request, in one call; undefined for one that is over. */
  authenticate(hash: string, rateClass: RateClass, at: Date): Promise<SignedIn | undefined>;
  end(userId: string, hash: string): Promise<void>;
  /** All of the user's, but for one where that is said. */
  endAll(userId: string, but?: string): Promise<void>;
}
