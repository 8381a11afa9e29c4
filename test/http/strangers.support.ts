import { SCOPES, type Scope } from '#shared/domain/reference/access.catalog.ts';
import type { Route } from '#shared/http/route.ts';
import { openShop, type Shop } from '#test/http/two-shops.support.ts';
import type { WatchedHost } from '#test/http/watched-host.support.ts';
import { acceptInvitation } from '#test/support/members.ts';
import { DASHBOARD, type SignedInUser, signIn } from '#test/support/people.ts';

/** Everybody who tries to get access. `here` is the shop under attack. */
export type Cast = {
  readonly here: Shop;
  readonly there: Shop;
  readonly viewer: SignedInUser;
  readonly admin: SignedInUser;
  readonly ended: SignedInUser;
  readonly revoked: string;
  /** Keys with all scopes but one. */
  readonly lacking: Readonly<Record<Scope, string>>;
};

export type Sent = Readonly<Record<string, string>>;
type Refusal = readonly [status: number, error: string, code: string, message?: RegExp];

/** The error of the route for them; undefined if it admits them. */
export type Stranger = {
  readonly who: string;
  readonly sends: (cast: Cast, route: Route) => Sent;
  readonly told: (route: Route) => Refusal | undefined;
};

const NO_KEY: Refusal = [401, 'unauthorized', 'invalid_api_key'];
const NO_SESSION: Refusal = [401, 'unauthorized', 'invalid_session'];
const OTHER_ORGANIZATION: Refusal = [403, 'forbidden', 'org_mismatch'];
const NO_ORGANIZATION: Refusal = [400, 'invalid_request', 'org_id_required'];
const FOREIGN_PAGE: Refusal = [403, 'forbidden', 'bad_origin'];
const OTHER_STAGE: Refusal = [401, 'unauthorized', 'wrong_stage', /STAGE=live/];
const roleToo = (role: string): Refusal => [403, 'forbidden', 'missing_role', new RegExp(`\\b(${role})\\b`)];
const scopeToo = (scope: string): Refusal => [403, 'forbidden', 'missing_scope', new RegExp(`\\b${scope}\\b`)];

export const opensToKeys = (route: Route): boolean =>
  'scope' in route || route.access === 'public' || (route.access === 'member' && route.keys === true);
const isOfOrganization = (route: Route): boolean => ['scope', 'public', 'member'].includes(route.access);

/** Where keys are not accepted the caller counts as not signed in. */
const forKeys =
  (told: (route: Route) => Refusal | undefined) =>
  (route: Route): Refusal | undefined => {
    if (route.access === 'anyone') return undefined;
    return opensToKeys(route) ? told(route) : NO_SESSION;
  };

/** Signed in, but not an administrator of the platform. */
const forSessions =
  (told: (route: Route) => Refusal | undefined) =>
  (route: Route): Refusal | undefined => {
    if ('access' in route && route.access === 'platform') return roleToo(route.role);
    return isOfOrganization(route) ? told(route) : undefined;
  };

export const withKey = (key: string): Sent => ({ authorization: `Bearer ${key}` });
export const withCookie = ({ cookie }: { readonly cookie: string }, org?: string): Sent => ({
  cookie,
  origin: DASHBOARD,
  ...(org !== undefined && { 'x-org-id': org }),
});

export const STRANGERS: readonly Stranger[] = [
  { who: 'nobody', sends: () => ({}), told: forKeys(() => NO_KEY) },
  {
    who: 'a key of another organization that names this one',
    sends: ({ here, there }) => ({ ...withKey(there.key), 'x-org-id': here.org }),
    told: forKeys(() => OTHER_ORGANIZATION),
  },
  {
    who: 'the same as a service key',
    sends: ({ here, there }) => ({ 'x-service-key': there.key, 'x-org-id': here.org }),
    told: forKeys(() => OTHER_ORGANIZATION),
  },
  {
    who: 'a session of another organization that names this one',
    sends: ({ here, there }) => withCookie(there.owner, here.org),
    told: forSessions(() => OTHER_ORGANIZATION),
  },
  {
    who: 'a session that names no organization',
    sends: ({ here }) => withCookie(here.owner),
    told: forSessions(() => NO_ORGANIZATION),
  },
  {
    who: 'a key that lacks the scope',
    sends: ({ here, lacking }, route) => withKey('scope' in route ? lacking[route.scope] : here.key),
    told: forKeys((route) => ('scope' in route ? scopeToo(route.scope) : undefined)),
  },
  { who: 'a revoked key', sends: ({ revoked }) => withKey(revoked), told: forKeys(() => NO_KEY) },
  {
    who: 'a key of the other stage',
    sends: ({ here }) => withKey(here.key.replace('pfk_test_', 'pfk_live_')),
    told: forKeys(() => OTHER_STAGE),
  },
  {
    who: 'a public key',
    sends: ({ here }) => withKey(here.publicKey),
    told: forKeys((route) => {
      if ('scope' in route) return scopeToo(route.scope);
      return route.access === 'member' ? roleToo(route.role) : undefined;
    }),
  },
  {
    who: "a viewer's session",
    sends: ({ here, viewer }) => withCookie(viewer, here.org),
    told: forSessions((route) => {
      if ('scope' in route) return route.scope.endsWith(':read') ? undefined : scopeToo(route.scope);
      if (route.access !== 'member') return undefined;
      // A viewer can only change what is the viewer's own, and these belong to the owner.
      if (route.role === 'viewer') return route.method === 'GET' ? undefined : roleToo('admin|owner');
      return roleToo(route.role);
    }),
  },
  {
    who: 'an administrator of the platform',
    sends: ({ here, admin }) => withCookie(admin, here.org),
    told: (route) => {
      if ('access' in route && route.access === 'platform')
        return route.role === 'platform_owner' ? roleToo(route.role) : undefined;
      return isOfOrganization(route) ? OTHER_ORGANIZATION : undefined;
    },
  },
  {
    who: 'a session that was ended',
    sends: ({ here, ended }) => withCookie(ended, here.org),
    told: (route) => (route.access === 'anyone' ? undefined : NO_SESSION),
  },
  ...['https://evil.example', 'null', undefined].map((origin) => ({
    who: `a session from a page of ${origin ?? 'nowhere'}`,
    sends: ({ here }: Cast) => ({
      cookie: here.owner.cookie,
      'x-org-id': here.org,
      ...(origin !== undefined && { origin }),
    }),
    told: (route: Route) => {
      if (route.method === 'GET' && route.access !== 'anyone') return forSessions(() => undefined)(route);
      // Programs, which send no Origin, can send what anyone can.
      return route.access === 'anyone' && origin === undefined ? undefined : FOREIGN_PAGE;
    },
  })),
];

export async function gather(host: WatchedHost): Promise<Cast> {
  const [here, there] = [await openShop(host, 'here'), await openShop(host, 'there')];
  const keyOf = async (scopes: readonly Scope[]) =>
    (await here.owner.call('POST', '/v1/api-keys', { name: 'Key', scopes }, { org: here.org })).body;
  const revoked = await keyOf(SCOPES);
  await here.owner.call('DELETE', `/v1/api-keys/${revoked.id}`, undefined, { org: here.org });
  const lacking = await Promise.all(
    SCOPES.map(async (scope) => [scope, (await keyOf(SCOPES.filter((each) => each !== scope))).key] as const),
  );
  // Somebody who has access, so that repeating the request has an effect.
  const ended = await signIn(host, here.owner.user.email);
  await ended.call('POST', '/v1/auth/logout');
  const [viewer, admin] = [await aViewer(host, here), await anAdministrator(host)];
  return {
    here,
    there,
    viewer,
    admin,
    ended,
    revoked: revoked.key,
    lacking: Object.fromEntries(lacking) as Cast['lacking'],
  };
}

async function aViewer(host: WatchedHost, { owner, org }: Shop): Promise<SignedInUser> {
  const email = 'viewer@elsewhere.example';
  const added = await owner.call('POST', '/v1/members', { email, role: 'viewer' }, { org });
  if (added.status !== 201) throw new Error(`Nobody was added: ${added.text}`);
  return acceptInvitation(host, email);
}

/** An administrator of the platform who is not a member of any shop. */
async function anAdministrator(host: WatchedHost): Promise<SignedInUser> {
  const admin = await signIn(host, 'admin@platform.example');
  const owner = await signIn(host, host.info.owner_email);
  const added = await owner.call('POST', '/v1/platform/admins', { email: admin.user.email, role: 'platform_admin' });
  if (added.status !== 201) throw new Error(`No administrator was made: ${added.text}`);
  return admin;
}
