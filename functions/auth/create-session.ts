import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { PasskeyUse } from '#shared/domain/accounts/passkey.model.ts';
import {
  newSignInToken,
  type ProofMethod,
  SESSION_LIFETIME,
  type Session,
  type SignInLink,
} from '#shared/domain/accounts/sign-in.model.ts';
import { type Membership, newUser, type User } from '#shared/domain/accounts/user.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { newId, sha256Hex } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { SignInRecord } from '#shared/ports/users.port.ts';

/** `cookie`: the secret of the session, of which only the hash is stored. */
export type NewSession = { readonly session: Session; readonly cookie: string };

type SessionDeps = Pick<Deps, 'users' | 'owners' | 'config'>;

/** What proves who signs in. */
type IdentityProof = {
  readonly email: string;
  readonly method: ProofMethod;
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
  const { session, cookie } = newSession(user, proof.method, at, deps.config.hashSecret);
  const record: SignInRecord = {
    session: { ...session, hash: sha256Hex(cookie) },
    ...(proof.link && { link: proof.link }),
    ...(proof.passkey && { passkey: proof.passkey }),
    user,
    isNew: proof.user === undefined,
    ...(await membershipChanges(user, proof, at, deps)),
  };
  return (await deps.users.recordSignIn(record)) === 'done' ? { session, cookie } : undefined;
}

/** The sign-in is the session's first proof. `ends_at`: where the session continues another one. */
export function newSession(
  { id: user_id, email }: Pick<User, 'id' | 'email'>,
  proved_by: ProofMethod,
  at: Date,
  hashSecret: string,
  ends_at = plus(at, SESSION_LIFETIME).toISOString(),
): NewSession {
  const created_at = at.toISOString();
  const session = { id: newId('session', at), user_id, email, created_at, ends_at, proved_at: created_at, proved_by };
  return { session, cookie: newSignInToken(hashSecret) };
}

type MembershipChanges = Pick<
  SignInRecord,
  'organization' | 'newMemberships' | 'acceptedInvitations' | 'owner' | 'platformRole'
>;

/**
 * A sign-in accepts the invitation whose link was used, and no other: anyone can invite any address. It also makes the
 * user the owner of an organization that the bootstrap command created for this address. A user who has joined no
 * organization gets one, even if invited: otherwise a new user would see a stranger's organization only.
 */
async function membershipChanges(
  user: User,
  { user: known, link }: IdentityProof,
  at: Date,
  { users, owners }: Pick<SessionDeps, 'users' | 'owners'>,
): Promise<MembershipChanges> {
  const [memberships, found] = await Promise.all([known ? users.memberships(user.id) : [], owners.byEmail(user.email)]);
  const owner = found?.taken_up_at === undefined ? found : undefined;
  const joined_at = at.toISOString();
  const acceptedInvitations = memberships
    .filter((membership) => membership.joined_at === null && [link?.org_id, owner?.org_id].includes(membership.org_id))
    .map((membership) => ({ ...membership, joined_at }));
  if (owner) {
    const isMember = memberships.some(({ org_id }) => org_id === owner.org_id);
    const newMemberships = isMember ? [] : [ownerMembership(owner.org_id, user, joined_at)];
    return { owner, newMemberships, acceptedInvitations, platformRole: 'platform_owner' };
  }
  if (memberships.some((membership) => membership.joined_at !== null))
    return { newMemberships: [], acceptedInvitations };
  const organization = newOrganization(at);
  const newMemberships = [ownerMembership(organization.id, user, joined_at)];
  return { organization, newMemberships, acceptedInvitations };
}

const ownerMembership = (org_id: string, { id, email }: User, at: string): Membership => ({
  org_id,
  user_id: id,
  email,
  role: 'owner',
  created_at: at,
  created_by: id,
  role_given_by: id,
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
