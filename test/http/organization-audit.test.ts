import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Authenticator } from '#test/support/authenticator.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { aMember, anOwner, inOrganization, newEmail, type OrganizationUser } from '#test/support/members.ts';
import { skipSteps, withTotp } from '#test/support/totp-app.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const auditOf = async (person: OrganizationUser, query = ''): Promise<Body[]> =>
  (await person.request('GET', `/v1/organization/audit${query}`)).body;
const aKey = async (person: OrganizationUser, body: Body = { name: 'Shop', scopes: ['connections:read'] }) =>
  (await person.request('POST', '/v1/api-keys', body)).body;

describe('GET /v1/organization/audit', () => {
  it('shows who created and revoked an API key, newest first', async () => {
    const owner = await anOwner(host);
    const { id, created_by } = await aKey(owner, { name: 'Shop', scopes: ['payments:read'] });
    await owner.request('DELETE', `/v1/api-keys/${id}`);
    const target = { type: 'api_key', id, name: 'Shop' };
    const metadata = { credential_id: expect.stringMatching(/^sess_/), claimed_actor_id: null };
    expect([created_by, await auditOf(owner)]).toEqual([
      owner.user.id,
      [
        expect.objectContaining({
          action: 'api_key_revoked',
          actor_id: owner.user.id,
          target,
          metadata: { ...metadata, changes: {} },
        }),
        expect.objectContaining({
          action: 'api_key_created',
          actor_id: owner.user.id,
          target,
          metadata: {
            ...metadata,
            changes: { kind: { from: null, to: 'service' }, scopes: { from: null, to: ['payments:read'] } },
          },
        }),
      ],
    ]);
  });

  it('names the key that created a key, and keeps apart whom its holder claims to act for', async () => {
    const owner = await anOwner(host);
    const root = await aKey(owner, { name: 'Root', scopes: ['api_keys:write', 'connections:read'] });
    const { body: child } = await host.call(
      'POST',
      '/v1/api-keys',
      { name: 'Child', scopes: [] },
      { key: root.key, headers: { 'x-org-id': owner.org, 'x-actor-id': owner.user.id } },
    );
    const [newest] = await auditOf(owner);
    expect([child.created_by, newest?.actor_id, newest?.metadata]).toEqual([
      root.id,
      root.id,
      expect.objectContaining({ credential_id: root.id, claimed_actor_id: owner.user.id }),
    ]);
  });

  it('shows members, their roles and the names of the organization, with who changed them', async () => {
    const owner = await anOwner(host);
    const { body: added } = await owner.request('POST', '/v1/members', { email: newEmail(), role: 'viewer' });
    const { body: promoted } = await owner.request('POST', '/v1/members', { email: added.email, role: 'admin' });
    await owner.request('DELETE', `/v1/members/${added.id}`);
    const { body: renamed } = await owner.request('PATCH', '/v1/organization', { name: 'Renamed' });
    const by = owner.user.id;
    expect([added.created_by, promoted.created_by, promoted.role_given_by, renamed.renamed_by]).toEqual([
      by,
      by,
      by,
      by,
    ]);
    expect((await auditOf(owner)).map(({ action, target, metadata }) => [action, target.id, metadata.changes])).toEqual(
      [
        ['renamed', owner.org, { name: { from: expect.any(String), to: 'Renamed' } }],
        ['member_removed', added.id, { role: { from: 'admin', to: null } }],
        ['role_changed', added.id, { role: { from: 'viewer', to: 'admin' } }],
        ['member_added', added.id, { role: { from: null, to: 'viewer' } }],
      ],
    );
    expect(JSON.stringify(await auditOf(owner))).not.toContain(added.email);
  });

  it('shows each change once, page by page, to viewers too, and to no other organization', async () => {
    const [owner, other] = [await anOwner(host), await anOwner(host)];
    const viewer = await aMember(host, owner, 'viewer');
    for (const name of ['a', 'b', 'c', 'd']) await aKey(owner, { name, scopes: [] });
    const all = await auditOf(owner);
    const first = await viewer.request('GET', '/v1/organization/audit?limit=2');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await viewer.request(
      'GET',
      new URL(next, 'http://host').pathname + new URL(next, 'http://host').search,
    );
    expect([...first.body, ...second.body]).toEqual(all.slice(0, 4));
    expect(all.slice(0, 4).map(({ target }) => target.name)).toEqual(['d', 'c', 'b', 'a']);
    expect(JSON.stringify(await auditOf(other))).not.toContain(owner.org);
    expect(await auditOf(other)).toEqual([]);
  });

  it('needs the same scope as the audit log of a connection', async () => {
    const owner = await anOwner(host);
    const [able, unable] = [await aKey(owner), await aKey(owner, { name: 'None', scopes: ['payments:read'] })];
    const read = (key: string) =>
      host.call('GET', '/v1/organization/audit', undefined, { key, headers: { 'x-org-id': owner.org } });
    expect([(await read(able.key)).status, (await read(unable.key)).body.code]).toEqual([200, 'missing_scope']);
  });
});

/** The clock stands in these tests, as an app's codes need it: entries of one millisecond have no order. */
const SIGN_IN_ACTIONS = ['passkey_added', 'passkey_removed', 'second_factor_enabled'];
const signInActions = async (person: OrganizationUser) =>
  (await auditOf(person))
    .map(({ action }) => action)
    .filter((action) => SIGN_IN_ACTIONS.includes(action))
    .sort();

/** Follows the link in the newest mail with this subject, later. */
async function undo({ user }: OrganizationUser, subject: string): Promise<void> {
  await skipSteps(host);
  const mail = host.mailbox.to(user.email).findLast((each) => each.subject.includes(subject));
  const token = /account-link\?action=undo&token=([A-Za-z0-9]{43})/.exec(mail?.text ?? '')?.[1];
  expect((await host.call('POST', '/v1/auth/undo', { token }, { key: null, idempotencyKey: null })).status).toBe(200);
}

describe('the audit log of an organization', () => {
  it('shows changes of how a member signs in, in each organization that they joined, and of an undo', async () => {
    await skipSteps(host);
    const owner = await anOwner(host);
    const member = await aMember(host, owner, 'viewer');
    const own = inOrganization(member, String(member.organizations.find(({ role }) => role === 'owner')?.id));
    const { body: options } = await member.call('POST', '/v1/auth/webauthn/register/begin');
    const { status, body: passkey } = await member.call(
      'POST',
      '/v1/auth/webauthn/register/finish',
      new Authenticator().create(options),
    );
    const added = (await auditOf(owner)).find(({ action }) => action === 'passkey_added');
    expect(status).toBe(201);
    expect([passkey.created_by, added?.action, added?.actor_id, added?.target]).toEqual([
      member.user.id,
      'passkey_added',
      member.user.id,
      { type: 'user', id: member.user.id, name: null },
    ]);
    await member.call('DELETE', `/v1/auth/webauthn/credentials/${passkey.id}`);
    await withTotp(host, member);
    expect([await signInActions(owner), await signInActions(own)]).toEqual([SIGN_IN_ACTIONS, SIGN_IN_ACTIONS]);
    await undo(member, 'Two-factor authentication was turned on');
    expect((await auditOf(owner))[0]).toMatchObject({ action: 'second_factor_disabled', actor_id: member.user.id });
  });
});
