import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUser, userIdOf } from '#shared/domain/accounts/user.model.ts';
import { MailError } from '#shared/ports/mail.port.ts';
import { type Body, callsOf, startHost, type TestHost } from '#test/support/host.ts';
import {
  acceptInvitation,
  aMember,
  anOwner,
  inOrganization,
  invitationsTo,
  membersOf,
  newEmail,
  type OrganizationUser,
} from '#test/support/members.ts';
import { mailedToken, signIn, verify } from '#test/support/people.ts';

let host: TestHost;
let owner: OrganizationUser;
beforeAll(async () => {
  host = await startHost();
  owner = await anOwner(host);
});
afterAll(() => host?.close());

const add = (by: OrganizationUser, email: string, role: string, how = {}) =>
  by.request('POST', '/v1/members', { email, role }, how);
const rolesIn = async (of: OrganizationUser) =>
  Object.fromEntries((await membersOf(of)).map(({ id, role }) => [id, role]));

describe('an invited member', () => {
  it('is listed at once, and active once the link of the invitation was opened', async () => {
    const email = newEmail();
    const added = await add(owner, email.toUpperCase(), 'member');
    const member = { id: expect.stringMatching(/^usr_/), email, role: 'member', status: 'invited', joined_at: null };
    expect([added.status, added.body]).toEqual([
      201,
      {
        ...member,
        created_at: expect.any(String),
        created_by: owner.user.id,
        role_given_by: owner.user.id,
        invited_at: expect.any(String),
      },
    ]);
    expect(await membersOf(owner)).toContainEqual(added.body);

    const { user, organizations } = await acceptInvitation(host, email);
    expect([user.id, organizations]).toMatchObject([
      added.body.id,
      [{ role: 'owner' }, { id: owner.org, name: 'My organization', role: 'member' }],
    ]);
    expect(await membersOf(owner)).toContainEqual({ ...added.body, status: 'active', joined_at: expect.any(String) });
  });

  it('joins by the link of the invitation only, and has no access before', async () => {
    const [email, another] = [newEmail(), await anOwner(host)];
    const { user, organizations, call } = await signIn(host, email);
    await add(owner, email, 'admin');
    await add(another, email, 'admin');
    const reads = async (org: string) => (await call('GET', '/v1/connections', undefined, { org })).body.code;
    expect((await signIn(host, email)).organizations).toEqual(organizations);
    expect([await reads(owner.org), await reads(another.org)]).toEqual(['org_mismatch', 'org_mismatch']);
    expect((await membersOf(owner)).find(({ id }) => id === user.id)).toMatchObject({ status: 'invited' });

    const accepted = await acceptInvitation(host, email);
    expect(accepted.organizations.map(({ id }) => id)).toEqual([...organizations.map(({ id }) => id), another.org]);
    expect([await reads(owner.org), await reads(another.org)]).toEqual(['org_mismatch', undefined]);
  });

  it('gets another link, and no other one works, once the first has expired', async () => {
    const [email, other] = [newEmail(), await startHost()];
    try {
      const founder = await anOwner(other);
      const added = await add(founder, email, 'viewer');
      await other.control('POST', '/clock', { advance: '71h' });
      const again = inOrganization(await signIn(other, founder.user.email), founder.org);
      expect((await add(again, email, 'viewer')).body).toEqual(added.body);
      await other.control('POST', '/clock', { advance: '61m' });
      await expect(acceptInvitation(other, email)).rejects.toThrow('invalid_link');
      expect((await add(again, email, 'viewer')).body.invited_at > added.body.invited_at).toBe(true);
      expect((await acceptInvitation(other, email)).organizations).toMatchObject([{}, { id: founder.org }]);
      await expect(acceptInvitation(other, email)).rejects.toThrow('invalid_link');
    } finally {
      await other.close();
    }
  });

  it('gets an email that names the inviter, with one link', async () => {
    const email = newEmail();
    await add(owner, email, 'viewer');
    const [mail, ...more] = await invitationsTo(host, email);
    expect([mail.subject, more]).toEqual(['You are invited to My organization', []]);
    expect(mail.text).toContain(`${owner.user.email} has invited you to join the organization "My organization".`);
    expect(mail.text.match(/http\S+/g)).toEqual([
      expect.stringMatching(/^http:\/\/localhost:\d+\/sign-in\?token=[A-Za-z0-9]{43}$/),
    ]);
  });

  it('gets one email, even if the request is repeated', async () => {
    const [email, idempotencyKey] = [newEmail(), 'invite-1'];
    const first = await add(owner, email, 'viewer', { idempotencyKey });
    const again = await add(owner, email, 'viewer', { idempotencyKey });
    const addedAgain = await add(owner, email, 'viewer');
    expect([again.body, again.headers.get('idempotency-replayed'), addedAgain.body]).toEqual([
      first.body,
      'true',
      first.body,
    ]);
    expect(await invitationsTo(host, email)).toHaveLength(1);
  });

  it('gets an email that the organization’s name cannot manipulate', async () => {
    const other = await anOwner(host);
    const email = newEmail();
    await other.request('PATCH', '/v1/organization', { name: `Shop\r\nBcc: all\u2028\u202e${'x'.repeat(150)}` });
    await add(other, email, 'viewer');
    const [{ subject, text }] = (await invitationsTo(host, email)) as [Body];
    expect(subject).toBe(`You are invited to Shop Bcc: all ${'x'.repeat(65)}…`);
    expect(text.split('\n')[0]).toBe(
      `${other.user.email} has invited you to join the organization "${subject.slice(19)}".`,
    );
    await other.request('PATCH', '/v1/organization', { name: '\ue000\ue001' });
    const unnamedEmail = newEmail();
    await add(other, unnamedEmail, 'viewer');
    expect((await invitationsTo(host, unnamedEmail))[0].subject).toBe('You are invited to an organization');
  });

  it.each(['https://evil.example/login', 'www.evil.example', 'evil.example', 'all@evil.example', 'evil\u3002example'])(
    'gets no clickable link from an organization named %s',
    async (name) => {
      const [other, email] = [await anOwner(host), newEmail()];
      await other.request('PATCH', '/v1/organization', { name });
      await add(other, email, 'viewer');
      const [{ subject, text }] = (await invitationsTo(host, email)) as [Body];
      expect(
        [subject, text].filter((each) => each.includes(name) || /evil[.\u3002]\w|\w@\w+\.evil|:\/\/evil/.test(each)),
      ).toEqual([]);
      expect(subject.replaceAll('\u2060', '')).toBe(`You are invited to ${name}`);
    },
  );

  it('reads the name of the organization as it is written', async () => {
    const [other, email, name] = [await anOwner(host), newEmail(), 'Dr. Day & Sons: Teas, Ltd.'];
    await other.request('PATCH', '/v1/organization', { name });
    await add(other, email, 'viewer');
    expect((await invitationsTo(host, email))[0].subject).toBe(`You are invited to ${name}`);
  });

  it('stays a member if the email fails, and gets it when added again', async () => {
    const [email, { mail }] = [newEmail(), host.deps];
    const failingMail = { send: () => Promise.reject(new MailError('unavailable', 'The post is closed.')) };
    Object.assign(host.deps, { mail: failingMail });
    const notInvited = await add(owner, email, 'viewer');
    Object.assign(host.deps, { mail });
    expect([notInvited.status, notInvited.body]).toMatchObject([201, { email, status: 'invited', invited_at: null }]);
    expect(await invitationsTo(host, email)).toEqual([]);
    const mailed = await add(owner, email, 'viewer');
    expect(mailed.body).toEqual({ ...notInvited.body, invited_at: expect.any(String) });
    expect(await invitationsTo(host, email)).toHaveLength(1);
  });

  it('gets the same response at the same cost, whether the address is known or not', async () => {
    const [known, unknown] = [(await anOwner(host)).user, newEmail()];
    const calls = async (email: string) =>
      (await callsOf(host, () => add(owner, email, 'viewer'), 'organizations')).map(
        ({ point, method }) => `${point}.${method}`,
      );
    const cold = await calls(newEmail());
    expect([await calls(known.email), await calls(unknown)]).toEqual([cold, cold]);
    const members = await membersOf(owner);
    const [a, b] = [known.email, unknown].map((email) => members.find((member) => member.email === email));
    expect(Object.keys(a)).toEqual(Object.keys(b));
    expect([a.status, a.joined_at, a.invited_at === null]).toEqual([b.status, b.joined_at, b.invited_at === null]);
    // Ids usually begin with their time. This one must not reveal when the user was created.
    expect([a.id === known.id, a.id.slice(0, 14)]).toEqual([true, b.id.slice(0, 14)]);
  });
});

describe('a new user who was invited before', () => {
  it('gets an own organization, which is listed first, however many invitations there are', async () => {
    const [email, others] = [newEmail(), [owner, await anOwner(host), await anOwner(host)]];
    let signedIn = await signIn(host, newEmail());
    for (const other of others) {
      await add(other, email, 'owner');
      signedIn = await acceptInvitation(host, email);
    }
    const { organizations, user, ...person } = signedIn;
    expect(organizations[0]).toMatchObject({ name: 'My organization', role: 'owner' });
    expect(
      organizations
        .slice(1)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(others.map(({ org }) => org).sort());
    expect(await membersOf(inOrganization({ ...person, organizations, user }, organizations[0]!.id))).toMatchObject([
      { id: user.id, role: 'owner' },
    ]);
    expect((await signIn(host, email)).organizations).toEqual(organizations);
  });

  it('keeps the own organization, and gets no other one, after being removed elsewhere', async () => {
    const member = await aMember(host, owner, 'viewer');
    const own = member.organizations.slice(0, 1);
    await owner.request('DELETE', `/v1/members/${member.user.id}`);
    expect((await signIn(host, member.user.email)).organizations).toEqual(own);
    await add(owner, member.user.email, 'viewer');
    expect((await acceptInvitation(host, member.user.email)).organizations).toMatchObject([
      ...own,
      { id: owner.org, role: 'viewer' },
    ]);
  });

  it('gets one own organization from two sign-ins at once', async () => {
    const email = newEmail();
    await add(owner, email, 'viewer');
    const tokens = [await mailedToken(host, email), await mailedToken(host, email)];
    const [one, two] = await Promise.all(tokens.map((token) => verify(host, token)));
    expect([one?.body.organizations.length, two?.body.organizations]).toEqual([1, one?.body.organizations]);
  });
});

describe('a role', () => {
  it('is changed by adding the member again, without an email, from the next request on', async () => {
    const member = await aMember(host, owner, 'viewer');
    const rename = async () => (await member.request('PATCH', '/v1/organization', {})).status;
    expect(await rename()).toBe(403);
    const raised = await add(owner, member.user.email, 'admin');
    expect([raised.status, raised.body]).toMatchObject([
      201,
      { id: member.user.id, role: 'admin', status: 'active', joined_at: expect.any(String) },
    ]);
    expect([await rename(), (await invitationsTo(host, member.user.email)).length]).toEqual([200, 1]);
    expect((await signIn(host, member.user.email)).organizations).toMatchObject([
      { role: 'owner' },
      { id: owner.org, role: 'admin' },
    ]);
  });

  it('of an owner is granted and removed by owners only', async () => {
    const [other, admin] = [await anOwner(host), await anOwner(host)];
    await add(other, admin.user.email, 'admin');
    await acceptInvitation(host, admin.user.email);
    const acting = inOrganization(admin, other.org);
    const before = await rolesIn(other);
    for (const [email, role] of [
      [newEmail(), 'owner'],
      [admin.user.email, 'owner'],
      [other.user.email, 'viewer'],
      [other.user.email, 'owner'],
    ] as const) {
      const answer = await add(acting, email, role);
      expect([answer.status, answer.body.code]).toEqual([403, 'missing_role']);
    }
    expect((await acting.request('DELETE', `/v1/members/${other.user.id}`)).body.code).toBe('missing_role');
    expect(await rolesIn(other)).toEqual(before);
    expect((await add(other, admin.user.email, 'owner')).body.role).toBe('owner');
    await signIn(host, admin.user.email);
    expect((await add(acting, other.user.email, 'viewer')).body.role).toBe('viewer');
  });

  it('below administrator cannot add members', async () => {
    for (const role of ['member', 'viewer']) {
      const member = await aMember(host, owner, role);
      expect((await add(member, newEmail(), 'viewer')).body.code).toBe('missing_role');
    }
  });

  it.each<[string, Body, string[]]>([
    ['an empty body', {}, ['email', 'role']],
    ['an unknown role', { email: 'a@example.com', role: 'god' }, ['role']],
    ['a line break in the address', { email: 'a@example.com\r\nBcc: b@example.com', role: 'viewer' }, ['email']],
    ['another field', { email: 'a@example.com', role: 'viewer', joined_at: null }, ['joined_at']],
  ])('is refused with %s', async (_, body, paths) => {
    const answer = await owner.request('POST', '/v1/members', body);
    expect([answer.status, answer.body.details.fields.map(({ path }: Body) => path)]).toEqual([400, paths]);
  });

  it('cannot be changed with an API key', async () => {
    const how = { headers: { 'x-org-id': host.info.org_id } };
    for (const call of [
      host.call('GET', '/v1/members', undefined, how),
      host.call('POST', '/v1/members', { email: newEmail(), role: 'owner' }, how),
    ]) {
      expect((await call).body.code).toBe('invalid_session');
    }
  });
});

describe('the list of members', () => {
  it('is newest first, page by page, without other organizations’ members', async () => {
    const other = await anOwner(host);
    const emails = [newEmail(), newEmail(), newEmail()];
    for (const email of emails) await add(other, email, 'viewer');
    const seen: string[] = [];
    let page: string | undefined = '/v1/members?limit=3';
    while (page) {
      const { body, headers } = await other.request('GET', page);
      expect(body.pagination).toMatchObject({ limit: 3, offset: 0, total: 4 });
      seen.push(...body.members.map(({ email }: Body) => email));
      page = /<[^>]*(\/v1\/members[^>]*)>/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual([...emails.toReversed(), other.user.email]);
    expect((await other.request('GET', '/v1/members?limit=1&offset=3')).body.members).toMatchObject([
      { id: other.user.id, role: 'owner', status: 'active' },
    ]);
    expect((await other.request('GET', '/v1/members?cursor=bm90aGluZw')).status).toBe(400);
  });

  it('is limited to 500, even if two are added at once', async () => {
    const other = await anOwner(host);
    const [actor, created_at] = [{ user_id: other.user.id, role: 'owner' }, host.clock.now().toISOString()] as const;
    for (let n = 0; n < 498; n += 1) {
      const email = newEmail('many');
      const user_id = userIdOf('another secret', email);
      const after = {
        org_id: other.org,
        user_id,
        email,
        role: 'viewer',
        created_at,
        created_by: null,
        role_given_by: null,
        invited_at: created_at,
        joined_at: null,
      } as const;
      expect(
        await host.deps.members.change(
          { before: undefined, after, newUser: newUser(user_id, email, host.clock.now()) },
          actor,
        ),
      ).toBe(true);
    }
    const last = await Promise.all([add(other, newEmail(), 'viewer'), add(other, newEmail(), 'viewer')]);
    expect(last.map(({ status, body }) => [status, body.code]).sort()).toEqual([
      [201, undefined],
      [409, 'member_limit_reached'],
    ]);
    expect((await other.request('GET', '/v1/members?limit=1')).body.pagination.total).toBe(500);
  });
});

it('an invited member can sign in at the same moment', async () => {
  const [stood, email] = [await anOwner(host), newEmail()];
  await host.clock.stand(host.clock.now());
  await add(stood, email, 'viewer');
  expect((await acceptInvitation(host, email)).organizations).toHaveLength(2);
  expect((await membersOf(stood)).find((member) => member.email === email)).toMatchObject({ status: 'active' });
  expect(await host.deps.members.count(stood.org)).toMatchObject({ members: 2 });
});
