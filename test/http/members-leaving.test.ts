import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import {
  acceptInvitation,
  aMember,
  anOwner,
  inOrganization,
  membersOf,
  newEmail,
  type OrganizationUser,
} from '#test/support/members.ts';
import { signIn } from '#test/support/people.ts';

let host: TestHost;
let owner: OrganizationUser;
beforeAll(async () => {
  host = await startHost();
  owner = await anOwner(host);
});
afterAll(() => host?.close());

const remove = (by: OrganizationUser, { id }: { readonly id: string }, how = {}) =>
  by.request('DELETE', `/v1/members/${id}`, undefined, how);
const add = (by: OrganizationUser, email: string, role: string) => by.request('POST', '/v1/members', { email, role });
const owners = async (of: OrganizationUser) =>
  (await membersOf(of)).filter(({ role }) => role === 'owner').map(({ id }) => id);

describe('a removed member', () => {
  it('loses access with the next request, whatever the session', async () => {
    const member = await aMember(host, owner, 'admin');
    const second = inOrganization(await signIn(host, member.user.email), owner.org);
    const gone = await remove(owner, member.user);
    expect([gone.status, gone.body]).toEqual([200, { id: member.user.id, deleted: true }]);
    for (const session of [member, second]) {
      const answer = await session.request('GET', '/v1/connections');
      expect([answer.status, answer.body.code]).toEqual([403, 'org_mismatch']);
    }
    expect((await membersOf(owner)).map(({ id }) => id)).not.toContain(member.user.id);
  });

  it('is removed once, by the same organization only', async () => {
    const [member, other] = [await aMember(host, owner, 'viewer'), await anOwner(host)];
    const never = await remove(other, { id: 'usr_01jzzzzzzzfz0a1b2c3d4e5f6g' });
    for (const stranger of [member.user, owner.user, { id: 'me' }]) {
      const answer = await remove(other, stranger);
      expect([answer.status, answer.body]).toEqual([404, never.body]);
    }
    const answers = await Promise.all([remove(owner, member.user), remove(owner, member.user)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await remove(owner, member.user)).status).toBe(404);
  });

  it('can be invited again with another role', async () => {
    const member = await aMember(host, owner, 'admin');
    await remove(owner, member.user);
    const again = await add(owner, member.user.email, 'viewer');
    expect(again.body).toMatchObject({ id: member.user.id, role: 'viewer', status: 'invited', joined_at: null });
    const seen = () => member.request('GET', '/v1/organization');
    expect((await seen()).body.code).toBe('org_mismatch');
    await acceptInvitation(host, member.user.email);
    expect((await seen()).body.role).toBe('viewer');
  });

  it('gets an own organization at the next sign-in', async () => {
    const member = await aMember(host, owner, 'viewer');
    await remove(owner, member.user);
    const { organizations } = await signIn(host, member.user.email);
    expect(organizations).toMatchObject([
      { id: expect.stringMatching(/^org_/), name: 'My organization', role: 'owner' },
    ]);
    expect(organizations[0]?.id).not.toBe(owner.org);
    expect((await signIn(host, member.user.email)).organizations).toEqual(organizations);
  });

  it('may have had an invitation that was never accepted', async () => {
    const email = newEmail();
    const { body } = await add(owner, email, 'owner');
    await remove(owner, body);
    expect((await signIn(host, email)).organizations).toMatchObject([{ name: 'My organization', role: 'owner' }]);
  });

  it('does not come back as the bootstrapped owner', async () => {
    const demo = inOrganization(await signIn(host, host.info.owner_email), host.info.org_id);
    const nextOwner = await aMember(host, demo, 'owner');
    expect((await remove(nextOwner, demo.user)).status).toBe(200);
    expect((await signIn(host, host.info.owner_email)).organizations).toMatchObject([
      { name: 'My organization', role: 'owner' },
    ]);
    expect(await owners(nextOwner)).toEqual([nextOwner.user.id]);
  });
});

describe('the right to remove members', () => {
  it.each(['admin', 'member', 'viewer'])('lets a %s leave', async (role) => {
    const member = await aMember(host, owner, role);
    expect((await remove(member, member.user)).status).toBe(200);
    expect((await member.request('GET', '/v1/members')).body.code).toBe('org_mismatch');
  });

  it.each(['member', 'viewer'])('does not let a %s remove anyone, or learn who is a member', async (role) => {
    const [member, other] = [await aMember(host, owner, role), await aMember(host, owner, 'viewer')];
    const [existing, missing] = [
      await remove(member, other.user),
      await remove(member, { id: 'usr_01jzzzzzzzfz0a1b2c3d4e5f6g' }),
    ];
    expect([existing.status, existing.body]).toEqual([403, missing.body]);
    expect(existing.body.code).toBe('missing_role');
  });
});

describe('the last owner', () => {
  it('cannot leave or get a lower role', async () => {
    const last = await anOwner(host);
    await add(last, newEmail(), 'admin');
    for (const answer of [await remove(last, last.user), await add(last, last.user.email, 'admin')]) {
      expect([answer.status, answer.body.error, answer.body.code]).toEqual([409, 'conflict', 'last_owner']);
    }
    expect(await owners(last)).toEqual([last.user.id]);
  });

  it('can leave once another owner has accepted, not while that owner is only invited', async () => {
    const first = await anOwner(host);
    const email = newEmail();
    const { body: invited } = await add(first, email, 'owner');
    for (const answer of [await remove(first, first.user), await add(first, first.user.email, 'admin')])
      expect(answer.body.code).toBe('last_owner');
    await signIn(host, email);
    expect((await remove(first, first.user)).body.code).toBe('last_owner');
    const second = inOrganization(await acceptInvitation(host, email), first.org);
    expect(await host.deps.members.count(first.org)).toEqual({ members: 2, owners: 2 });
    expect((await remove(first, first.user)).status).toBe(200);
    expect((await remove(second, { id: invited.id })).body.code).toBe('last_owner');
  });

  it('can demote an owner who never signed in, and remain the last owner', async () => {
    const first = await anOwner(host);
    const [lowered, removed] = [newEmail(), newEmail()];
    for (const email of [lowered, removed]) await add(first, email, 'owner');
    expect((await add(first, lowered, 'viewer')).status).toBe(201);
    expect((await remove(first, { id: host.deps.users.idFor(removed) })).status).toBe(200);
    await acceptInvitation(host, lowered);
    expect(await host.deps.members.count(first.org)).toEqual({ members: 2, owners: 1 });
    expect((await remove(first, first.user)).body.code).toBe('last_owner');
  });

  it.each<[string, (by: OrganizationUser, other: OrganizationUser) => Promise<Body>]>([
    ['removing each other', (by, other) => remove(by, other.user)],
    ['lowering each other', (by, other) => add(by, other.user.email, 'viewer')],
    ['leaving', (by) => remove(by, by.user)],
  ])('remains if two owners are %s at the same moment', async (_, act) => {
    for (let round = 0; round < 5; round += 1) {
      const first = await anOwner(host);
      const second = await aMember(host, first, 'owner');
      const answers = await Promise.all([act(first, second), act(second, first)]);
      // A request that comes a moment later finds that its caller is no longer an owner.
      const lost = answers.filter(({ status }) => status !== 200 && status !== 201);
      expect(lost).toHaveLength(1);
      expect(['last_owner', 'missing_role', 'org_mismatch']).toContain(lost[0].body.code);
      const both = [first, second].map(({ user }) => user.id);
      const left = await host.deps.members.list(first.org);
      expect(left.filter(({ user_id, role }) => role === 'owner' && both.includes(user_id))).toHaveLength(1);
      expect(await host.deps.members.count(first.org)).toEqual({ owners: 1, members: left.length });
    }
  });

  it('is safe from a caller who loses the owner role during the request', async () => {
    const [first, second] = [await anOwner(host), newEmail()];
    const { members } = host.deps;
    const stale = inOrganization(await signIn(host, second), first.org);
    await add(first, second, 'owner');
    await aMember(host, first, 'owner');
    const before = await members.get(first.org, first.user.id);
    const actor = { user_id: stale.user.id, role: 'owner' } as const;
    await add(first, second, 'admin');
    expect(await members.change({ before, after: undefined }, actor)).toBe(false);
    await remove(first, stale.user);
    expect(await members.change({ before, after: undefined }, actor)).toBe(false);
    expect(await members.count(first.org)).toEqual({ members: 2, owners: 2 });
  });
});
