import type { NewSession } from '#functions/auth/create-session.ts';
import { BROWSER_COOKIE, rememberBrowser } from '#shared/domain/accounts/known-browser.rules.ts';
import { SESSION_COOKIE, SESSION_LIFETIME, type Session } from '#shared/domain/accounts/sign-in.model.ts';
import { hasTotp, type Membership } from '#shared/domain/accounts/user.model.ts';
import { scopesOf } from '#shared/domain/reference/access.catalog.ts';
import { DAY, SECOND } from '#shared/kernel/clock.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type ViewDeps = Pick<Deps, 'users' | 'organizations' | 'config' | 'clock'>;

/** The result of every kind of sign-in. The route sets the cookies. */
export async function sessionResponse(
  { session, cookie }: NewSession,
  caller: Pick<Caller, 'browser'>,
  deps: ViewDeps,
) {
  const browser = rememberBrowser(caller.browser, session.email, deps.config.hashSecret);
  return { ...(await viewSession(session, deps)), cookie, browser };
}

/** A user may join any number of organizations: the rest is not shown. */
const MAX_ORGANIZATIONS = 100;

/** Oldest first. Of those joined by one sign-in, the newest comes first. */
const byJoinTime = (a: Membership, b: Membership): number =>
  String(a.joined_at).localeCompare(String(b.joined_at)) || b.created_at.localeCompare(a.created_at);

export async function viewSession(
  { user_id, ends_at }: Pick<Session, 'user_id' | 'ends_at'>,
  { users, organizations, config, clock }: ViewDeps,
) {
  const [found, memberships] = await Promise.all([users.get(user_id), users.memberships(user_id)]);
  const user = orNotFound(found, 'This user does not exist.');
  const joined = memberships.filter(({ joined_at }) => joined_at !== null);
  const listed = joined.toSorted(byJoinTime).slice(0, MAX_ORGANIZATIONS);
  const loaded = await organizations.byIds(listed.map(({ org_id }) => org_id));
  return {
    user: { id: user.id, email: user.email, totp_enabled: hasTotp(user) },
    stage: config.stage,
    organizations: listed.map(({ org_id, role }, n) => ({
      id: org_id,
      name: loaded[n]?.name ?? '',
      role,
      scopes: scopesOf(role),
    })),
    expires_at: ends_at,
    server_time: clock.now().toISOString(),
  };
}

/** Scripts cannot read the cookie, and forms or images of other sites do not send it. */
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';

const cookie = (name: string, value: string, ms: number): string =>
  `${name}=${value}; Max-Age=${ms / SECOND}; ${ATTRIBUTES}`;

export const sessionCookie = (token: string): string => cookie(SESSION_COOKIE, token, SESSION_LIFETIME);

export const clearedCookie = cookie(SESSION_COOKIE, '', 0);

/** Browsers keep a cookie for 400 days at most. It outlives the sessions: it says where someone has signed in before. */
const BROWSER_COOKIE_LIFETIME = 400 * DAY;

/** The cookies of a sign-in: the session's, and the one that remembers the browser. */
export const signInCookies = (signedIn: { readonly cookie: string; readonly browser: string }): readonly string[] => [
  sessionCookie(signedIn.cookie),
  cookie(BROWSER_COOKIE, signedIn.browser, BROWSER_COOKIE_LIFETIME),
];
