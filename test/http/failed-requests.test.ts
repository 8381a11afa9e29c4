import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { aMember, anOwner, type OrganizationUser } from '#test/support/members.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const MAX_SERVERS = 20;
const MAX_PUBLIC = 5;
const MAX_ALIKE = 3;

const failuresOf = async ({ request }: OrganizationUser, query = ''): Promise<Body> =>
  (await request('GET', `/v1/failed-requests${query}`)).body;
const listed = async (person: OrganizationUser): Promise<Body[]> => (await failuresOf(person)).failed_requests;

type Shop = { readonly owner: OrganizationUser; readonly key: Body };

async function aShop(kind = 'secret', scopes = ['payments:read', 'payments:write']): Promise<Shop> {
  const owner = await anOwner(host);
  const key = (await owner.request('POST', '/v1/api-keys', { name: 'Shop', kind, scopes })).body;
  return { owner, key };
}

const send = ({ key, owner }: Shop, method: string, path: string, body?: unknown, headers = {}) =>
  host.call(method, path, body, { key: key.key, headers: { 'x-org-id': owner.org, ...headers } });

/** Each has a code and an endpoint of its own, so that no two are alike. */
const KINDS = [
  '/v1/payments?limit=0',
  '/v1/payments/none',
  '/v1/connections',
  '/v1/disputes?limit=0',
  '/v1/payments/stats?from=never',
  '/v1/policies/fraud',
  '/v1/policies/retry',
  '/v1/webhooks/config',
  '/v1/webhooks/events',
  '/v1/subscriptions',
  '/v1/invoices',
  '/v1/api-keys',
];

describe('GET /v1/failed-requests', () => {
  it('shows what failed and with which key, and nothing of what was sent', async () => {
    const shop = await aShop();
    const id = 'pay_01jzzzzzzzfz0a1b2c3d4e5f6g';
    const missing = await send(shop, 'GET', `/v1/payments/${id}`);
    const named = { 'x-request-id': 'order-4711' };
    const bad = await send(shop, 'GET', '/v1/payments?customer_id=kim%40example.com&limit=many', undefined, named);
    const refused = await send(shop, 'POST', '/v1/payments', { customer_email: 'kim@example.com', note: 'my secret' });
    expect([missing.status, bad.status, refused.status]).toEqual([404, 400, 400]);
    const found = await failuresOf(shop.owner);
    expect(found.failed_requests).toEqual([
      expect.objectContaining({ client_request_id: null, method: 'POST', status: 400, code: 'invalid_request' }),
      {
        request_id: bad.headers.get('x-request-id'),
        client_request_id: 'order-4711',
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        method: 'GET',
        route: '/v1/payments',
        resource_id: null,
        status: 400,
        code: 'invalid_request',
        credential_id: shop.key.id,
        credential_kind: 'secret',
      },
      expect.objectContaining({ route: '/v1/payments/{id}', resource_id: id, status: 404, code: 'not_found' }),
    ]);
    expect(JSON.stringify(found)).not.toMatch(/kim|my secret|many/);
    expect(found.pagination).toEqual({ limit: 50, offset: 0, has_more: false, next_cursor: null });
  });

  it('has nothing of requests that succeed, or that have no valid credential', async () => {
    const shop = await aShop();
    expect((await send(shop, 'GET', '/v1/payments')).status).toBe(200);
    const stranger = { key: `${shop.key.key.slice(0, -1)}0`, headers: { 'x-org-id': shop.owner.org } };
    expect((await host.call('GET', '/v1/payments', undefined, stranger)).status).toBe(401);
    expect(await listed(shop.owner)).toEqual([]);
  });

  it('keeps a text in the path that is no id of ours to itself', async () => {
    const shop = await aShop();
    await send(shop, 'GET', '/v1/payments/kim@example.com');
    expect(await listed(shop.owner)).toMatchObject([{ route: '/v1/payments/{id}', resource_id: null }]);
  });

  it('shows the failures of members too, but not the step of proving who one is', async () => {
    const { owner } = await aShop();
    const viewer = await aMember(host, owner, 'viewer');
    const refused = await viewer.request('PATCH', '/v1/organization', { name: 'Mine' });
    expect(refused.status).toBe(403);
    await host.control('POST', '/clock', { advance: '11m' });
    const unproved = await owner.request('POST', '/v1/api-keys', { name: 'Later', scopes: [] });
    expect(unproved.body.code).toBe('fresh_proof_required');
    expect(await listed(viewer)).toMatchObject([
      { code: 'missing_role', credential_kind: 'session', credential_id: expect.stringMatching(/^sess_/) },
    ]);
  });

  it('shows each organization its own, to its members and to no key', async () => {
    const [one, other] = [await aShop(), await aShop()];
    await send(one, 'GET', '/v1/payments/none');
    expect([(await listed(one.owner)).length, await listed(other.owner)]).toEqual([1, []]);
    const stolen = await other.owner.request('GET', '/v1/failed-requests', undefined, {
      headers: { 'x-org-id': one.owner.org },
    });
    const byKey = await send(one, 'GET', '/v1/failed-requests');
    expect([stolen.body.code, byKey.status]).toEqual(['org_mismatch', 401]);
  });

  it('has pages that follow one another', async () => {
    const shop = await aShop();
    await host.control('POST', '/clock', { advance: '1m' });
    for (const path of KINDS.slice(-5)) await send(shop, 'GET', path);
    const whole = await listed(shop.owner);
    const first = await shop.owner.request('GET', '/v1/failed-requests?limit=2');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await shop.owner.request('GET', next.slice(next.indexOf('/v1/')));
    expect([...first.body.failed_requests, ...second.body.failed_requests]).toEqual(whole.slice(0, 4));
    expect([whole.length, first.body.pagination.has_more]).toEqual([5, true]);
  });
});

describe('a flood of failures', () => {
  it('keeps a few of those that are alike in each minute', async () => {
    const shop = await aShop();
    await host.control('POST', '/clock', { advance: '1m' });
    for (let n = 0; n < MAX_ALIKE + 4; n += 1) await send(shop, 'GET', '/v1/payments/none');
    await send(shop, 'GET', '/v1/payments?limit=0');
    expect((await listed(shop.owner)).map(({ route }) => route).sort()).toEqual([
      '/v1/payments',
      ...Array(MAX_ALIKE).fill('/v1/payments/{id}'),
    ]);
    await host.control('POST', '/clock', { advance: '1m' });
    await send(shop, 'GET', '/v1/payments/none');
    expect((await listed(shop.owner)).length).toBe(MAX_ALIKE + 2);
  });

  it('fills no more than the minute has room for, and leaves a public key only its own share', async () => {
    const shop = await aShop('secret', []);
    const pub = {
      ...shop,
      key: (await shop.owner.request('POST', '/v1/api-keys', { name: 'P', kind: 'public' })).body,
    };
    await host.control('POST', '/clock', { advance: '1m' });
    for (const path of KINDS) for (let n = 0; n < MAX_ALIKE; n += 1) await send(pub, 'GET', path);
    expect((await listed(shop.owner)).length).toBe(MAX_PUBLIC);
    for (const path of KINDS) for (let n = 0; n < MAX_ALIKE; n += 1) await send(shop, 'GET', path);
    const kinds = (await listed(shop.owner)).map(({ credential_kind }) => credential_kind);
    expect([kinds.length, kinds.filter((kind) => kind === 'secret').length]).toEqual([
      MAX_SERVERS + MAX_PUBLIC,
      MAX_SERVERS,
    ]);
  });

  it('is forgotten after a week', async () => {
    const shop = await aShop();
    await send(shop, 'GET', '/v1/payments/none');
    await host.control('POST', '/clock', { advance: '8d' });
    const shopAgain = await aMemberAgain(shop.owner);
    expect(await listed(shopAgain)).toEqual([]);
  });
});

/** The same person after their session has ended. */
async function aMemberAgain(owner: OrganizationUser): Promise<OrganizationUser> {
  const again = await anOwner(host, owner.user.email);
  return { ...again, org: owner.org };
}
