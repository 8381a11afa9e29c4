import type { Organization } from '#shared/domain/organization.model.ts';
import type { PasskeyUse } from '#shared/domain/passkey.model.ts';
import { hashOfToken, SESSION_LIFE, type Session, type SignInLink, TOKEN_LENGTH } from '#shared/domain/sign-in.model.ts';
import { type Membership, newUser, type User } from '#shared/domain/user.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { newId, randomText } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Entry } from '#shared/ports/users.port.ts';

type Needs = Pick<Deps, 'users' | 'owners'>;

export type Entered = { readonly session: Session; readonly cookie: string };

/** How somebody has proven who it is: the address, and for one who was here before the user, changed by the proof. */
export type Proof = { readonly email: string; readonly user: User | undefined; readonly link?: SignInLink; readonly passkey?: PasskeyUse };

/**
 * Signs in, whole or not at all: the session, the link that is used up, and for a new address its user and organization.
 * The cookie is new each time, whatever the browser had before. Undefined where something changed meanwhile: look again.
 */
export async function enter(proof: Proof, at: Date, deps: Needs): Promise<Entered | undefined> {
  const user = proof.user ? { ...proof.user, version: proof.user.version + 1 } : newUser(deps.users.idFor(proof.email), proof.email, at);
  const cookie = randomText(TOKEN_LENGTH);
  const created_at = at.toISOString();
  const session: Session = { id: newId('session', at), user_id: user.id, email: user.email, created_at, ends_at: plus(at, SESSION_LIFE).toISOString() };
  const entry: Entry = {
    session: { ...session, hash: hashOfToken(cookie) },
    ...(proof.link && { link: proof.link }),
    ...(proof.passkey && { passkey: proof.passkey }),
    user,
    isNew: proof.user === undefined,
    ...(await belongingsOf(user, proof.user === undefined, at, deps)),
  };
  return (await deps.users.enter(entry)) === 'done' ? { session, cookie } : undefined;
}

type Belongings = Pick<Entry, 'organization' | 'begun' | 'takenUp' | 'owner' | 'platformRole'>;

/** One transaction writes them all: whoever is invited more often joins the rest with the next sign-in, and may act there meanwhile. */
const MOST_JOINED_AT_ONCE = 20;

/**
 * What the command line made for this address comes first, once. Who has joined nothing gets an organization, new here or
 * taken out of the last one meanwhile, whoever has invited the address before: else a stranger's would be all that somebody
 * new finds. The invited take up what they were given besides.
 */
async function belongingsOf(user: User, isNew: boolean, at: Date, { users, owners }: Needs): Promise<Belongings> {
  const [known, owner] = await Promise.all([isNew ? [] : users.membershipsOf(user.id), owners.byEmail(user.email)]);
  const created_at = at.toISOString();
  const invited = known.filter(({ joined_at }) => joined_at === null).slice(0, MOST_JOINED_AT_ONCE);
  const takenUp = invited.map((membership) => ({ ...membership, joined_at: created_at }));
  if (owner && owner.taken_up_at === undefined) {
    const owned = known.some(({ org_id }) => org_id === owner.org_id) ? [] : [ownership(owner.org_id, user, created_at)];
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

/** Its owner names it. The mail address would be no name for it: customers see it on payment links' pages. */
const newOrganization = (at: Date): Organization => ({
  id: newId('organization', at),
  name: 'My organization',
  legal_name: null,
  kyc: 'pending',
  plan: 'free',
  created_at: at.toISOString(),
});
