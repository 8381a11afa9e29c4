import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LiveHost, startLiveHost, verdict } from '#test/http/live-host.support.ts';
import { anOrganization, type Body } from '#test/support/host.ts';
import { type SignedInUser, signIn } from '#test/support/people.ts';

let host: LiveHost;
let owner: SignedInUser;
let admin: SignedInUser;
beforeAll(async () => {
  host = await startLiveHost();
  owner = await signIn(host, host.info.owner_email);
  admin = await anAdmin('platform_admin');
});
afterAll(() => host?.close());

let count = 0;
const someone = () => signIn(host, `platform-${++count}@example.com`);
async function anAdmin(role: string): Promise<SignedInUser> {
  const person = await someone();
  expect((await owner.call('POST', '/v1/platform/admins', { email: person.user.email, role })).status).toBe(201);
  return person;
}
const me = async ({ call }: SignedInUser): Promise<Body> => (await call('GET', '/v1/platform/me')).body;
const approve = ({ call }: SignedInUser, org_id: string, how = {}) =>
  call('POST', '/v1/platform/kyc/approve', { org_id }, how);
const reject = ({ call }: SignedInUser, org_id: string) =>
  call('POST', '/v1/platform/kyc/reject', { org_id, reason: 'No register knows it.' });
const setPlan = ({ call }: SignedInUser, id: string, plan: string) =>
  call('POST', `/v1/platform/organizations/${id}/plan`, { plan });
const list = async (query = ''): Promise<Body> => (await admin.call('GET', `/v1/platform/organizations${query}`)).body;
const idsOf = ({ organizations }: Body) => organizations.map(({ id }: Body) => id);

describe('the platform role of the caller', () => {
  it('is shown to every signed-in user', async () => {
    expect([await me(owner), await me(admin), await me(await someone())]).toEqual([
      { is_admin: true, role: 'platform_owner' },
      { is_admin: true, role: 'platform_admin' },
      { is_admin: false, role: null },
    ]);
  });

  it('is not shown to API keys or without credentials', async () => {
    for (const key of [null, host.info.keys.service]) {
      expect(verdict(await host.call('GET', '/v1/platform/me', undefined, { key }))).toEqual([
        401,
        'unauthorized',
        'invalid_session',
      ]);
    }
  });

  it.each([
    ['GET', '/organizations', undefined],
    ['POST', '/organizations/org_01jzzzzzzzfz0a1b2c3d4e5f6g/plan', { plan: 'free' }],
    ['POST', '/organizations/org_01jzzzzzzzfz0a1b2c3d4e5f6g/rate', { payments: 200, writes: 100, reads: 500 }],
    ['POST', '/organizations/org_01jzzzzzzzfz0a1b2c3d4e5f6g/capacity', { list_shards: 64 }],
    ['POST', '/kyc/approve', { org_id: 'x' }],
    ['POST', '/kyc/reject', { org_id: 'x', reason: 'x' }],
    ['GET', '/audit', undefined],
    ['GET', '/admins', undefined],
    ['POST', '/admins', { email: 'x@example.com', role: 'platform_owner' }],
    ['DELETE', '/admins/usr_01jzzzzzzzfz0a1b2c3d4e5f6g', undefined],
  ])('opens %s %s', async (method, path, body) => {
    const [stranger, forOwners] = [await someone(), path.startsWith('/admins')];
    const refused = [403, 'forbidden', 'missing_role'];
    expect(verdict(await stranger.call(method, `/v1/platform${path}`, body))).toEqual(refused);
    const asAdmin = verdict(await admin.call(method, `/v1/platform${path}`, body));
    if (forOwners) expect(asAdmin).toEqual(refused);
    else expect(asAdmin).not.toEqual(refused);
  });
});

describe('the organizations', () => {
  it('are listed newest first, with their KYC status and plan', async () => {
    const { org_id } = await anOrganization(host, {
      name: 'Newest',
      legal_name: 'Newest Ltd',
      kyc: 'pending',
      plan: 'growth',
    });
    const { organizations, pagination } = await list('?limit=2');
    expect(organizations[0]).toEqual({
      id: org_id,
      name: 'Newest',
      legal_name: 'Newest Ltd',
      requested_legal_name: null,
      kyc: 'pending',
      plan: 'growth',
      created_at: expect.any(String),
      rate: { payments: 100, writes: 100, reads: 500 },
      capacity: { list_shards: 4 },
    });
    expect(pagination).toEqual({ limit: 2, offset: 0, has_more: true, next_cursor: expect.any(String) });
  });

  it('are all listed once, by cursor and by offset', async () => {
    for (let n = 0; n < 12; n += 1) await anOrganization(host);
    const all = idsOf(await list('?limit=200'));
    expect(all).toContain(host.info.org_id);
    const walked: string[] = [];
    for (let path: string | undefined = '/v1/platform/organizations?limit=5'; path; ) {
      const { headers, body } = await admin.call('GET', path);
      walked.push(...idsOf(body));
      const link = headers.get('link');
      expect([link !== null, link?.startsWith(`<${host.info.api}/`) ?? true]).toEqual([body.pagination.has_more, true]);
      path = link ? /\/v1[^>]+/.exec(link)?.[0] : undefined;
    }
    expect([walked, new Set(walked).size]).toEqual([all, all.length]);
    expect(idsOf(await list('?limit=4&offset=3'))).toEqual(all.slice(3, 7));
  });

  it('are filtered by KYC status, which a decision changes at once', async () => {
    const { org_id } = await anOrganization(host, { kyc: 'pending' });
    const where = async () => {
      const found = await Promise.all(['pending', 'approved', 'rejected'].map((kyc) => list(`?kyc=${kyc}&limit=200`)));
      return found.map((each) => idsOf(each).includes(org_id));
    };
    expect(await where()).toEqual([true, false, false]);
    await approve(admin, org_id);
    expect(await where()).toEqual([false, true, false]);
    await reject(admin, org_id);
    expect(await where()).toEqual([false, false, true]);
    for (const { kyc } of (await list('?kyc=rejected')).organizations) expect(kyc).toBe('rejected');
  });

  it.each([
    '?kyc=maybe',
    '?cursor=b3Jn',
    `?cursor=${Buffer.from('2026-01-01T00:00:00.000Z#usr_x').toString('base64url')}`,
    '?limit=0',
  ])('cannot be listed with %s', async (query) => {
    expect(verdict(await admin.call('GET', `/v1/platform/organizations${query}`))).toEqual([
      400,
      'invalid_request',
      'invalid_request',
    ]);
  });
});

describe('an identity', () => {
  it('allows live keys once approved, and refuses them once withdrawn', async () => {
    const { org_id, key } = await anOrganization(host, { kyc: 'pending', plan: 'scale' });
    const use = async () => verdict(await host.call('GET', '/v1/payments', undefined, { key }));
    const [works, refused] = [
      [200, undefined, undefined],
      [403, 'forbidden', 'kyc_required'],
    ];
    expect(await use()).toEqual(refused);
    const approved = await approve(admin, org_id);
    expect([approved.status, approved.body]).toEqual([200, expect.objectContaining({ id: org_id, kyc: 'approved' })]);
    expect(await use()).toEqual(works);
    expect((await reject(admin, org_id)).body.kyc).toBe('rejected');
    expect(await use()).toEqual(refused);
    await approve(owner, org_id);
    expect(await use()).toEqual(works);
  });

  it('can be approved twice', async () => {
    const { org_id } = await anOrganization(host, { kyc: 'pending' });
    const [first, second] = [await approve(admin, org_id), await approve(owner, org_id)];
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
  });

  it('is approved only under the legal name of the request, if it has one', async () => {
    const { org_id } = await anOrganization(host, { legal_name: 'Good Ltd', kyc: 'pending' });
    const under = (legal_name: string | null) => admin.call('POST', '/v1/platform/kyc/approve', { org_id, legal_name });
    const kyc = async () => (await list('?limit=1')).organizations[0].kyc;
    for (const other of ['Other GmbH', 'Good', null])
      expect(verdict(await under(other))).toEqual([409, 'conflict', 'legal_name_changed']);
    expect(await kyc()).toBe('pending');
    expect((await under('Good Ltd')).body).toMatchObject({ kyc: 'approved', legal_name: 'Good Ltd' });
  });

  it('is not approved without a legal name', async () => {
    const { org_id } = await anOrganization(host, { legal_name: null, kyc: 'pending' });
    const under = (legal_name: string | null) => admin.call('POST', '/v1/platform/kyc/approve', { org_id, legal_name });
    expect(verdict(await under('Good Ltd'))).toEqual([409, 'conflict', 'legal_name_changed']);
    for (const answer of [await under(null), await approve(admin, org_id)])
      expect(verdict(answer)).toEqual([409, 'conflict', 'legal_name_missing']);
    expect((await list('?limit=1')).organizations[0]).toMatchObject({ id: org_id, kyc: 'pending' });
  });

  it('is not approved by its own members while there is another administrator', async () => {
    expect(verdict(await approve(owner, host.info.org_id))).toEqual([403, 'forbidden', 'own_organization']);
    expect((await approve(admin, host.info.org_id)).status).toBe(200);
  });

  it('needs an existing organization, and a reason for a rejection', async () => {
    for (const id of ['org_01jzzzzzzzfz0a1b2c3d4e5f6g', 'org', owner.user.id]) {
      expect(verdict(await approve(admin, id))).toEqual([404, 'not_found', 'not_found']);
      expect(verdict(await setPlan(admin, id, 'free'))).toEqual([404, 'not_found', 'not_found']);
    }
    for (const body of [{ org_id: host.info.org_id }, { org_id: host.info.org_id, reason: '  ' }, { reason: 'x' }]) {
      expect((await admin.call('POST', '/v1/platform/kyc/reject', body)).status).toBe(400);
    }
    expect((await list('?limit=200')).organizations.find(({ id }: Body) => id === host.info.org_id).kyc).toBe(
      'approved',
    );
  });

  it('keeps one of two concurrent decisions, and logs both', async () => {
    const { org_id } = await anOrganization(host, { kyc: 'pending' });
    const answers = await Promise.all([
      approve(admin, org_id),
      reject(owner, org_id),
      setPlan(admin, org_id, 'growth'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { entries } = (await admin.call('GET', '/v1/platform/audit?limit=3')).body;
    const byFrom = new Map(entries.map(({ metadata }: Body) => [metadata.changes.kyc?.from, metadata.changes.kyc?.to]));
    const { organizations } = await list('?limit=1');
    expect([organizations[0].plan, organizations[0].kyc]).toEqual(['growth', byFrom.get(byFrom.get('pending'))]);
  });
});

describe('a plan', () => {
  it('takes effect with the next request', async () => {
    const { org_id, key } = await anOrganization(host, { plan: 'free' });
    const start = async () => (await host.call('POST', '/v1/routing/ab-tests', { name: 'x' }, { key })).body.code;
    const before = await start();
    expect((await setPlan(admin, org_id, 'scale')).body).toMatchObject({ id: org_id, plan: 'scale' });
    await host.spend(org_id, 'payments', 100);
    const pay = async () =>
      (await host.call('POST', '/v1/payments/intents', { amount: 100, currency: 'EUR' }, { key })).status;
    expect([before, await pay()]).toEqual(['invalid_request', 201]);
    await setPlan(admin, org_id, 'free');
    expect(await pay()).toBe(402);
    expect((await setPlan(admin, org_id, 'gold')).status).toBe(400);
  });
});

describe('the rate limits of an organization', () => {
  const RATE = { payments: 1_000, writes: 200, reads: 600 };
  const setRate = (id: string, rate: Body, how = {}) =>
    admin.call('POST', `/v1/platform/organizations/${id}/rate`, rate, how);
  const shownLimit = async (key: string, path = '/v1/payments?limit=1') =>
    (await host.call('GET', path, undefined, { key })).headers.get('x-ratelimit-limit');

  it('are those of the specification until the platform raises them', async () => {
    const { org_id, key } = await anOrganization(host);
    const { organizations } = await list('?limit=1');
    expect(organizations[0]).toMatchObject({
      id: org_id,
      rate: { payments: 100, writes: 100, reads: 500 },
      capacity: { list_shards: 4 },
    });
    expect(await shownLimit(key)).toBe('200');
    expect((await setRate(org_id, RATE)).body).toMatchObject({ id: org_id, rate: RATE });
    await shownLimit(key);
    expect(await shownLimit(key)).toBe('515');
    const other = await anOrganization(host);
    expect(await shownLimit(other.key)).toBe('200');
  });

  it('hold for keys that the organization creates later', async () => {
    const { org_id, key } = await anOrganization(host);
    await setRate(org_id, RATE);
    const scopes = ['payments:read'];
    const made = await host.call('POST', '/v1/api-keys', { name: 'Later', scopes }, { key });
    expect(await shownLimit(made.body.key)).toBe('515');
  });

  it.each<[string, Body]>([
    ['are never below those of the specification', { ...RATE, writes: 99 }],
    ['have an upper bound', { ...RATE, reads: 360_001 }],
    ['are whole numbers', { ...RATE, payments: 150.5 }],
    ['are set together', { payments: 1_000 }],
  ])('%s', async (_, rate) => {
    const { org_id } = await anOrganization(host);
    expect(verdict(await setRate(org_id, rate))).toEqual([400, 'invalid_request', 'invalid_request']);
    expect((await list('?limit=1')).organizations[0].rate).toEqual({ payments: 100, writes: 100, reads: 500 });
  });

  it('need an existing organization', async () =>
    expect(verdict(await setRate('org_01jzzzzzzzfz0a1b2c3d4e5f6g', RATE))).toEqual([404, 'not_found', 'not_found']));
});

describe('the capacity of an organization', () => {
  const grow = (id: string, list_shards: number) =>
    admin.call('POST', `/v1/platform/organizations/${id}/capacity`, { list_shards });

  it('grows and never shrinks', async () => {
    const { org_id } = await anOrganization(host);
    expect((await grow(org_id, 16)).body).toMatchObject({ id: org_id, capacity: { list_shards: 16 } });
    expect((await grow(org_id, 16)).status).toBe(200);
    expect(verdict(await grow(org_id, 4))).toEqual([409, 'conflict', 'capacity_only_grows']);
    expect((await list('?limit=1')).organizations[0].capacity).toEqual({ list_shards: 16 });
  });

  it('is 4, 16 or 64 partitions', async () => {
    const { org_id } = await anOrganization(host);
    expect((await grow(org_id, 8)).status).toBe(400);
  });
});

describe('administrators', () => {
  const add = (email: string, role: string, how = {}) =>
    owner.call('POST', '/v1/platform/admins', { email, role }, how);
  const remove = ({ call }: SignedInUser, id: string, how = {}) =>
    call('DELETE', `/v1/platform/admins/${id}`, undefined, how);
  const admins = async (): Promise<Body> => (await owner.call('GET', '/v1/platform/admins?limit=200')).body;

  it('are listed, newest first', async () => {
    const person = await anAdmin('platform_admin');
    const { admins: all, pagination } = await admins();
    expect(all[0]).toEqual({
      id: person.user.id,
      email: person.user.email,
      role: 'platform_admin',
      created_at: expect.any(String),
    });
    expect(all.at(-1)).toMatchObject({ id: owner.user.id, role: 'platform_owner' });
    expect(pagination).toEqual({ limit: 200, offset: 0, total: all.length, next_cursor: null });
    const first = await owner.call('GET', '/v1/platform/admins?limit=1');
    const next = await owner.call('GET', /\/v1[^>]+/.exec(first.headers.get('link') ?? '')?.[0] ?? '');
    expect([...first.body.admins, ...next.body.admins]).toEqual(all.slice(0, 2));
  });

  it('are added by email address', async () => {
    const person = await someone();
    const answer = await add(person.user.email.toUpperCase(), 'platform_admin');
    expect([answer.status, answer.body]).toMatchObject([
      201,
      { id: person.user.id, email: person.user.email, role: 'platform_admin' },
    ]);
    expect(await me(person)).toEqual({ is_admin: true, role: 'platform_admin' });
    expect(verdict(await add(person.user.email, 'owner'))).toEqual([400, 'invalid_request', 'invalid_request']);
  });

  it('may be new users, who are administrators at their first sign-in', async () => {
    const { body } = await add('Later@Example.com', 'platform_admin');
    expect((await admins()).admins[0]).toEqual(body);
    const person = await signIn(host, 'later@example.com');
    expect([person.user, await me(person)]).toMatchObject([
      { id: body.id, email: 'later@example.com' },
      { is_admin: true, role: 'platform_admin' },
    ]);
    expect(person.organizations).toMatchObject([{ role: 'owner' }]);
  });

  it('are one user if the first sign-in comes at the same moment', async () => {
    const [{ status, body }, person] = await Promise.all([
      add('both@example.com', 'platform_admin'),
      signIn(host, 'both@example.com'),
    ]);
    expect([status, body.id, await me(person)]).toEqual([
      201,
      person.user.id,
      { is_admin: true, role: 'platform_admin' },
    ]);
  });

  it('can become owners and administrators again', async () => {
    const person = await anAdmin('platform_admin');
    const { created_at } = (await admins()).admins[0];
    await host.control('POST', '/clock', { advance: '1m' });
    expect((await add(person.user.email, 'platform_owner')).body).toMatchObject({ role: 'platform_owner', created_at });
    expect((await person.call('GET', '/v1/platform/admins')).status).toBe(200);
    expect((await add(person.user.email, 'platform_admin')).status).toBe(201);
    expect((await person.call('GET', '/v1/platform/admins')).status).toBe(403);
  });

  it('lose access with their next request once they are removed', async () => {
    const person = await anAdmin('platform_admin');
    expect((await person.call('GET', '/v1/platform/organizations')).status).toBe(200);
    const answer = await remove(owner, person.user.id);
    expect([answer.status, answer.body]).toEqual([200, { id: person.user.id, deleted: true }]);
    expect((await person.call('GET', '/v1/platform/organizations')).status).toBe(403);
    expect(await me(person)).toEqual({ is_admin: false, role: null });
    expect((await remove(owner, person.user.id)).status).toBe(404);
    expect((await person.call('GET', '/v1/auth/session')).status).toBe(200);
  });

  it('always include an owner', async () => {
    const last = [409, 'conflict', 'last_platform_owner'];
    expect(verdict(await remove(owner, owner.user.id))).toEqual(last);
    expect(verdict(await add(owner.user.email, 'platform_admin'))).toEqual(last);
    expect((await add(owner.user.email, 'platform_owner')).status).toBe(201);
    expect(await me(owner)).toEqual({ is_admin: true, role: 'platform_owner' });
  });

  it('do not become owners again by signing in', async () => {
    const other = await anAdmin('platform_owner');
    expect((await remove(other, owner.user.id)).status).toBe(200);
    const again = await signIn(host, owner.user.email);
    expect(await me(again)).toEqual({ is_admin: false, role: null });
    expect(
      (await other.call('POST', '/v1/platform/admins', { email: owner.user.email, role: 'platform_owner' })).status,
    ).toBe(201);
    expect((await remove(owner, other.user.id)).status).toBe(200);
  });
});

describe('an idempotency key', () => {
  it('can be left out', async () => {
    expect((await approve(admin, host.info.org_id, { idempotencyKey: null })).status).toBe(200);
  });

  it('returns the same response again, whatever has happened since', async () => {
    const [{ org_id }, how] = [await anOrganization(host, { kyc: 'pending' }), { idempotencyKey: randomUUID() }];
    const first = await approve(admin, org_id, how);
    await reject(admin, org_id);
    const again = await approve(admin, org_id, how);
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([200, first.text, 'true']);
    expect((await list(`?kyc=rejected&limit=200`)).organizations.map(({ id }: Body) => id)).toContain(org_id);
  });

  it('belongs to one request of that user', async () => {
    const [{ org_id: one }, { org_id: two }, how] = [
      await anOrganization(host),
      await anOrganization(host),
      { idempotencyKey: randomUUID() },
    ];
    await approve(admin, one, how);
    expect(verdict(await approve(admin, two, how))).toEqual([422, 'unprocessable', 'idempotency_key_reused']);
  });

  it('is separate for each user', async () => {
    const [{ org_id: one }, { org_id: two }, how] = [
      await anOrganization(host),
      await anOrganization(host),
      { idempotencyKey: randomUUID() },
    ];
    const [first, second] = [await approve(admin, one, how), await approve(owner, two, how)];
    expect([first.body.id, second.body.id, second.headers.get('idempotency-replayed')]).toEqual([one, two, null]);
  });

  it('gives nothing to a former administrator', async () => {
    const [person, how] = [await anAdmin('platform_admin'), { idempotencyKey: randomUUID() }];
    await approve(person, host.info.org_id, how);
    await owner.call('DELETE', `/v1/platform/admins/${person.user.id}`);
    expect((await approve(person, host.info.org_id, how)).status).toBe(403);
  });
});
