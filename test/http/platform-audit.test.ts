import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { type SignedInUser, signIn } from '#test/support/people.ts';

let host: TestHost;
let owner: SignedInUser;
beforeAll(async () => {
  host = await startHost();
  owner = await signIn(host, host.info.owner_email);
});
afterAll(() => host?.close());

const audit = async (query = '', { call } = owner): Promise<Body> =>
  (await call('GET', `/v1/platform/audit${query}`)).body;
const newest = async (): Promise<Body> => (await audit('?limit=1')).entries[0];
const idsOf = ({ entries }: Body): string[] => entries.map(({ id }: Body) => id);
const approve = (org_id: string, how = {}) => owner.call('POST', '/v1/platform/kyc/approve', { org_id }, how);

describe('the audit log', () => {
  it.each<[string, (org: string) => [path: string, body: Body], Body]>([
    [
      'kyc_approved',
      (org_id) => ['kyc/approve', { org_id }],
      { changes: { kyc: { from: 'pending', to: 'approved' } }, reason: null, legal_name: 'Shop Ltd' },
    ],
    [
      'kyc_rejected',
      (org_id) => ['kyc/reject', { org_id, reason: 'No such company.' }],
      { changes: { kyc: { from: 'pending', to: 'rejected' } }, reason: 'No such company.', legal_name: 'Shop Ltd' },
    ],
    [
      'plan_changed',
      (id) => [`organizations/${id}/plan`, { plan: 'growth' }],
      { changes: { plan: { from: 'scale', to: 'growth' } }, reason: null },
    ],
    [
      'rate_changed',
      (id) => [`organizations/${id}/rate`, { payments: 1_000, writes: 100, reads: 500 }],
      {
        changes: {
          'rate.payments': { from: '100', to: '1000' },
          'rate.writes': { from: '100', to: '100' },
          'rate.reads': { from: '500', to: '500' },
        },
        reason: null,
      },
    ],
    [
      'capacity_changed',
      (id) => [`organizations/${id}/capacity`, { list_shards: 16 }],
      { changes: { 'capacity.list_shards': { from: '4', to: '16' } }, reason: null },
    ],
  ])('logs %s with the actor, the target and the change', async (action, request, metadata) => {
    const { org_id } = await anOrganization(host, { name: 'Shop', legal_name: 'Shop Ltd', kyc: 'pending' });
    const [path, body] = request(org_id);
    await owner.call('POST', `/v1/platform/${path}`, body);
    expect(await newest()).toEqual({
      id: expect.stringMatching(/^act_/),
      actor_id: owner.user.id,
      actor_email: owner.user.email,
      action,
      target: { type: 'organization', id: org_id, name: 'Shop' },
      metadata,
      created_at: expect.stringMatching(/^20\d\d-.*Z$/),
    });
  });

  it('logs administrators that are added, changed and removed', async () => {
    const { user } = await signIn(host, 'told@example.com');
    const save = (role: string) => owner.call('POST', '/v1/platform/admins', { email: user.email, role });
    await save('platform_admin');
    await save('platform_owner');
    await owner.call('DELETE', `/v1/platform/admins/${user.id}`);
    const { entries } = await audit('?limit=3');
    expect(entries.map(({ action, target, metadata }: Body) => [action, target, metadata.changes.role])).toEqual([
      ['admin_removed', { type: 'user', id: user.id, name: user.email }, { from: 'platform_owner', to: null }],
      [
        'admin_changed',
        { type: 'user', id: user.id, name: user.email },
        { from: 'platform_admin', to: 'platform_owner' },
      ],
      ['admin_added', { type: 'user', id: user.id, name: user.email }, { from: null, to: 'platform_admin' }],
    ]);
  });

  it('begins with the bootstrapped owner’s first sign-in', async () => {
    const { entries } = await audit('?limit=200');
    const logged = entries.filter(
      ({ actor_id, target }: Body) => actor_id === owner.user.id && target.id === owner.user.id,
    );
    expect(logged).toEqual([
      {
        id: expect.stringMatching(/^act_/),
        actor_id: owner.user.id,
        actor_email: owner.user.email,
        action: 'admin_added',
        target: { type: 'user', id: owner.user.id, name: owner.user.email },
        metadata: {
          changes: { role: { from: null, to: 'platform_owner' } },
          reason: expect.stringContaining('bootstrap'),
        },
        created_at: expect.stringMatching(/^20\d\d-.*Z$/),
      },
    ]);
    expect(entries.at(-1)).toEqual(logged[0]);
    await signIn(host, owner.user.email);
    expect((await audit('?limit=200')).entries).toEqual(entries);
  });

  it('logs the earlier role if an administrator becomes the bootstrapped owner', async () => {
    const [email, { org_id }] = ['second-owner@example.com', await anOrganization(host)];
    const { body } = await owner.call('POST', '/v1/platform/admins', { email, role: 'platform_admin' });
    await host.deps.owners.record({ email, org_id, created_at: host.clock.now().toISOString() });
    const { call } = await signIn(host, email);
    const { action, actor_id, metadata } = await newest();
    expect([action, actor_id, metadata.changes]).toEqual([
      'admin_changed',
      body.id,
      { role: { from: 'platform_admin', to: 'platform_owner' } },
    ]);
    const { admins } = (await call('GET', '/v1/platform/admins')).body;
    expect(admins.find(({ id }: Body) => id === body.id)).toEqual({ ...body, role: 'platform_owner' });
    await owner.call('DELETE', `/v1/platform/admins/${body.id}`);
  });

  it('also logs decisions that change nothing', async () => {
    const { org_id } = await anOrganization(host, { kyc: 'approved' });
    await approve(org_id);
    expect(await newest()).toMatchObject({
      action: 'kyc_approved',
      target: { id: org_id },
      metadata: { changes: { kyc: { from: 'approved', to: 'approved' } } },
    });
  });

  it('has one entry for a repeated request', async () => {
    const [{ org_id }, how] = [await anOrganization(host), { idempotencyKey: randomUUID() }];
    for (let times = 0; times < 3; times += 1) await approve(org_id, how);
    await Promise.all([approve(org_id, how), approve(org_id, how)]);
    expect((await audit('?limit=50')).entries.filter(({ target }: Body) => target.id === org_id)).toHaveLength(1);
  });

  it('has no entry for a refused request', async () => {
    const before = (await newest()).id;
    const { call } = await signIn(host, 'refused@example.com');
    await approve('org_01jzzzzzzzfz0a1b2c3d4e5f6g');
    await call('POST', '/v1/platform/kyc/approve', { org_id: host.info.org_id });
    await owner.call('POST', '/v1/platform/kyc/reject', { org_id: host.info.org_id });
    await owner.call('DELETE', `/v1/platform/admins/${owner.user.id}`);
    await owner.call(
      'POST',
      '/v1/platform/kyc/approve',
      { org_id: host.info.org_id },
      { headers: { origin: 'https://evil.example' } },
    );
    expect((await newest()).id).toBe(before);
  });

  it('can be read by every administrator, and nobody else', async () => {
    const person = await signIn(host, 'reader@example.com');
    expect((await person.call('GET', '/v1/platform/audit')).status).toBe(403);
    await owner.call('POST', '/v1/platform/admins', { email: person.user.email, role: 'platform_admin' });
    expect(idsOf(await audit('', person))).toEqual(idsOf(await audit()));
  });
});

describe('its pages', () => {
  beforeAll(async () => {
    for (let n = 0; n < 20; n += 1) await approve(host.info.org_id);
  });

  it('contain every entry once, newest first, while the log grows', async () => {
    const all = idsOf(await audit('?limit=200'));
    const listed: string[] = [];
    for (let path: string | undefined = '/v1/platform/audit?limit=6'; path; ) {
      const { headers, body } = await owner.call('GET', path);
      listed.push(...idsOf(body));
      expect(body.pagination).toMatchObject({ limit: 6, offset: 0, has_more: headers.has('link') });
      path = /\/v1[^>]+/.exec(headers.get('link') ?? '')?.[0];
      await approve(host.info.org_id);
    }
    expect([listed, listed.toSorted().toReversed()]).toEqual([all, all]);
  });

  it('start at an offset', async () => {
    const all = idsOf(await audit('?limit=200'));
    expect(idsOf(await audit('?limit=3&offset=4'))).toEqual(all.slice(4, 7));
    expect(await audit(`?offset=${all.length}`)).toEqual({
      entries: [],
      pagination: { limit: 50, offset: all.length, has_more: false, next_cursor: null },
    });
    expect((await owner.call('GET', `/v1/platform/audit?limit=${all.length}`)).headers.has('link')).toBe(false);
  });

  it.each([
    '?cursor=x',
    `?cursor=${Buffer.from(`org_${'0'.repeat(26)}`).toString('base64url')}`,
    '?limit=201',
    '?action=kyc_approved',
  ])('cannot be read with %s', async (query) => {
    expect((await owner.call('GET', `/v1/platform/audit${query}`)).status).toBe(400);
  });
});
