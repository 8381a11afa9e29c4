import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { PasskeyUse } from '#shared/domain/accounts/passkey.model.ts';
import { SESSION_LIFE, type Session, type SignInLink, TOKEN_LENGTH } from '#shared/domain/accounts/sign-in.model.ts';
import { type Membership, newUser, type User } from '#shared/domain/accounts/user.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { newId, plainHash, randomText } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Entry } from '#shared/ports/users.port.ts';

type Needs = Pick<Deps, 'users' | 'owners'>;

export type Entered = { readonly session: Session; readonly cookie: string };

/** What proves who signs in: the address, and for a known user the user as the proof changes it. */
type Proof = {
  readonly email: string;
  readonly user: User | undefined;
  readonly link?: SignInLink;
  readonly passkey?: PasskeyUse;
};

/**
 * Signs in, in one transaction: the session, the used-up link, and for a new address its user and organization. The
 * cookie is always new, so no session id can be fixed beforehand. Undefined where something changed meanwhile: the
 * caller looks again.
 */
export async function enter(proof: Proof, at: Date, deps: Needs): Promise<Entered | undefined> {
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
    ends_at: plus(at, SESSION_LIFE).toISOString(),
  };
  const entry: Entry = {
    session: { ...session, hash: plainHash(cookie) },
    ...(proof.link && { link: proof.link }),
    ...(proof.passkey && { passkey: proof.passkey }),
    user,
    isNew: proof.user === undefined,
    ...(await belongingsOf(user, proof.user === undefined, at, deps)),
  };
  return (await deps.users.enter(entry)) === 'done' ? { session, cookie } : undefined;
}

type Belongings = Pick<Entry, 'organization' | 'begun' | 'takenUp' | 'owner' | 'platformRole'>;

/**
 * One transaction writes all of them. Invitations beyond its limit are joined at the next sign-in, and give access
 * meanwhile.
 */
const MOST_JOINED_AT_ONCE = 20;

/**
 * An organization that the bootstrap command made for this address comes first, once. A user without a membership gets
 * an organization of their own, even if invited: otherwise a new user would find nothing but a stranger's organization.
 * Invitations are joined as well.
 */
async function belongingsOf(user: User, isNew: boolean, at: Date, { users, owners }: Needs): Promise<Belongings> {
  const [known, owner] = await Promise.all([isNew ? [] : users.membershipsOf(user.id), owners.byEmail(user.email)]);
  const created_at = at.toISOString();
  const invited = known.filter(({ joined_at }) => joined_at === null).slice(0, MOST_JOINED_AT_ONCE);
  const takenUp = invited.map((membership) => ({ ...membership, joined_at: created_at }));
  if (owner && owner.taken_up_at === undefined) {
    const owned = known.some(({ org_id }) => org_id === owner.org_id)
      ? []
      : [ownership(owner.org_id, user, created_at)];
    return { owner, begun: owned, takenUp, platformRole: 'platform_owner' };
  }
  if (known.some(({ joined_at }) => joined_at !== null)) return { begun: [], takenUp };
  const organization = newOrganization(at);
  return { organization, begun: [ownership(organization.id, user, created_at)], takenUp };
}

const ownership = (org_id: string, { id, email }: User, at: string): Membership => ({
  org_id,
  user_id: id,
  email,
  role: 'owner',
  created_at: at,
  invited_at: null,
  joined_at: at,
});

/** The owner names it. The mail address must not be its name: customers see the name on payment links' pages. */
const newOrganization = (at: Date): Organization => ({
  id: newId('organization', at),
  name: 'My organization',
  legal_name: null,
  kyc: 'pending',
  plan: 'free',
  created_at: at.toISOString(),
});
