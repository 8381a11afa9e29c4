import type { NewSession } from '#functions/auth/create-session.ts';
import { SESSION_COOKIE, SESSION_LIFETIME, type Session } from '#shared/domain/accounts/sign-in.model.ts';
import { hasTotp, type Membership } from '#shared/domain/accounts/user.model.ts';
import { SECOND } from '#shared/kernel/clock.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

type ViewDeps = Pick<Deps, 'users' | 'organizations'>;

/** The result of every kind of sign-in. The route sets the cookie. */
export async function sessionResponse({ session, cookie }: NewSession, deps: ViewDeps) {
  return { ...(await viewSession(session, deps)), cookie };
}

/** Anyone may invite an address, so a user's organizations are unbounded: the rest is not shown. */
const MAX_ORGANIZATIONS = 100;

/**
 * Joined organizations come first, oldest first, then invitations. Of those joined by one sign-in, the newest comes
 * first.
 */
const byJoinTime = (a: Membership, b: Membership): number =>
  (a.joined_at ?? '~').localeCompare(b.joined_at ?? '~') || b.created_at.localeCompare(a.created_at);

export async function viewSession(
  { user_id, ends_at }: Pick<Session, 'user_id' | 'ends_at'>,
  { users, organizations }: ViewDeps,
) {
  const [found, memberships] = await Promise.all([users.get(user_id), users.memberships(user_id)]);
  const user = orNotFound(found, 'This user does not exist.');
  const listed = memberships.toSorted(byJoinTime).slice(0, MAX_ORGANIZATIONS);
  const loaded = await organizations.byIds(listed.map(({ org_id }) => org_id));
  return {
    user: { id: user.id, email: user.email, totp_enabled: hasTotp(user) },
    organizations: listed.map(({ org_id, role }, n) => ({ id: org_id, name: loaded[n]?.name ?? '', role })),
    expires_at: ends_at,
  };
}

/** Scripts cannot read the cookie, and forms or images of other sites do not send it. */
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';

const cookie = (value: string, seconds: number): string =>
  `${SESSION_COOKIE}=${value}; Max-Age=${seconds}; ${ATTRIBUTES}`;

export const sessionCookie = (token: string): string => cookie(token, SESSION_LIFETIME / SECOND);

export const clearedCookie = cookie('', 0);
