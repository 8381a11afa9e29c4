import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import { type Route, routeKey } from '#shared/http/route.ts';
import { addressOf, NEVER, OURS } from '#test/http/bad-input.support.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { acceptInvitation, aMember, anOwner, inOrganization, type OrganizationUser } from '#test/support/members.ts';

/** From the highest role to the lowest. */
const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
type Role = (typeof ROLES)[number];
const SCOPED: Readonly<Record<Role, (scope: string) => boolean>> = {
  owner: () => true,
  admin: () => true,
  member: (scope) => !scope.startsWith('api_keys:'),
  viewer: (scope) => scope.endsWith(':read'),
};
/** The route admits every member, because every member can leave. Removing others needs this role. */
const BY_HANDLER: Readonly<Record<string, Role>> = { 'DELETE /v1/members/{id}': 'admin' };

/** The endpoints that need a role in an organization. New endpoints are included automatically. */
const ROUTES = OURS.filter((route) => ['scope', 'member', 'public'].includes(route.access));

let host: TestHost;
let people: Readonly<Record<Role, OrganizationUser>>;
beforeAll(async () => {
  host = await startHost();
  const owner = await anOwner(host);
  people = {
    owner,
    admin: await aMember(host, owner, 'admin'),
    member: await aMember(host, owner, 'member'),
    viewer: await aMember(host, owner, 'viewer'),
  };
});
afterAll(() => host?.close());

function refusalOf(route: Route, role: Role): string | undefined {
  if ('scope' in route) return SCOPED[role](route.scope) ? undefined : 'missing_scope';
  const least = BY_HANDLER[routeKey(route)] ?? (route.access === 'member' ? (route.role as Role) : undefined);
  return least === undefined || ROLES.indexOf(role) <= ROLES.indexOf(least) ? undefined : 'missing_role';
}

const callRoute = (route: Route, { request }: OrganizationUser) =>
  request(route.method, addressOf(route, `usr_${NEVER}`));

it('are required by enough endpoints', () => expect(ROUTES.length).toBeGreaterThan(50));

describe.each(ROLES)('the role %s', (role) => {
  it.each(ROUTES.map((route) => [routeKey(route), route] as const))(
    'can call %s, or learns the required role',
    async (_, route) => {
      const { status, body } = await callRoute(route, people[role]);
      const refusal = refusalOf(route, role);
      if (refusal !== undefined) return expect([status, body.error, body.code]).toEqual([403, 'forbidden', refusal]);
      return expect([401, 403, status >= 500 ? status : 0]).not.toContain(status);
    },
  );
});

describe('the scopes of a role', () => {
  it.each(ROLES)('are in the session of the %s, as the API applies them', async (role) => {
    const { call, org } = people[role];
    const { organizations } = (await call('GET', '/v1/auth/session')).body;
    const { scopes } = organizations.find(({ id }: { id: string }) => id === org);
    expect(scopes).toEqual(SCOPES.filter(SCOPED[role]));
  });

  it('limit the scopes of the keys that a member creates', async () => {
    const make = (person: OrganizationUser) =>
      person.request('POST', '/v1/api-keys', { name: 'Key', scopes: ['payments:write', 'api_keys:write'] });
    expect([(await make(people.admin)).status, (await make(people.member)).body.code]).toEqual([201, 'missing_scope']);
  });

  it('apply to the named organization only, not to others of the same user', async () => {
    const other = await anOwner(host);
    await people.owner.request('POST', '/v1/members', { email: other.user.email, role: 'viewer' });
    const both = await acceptInvitation(host, other.user.email);
    expect(both.organizations.map(({ role }) => role).sort()).toEqual(['owner', 'viewer']);
    const create = (org: string) =>
      inOrganization(both, org).request('POST', '/v1/api-keys', { name: 'Key', scopes: [] });
    expect([(await create(other.org)).status, (await create(people.owner.org)).body.code]).toEqual([
      201,
      'missing_scope',
    ]);
  });
});

it('the signed-in user is the actor, whatever X-Actor-Id says', async () => {
  const { member } = people;
  const made = await member.request(
    'POST',
    '/v1/connections',
    { provider: 'stripe', credentials: randomCredentials('stripe', 'sandbox') },
    { headers: { 'x-actor-id': 'somebody-else' } },
  );
  expect([made.status, made.body]).toMatchObject([201, { provider: 'stripe' }]);
  const [entry] = (await member.request('GET', `/v1/connections/${made.body.id}/audit`)).body;
  expect([entry.action, entry.actor_id]).toEqual(['created', member.user.id]);
});
