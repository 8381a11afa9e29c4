import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { PasskeyUse } from '#shared/domain/accounts/passkey.model.ts';
import {
  SESSION_LIFETIME,
  type Session,
  type SignInLink,
  TOKEN_LENGTH,
} from '#shared/domain/accounts/sign-in.model.ts';
import { type Membership, newUser, type User } from '#shared/domain/accounts/user.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { newId, randomText, sha256Hex } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { SignInRecord } from '#shared/ports/users.port.ts';

/** `cookie`: the secret of the session, of which only the hash is stored. */
export type NewSession = { readonly session: Session; readonly cookie: string };

type SessionDeps = Pick<Deps, 'users' | 'owners'>;

/** What proves who signs in. */
type IdentityProof = {
  readonly email: string;
  /** A known user, already changed by the proof: with a used code, for example. */
  readonly user: User | undefined;
  readonly link?: SignInLink;
  readonly passkey?: PasskeyUse;
};

/**
 * Signs in. One transaction writes the session, uses up the link, and creates the user and organization of a new
 * address. The cookie is always new, so that nobody can plant a session id. Undefined after a lost race: the caller
 * tries again.
 */
export async function createSession(
  proof: IdentityProof,
  at: Date,
  deps: SessionDeps,
): Promise<NewSession | undefined> {
  const user = proof.user
    ? { ...proof.user, version: proof.user.version + 1 }
    : newUser(deps.users.idFor(proof.email), proof.email, at);
  const cookie = randomText(TOKEN_LENGTH);
  const created_at = at.toISOString();
  const session: Session = {
    id: newId('session', at),
    user_id: user.id,
    email: user.email,
    created_at,
    ends_at: plus(at, SESSION_LIFETIME).toISOString(),
  };
  const record: SignInRecord = {
    session: { ...session, hash: sha256Hex(cookie) },
    ...(proof.link && { link: proof.link }),
    ...(proof.passkey && { passkey: proof.passkey }),
    user,
    isNew: proof.user === undefined,
    ...(await membershipChanges(user, proof.user === undefined, at, deps)),
  };
  return (await deps.users.recordSignIn(record)) === 'done' ? { session, cookie } : undefined;
}

type MembershipChanges = Pick<
  SignInRecord,
  'organization' | 'newMemberships' | 'acceptedInvitations' | 'owner' | 'platformRole'
>;

/**
 * All accepted invitations are written in one transaction. The rest is accepted at the next sign-in; those memberships
 * give access already.
 */
const MAX_INVITATIONS_PER_SIGN_IN = 20;

/**
 * A sign-in accepts the user's invitations. It also makes the user the owner of an organization that the bootstrap
 * command created for this address. A user who has joined no organization gets one, even if invited: otherwise a new
 * user would see a stranger's organization only.
 */
async function membershipChanges(
  user: User,
  isNew: boolean,
  at: Date,
  { users, owners }: SessionDeps,
): Promise<MembershipChanges> {
  const [memberships, owner] = await Promise.all([isNew ? [] : users.memberships(user.id), owners.byEmail(user.email)]);
  const created_at = at.toISOString();
  const invited = memberships.filter(({ joined_at }) => joined_at === null).slice(0, MAX_INVITATIONS_PER_SIGN_IN);
  const acceptedInvitations = invited.map((membership) => ({ ...membership, joined_at: created_at }));
  if (owner && owner.taken_up_at === undefined) {
    const isMember = memberships.some(({ org_id }) => org_id === owner.org_id);
    const newMemberships = isMember ? [] : [ownerMembership(owner.org_id, user, created_at)];
    return { owner, newMemberships, acceptedInvitations, platformRole: 'platform_owner' };
  }
  if (memberships.some(({ joined_at }) => joined_at !== null)) return { newMemberships: [], acceptedInvitations };
  const organization = newOrganization(at);
  const newMemberships = [ownerMembership(organization.id, user, created_at)];
  return { organization, newMemberships, acceptedInvitations };
}

const ownerMembership = (org_id: string, { id, email }: User, at: string): Membership => ({
  org_id,
  user_id: id,
  email,
  role: 'owner',
  created_at: at,
  invited_at: null,
  joined_at: at,
});

/** The owner renames it. The email address is no default name: customers see the name on the pages of payment links. */
const newOrganization = (at: Date): Organization => ({
  id: newId('organization', at),
  name: 'My organization',
  legal_name: null,
  kyc: 'pending',
  plan: 'free',
  created_at: at.toISOString(),
});
