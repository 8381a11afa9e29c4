import type { MiddlewareObj } from '@middy/core';
import { isSignInToken, SESSION_COOKIE } from '#shared/domain/accounts/sign-in.model.ts';
import { scopesOf } from '#shared/domain/reference/access.catalog.ts';
import { isAllowedOrigin } from '#shared/domain/reference/allowed-origin.rules.ts';
import {
  type ApiEvent,
  type ApiResult,
  type Credential,
  cookiesOf,
  header,
  type RequestState,
  stateOf,
} from '#shared/http/request.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { isId, sha256Hex } from '#shared/kernel/ids.ts';
import type { SignedInUser } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { assertFreshProof } from '#shared/services/accounts/fresh-proof.service.ts';

export type SessionDeps = Pick<Deps, 'sessions' | 'users' | 'platform' | 'config'>;

/**
 * Finds the cookie's session, counts the request, and loads what its user may do here. False for an unknown or ended
 * session.
 */
export async function authenticateSession(event: ApiEvent, state: RequestState, deps: SessionDeps): Promise<boolean> {
  const cookie = cookiesOf(event)[SESSION_COOKIE];
  if (cookie === undefined || !isSignInToken(cookie)) return false;
  const hash = sha256Hex(cookie);
  const found = await deps.sessions.authenticate(hash, state.route.rate, state.at);
  if (!found) return false;
  const { id, user_id, email, ends_at, proved_at, proved_by } = found.session;
  state.rate = found.rate;
  if (found.exceeded) state.exceeded = found.exceeded;
  assertAllowedOrigin(event, state, deps);
  const proof = { proved_at, proved_by };
  const person = { userId: user_id, email, sessionHash: hash, endsAt: ends_at, proof };
  state.credential = await credentialFor(person, id, event, state, deps);
  return true;
}

/** Browsers attach the cookie to requests from any page: a change must come from an allowed origin. */
function assertAllowedOrigin(event: ApiEvent, { route }: RequestState, { config }: SessionDeps): void {
  if (route.method === 'GET' || isAllowedOrigin(header(event, 'origin'), config.origins)) return;
  throw new AppError('bad_origin', 'With a session this must be called from a page of the dashboard.');
}

/** What the user may do at this route, by their role in the organization or on the platform, if the route needs one. */
async function credentialFor(
  person: SignedInUser,
  id: string,
  event: ApiEvent,
  { route }: RequestState,
  deps: SessionDeps,
): Promise<Credential> {
  const withoutRole = { id, orgId: person.userId, kind: 'session', scopes: [], person } as const;
  switch (route.access) {
    case 'signed_in':
    case 'anyone':
      return withoutRole;
    case 'platform': {
      const platformRole = await deps.platform.roleOf(person.userId);
      if (platformRole) assertSecondFactor(person, deps);
      return platformRole ? { ...withoutRole, person: { ...person, platformRole } } : withoutRole;
    }
    case 'scope':
    case 'public':
    case 'member':
      return credentialInOrganization(withoutRole, person, header(event, 'x-org-id'), deps);
  }
}

/** Administrators decide about everybody's money: a mailbox alone must not be enough to become one. */
function assertSecondFactor({ proof: { proved_by } }: SignedInUser, { config }: SessionDeps): void {
  if (!config.platformNeedsSecondFactor || proved_by === 'passkey' || proved_by === 'totp') return;
  throw new AppError(
    'second_factor_required',
    'Administrators of the platform need a second factor. Add a passkey or turn on two-factor authentication, ' +
      'then sign in again.',
  );
}

/** The role is read with each request: a removal from an organization takes effect at once. */
async function credentialInOrganization(
  credential: Credential,
  person: SignedInUser,
  orgId: string | undefined,
  { users }: SessionDeps,
): Promise<Credential> {
  if (!orgId) throw new AppError('org_id_required', 'Send the id of the organization in the header X-Org-Id.');
  const isValidId = isId('organization', orgId);
  const membership = isValidId ? await users.membership(person.userId, orgId) : undefined;
  if (!membership) {
    const name = isValidId ? `organization ${orgId}` : 'the organization in X-Org-Id';
    throw new AppError('org_mismatch', `You are not a member of ${name}.`);
  }
  if (membership.joined_at === null)
    throw new AppError(
      'org_mismatch',
      `You have not joined organization ${orgId} yet. Open the link in the invitation email first.`,
    );
  const { role } = membership;
  return { ...credential, orgId, scopes: scopesOf(role), person: { ...person, role } };
}

/** For routes with `proof`. API keys need none: they are not left open in a browser. */
export const requireFreshProof = (deps: Pick<Deps, 'users' | 'passkeys'>): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: async ({ event }) => {
    const { credential, at } = stateOf(event);
    if (credential?.person) await assertFreshProof(credential.person, at, deps);
  },
});
