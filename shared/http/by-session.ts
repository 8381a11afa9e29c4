import { isToken, SESSION_COOKIE } from '#shared/domain/accounts/sign-in.model.ts';
import { isAllowedOrigin } from '#shared/domain/reference/origin.rules.ts';
import { scopesOf } from '#shared/domain/reference/roles.catalog.ts';
import { cookiesOf } from '#shared/http/cookies.ts';
import { type ApiEvent, type Credential, header, type RequestState } from '#shared/http/request-state.ts';
import { accessOf } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { isId, plainHash } from '#shared/kernel/ids.ts';
import type { Person } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type SessionNeeds = Pick<Deps, 'sessions' | 'users' | 'platform' | 'config'>;

/**
 * Finds the cookie's session, counts the request, and loads what its user may do here. False for an unknown or ended
 * session.
 */
export async function identifySession(event: ApiEvent, state: RequestState, deps: SessionNeeds): Promise<boolean> {
  const cookie = cookiesOf(event)[SESSION_COOKIE];
  if (cookie === undefined || !isToken(cookie)) return false;
  const hash = plainHash(cookie);
  const found = await deps.sessions.authenticate(hash, state.route.rate, state.at);
  if (!found) return false;
  const { id, user_id, email, ends_at } = found.session;
  state.rate = found.rate;
  if (found.full) state.full = found.full;
  refuseForeignPages(event, state, deps);
  state.credential = await placed(
    { userId: user_id, email, sessionHash: hash, endsAt: ends_at },
    id,
    event,
    state,
    deps,
  );
  return true;
}

/** Browsers attach the cookie to requests from any page: a change must come from an allowed origin. */
function refuseForeignPages(event: ApiEvent, { route }: RequestState, { config }: SessionNeeds): void {
  if (route.method === 'GET' || isAllowedOrigin(header(event, 'origin'), config.origins)) return;
  throw new AppError('bad_origin', 'With a session this must be called from a page of the dashboard.');
}

async function placed(
  person: Person,
  id: string,
  event: ApiEvent,
  { route }: RequestState,
  deps: SessionNeeds,
): Promise<Credential> {
  const alone = { id, orgId: person.userId, kind: 'session', scopes: [], person } as const;
  switch (accessOf(route)) {
    case 'signed_in':
    case 'anyone':
      return alone;
    case 'platform': {
      const platformRole = await deps.platform.roleOf(person.userId);
      return platformRole ? { ...alone, person: { ...person, platformRole } } : alone;
    }
    case 'scope':
    case 'public':
    case 'member':
      return inOrganization(alone, person, header(event, 'x-org-id'), deps);
  }
}

/** The role is read with each request: a removal from an organization takes effect at once. */
async function inOrganization(
  alone: Credential,
  person: Person,
  named: string | undefined,
  { users }: SessionNeeds,
): Promise<Credential> {
  if (!named) throw new AppError('org_id_required', 'Name the organization in the header X-Org-Id.');
  const membership = isId('organization', named) ? await users.membership(person.userId, named) : undefined;
  if (!membership) throw new AppError('org_mismatch', 'You are no member of the organization that X-Org-Id names.');
  const { role } = membership;
  return { ...alone, orgId: named, scopes: scopesOf(role), person: { ...person, role } };
}
