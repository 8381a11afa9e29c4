import type { Entered } from '#functions/auth/enter.ts';
import { endedCookie, sessionCookie } from '#functions/auth/session-cookie.ts';
import { SESSION_LIFE, type Session } from '#shared/domain/accounts/sign-in.model.ts';
import { hasTotp, type Membership } from '#shared/domain/accounts/user.model.ts';
import { Answer } from '#shared/http/route.ts';
import { SECOND } from '#shared/kernel/clock.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'users' | 'organizations'>;

/** The answer to a sign-in of any kind, which sets the cookie. */
export async function signedIn({ session, cookie }: Entered, deps: Needs) {
  return new Answer(await showSession(session, deps), { cookies: [sessionCookie(cookie, SESSION_LIFE / SECOND)] });
}

/** The answer that takes the cookie back. */
export const signedOut = () => new Answer({ signed_out: true as const }, { cookies: [endedCookie] });

/** How many organizations are shown: anyone may invite an address, so their number is unbounded. */
const MOST_SHOWN = 100;

/**
 * Joined organizations first, oldest first, then invitations. Of those joined by one sign-in the user's own comes
 * first.
 */
const inOrder = (a: Membership, b: Membership): number =>
  (a.joined_at ?? '~').localeCompare(b.joined_at ?? '~') || b.created_at.localeCompare(a.created_at);

export async function showSession(
  { user_id, ends_at }: Pick<Session, 'user_id' | 'ends_at'>,
  { users, organizations }: Needs,
) {
  const [found, memberships] = await Promise.all([users.get(user_id), users.membershipsOf(user_id)]);
  const user = need(found, 'There is no such user.');
  const shown = memberships.toSorted(inOrder).slice(0, MOST_SHOWN);
  const known = await organizations.byIds(shown.map(({ org_id }) => org_id));
  return {
    user: { id: user.id, email: user.email, totp_enabled: hasTotp(user) },
    organizations: shown.map(({ org_id, role }, n) => ({ id: org_id, name: known[n]?.name ?? '', role })),
    expires_at: ends_at,
  };
}
