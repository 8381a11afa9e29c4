import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { keys } from '#shared/store/keys.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { Authenticator } from '#test/support/authenticator.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { aMember, anOwner, inOrganization, membersOf, type OrganizationUser } from '#test/support/members.ts';
import { mailedToken, signIn } from '#test/support/people.ts';
import { skipSteps, withTotp } from '#test/support/totp-app.ts';

/** What an organization's audit log shows of changes that nobody made while signed in, and of older records. */

let host: TestHost;
let table: TablePort;
let owner: OrganizationUser;
let member: OrganizationUser;
/** The organization that the member owns, and one that the member was only invited to. */
let own: OrganizationUser;
let inviting: OrganizationUser;

beforeAll(async () => {
  host = await startHost({
    wrapTable: (inner) => {
      table = inner;
      return inner;
    },
  });
});
afterAll(() => host?.close());
beforeEach(async () => {
  await skipSteps(host);
  [owner, inviting] = [await anOwner(host), await anOwner(host)];
  member = await aMember(host, owner, 'viewer');
  own = inOrganization(member, String(member.organizations.find(({ role }) => role === 'owner')?.id));
  await inviting.request('POST', '/v1/members', { email: member.user.email, role: 'viewer' });
});

const anyone = { key: null, idempotencyKey: null };

async function addPasskey(): Promise<Body> {
  const { body: options } = await member.call('POST', '/v1/auth/webauthn/register/begin');
  const created = new Authenticator().create(options);
  return (await member.call('POST', '/v1/auth/webauthn/register/finish', created)).body;
}

/** Entries since the last change, by action; the newest is first. */
async function entriesSince(at: Date, person: OrganizationUser): Promise<readonly Body[]> {
  const { body } = await person.request('GET', '/v1/organization/audit');
  return body.filter(({ created_at }: Body) => Date.parse(created_at) >= at.getTime());
}

async function expectEntries(at: Date, actions: readonly string[]): Promise<void> {
  for (const person of [owner, inOrganization(await signIn(host, own.user.email), own.org)]) {
    const entries = await entriesSince(at, person);
    expect(entries.map(({ action }) => action).sort()).toEqual(actions);
    for (const entry of entries)
      expect(entry).toMatchObject({
        actor_id: member.user.id,
        target: { type: 'user', id: member.user.id, name: null },
        metadata: { credential_id: member.user.id, claimed_actor_id: null },
      });
  }
  expect(await entriesSince(at, inviting)).toEqual([]);
}

const tokenOf = (action: string, subject: string): string => {
  const mail = host.mailbox.to(member.user.email).findLast((each) => each.subject.includes(subject));
  return new RegExp(`action=${action}&token=(\\S+)`).exec(mail?.text ?? '')?.[1] ?? '';
};

const UNDONE: readonly (readonly [what: string, change: () => Promise<unknown>, subject: string, action: string])[] = [
  ['a passkey that was added', addPasskey, 'A passkey was added', 'passkey_removed'],
  [
    'a passkey that was removed',
    async () => member.call('DELETE', `/v1/auth/webauthn/credentials/${(await addPasskey()).id}`),
    'A passkey was removed',
    'passkey_added',
  ],
  [
    'a second factor that was turned on',
    () => withTotp(host, member),
    'Two-factor authentication was turned on',
    'second_factor_disabled',
  ],
];

describe('an undo appears in the audit log of each organization that the user has joined, and of no other one', () => {
  it.each(UNDONE)('%s', async (_, change, subject, action) => {
    await change();
    const at = plus(host.clock.now(), MINUTE);
    await host.clock.stand(at);
    const token = tokenOf('undo', subject);
    expect((await host.call('POST', '/v1/auth/undo', { token }, anyone)).status).toBe(200);
    await expectEntries(at, [action]);
  });

  it('a second factor that was turned off', async () => {
    const person = await withTotp(host, member);
    await person.call('POST', '/v1/auth/2fa/disable', { code: person.recoveryCodes[0] });
    const at = plus(host.clock.now(), MINUTE);
    await host.clock.stand(at);
    const token = tokenOf('undo', 'Two-factor authentication was turned off');
    expect((await host.call('POST', '/v1/auth/undo', { token }, anyone)).status).toBe(200);
    expect((await entriesSince(at, owner)).map(({ action }) => action)).toEqual(['second_factor_enabled']);
    expect(await entriesSince(at, inviting)).toEqual([]);
  });
});

describe('the recovery of an account', () => {
  it('appears in the audit log of each organization that the user has joined, with all that it took away', async () => {
    await addPasskey();
    await withTotp(host, member);
    const token = await mailedToken(host, member.user.email);
    expect((await host.call('POST', '/v1/auth/recovery', { token }, anyone)).status).toBe(202);
    const admin = await signIn(host, host.info.owner_email);
    const [{ requested_at }] = (await admin.call('GET', '/v1/platform/recoveries')).body.recoveries.filter(
      ({ id }: Body) => id === member.user.id,
    );
    await admin.call('POST', `/v1/platform/recoveries/${member.user.id}/approve`, { requested_at });
    const at = plus(host.clock.now(), 73 * 60 * MINUTE);
    await host.clock.stand(at);
    const used = { token: tokenOf('finish-recovery', 'was requested') };
    expect((await host.call('POST', '/v1/auth/recovery/finish', used, anyone)).status).toBe(200);
    owner = inOrganization(await signIn(host, owner.user.email), owner.org);
    inviting = inOrganization(await signIn(host, inviting.user.email), inviting.org);
    await expectEntries(at, ['passkey_removed', 'second_factor_disabled']);
  });
});

describe('what was stored before it was recorded who made it', () => {
  it('has nobody as its maker: members and their roles', async () => {
    const { id: userId } = member.user;
    for (const key of [keys.membership(userId, owner.org), keys.member(owner.org, userId)])
      await table.update(key, { remove: ['created_by', 'role_given_by'] });
    const listed = (await membersOf(owner)).find(({ id }) => id === userId);
    expect(listed).toMatchObject({ id: userId, role: 'viewer', created_by: null, role_given_by: null });
    const email = member.user.email;
    const { body } = await owner.request('POST', '/v1/members', { email, role: 'admin' });
    expect([body.role, body.created_by, body.role_given_by]).toEqual(['admin', null, owner.user.id]);
  });

  it('has nobody as its maker: passkeys', async () => {
    const passkey = await addPasskey();
    const { items } = await table.query({ pk: keys.user(member.user.id).pk, range: { prefix: 'passkey#' }, limit: 9 });
    for (const { pk, sk } of items) await table.update({ pk, sk }, { remove: ['created_by'] });
    const { credentials } = (await member.call('GET', '/v1/auth/webauthn/credentials')).body;
    expect([items.length, credentials]).toMatchObject([1, [{ id: passkey.id, created_by: null }]]);
    expect((await member.call('DELETE', `/v1/auth/webauthn/credentials/${passkey.id}`)).status).toBe(200);
  });

  it('has nobody as its maker: API keys', async () => {
    const wish = { name: 'Old', scopes: [] };
    const { id } = (await owner.request('POST', '/v1/api-keys', wish)).body;
    await table.update(keys.listedApiKey(owner.org, id), { remove: ['created_by'] });
    const listed = (await owner.request('GET', '/v1/api-keys')).body.api_keys.find((key: Body) => key.id === id);
    expect(listed).toMatchObject({ id, created_by: null });
    expect((await owner.request('DELETE', `/v1/api-keys/${id}`)).status).toBe(200);
  });
});
