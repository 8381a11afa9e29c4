import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/store/keys.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { aMember, anOwner, inOrganization, newEmail, type OrganizationUser } from '#test/support/members.ts';
import { changed } from '#test/support/memory-store.ts';
import { signIn } from '#test/support/people.ts';

let host: TestHost;
let demo: OrganizationUser;
/** Runs right before the next change of an organization is written. */
let concurrentChange: ((table: TablePort) => Promise<unknown>) | undefined;
const beforeNextChange = (table: TablePort): TablePort =>
  changed(table, {
    transact: async (writes, token) => {
      const isChange = writes.some((write) => 'update' in write && write.update.sk === 'org');
      const act = isChange ? concurrentChange : undefined;
      if (act) concurrentChange = undefined;
      await act?.(table);
      return table.transact(writes, token);
    },
  });

beforeAll(async () => {
  host = await startHost({ wrapTable: beforeNextChange });
  demo = inOrganization(await signIn(host, host.info.owner_email), host.info.org_id);
});
afterAll(() => host?.close());

const rename = (by: OrganizationUser, body: Body, how = {}) => by.request('PATCH', '/v1/organization', body, how);
const reject = (org_id: string) => demo.call('POST', '/v1/platform/kyc/reject', { org_id, reason: 'Unreadable.' });
const kycOf = async ({ request }: OrganizationUser) => (await request('GET', '/v1/organization')).body.kyc;

describe('an organization', () => {
  it('is shown to its members with their role', async () => {
    const email = newEmail();
    const founder = await anOwner(host, email);
    const { status, body } = await founder.request('GET', '/v1/organization');
    const shown = {
      id: founder.org,
      name: 'My organization',
      legal_name: null,
      requested_legal_name: null,
      kyc: 'pending',
      plan: 'free',
      renamed_by: null,
      created_at: expect.any(String),
    };
    expect([status, body]).toEqual([200, { ...shown, role: 'owner' }]);
    expect((await (await aMember(host, founder, 'viewer')).request('GET', '/v1/organization')).body).toEqual({
      ...body,
      role: 'viewer',
    });
  });

  it('is shown to its secret keys, but not to public ones', async () => {
    const shown = await host.call('GET', '/v1/organization');
    expect([shown.status, shown.body]).toMatchObject([
      200,
      { id: host.info.org_id, name: 'Demo Shop', kyc: 'approved', role: null },
    ]);
    expect((await host.call('GET', '/v1/organization', undefined, { key: host.info.keys.public })).body.code).toBe(
      'missing_role',
    );
  });

  it('can be renamed by administrators, not by members or keys', async () => {
    const founder = await anOwner(host);
    const renamed = await rename(await aMember(host, founder, 'admin'), { name: 'Shop', legal_name: 'Shop Ltd' });
    expect([renamed.status, renamed.body]).toMatchObject([
      200,
      { name: 'Shop', legal_name: 'Shop Ltd', kyc: 'pending', role: 'admin' },
    ]);
    expect((await founder.request('GET', '/v1/organization')).body).toEqual({ ...renamed.body, role: 'owner' });
    expect((await rename(await aMember(host, founder, 'member'), { name: 'Mine' })).body.code).toBe('missing_role');
    const { org_id, key } = await anOrganization(host);
    const byKey = await host.call(
      'PATCH',
      '/v1/organization',
      { name: 'Mine' },
      { key, headers: { 'x-org-id': org_id } },
    );
    expect([byKey.status, byKey.body.code]).toEqual([401, 'invalid_session']);
  });

  it.each<[string, Body, string[]]>([
    ['a name that is no text', { name: 5 }, ['name']],
    ['a blank name', { name: ' ', legal_name: '' }, ['name', 'legal_name']],
    ['a name beyond 200 characters', { name: 'x'.repeat(201) }, ['name']],
    ['another field', { kyc: 'approved' }, ['kyc']],
  ])('refuses %s', async (_, body, paths) => {
    const answer = await rename(demo, body);
    expect([answer.status, answer.body.details.fields.map(({ path }: Body) => path)]).toEqual([400, paths]);
  });

  it('makes a change once for two requests with one idempotency key', async () => {
    const founder = await anOwner(host);
    const [idempotencyKey, input] = ['rename-1', { name: 'Once' }];
    const first = await rename(founder, input, { idempotencyKey });
    await rename(founder, { name: 'Later' });
    const again = await rename(founder, input, { idempotencyKey });
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body]);
    expect((await founder.request('GET', '/v1/organization')).body.name).toBe('Later');
  });
});

describe('the KYC status', () => {
  it('stays for another spelling, and not for another legal name', async () => {
    const founder = await anOwner(host);
    await rename(founder, { legal_name: 'Spelled Shop Ltd' });
    await reject(founder.org);
    expect((await rename(founder, { legal_name: 'SPELLED SHOP, Limited' })).body.kyc).toBe('rejected');
    expect((await rename(founder, { legal_name: 'Another Shop Ltd' })).body.kyc).toBe('pending');
  });

  it('is pending again after a rejection, for another legal name', async () => {
    const founder = await anOwner(host);
    expect((await reject(founder.org)).status).toBe(200);
    expect((await rename(founder, { name: 'Other' })).body.kyc).toBe('rejected');
    expect((await rename(founder, { legal_name: 'Other Ltd' })).body.kyc).toBe('pending');
  });

  it('is neither lost nor carried over to a new name by a concurrent rename', async () => {
    const decide = (kyc: string) => (table: TablePort) =>
      table.update(keys.organization(founder.org), { set: { kyc } });
    const founder = await anOwner(host);
    await rename(founder, { legal_name: 'First Ltd' });
    concurrentChange = decide('rejected');
    expect((await rename(founder, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', kyc: 'rejected' });
    concurrentChange = decide('approved');
    expect((await rename(founder, { legal_name: 'Renamed Ltd' })).body).toMatchObject({
      legal_name: 'First Ltd',
      requested_legal_name: 'Renamed Ltd',
      kyc: 'approved',
    });
    expect([concurrentChange, await kycOf(founder)]).toEqual([undefined, 'approved']);
  });

  it('that a rename has withdrawn is listed as pending', async () => {
    const founder = await anOwner(host);
    await rename(founder, { legal_name: 'Fresh Ltd' });
    await reject(founder.org);
    await rename(founder, { legal_name: 'Fresher Ltd' });
    const ids = (kyc: string) =>
      demo
        .call('GET', `/v1/platform/organizations?kyc=${kyc}`)
        .then(({ body }) => body.organizations.map(({ id }: Body) => id));
    expect(await ids('pending')).toContain(founder.org);
    expect(await ids('rejected')).not.toContain(founder.org);
  });
});

describe('the legal name of an approved organization', () => {
  const approve = (org_id: string, legal_name?: string) =>
    demo.call('POST', '/v1/platform/kyc/approve', { org_id, legal_name });
  const shown = async ({ request }: OrganizationUser) => {
    const { legal_name, requested_legal_name, kyc } = (await request('GET', '/v1/organization')).body;
    return [legal_name, requested_legal_name, kyc];
  };
  const anApproved = async (): Promise<OrganizationUser> => {
    const founder = await anOwner(host);
    await rename(founder, { legal_name: 'Old Ltd' });
    expect((await approve(founder.org)).status).toBe(200);
    return founder;
  };

  it('stays until the new one is approved', async () => {
    const founder = await anApproved();
    const requested = await rename(founder, { legal_name: 'New GmbH' });
    expect([requested.status, await shown(founder)]).toEqual([200, ['Old Ltd', 'New GmbH', 'approved']]);
    expect((await approve(founder.org)).body).toMatchObject({
      legal_name: 'Old Ltd',
      requested_legal_name: 'New GmbH',
    });
    expect((await approve(founder.org, 'Newer GmbH')).body.code).toBe('legal_name_changed');
    expect((await approve(founder.org, 'New GmbH')).status).toBe(200);
    expect(await shown(founder)).toEqual(['New GmbH', null, 'approved']);
    const { entries } = (await demo.call('GET', '/v1/platform/audit?limit=1')).body;
    expect(entries[0]).toMatchObject({
      action: 'kyc_approved',
      metadata: { changes: { legal_name: { from: 'Old Ltd', to: 'New GmbH' } }, legal_name: 'New GmbH' },
    });
    const [renamed] = (await founder.request('GET', '/v1/organization/audit?limit=1')).body;
    expect([renamed.action, renamed.actor_id, renamed.metadata.changes.legal_name]).toEqual([
      'renamed',
      demo.user.id,
      { from: 'Old Ltd', to: 'New GmbH' },
    ]);
  });

  it('is changed by owners only, while administrators change the display name', async () => {
    const founder = await anApproved();
    const admin = await aMember(host, founder, 'admin');
    for (const legal_name of ['New GmbH', null]) {
      const refused = await rename(admin, { legal_name });
      expect([refused.status, refused.body.code]).toEqual([403, 'missing_role']);
    }
    expect((await rename(admin, { name: 'Shown', legal_name: 'Old Ltd' })).status).toBe(200);
    expect(await shown(founder)).toEqual(['Old Ltd', null, 'approved']);
  });

  it('stays approved if the new one is rejected', async () => {
    const founder = await anApproved();
    await rename(founder, { legal_name: 'Bank of Somewhere' });
    const input = { org_id: founder.org, reason: 'Not theirs.', legal_name: 'Bank of Somewhere' };
    const rejected = await demo.call('POST', '/v1/platform/kyc/reject', input);
    expect([rejected.status, await shown(founder)]).toEqual([200, ['Old Ltd', null, 'approved']]);
    expect((await demo.call('GET', '/v1/platform/audit?limit=1')).body.entries[0]).toMatchObject({
      action: 'legal_name_rejected',
      metadata: { changes: { requested_legal_name: { from: 'Bank of Somewhere', to: null } }, reason: 'Not theirs.' },
    });
    expect((await demo.call('POST', '/v1/platform/kyc/reject', input)).body.code).toBe('legal_name_changed');
  });

  it('keeps no request when the approval is withdrawn', async () => {
    const founder = await anApproved();
    await rename(founder, { legal_name: 'New GmbH' });
    await reject(founder.org);
    expect(await shown(founder)).toEqual(['Old Ltd', null, 'rejected']);
  });

  it('can be given up by the owner, which ends the approval', async () => {
    const founder = await anApproved();
    await rename(founder, { legal_name: null });
    expect(await shown(founder)).toEqual([null, null, 'pending']);
  });
});
