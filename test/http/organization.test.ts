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
    update: async (key, change, condition) => {
      const act = key.sk === 'org' ? concurrentChange : undefined;
      if (act) concurrentChange = undefined;
      await act?.(table);
      return table.update(key, change, condition);
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
      kyc: 'pending',
      plan: 'free',
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
    ['no name', { name: null }, ['name']],
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
    expect((await rename(demo, { legal_name: 'DEMO SHOP, Limited', name: 'Demo' })).body.kyc).toBe('approved');
    expect((await rename(demo, { legal_name: 'Another Shop Ltd' })).body.kyc).toBe('pending');
    expect((await rename(demo, { legal_name: 'Demo Shop Ltd' })).body.kyc).toBe('pending');
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
    concurrentChange = decide('rejected');
    expect((await rename(founder, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', kyc: 'rejected' });
    concurrentChange = decide('approved');
    expect((await rename(founder, { legal_name: 'Renamed Ltd' })).body).toMatchObject({
      legal_name: 'Renamed Ltd',
      kyc: 'pending',
    });
    expect([concurrentChange, await kycOf(founder)]).toEqual([undefined, 'pending']);
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
